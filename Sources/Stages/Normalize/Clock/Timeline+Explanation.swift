package import PumpModel

extension Timeline {
  /// The entry that, appended to the schedule, would place what lies before the newest change of
  /// the clock so many seconds earlier: where it was, if all of it moved by that.
  ///
  /// Such an entry holds from the change on. It says that the clock was changed because the pump
  /// went to another zone; without it the history before the change would have been lived in
  /// another one.
  ///
  /// - Parameters:
  ///   - seconds: how far the samples moved; later if positive.
  ///   - zones: those to try, the likeliest first.
  /// - Returns: nil if no entry of these zones would do it.
  package func entry(
    takingBack seconds: Int64, zones: [ZoneRules]
  ) -> ZoneSchedule.Entry? {
    guard usesRecords else { return nil }
    for before in stretches.indices.reversed() {
      guard let newest = stretches[before].stretch.next?.stretch,
        stretches[newest].stretch.next == nil, let offset = stretches[before].offset,
        case .change(let opened, _) = stretches[newest].stretch.opening
      else { continue }
      for rules in zones {
        let entry = ZoneSchedule.Entry(rules: rules, from: opened.wallSeconds)
        guard let longer = ZoneSchedule(schedule.entries + [entry]) else { continue }
        if offsets(under: longer)[before] == offset + seconds { return entry }
      }
    }
    return nil
  }

  /// The offsets that the stretches would have under another schedule.
  private func offsets(under schedule: ZoneSchedule) -> [Int64?] {
    ClockResolver(schedule: schedule)
      .place(stretches.map(\.stretch)) { stretches[$0].offset != nil }.map(\.offset)
  }
}
