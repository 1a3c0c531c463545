/// The fixed parts of a Health export (APPLE_HEALTH 2).
enum AppleHealthProlog {
  /// What stands before the date of the export: the declaration, a document type that covers what
  /// is written here and nothing else, and the root's start.
  static let beforeExportDate: StaticString = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!ELEMENT HealthData (ExportDate, Me, Record*)>
    <!ATTLIST HealthData locale CDATA #REQUIRED>
    <!ELEMENT ExportDate EMPTY>
    <!ATTLIST ExportDate value CDATA #REQUIRED>
    <!ELEMENT Me EMPTY>
    <!ATTLIST Me
     HKCharacteristicTypeIdentifierDateOfBirth CDATA #REQUIRED
     HKCharacteristicTypeIdentifierBiologicalSex CDATA #REQUIRED
     HKCharacteristicTypeIdentifierBloodType CDATA #REQUIRED
     HKCharacteristicTypeIdentifierFitzpatrickSkinType CDATA #REQUIRED
     HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse CDATA #REQUIRED>
    <!ELEMENT Record (MetadataEntry+)>
    <!ATTLIST Record
     type CDATA #REQUIRED
     sourceName CDATA #REQUIRED
     sourceVersion CDATA #REQUIRED
     device CDATA #REQUIRED
     unit CDATA #REQUIRED
     creationDate CDATA #REQUIRED
     startDate CDATA #REQUIRED
     endDate CDATA #REQUIRED
     value CDATA #REQUIRED>
    <!ELEMENT MetadataEntry EMPTY>
    <!ATTLIST MetadataEntry key CDATA #REQUIRED value CDATA #REQUIRED>
    ]>
    <HealthData locale="en_US">
     <ExportDate value="
    """

  /// What stands after it: of the person nothing is known, and readers insist on the element.
  static let afterExportDate: StaticString = """
    "/>
     <Me HKCharacteristicTypeIdentifierDateOfBirth="" \
    HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet" \
    HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" \
    HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" \
    HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>

    """

  /// The end of the document.
  static let end: StaticString = "</HealthData>\n"
}
