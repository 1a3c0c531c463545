import Pipeline

extension CommandSpec {
  /// `pumpline ledger totals`.
  static let ledgerTotals = CommandSpec(
    name: "ledger totals",
    summary: "Show what a ledger's samples add up to, by day or week.",
    details: [
      """
      Basal, boluses and carbs of each pump, as a SQLite output's daily_totals counts them: basal is \
      cut at local midnights, boluses and carbs count on the day of their start. Days are those of \
      the ledger's zones, weeks begin on Monday. Derived basal is counted in. The bars show basal and \
      boluses; those of weeks a day's mean, since a week may lack days.
      """,
      """
      The sums are kept in the ledger and brought up to date by each run, for the days that it \
      touches; ledger verify proves them. The newest 28 days or 26 weeks are shown, with -v all.
      """,
    ],
    arguments: .ledger, options: [.weekly, .totalsJSON, .wait],
    examples: [
      Example(purpose: "The last days.", line: "pumpline ledger totals pump.ledger"),
      Example(
        purpose: "All weeks, for a program.",
        line: "pumpline ledger totals --weekly --json pump.ledger"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let console = invocation.console
      var request = LedgerTotalsRequest(ledger: try ledgerPath(of: arguments))
      request.isByWeek = arguments.has(.weekly)
      request.waitSeconds = try waitSeconds(of: arguments) ?? request.waitSeconds
      let totals = try invocation.pipeline.ledgerTotals(request)
      if arguments.has(.json) {
        try console.put(LedgerTotalsJSON.value(of: totals).text + "\n")
      } else {
        let isWhole = console.verbosity == .verbose
        try console.put(
          LedgerTotalsText(totals: totals, style: console.output, isWhole: isWhole).text)
      }
      return .ok
    })
}

extension OptionSpec {
  static let weekly = OptionSpec(
    long: "weekly", group: .selection, summary: "Add up by weeks, not by days.")

  static let totalsJSON = json(
    """
    The keys: by (day or week), dataSource, zones (name, from), and pumps (name, totals (day, or week, \
    monday and days; knownSeconds, basalMicroIU, derivedBasalMicroIU, bolusMilliIU, \
    carbohydratesMilligrams, basalSamples, bolusSamples, carbohydrateSamples)). All of them are told.
    """)
}
