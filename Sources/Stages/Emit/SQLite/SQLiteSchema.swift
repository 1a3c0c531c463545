/// The tables of a SQLite output.
///
/// The comments stay in the file's own schema, where people who open it find them.
package enum SQLiteSchema {
  /// What marks a file as one of pumpline's outputs: `PLou` in ASCII.
  static let applicationID: UInt32 = 0x504C_6F75

  /// The version of these tables, kept in `user_version`.
  package static let version = 2

  /// Creates everything; indexes come first, since rows arrive nearly in their order.
  package static let statements = """
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    CREATE TABLE samples (
      external_id TEXT PRIMARY KEY NOT NULL, -- the same in every format and run
      device TEXT NOT NULL,                  -- the pump
      type TEXT NOT NULL,                    -- insulin.basal, insulin.bolus, ...
      amount INTEGER NOT NULL,               -- exact: basal in millionths of IU, bolus in
                                             -- thousandths of IU, carbohydrates in mg, mg/dL
      value REAL NOT NULL,                   -- the amount in the unit
      unit TEXT NOT NULL,                    -- IU, g, mg/dL
      start_utc TEXT NOT NULL,
      end_utc TEXT NOT NULL,
      start_epoch INTEGER NOT NULL,          -- seconds since 1970-01-01T00:00:00Z
      end_epoch INTEGER NOT NULL,
      start_local TEXT NOT NULL,             -- with the UTC offset of the zone at the start
      zone TEXT NOT NULL,                    -- the zone at the start
      revision INTEGER NOT NULL,             -- 1, and one more for each correction
      metadata TEXT NOT NULL                 -- JSON object of texts
    ) STRICT;
    CREATE INDEX samples_by_start ON samples (start_epoch);
    CREATE INDEX samples_by_type ON samples (type, start_epoch);
    CREATE TABLE basal_over_midnight (       -- what basal that ends on a later local day
      external_id TEXT NOT NULL,             -- gave to each day; adds up to its amount
      device TEXT NOT NULL,
      day TEXT NOT NULL,
      amount INTEGER NOT NULL,               -- millionths of IU
      PRIMARY KEY (external_id, day)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE pump_events (               -- what Health has no type for
      id INTEGER PRIMARY KEY,
      device TEXT NOT NULL,
      category TEXT NOT NULL,                -- alarm, cartridge, site, suspension, mode, ...
      name TEXT NOT NULL,
      at_utc TEXT NOT NULL,
      at_epoch INTEGER NOT NULL,             -- seconds since 1970-01-01T00:00:00Z
      at_local TEXT NOT NULL,                -- with the UTC offset of the zone
      zone TEXT NOT NULL,
      sequence INTEGER NOT NULL,             -- the record's number in the pump's log
      pump_seconds INTEGER NOT NULL,         -- its time on the pump's clock, since 2008
      event_id INTEGER NOT NULL,
      details TEXT NOT NULL                  -- JSON object of texts
    ) STRICT;
    CREATE INDEX pump_events_by_time ON pump_events (at_epoch);
    CREATE INDEX pump_events_by_category ON pump_events (category, at_epoch);
    CREATE TABLE ledger (                    -- the ledger that these tables show; none: of one run
      id TEXT NOT NULL,
      change INTEGER NOT NULL,               -- its count of changes up to which they show it
      shows TEXT NOT NULL                    -- which of its samples, and in which zones
    ) STRICT;
    CREATE VIEW daily_totals (device, day, basal_iu, bolus_iu, carbs_g) AS
    SELECT device, day, sum(basal) / 1000000.0, sum(bolus) / 1000.0, sum(carbs) / 1000.0
    FROM (
      SELECT device, substr(start_local, 1, 10) AS day, amount AS basal, 0 AS bolus, 0 AS carbs
      FROM samples WHERE type = 'insulin.basal'
        AND external_id NOT IN (SELECT external_id FROM basal_over_midnight)
      UNION ALL
      SELECT device, day, amount, 0, 0 FROM basal_over_midnight
      UNION ALL
      SELECT device, substr(start_local, 1, 10), 0, amount, 0
      FROM samples WHERE type = 'insulin.bolus'
      UNION ALL
      SELECT device, substr(start_local, 1, 10), 0, 0, amount
      FROM samples WHERE type = 'nutrition.carbohydrates'
    )
    GROUP BY device, day ORDER BY device, day;
    """
}
