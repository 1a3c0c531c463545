import Normalize
import PumpModel

/// What became of the rows of some pieces together, and what local days got of them.
func sum(of pieces: [RowPieceResult]) -> (account: RowAccount, days: [DayPart]) {
  var account = RowAccount()
  var days: [Int64: DayPart] = [:]
  for piece in pieces {
    account.rows += piece.account.rows
    account.matched += piece.account.matched
    account.unmatched += piece.account.unmatched
    account.mealsOfEvents += piece.account.mealsOfEvents
    account.readings += piece.account.readings
    account.matchedReadings += piece.account.matchedReadings
    account.rates += piece.account.rates
    account.derived += piece.account.derived
    for part in piece.days {
      if days[part.day] == nil { days[part.day] = part } else { days[part.day]?.add(part) }
    }
  }
  return (account, days.values.sorted { $0.day < $1.day })
}
