extension LedgerSchema {
  /// Totals of samples by day and week.
  ///
  /// What older rows lack, SQL cannot add up: the next run does.
  static let totals = Step(
    name: "totals of samples",
    sql: """
      -- What a day's samples add up to; NULL in rows that were written before, until a run adds them
      -- up. basal of derived rates counts in given_basal too.
      ALTER TABLE days ADD COLUMN given_basal INTEGER;
      ALTER TABLE days ADD COLUMN derived_basal INTEGER;
      ALTER TABLE days ADD COLUMN basal_samples INTEGER;
      ALTER TABLE days ADD COLUMN bolus_samples INTEGER;
      ALTER TABLE days ADD COLUMN carbohydrate_samples INTEGER;

      -- The same of the days of a week, by its Monday: how many days it has, seconds of which delivery
      -- is known, and the sums.
      CREATE TABLE weeks (
        pump INTEGER NOT NULL, monday INTEGER NOT NULL, days INTEGER NOT NULL,
        known INTEGER NOT NULL, basal INTEGER NOT NULL, derived_basal INTEGER NOT NULL,
        bolus INTEGER NOT NULL, carbohydrate INTEGER NOT NULL, basal_samples INTEGER NOT NULL,
        bolus_samples INTEGER NOT NULL, carbohydrate_samples INTEGER NOT NULL,
        PRIMARY KEY (pump, monday)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO settings SELECT 'lacks_totals', 1 WHERE EXISTS (SELECT 1 FROM days);
      """)
}
