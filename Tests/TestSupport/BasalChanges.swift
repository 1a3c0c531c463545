import Demo
package import PumpModel

/// A pump that records nothing but changes of its basal rate.
package enum BasalChanges {
  /// The records of changes: hours after a time of the pump's clock, in seconds since 1970, and the
  /// new rates in mU/h.
  package static func records(
    after start: Int64, _ changes: [(hour: Int64, milliunitsPerHour: Int)]
  ) -> [PumpRecord] {
    changes.enumerated().map { index, change in
      PumpRecord(
        number: UInt32(index + 1),
        seconds: UInt32(start + change.hour * 3600 - PumpTime.epochInUnixSeconds), eventID: 3,
        payload: .basalRateChange(
          commanded: change.milliunitsPerHour, base: change.milliunitsPerHour, change: .newProfile),
        form: .json)
    }
  }
}
