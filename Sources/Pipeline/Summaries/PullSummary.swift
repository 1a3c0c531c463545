package import PumpModel

/// What a pull did.
package struct PullSummary: Sendable, Equatable {
  /// What was read, and what the outputs hold.
  package var convert: ConvertSummary
  /// The pumps that were asked for, in the order in which the service lists them.
  package var pumps: [Pump] = []
  /// What would be asked for, in that order, if the run was a dry one.
  package var planned: [Window] = []
  /// How many requests were made, logins included.
  package var requests = 0
  /// When the last pull ended, if it was so fresh that nothing was done.
  package var freshSince: Instant?
  /// Why not all could be fetched; what was fetched is kept all the same.
  package var failure: RunFailure?

  /// Creates a summary.
  package init(convert: ConvertSummary = ConvertSummary()) { self.convert = convert }

  /// What was fetched of a pump.
  package struct Pump: Sendable, Equatable {
    /// The serial number, or the assignment id if there is none.
    package var name: String
    /// The days between which history was wanted and can be had; nil if there are none.
    package var days: ClosedRange<LocalDay>?
    /// How many answers were fetched.
    package var answers = 0
    /// How many records they hold.
    package var records = 0
    /// Days of which the history can no longer be had; each is told once.
    package var lost: [ClosedRange<LocalDay>] = []
    /// Whether anything of it ever came to the service.
    package var hasUploads = true
    /// Whether answers decide how far back more is asked for than a dry run can tell.
    package var walksOn = false

    /// Creates a pump of which nothing was fetched yet.
    package init(name: String) { self.name = name }
  }

  /// Days of a pump that would be asked for at once.
  package struct Window: Sendable, Equatable {
    /// The pump's name.
    package var pump: String
    /// What they are asked for.
    package var lane: PullLane
    /// The days that are wanted; a day more on both sides is asked for.
    package var days: ClosedRange<LocalDay>

    /// Creates a window.
    package init(pump: String, lane: PullLane, days: ClosedRange<LocalDay>) {
      self.pump = pump
      self.lane = lane
      self.days = days
    }
  }

  /// As the run's, but that of a failure if there is one.
  package var exitStatus: ExitStatus { failure?.exitStatus ?? convert.exitStatus }
}
