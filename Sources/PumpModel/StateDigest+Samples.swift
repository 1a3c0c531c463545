extension StateDigest {
  /// Mixes in all that a sample says, and its name.
  package mutating func mix(_ sample: Sample) {
    let identity = sample.identity
    mix(
      UInt64(identity.scheme.rawValue) << 56 | UInt64(identity.kind.rawValue) << 32
        | UInt64(identity.eventID))
    mix(UInt64(identity.first) << 32 | UInt64(identity.second))
    mix(sample.start.unixSeconds)
    mix(sample.end.unixSeconds)
    mix(sample.amount)
    mix(sample.metadata.rate.map(Int64.init))
    mix(sample.metadata.requested.map(Int64.init))
    mix(sample.metadata.status.map(Int64.init))
    mix(sample.metadata.rateSource.map { Int64($0.rawValue) })
    mix(sample.metadata.deliveredBy.map { Int64($0.rawValue) })
    mix(Int64(sample.metadata.flags.rawValue))
  }

  /// Mixes in what a local day gets.
  package mutating func mix(_ part: DayPart) {
    for number in [
      part.day, part.rateSeconds, part.bolus, part.carbohydrate, part.delivered, part.zero,
      part.suspended, part.hasHole ? 1 : 0, part.within, part.activeFrom, part.activeUntil,
    ] { mix(number) }
    mix(part.total?.until)
    mix(part.total?.basal)
    mix(part.total?.difference)
  }

  /// Mixes in what became of rows.
  package mutating func mix(_ account: RowAccount) {
    for count in account.counts { mix(count) }
    // Digests that were kept before there was this count know nothing of it.
    if account.mealsAlone > 0 { mix(account.mealsAlone) }
  }

  /// Mixes in what an event tells that a row may tell too.
  package mutating func mix(_ counterpart: Counterpart) {
    mix(UInt64(counterpart.kind.rawValue) << 32 | UInt64(counterpart.amount))
    mix(UInt64(counterpart.number) << 32 | UInt64(counterpart.time.seconds))
    mix(counterpart.begin.unixSeconds)
    mix(Int64(counterpart.clockSeconds))
    mix(counterpart.instant.unixSeconds)
  }
}
