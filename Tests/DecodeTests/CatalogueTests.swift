import Decode
import PumpModel
import Testing

@Suite("The catalogue of events")
struct CatalogueTests {
  @Test("Ids are listed once, fields lie inside the payload and do not overlap")
  func layoutsAreSound() {
    #expect(Set(EventCatalogue.layouts.map(\.id)).count == EventCatalogue.layouts.count)
    for layout in EventCatalogue.layouts {
      #expect(layout.fields.count <= 16 && layout.id < 512)
      var taken = Set<Int>()
      for field in layout.fields {
        let bytes = field.offset..<field.offset + field.kind.size
        #expect(field.offset >> 2 == (bytes.upperBound - 1) >> 2, "\(layout.id)")
        #expect(bytes.upperBound <= 16)
        #expect(taken.isDisjoint(with: bytes), "\(layout.id) \(field.name)")
        taken.formUnion(bytes)
      }
    }
  }

  @Test("Fields stand where the decoder expects them")
  func orderOfFields() {
    let expected: [UInt16: [Int: String]] = [
      2: [0: "percent"], 3: [0: "commandedBasalRate", 1: "baseBasalRate", 3: "changeType"],
      5: [0: "alarmId"], 13: [0: "timePrior", 1: "timeAfter"],
      14: [0: "datePrior", 1: "dateAfter"],
      16: [0: "bgEntryType", 2: "bg"],
      20: [0: "bolusId", 1: "completionStatus", 3: "insulinDelivered", 4: "insulinRequested"],
      21: [0: "bolusId", 1: "completionStatus", 3: "insulinDelivered", 4: "insulinRequested"],
      48: [0: "carbs"], 55: [1: "bolusId"], 59: [1: "bolusId"],
      64: [1: "bolusType", 2: "bolusId", 4: "carbAmount"],
      65: [1: "options", 2: "bolusId", 7: "declinedCorrection", 8: "userOverride"],
      66: [0: "bolusId"], 81: [0: "dailyTotalBasal", 5: "finalEventForDay"],
      90: [0: "commandedBasalRate"], 279: [0: "commandedRateSource", 2: "commandedRate"],
      280: [1: "bolusDeliveryStatus", 2: "bolusId", 5: "bolusSource"],
    ]
    for (id, fields) in expected {
      for (index, name) in fields {
        #expect(EventCatalogue.layout(of: id)?.fields[index].name == name, "\(id)")
      }
    }
    for id in [256, 372, 399, 480] as [UInt16] {
      let fields = EventCatalogue.layout(of: id)?.fields ?? []
      #expect(fields[2].name == "glucoseValueStatus")
      #expect(fields[3].name == "currentGlucoseDisplayValue" && fields[3].offset == 4)
      #expect(fields[6].name == "egvTimeStamp" && fields[6].offset == 8)
    }
  }

  @Test("Details show words for codes and bits, and leave out what is absent")
  func details() {
    let change = PumpRecord(
      number: 1, seconds: 1, eventID: 3,
      payload: .init(Float(0.8).bitPattern, Float(1).bitPattern, 0, 0x0050_0000), form: .binary,
      present: 0b1011)
    let details = EventCatalogue.details(of: change)
    #expect(details.map(\.name) == ["commandedBasalRate", "baseBasalRate", "changeType"])
    #expect(details.map(\.value) == ["0.8", "1", "pump suspended, pump shut down"])
    #expect(EventCatalogue.name(of: 11) == "PUMPING_SUSPENDED")
    #expect(EventCatalogue.name(of: 4000) == nil)
    #expect(EventCatalogue.category(of: 33) == "cartridge")
    #expect(EventCatalogue.category(of: 279) == nil)
  }
}
