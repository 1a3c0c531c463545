import Platform

/// The steps that led from the first tables of ledgers to those of `LedgerTables`.
///
/// An older ledger takes those that it lacks; a new one is made whole. Who adds a step changes the
/// tables too.
///
/// `application_id` tells a ledger from other databases, `user_version` counts the steps taken.
enum LedgerSchema {
  /// "pmpl" in ASCII.
  static let applicationID: Int64 = 0x706D_706C
  static let version = Int64(steps.count)

  /// A named step from one version to the next.
  struct Step {
    let name: String
    let sql: String
  }

  static let steps = [
    Step(
      name: "first tables",
      sql: """
        CREATE TABLE settings (
          name TEXT PRIMARY KEY, value ANY NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE zones (
          position INTEGER PRIMARY KEY, name TEXT NOT NULL, from_wall INTEGER
        ) STRICT;

        -- A pump keeps its number and its first name for ever. One that was proven to be another
        -- points to it.
        CREATE TABLE pumps (
          pump INTEGER PRIMARY KEY, name TEXT NOT NULL, serial TEXT, same_as INTEGER,
          has_groups INTEGER NOT NULL DEFAULT 0, summary BLOB
        ) STRICT;
        CREATE INDEX pumps_by_serial ON pumps (serial);

        CREATE TABLE assignments (
          assignment TEXT PRIMARY KEY, pump INTEGER, serial TEXT, model_name TEXT,
          model_number TEXT, software_version TEXT
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE documents (
          document INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, format TEXT NOT NULL,
          is_complete INTEGER NOT NULL, bytes INTEGER NOT NULL, records INTEGER NOT NULL,
          missing_bodies INTEGER NOT NULL
        ) STRICT;

        -- Archives that were read to their end without a reject, with what a run that meets one
        -- again has to tell of its documents.
        CREATE TABLE archives (
          archive INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE archive_documents (
          archive INTEGER NOT NULL, position INTEGER NOT NULL, parent INTEGER,
          digest BLOB NOT NULL, format TEXT, bytes INTEGER NOT NULL, accepted INTEGER NOT NULL,
          PRIMARY KEY (archive, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE archive_counts (
          archive INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL,
          key TEXT NOT NULL, records INTEGER NOT NULL,
          PRIMARY KEY (archive, position, kind, key)
        ) STRICT, WITHOUT ROWID;

        -- The numbers of a document by pump and group (NULL: the records name none), lists of
        -- clock changes left out.
        CREATE TABLE document_numbers (
          document INTEGER NOT NULL, pump INTEGER NOT NULL, sequence_group INTEGER,
          lowest INTEGER NOT NULL, highest INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX document_numbers_by_pump ON document_numbers (pump);

        -- How a document's estimatedDateTime differs from its pumpDateTime.
        CREATE TABLE estimated_times (
          document INTEGER NOT NULL, pump INTEGER NOT NULL, differs_by INTEGER NOT NULL,
          records INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX estimated_times_by_pump ON estimated_times (pump);

        CREATE TABLE holders (
          holder INTEGER PRIMARY KEY, parent INTEGER NOT NULL, document INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX holders_by_parent ON holders (parent, document);

        -- Rows of sorted records, some hundred each; high and low are the first one's key.
        CREATE TABLE journal (
          chunk INTEGER PRIMARY KEY, pump INTEGER NOT NULL, high INTEGER NOT NULL,
          low INTEGER NOT NULL, entries BLOB NOT NULL
        ) STRICT;
        CREATE INDEX journal_order ON journal (pump, high, low);

        CREATE TABLE properties (
          digest BLOB PRIMARY KEY, text BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Rows of sorted samples, of one kind each; change is the newest change number in the
        -- row. Of starts and ends, those of live samples; is_ordered: these starts ascend.
        CREATE TABLE samples (
          chunk INTEGER PRIMARY KEY, pump INTEGER NOT NULL, high INTEGER NOT NULL,
          low INTEGER NOT NULL, change INTEGER NOT NULL, live INTEGER NOT NULL,
          is_ordered INTEGER NOT NULL, first_start INTEGER NOT NULL, last_start INTEGER NOT NULL,
          newest_end INTEGER NOT NULL, entries BLOB NOT NULL
        ) STRICT;
        CREATE INDEX samples_order ON samples (pump, high, low);

        CREATE TABLE pending (
          pump INTEGER NOT NULL, kind TEXT NOT NULL, start_at INTEGER, number INTEGER NOT NULL,
          last_number INTEGER, records INTEGER
        ) STRICT;
        CREATE INDEX pending_by_pump ON pending (pump);

        CREATE TABLE holes (
          pump INTEGER NOT NULL, start_at INTEGER NOT NULL, end_at INTEGER, reason TEXT NOT NULL
        ) STRICT;
        CREATE INDEX holes_by_pump ON holes (pump);

        CREATE TABLE findings (
          pump INTEGER, code TEXT NOT NULL, start_at INTEGER, end_at INTEGER, text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX findings_by_pump ON findings (pump);

        CREATE TABLE incomplete (
          pump INTEGER NOT NULL, bolus INTEGER NOT NULL, start_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX incomplete_by_pump ON incomplete (pump);

        CREATE TABLE clocks (
          pump INTEGER NOT NULL, position INTEGER NOT NULL, uses_records INTEGER NOT NULL,
          opening TEXT NOT NULL, start_at INTEGER, end_at INTEGER, offset_seconds INTEGER,
          drift_milliseconds INTEGER NOT NULL, records INTEGER NOT NULL,
          PRIMARY KEY (pump, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE days (
          pump INTEGER NOT NULL, day INTEGER NOT NULL, basal INTEGER NOT NULL,
          bolus INTEGER NOT NULL, carbohydrate INTEGER NOT NULL, delivered INTEGER NOT NULL,
          zero INTEGER NOT NULL, suspended INTEGER NOT NULL, unknown INTEGER NOT NULL,
          pump_basal INTEGER, difference INTEGER, active_from INTEGER, active_until INTEGER,
          PRIMARY KEY (pump, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX days_by_day ON days (day);
        """),
    Step(
      name: "what documents say",
      sql: """
        -- What each document says of pumps: the assignment ids of its records, what account answers
        -- tell of them, and serial numbers that were given with it, for records that carry no pump
        -- under an empty id. assignments is the sum of it.
        CREATE TABLE document_pumps (
          document INTEGER NOT NULL, assignment TEXT NOT NULL, serial TEXT, model_name TEXT,
          model_number TEXT, software_version TEXT
        ) STRICT;
        CREATE INDEX document_pumps_by_document ON document_pumps (document);
        CREATE INDEX document_pumps_by_assignment ON document_pumps (assignment);
        -- Who said what was not kept before: all documents of a pump count as having said it.
        INSERT INTO document_pumps
          SELECT DISTINCT n.document, a.assignment, a.serial, a.model_name, a.model_number,
            a.software_version
          FROM document_numbers n JOIN assignments a ON a.pump = n.pump
          ORDER BY n.document, a.assignment;

        -- Which documents a browser's capture contains.
        CREATE TABLE captures (
          capture INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (capture, document)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX captures_by_document ON captures (document);
        CREATE INDEX document_numbers_by_document ON document_numbers (document);
        """),
    Step(
      name: "sinks and outbox",
      sql: """
        INSERT INTO settings VALUES ('id', lower(hex(randomblob(16))));

        -- What outputs were given: a sink is owed the changes above its mark. A database is kept
        -- current in place.
        CREATE TABLE sinks (
          sink INTEGER PRIMARY KEY, format TEXT NOT NULL, target TEXT NOT NULL,
          selection TEXT NOT NULL, is_database INTEGER NOT NULL, mark INTEGER NOT NULL,
          UNIQUE (format, target, selection)
        ) STRICT;
        CREATE INDEX sinks_by_mark ON sinks (mark);

        -- Outputs that a commit promised: those with a staged file are published by a rename; what
        -- has none is written after the commit.
        CREATE TABLE outbox (
          entry INTEGER PRIMARY KEY, sink INTEGER, mark INTEGER, target TEXT NOT NULL,
          staged TEXT, digest BLOB
        ) STRICT;

        -- Folders in which staged files of this ledger may lie.
        CREATE TABLE staging_folders (
          folder TEXT PRIMARY KEY
        ) STRICT, WITHOUT ROWID;

        -- Forms of samples that hold no longer and that a sink was given last: each held from one
        -- change until another.
        CREATE TABLE superseded (
          pump INTEGER NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL,
          from_change INTEGER NOT NULL, until_change INTEGER NOT NULL, entry BLOB NOT NULL,
          PRIMARY KEY (pump, high, low, from_change)
        ) STRICT, WITHOUT ROWID;
        """),
    Step(
      name: "pieces of history",
      sql: """
        -- What the last normalization of a pump rested on, beside its journal; without a row it is
        -- normalized whole.
        CREATE TABLE normalized (
          pump INTEGER PRIMARY KEY, version INTEGER NOT NULL, scan BLOB NOT NULL,
          claims BLOB NOT NULL
        ) STRICT;
        CREATE TABLE missing_numbers (
          pump INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (pump, number)
        ) STRICT, WITHOUT ROWID;

        -- A pump's history in pieces of some hundred records, by the first one's number << 32 |
        -- pump seconds: the normalizer's state before it, and what was noted of its records.
        CREATE TABLE segments (
          pump INTEGER NOT NULL, start INTEGER NOT NULL, records INTEGER NOT NULL,
          digest INTEGER NOT NULL, counted_until INTEGER NOT NULL, newest INTEGER,
          seed BLOB NOT NULL, notes BLOB NOT NULL, PRIMARY KEY (pump, start)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE day_parts (
          pump INTEGER NOT NULL, segment INTEGER NOT NULL, day INTEGER NOT NULL,
          rate_seconds INTEGER NOT NULL, bolus INTEGER NOT NULL, carbohydrate INTEGER NOT NULL,
          delivered INTEGER NOT NULL, zero INTEGER NOT NULL, suspended INTEGER NOT NULL,
          has_hole INTEGER NOT NULL, within INTEGER NOT NULL, active_from INTEGER NOT NULL,
          active_until INTEGER NOT NULL, total_from INTEGER, total_until INTEGER, total INTEGER,
          difference INTEGER, PRIMARY KEY (pump, segment, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX day_parts_by_day ON day_parts (pump, day);

        -- The piece that a row came of, or the day; neither: the history as a whole.
        ALTER TABLE pending ADD COLUMN segment INTEGER;
        ALTER TABLE holes ADD COLUMN segment INTEGER;
        ALTER TABLE incomplete ADD COLUMN segment INTEGER;
        ALTER TABLE findings ADD COLUMN segment INTEGER;
        ALTER TABLE findings ADD COLUMN day INTEGER;
        DROP INDEX pending_by_pump;
        DROP INDEX holes_by_pump;
        DROP INDEX incomplete_by_pump;
        DROP INDEX findings_by_pump;
        CREATE INDEX pending_by_segment ON pending (pump, segment);
        CREATE INDEX holes_by_segment ON holes (pump, segment);
        CREATE INDEX incomplete_by_segment ON incomplete (pump, segment);
        CREATE INDEX findings_by_segment ON findings (pump, segment, day);

        -- NULL in rows that were written before there were checksums.
        ALTER TABLE journal ADD COLUMN checksum INTEGER;
        ALTER TABLE samples ADD COLUMN checksum INTEGER;
        -- How many live samples are not the first of their id.
        ALTER TABLE samples ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX samples_taken ON samples (pump, high, low) WHERE taken > 0;
        -- Rows are found by what they hold without a look at them.
        DROP INDEX samples_order;
        CREATE INDEX samples_order ON samples (
          pump, high, low, live, is_ordered, first_start, newest_end);
        """),
    Step(
      name: "rows of exports",
      sql: """
        -- Which run of those that read something new read a document first: of rows that contradict
        -- each other, the later document's holds.
        ALTER TABLE documents ADD COLUMN run INTEGER NOT NULL DEFAULT 0;

        -- Rows of exports, as every document tells them: by section (0 boluses, 1 sensor readings,
        -- 2 meter readings, 3 rates) and source, the time that names them (seconds since 1970 of the
        -- source's clock) and their count within it. amount: mg/dL or mU/h.
        CREATE TABLE export_rows (
          pump INTEGER NOT NULL, section INTEGER NOT NULL, source INTEGER NOT NULL,
          time INTEGER NOT NULL, ordinal INTEGER NOT NULL, document INTEGER NOT NULL,
          normal INTEGER, normal_decimals INTEGER, normal_status TEXT,
          extended INTEGER, extended_decimals INTEGER, extended_status TEXT,
          extended_from INTEGER, extended_until INTEGER,
          carbohydrate INTEGER, asked_at INTEGER, flags INTEGER NOT NULL,
          amount INTEGER, seconds INTEGER,
          PRIMARY KEY (pump, section, source, time, ordinal, document)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX export_rows_by_document ON export_rows (document);

        -- Words for how boluses ended, by the codes that samples keep.
        CREATE TABLE status_words (
          code INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE
        ) STRICT;

        -- What became of a pump's rows.
        CREATE TABLE row_accounts (
          pump INTEGER NOT NULL, source INTEGER NOT NULL, rows INTEGER NOT NULL,
          matched INTEGER NOT NULL, unmatched INTEGER NOT NULL, meals_of_events INTEGER NOT NULL,
          readings INTEGER NOT NULL, matched_readings INTEGER NOT NULL,
          PRIMARY KEY (pump, source)
        ) STRICT, WITHOUT ROWID;
        """),
    Step(
      name: "checksums of forms and pieces",
      sql: """
        -- NULL in rows that were written before.
        ALTER TABLE superseded ADD COLUMN checksum INTEGER;
        ALTER TABLE segments ADD COLUMN checksum INTEGER;
        ALTER TABLE normalized ADD COLUMN checksum INTEGER;
        """),
    Step(
      name: "derived basal",
      sql: """
        -- Basal rates of rows, and those that basal was made of.
        ALTER TABLE row_accounts ADD COLUMN rates INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE row_accounts ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;
        """),
    Step(
      name: "rows in pieces",
      sql: """
        -- What came of a pump's rows of exports, by source and the day of their own times: what
        -- became of them, and a digest of all that they gave.
        CREATE TABLE row_pieces (
          pump INTEGER NOT NULL, source INTEGER NOT NULL, piece INTEGER NOT NULL,
          rows INTEGER NOT NULL, matched INTEGER NOT NULL, unmatched INTEGER NOT NULL,
          meals_of_events INTEGER NOT NULL, readings INTEGER NOT NULL,
          matched_readings INTEGER NOT NULL, rates INTEGER NOT NULL, derived INTEGER NOT NULL,
          digest INTEGER NOT NULL, PRIMARY KEY (pump, source, piece)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE row_day_parts (
          pump INTEGER NOT NULL, source INTEGER NOT NULL, piece INTEGER NOT NULL,
          day INTEGER NOT NULL, rate_seconds INTEGER NOT NULL, bolus INTEGER NOT NULL,
          carbohydrate INTEGER NOT NULL, delivered INTEGER NOT NULL, zero INTEGER NOT NULL,
          within INTEGER NOT NULL, active_from INTEGER NOT NULL, active_until INTEGER NOT NULL,
          PRIMARY KEY (pump, source, piece, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX row_day_parts_by_day ON row_day_parts (pump, day);
        CREATE INDEX export_rows_by_extended ON export_rows (pump, source, extended_until)
          WHERE extended_until IS NOT NULL;

        -- What the events of a piece of a history tell that rows may tell too, for pumps with rows:
        -- with the first and the last time on the pump's clock and in Unix seconds.
        CREATE TABLE counterparts (
          pump INTEGER NOT NULL, segment INTEGER NOT NULL, first_time INTEGER NOT NULL,
          last_time INTEGER NOT NULL, first_instant INTEGER NOT NULL,
          last_instant INTEGER NOT NULL, entries BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX counterparts_by_segment ON counterparts (pump, segment);
        CREATE INDEX counterparts_by_time ON counterparts (pump, last_time, first_time);
        CREATE INDEX counterparts_by_instant ON counterparts (pump, last_instant, first_instant);
        -- The local days of which the events of a piece tell basal.
        CREATE TABLE basal_days (
          pump INTEGER NOT NULL, segment INTEGER NOT NULL, day INTEGER NOT NULL,
          PRIMARY KEY (pump, segment, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX basal_days_by_day ON basal_days (pump, day);
        -- Whether these tables hold all of a pump with rows; without it is normalized whole.
        ALTER TABLE normalized ADD COLUMN knows_rows INTEGER NOT NULL DEFAULT 0;
        """),
    Step(
      name: "fetched history",
      sql: """
        -- What answers of the live service prove of a pump's clock, in seconds since 1970: 0 its
        -- events are here, 1 there were none, 2 there were none a second time.
        CREATE TABLE fetched (
          document INTEGER NOT NULL, assignment TEXT NOT NULL, start_at INTEGER NOT NULL,
          end_at INTEGER NOT NULL, state INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX fetched_by_assignment ON fetched (assignment);
        CREATE INDEX fetched_by_document ON fetched (document);

        -- History that was said to be lost, so that it is said once.
        CREATE TABLE lost_history (
          assignment TEXT NOT NULL, start_at INTEGER NOT NULL, end_at INTEGER NOT NULL,
          PRIMARY KEY (assignment, start_at, end_at)
        ) STRICT, WITHOUT ROWID;

        -- What the account said of a pump when its changes were read last.
        CREATE TABLE source_pumps (
          assignment TEXT PRIMARY KEY, last_upload TEXT, newest INTEGER
        ) STRICT, WITHOUT ROWID;

        -- What was asked of the service, and how long it took.
        CREATE TABLE requests (
          request INTEGER PRIMARY KEY, at INTEGER NOT NULL, purpose TEXT NOT NULL, status INTEGER,
          first_day INTEGER, last_day INTEGER, milliseconds INTEGER NOT NULL
        ) STRICT;
        """),
    Step(
      name: "records with ids of their own",
      sql: """
        -- What the ids of samples of such records begin with, by the first 64 bits of its SHA-256.
        CREATE TABLE identity_names (
          digest INTEGER PRIMARY KEY, name TEXT NOT NULL
        ) STRICT;
        -- The digest of a row's own name, NULL where rows have none.
        ALTER TABLE export_rows ADD COLUMN name INTEGER;
        CREATE INDEX export_rows_by_name ON export_rows (name) WHERE name IS NOT NULL;
        -- The number that the pump's log gave the end of a row's dose.
        ALTER TABLE export_rows ADD COLUMN number INTEGER;
        CREATE INDEX export_rows_by_number ON export_rows (pump, number) WHERE number IS NOT NULL;
        """),
    Step(
      name: "sums of pieces",
      sql: """
        -- What was fetched, where that is not in one piece: then it matters to basal.
        ALTER TABLE normalized ADD COLUMN fetched BLOB NOT NULL DEFAULT x'';
        -- What was noted of all pieces of a pump's history before one, added up.
        CREATE TABLE segment_sums (
          pump INTEGER PRIMARY KEY, until INTEGER NOT NULL, sums BLOB NOT NULL, newest INTEGER,
          is_late INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        """),
    Step(
      name: "what rows alone tell",
      sql: """
        -- What rows of a piece tell, and no event and no row of a source before theirs does, for pumps
        -- with rows of several sources: by what they are compared with (0 doses, 1 readings), with the
        -- first and the last time in Unix seconds.
        CREATE TABLE row_counterparts (
          pump INTEGER NOT NULL, source INTEGER NOT NULL, piece INTEGER NOT NULL,
          section INTEGER NOT NULL, first_instant INTEGER NOT NULL, last_instant INTEGER NOT NULL,
          checksum INTEGER NOT NULL, entries BLOB NOT NULL,
          PRIMARY KEY (pump, source, piece, section)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX row_counterparts_by_instant ON row_counterparts (
          pump, source, section, last_instant, first_instant);
        -- What events tell is kept with when they began, and what came of rows with what they tell:
        -- pumps with rows are normalized whole once.
        DELETE FROM counterparts;
        DELETE FROM row_pieces;
        DELETE FROM row_day_parts;
        UPDATE normalized SET knows_rows = 0, checksum = NULL WHERE knows_rows = 1;
        """),
    totals,
    Step(name: "meals apart", sql: apartMeals),
    Step(name: "rows on the pump's clock", sql: clockTimes),
    // NULL for pumps that were named before.
    Step(
      name: "checksums of names", sql: "ALTER TABLE pumps ADD COLUMN name_checksum INTEGER;"),
  ]
}
