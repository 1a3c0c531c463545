/// The longest times that a dose can take, in seconds, from when it was asked for.
package enum DoseLength {
  /// What is given at once: the greatest bolus of a pump takes minutes, and a person may think before.
  package static let normal: Int64 = 1800
  /// What is given over time: eight hours are the most that a pump can be told, and what is given at
  /// once comes before.
  package static let extended: Int64 = 9 * 3600
  /// The longest time between which a dose is known to have been: of an extended part of unknown length,
  /// of which it is not known either whether its beginning or its end was told.
  package static let uncertain: Int64 = 2 * extended
}
