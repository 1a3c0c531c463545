import PumpModel

/// Meals of a document that tells them apart from their boluses, until its end.
struct HeldMeals {
  /// Ten meals a day for thirty-five years.
  private static let most = 1 << 17

  private var meals: [String: TidepoolRecord.Meal] = [:]

  /// How many there are.
  var count: Int { meals.count }

  /// Takes the meal of the bolus with an id, of several the greatest; false if there are more than a
  /// person can eat.
  mutating func take(_ meal: TidepoolRecord.Meal, bolus: String) -> Bool {
    guard meals.count < Self.most || meals[bolus] != nil else { return false }
    if let known = meals[bolus], (known.carbohydrate, known.time) >= (meal.carbohydrate, meal.time)
    {
      return true
    }
    meals[bolus] = meal
    return true
  }

  /// Gives its meal to a bolus that has one.
  mutating func attach(to row: inout ExportRow) {
    guard let name = row.name, case .bolus(var bolus) = row.content,
      let meal = meals.removeValue(forKey: name)
    else { return }
    bolus.carbohydrate = meal.carbohydrate
    bolus.requestTime = meal.time
    row.content = .bolus(bolus)
  }
}
