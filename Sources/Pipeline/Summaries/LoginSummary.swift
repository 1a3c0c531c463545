/// What an account has.
package struct LoginSummary: Sendable, Equatable {
  /// Its pumps, in the order in which the service lists them.
  package var pumps: [Pump]

  /// Creates a summary.
  package init(pumps: [Pump]) { self.pumps = pumps }

  /// A pump of an account.
  package struct Pump: Sendable, Equatable {
    /// The serial number, or the assignment id if there is none.
    package var name: String
    /// The model's name.
    package var model: String?
    /// The first and last day that can be had, as the account says; nil if it does not.
    package var days: ClosedRange<LocalDay>?
    /// Whether anything of it ever came to the service.
    package var hasUploads: Bool

    /// Creates a pump.
    package init(name: String, model: String?, days: ClosedRange<LocalDay>?, hasUploads: Bool) {
      self.name = name
      self.model = model
      self.days = days
      self.hasUploads = hasUploads
    }
  }
}
