import PumpModel

/// Reads one treatment of Nightscout that tconnectsync wrote from a Tandem pump (FORMATS G).
///
/// Others write treatments too: pens, other pumps, people. Only what is signed by this program is
/// read: it tells boluses with the time at which they ended.
enum NightscoutTreatment {
  /// What tconnectsync signs its treatments with.
  private static let signature = "Pump (tconnectsync)"
  /// What notes say of an extended bolus: of its first part, or of the part that followed.
  private static let extended = "Extended Bolus"

  /// What is read of a treatment.
  static let members = ExportMembers(
    ._id, .oid, .identifier, .enteredBy, .eventType, .created_at, .insulin, .carbs, .notes,
    .pump_event_id, .rate, .absolute, .duration)

  /// The types of treatments that are read.
  enum Kind: String, CaseIterable {
    case bolus = "Combo Bolus"
    case rate = "Temp Basal"
  }

  /// Whether an object is a treatment at all.
  static func looksLike(_ object: ExportObject) -> Bool {
    object.has(.created_at) && (object.has(.eventType) || object.has(.enteredBy))
  }

  /// What a treatment says; `isOfAnybody` takes what others wrote as well, for audits, which compare by
  /// time and amount and need no id.
  static func outcome(
    of object: ExportObject, place: UInt64, isOfAnybody: Bool = false
  ) -> RowOutcome {
    let isSigned = object.isWord(signature, in: .enteredBy)
    guard isSigned || isOfAnybody else { return .ignored(.otherOrigin) }
    do throws(ExportFault) {
      return isSigned
        ? try read(object, place, needsName: !isOfAnybody) : try readOfAnybody(object, place)
    } catch {
      return .rejected(error.reason)
    }
  }

  private static func read(
    _ object: ExportObject, _ place: UInt64, needsName: Bool
  ) throws(ExportFault) -> RowOutcome {
    try object.checkNames()
    guard let kind = object.word(.eventType) as Kind? else { return .ignored(.otherRow) }
    let name = name(of: object)
    guard name != nil || !needsName else { throw ExportFault(._id, "is no id of a record") }
    guard let time = try object.instant(.created_at) else {
      throw ExportFault(.created_at, "is missing")
    }
    let content: ExportRow.Content
    switch kind {
    case .bolus: content = .bolus(try bolus(object, endedAt: time))
    case .rate:
      guard let rate = try rate(object) else { return .ignored(.basalRow) }
      content = rate
    }
    return .row(
      ExportRow(
        source: .nightscout, pump: 0, time: time, place: place, name: name, content: content))
  }

  /// Reads what is common to the treatments of all programs: insulin, carbohydrate, and basal rates.
  private static func readOfAnybody(
    _ object: ExportObject, _ place: UInt64
  ) throws(ExportFault) -> RowOutcome {
    try object.checkNames()
    let content: ExportRow.Content
    if object.word(.eventType) == Kind.rate {
      // One without a length ends the rate before it.
      content =
        try object.amount(.duration)?.value ?? 0 > 0
        ? try rate(object) ?? ended : ended
    } else {
      var bolus = RowBolus()
      bolus.normal = try dose(object)
      bolus.carbohydrate = try carbohydrate(object)
      guard bolus.normal?.amount ?? 0 > 0 || bolus.carbohydrate != nil else {
        return .ignored(.otherRow)
      }
      content = .bolus(bolus)
    }
    guard let time = try object.instant(.created_at) else {
      throw ExportFault(.created_at, "is missing")
    }
    return .row(
      ExportRow(source: .nightscout, pump: 0, time: time, place: place, content: content))
  }

  /// The end of a rate.
  private static let ended = ExportRow.Content.rate(milliunitsPerHour: 0, seconds: 1)

  /// Insulin; nil if none is told.
  private static func dose(_ object: ExportObject) throws(ExportFault) -> RowDose? {
    guard let insulin = try object.amount(.insulin) else { return nil }
    guard let amount = insulin.thousandths(upTo: 80) else {
      throw ExportFault(.insulin, "is above 80 U")
    }
    return RowDose(amount: amount, decimals: insulin.decimals)
  }

  /// Carbohydrate in mg; nil if none is told.
  private static func carbohydrate(_ object: ExportObject) throws(ExportFault) -> UInt32? {
    guard let grams = try object.amount(.carbs) else { return nil }
    guard let milligrams = grams.thousandths(upTo: 65_535),
      milligrams < RowBolus.tooMuchCarbohydrate
    else {
      throw ExportFault(.carbs, "is above any meal")
    }
    return milligrams == 0 ? nil : milligrams
  }

  /// The record's id: of its database, as that exports it, or as the newer interface calls it.
  private static func name(of object: ExportObject) -> String? {
    let name =
      (try? object.object(._id)?.text(.oid)) ?? object.text(._id) ?? object.text(.identifier)
    return name.flatMap { ExportSource.isName($0.utf8) ? $0 : nil }
  }

  private static func bolus(
    _ object: ExportObject, endedAt time: Int64
  ) throws(ExportFault) -> RowBolus {
    var bolus = RowBolus()
    guard let dose = try dose(object) else { throw ExportFault(.insulin, "is missing") }
    let notes = try object.words(.notes) ?? ""
    // Older ones tell the first part under the time at which the second began.
    guard !notes.hasSuffix("(Extended)") else {
      throw ExportFault(.notes, "tell an extended bolus in an older form, which is not known")
    }
    let numbers = try numbers(of: object)
    let tellsTypes = Self.areTypes(numbers)
    bolus.number = tellsTypes ? nil : numbers.first
    if notes.hasPrefix(extended),
      try tellsTypes ? numbers.first == Self.extendedEnd : isSecondPart(numbers)
    {
      bolus.extended = dose
      // When it began is not told.
      bolus.span = time...time
    } else {
      bolus.normal = dose
    }
    bolus.carbohydrate = try carbohydrate(object)
    bolus.isAutomatic = notes.hasPrefix("Automatic") || notes.hasPrefix("Eating Soon Automatic")
    bolus.isOverride = notes.contains("(Override)")
    return bolus
  }

  /// The pump's numbers of the records that a treatment rests on, its end's first; none where they are
  /// not told.
  private static func numbers(of object: ExportObject) throws(ExportFault) -> [UInt32] {
    let parts = try object.label(.pump_event_id)?.split(separator: ",") ?? []
    let numbers = parts.compactMap { UInt32($0) }
    return numbers.count == parts.count ? numbers : []
  }

  /// The event id of the end of an extended part.
  private static let extendedEnd: UInt32 = 21
  /// The event ids of the records that a treatment rests on: ends first.
  private static let ends: Set<UInt32> = [20, extendedEnd]
  private static let requests: Set<UInt32> = [64, 65, 66]

  /// Whether numbers are the event ids of records in place of their numbers: then they name no dose.
  ///
  /// A log whose twentieth record is the end of a bolus is one that just began, and there a dose is still
  /// found by its time.
  private static func areTypes(_ numbers: [UInt32]) -> Bool {
    guard let first = numbers.first, ends.contains(first) else { return false }
    return numbers.dropFirst().allSatisfy(requests.contains)
  }

  /// Whether a treatment is the part that was delivered over time, not the one at once: the first
  /// rests on what asked for it too, the second on its own end alone.
  private static func isSecondPart(_ numbers: [UInt32]) throws(ExportFault) -> Bool {
    guard !numbers.isEmpty else {
      throw ExportFault(.pump_event_id, "does not tell which part of an extended bolus it is")
    }
    return numbers.count == 1
  }

  /// A rate; nil if it says not for how long it held.
  private static func rate(_ object: ExportObject) throws(ExportFault) -> ExportRow.Content? {
    let name: ExportName = object.has(.rate) ? .rate : .absolute
    guard let rate = try object.amount(name) else { throw ExportFault(.rate, "is missing") }
    guard let milliunits = rate.thousandths(upTo: 15) else {
      throw ExportFault(.rate, "is above 15 U/h")
    }
    if name == .rate, let absolute = try object.amount(.absolute),
      absolute.thousandths(upTo: 15) != milliunits
    {
      throw ExportFault(.absolute, "is another than the rate")
    }
    guard let minutes = try object.amount(.duration) else { return nil }
    guard minutes.value <= Double(ExportRow.longestRate / 60) else {
      throw ExportFault(.duration, "is longer than any rate holds")
    }
    let seconds = UInt32((minutes.value * 60).rounded())
    return seconds == 0 ? nil : .rate(milliunitsPerHour: milliunits, seconds: seconds)
  }
}
