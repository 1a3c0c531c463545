extension LedgerSchema {
  /// What rows alone tell is found by the pump's clock too, and what events tell is kept with how long
  /// that went on meanwhile: pumps with rows are normalized whole once.
  static let clockTimes = """
    DROP TABLE row_counterparts;
    -- What rows of a piece tell, and no event and no row of a source before theirs does, for pumps
    -- with rows of several sources: by what they are compared with (0 doses, 1 readings), with the
    -- first and the last time on the pump's clock, which rows that tell instants do not know, and in
    -- Unix seconds.
    CREATE TABLE row_counterparts (
      pump INTEGER NOT NULL, source INTEGER NOT NULL, piece INTEGER NOT NULL,
      section INTEGER NOT NULL, first_time INTEGER NOT NULL, last_time INTEGER NOT NULL,
      first_instant INTEGER NOT NULL, last_instant INTEGER NOT NULL, checksum INTEGER NOT NULL,
      entries BLOB NOT NULL,
      PRIMARY KEY (pump, source, piece, section)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX row_counterparts_by_time ON row_counterparts (
      pump, source, section, last_time, first_time);
    CREATE INDEX row_counterparts_by_instant ON row_counterparts (
      pump, source, section, last_instant, first_instant);
    DELETE FROM counterparts;
    DELETE FROM row_pieces;
    DELETE FROM row_day_parts;
    UPDATE normalized SET knows_rows = 0, checksum = NULL WHERE knows_rows = 1;
    """
}
