import Extract
import PumpModel

/// One run of `login`.
struct LoginRun {
  let request: LoginRequest
  let network: Network

  /// Logs in and lists the account's pumps.
  ///
  /// - Throws: `RunFailure`, `SourceFailure`.
  func run() throws -> LoginSummary {
    let client = try SourceAccess(request: request, network: network).client { _ in }
    return LoginSummary(
      pumps: try client.account().pumps.map { pump in
        LoginSummary.Pump(
          name: pump.name, model: pump.modelName,
          days: pump.available.map { LocalDay.days(of: $0) }, hasUploads: !pump.isEmpty)
      })
  }
}

extension LocalDay {
  /// The first and last day of a range of seconds since 1970, which must not be empty.
  static func days(of seconds: Range<Int64>) -> ClosedRange<LocalDay> {
    let first = seconds.lowerBound.flooredDivision(by: 86_400)
    let last = (seconds.upperBound - 1).flooredDivision(by: 86_400)
    return LocalDay(daysSince1970: first)...LocalDay(daysSince1970: max(first, last))
  }
}
