extension LedgerSchema {
  /// Meals of Tidepool's records become rows of their own, under the names of their boluses; before, a
  /// bolus told the meal that stood in its document.
  static let apartMeals = """
    ALTER TABLE row_pieces ADD COLUMN meals_alone INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE row_accounts ADD COLUMN meals_alone INTEGER NOT NULL DEFAULT 0;
    INSERT INTO export_rows (
      pump, section, source, time, ordinal, document, carbohydrate, flags, name)
    SELECT pump, 4, source, coalesce(asked_at, time),
      row_number() OVER (
        PARTITION BY pump, source, coalesce(asked_at, time), document ORDER BY time, ordinal) - 1,
      document, carbohydrate, 0, name
    FROM export_rows WHERE source = 3 AND section = 0 AND carbohydrate IS NOT NULL;
    UPDATE export_rows SET carbohydrate = NULL, asked_at = NULL
    WHERE source = 3 AND section = 0 AND carbohydrate IS NOT NULL;
    """
}
