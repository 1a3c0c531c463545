import PumpModel

extension SyntheticPump {
  /// What a simulated pump does next.
  enum Action: Equatable {
    case heartbeat
    case segment
    case reading
    case midnight
    case dayEnd
    case planDay(Int)
    case incident(Incident)
    case startBolus(UInt16)
    case endNormal(UInt16)
    case progress(UInt16)
    case endExtended(UInt16)
    case resume
    case record(UInt16, PumpRecord.Payload)
    case endTemp(UInt16)
    case setClock(Int64)
    case powerUp
  }

  /// Actions by time; those of one second in the order in which they were planned.
  struct Agenda {
    private var entries: [(at: Int64, action: Action)] = []

    mutating func add(_ action: Action, at time: Int64) {
      // Few are planned at once, so that a sorted array beats a heap. Latest first: the next one
      // is taken from the end.
      var index = entries.count
      while index > 0, entries[index - 1].at <= time { index -= 1 }
      entries.insert((time, action), at: index)
    }

    mutating func remove(where matches: (Action) -> Bool) {
      entries.removeAll { matches($0.action) }
    }

    mutating func next(before end: Int64) -> (at: Int64, action: Action)? {
      guard let last = entries.last, last.at < end else { return nil }
      return entries.removeLast()
    }
  }
}
