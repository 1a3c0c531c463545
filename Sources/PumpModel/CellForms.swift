/// How numbers and dates of a table are written, where somebody knows; nil: its cells must tell.
package struct CellForms: Sendable, Equatable {
  /// What stands before the fraction of a number.
  package var decimal: DecimalMark?
  /// In which order a date has its fields.
  package var dates: DateOrder?

  /// Creates forms.
  package init(decimal: DecimalMark? = nil, dates: DateOrder? = nil) {
    self.decimal = decimal
    self.dates = dates
  }
}

/// What stands before the fraction of a number.
///
/// Raw values are words of the command line and of pipeline files.
package enum DecimalMark: String, Sendable, CaseIterable {
  /// `2.35`
  case point
  /// `2,35`
  case comma
}

/// In which order a date has year, month and day.
///
/// Raw values are words of the command line and of pipeline files.
package enum DateOrder: String, Sendable, CaseIterable {
  /// Year, month, day.
  case ymd
  /// Day, month, year.
  case dmy
  /// Month, day, year.
  case mdy
}
