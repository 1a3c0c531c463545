extension PipelineSchema {
  /// Pumps that never were, in the place of inputs.
  static let demo = PipelineKey(
    name: "demo",
    summary: "A made-up history in the place of inputs; source: demo alone is a fortnight.",
    kind: .keys([
      key("seed", "What chance begins with; 1 unless said.", form: DemoPlan.seedForm) {
        guard let seed = DemoPlan.seed($1) else { return false }
        $0.seed = seed
        return true
      },
      key("days", "How many days it has; 14 unless said.", form: DemoPlan.daysForm) {
        guard let days = DemoPlan.days($1) else { return false }
        $0.days = days
        return true
      },
      key(
        "pumps", "How many pumps were worn, one after the other; 1 unless said.",
        form: DemoPlan.pumpsForm
      ) {
        guard let pumps = DemoPlan.pumps($1) else { return false }
        $0.pumps = pumps
        return true
      },
    ]),
    begin: { draft, mark in
      draft.request.demo = DemoPlan()
      draft.demoMark = mark
    })

  private static func key(
    _ name: String, _ summary: String, form: String,
    take: @escaping @Sendable (inout DemoPlan, String) -> Bool
  ) -> PipelineKey {
    PipelineKey(
      name: name, summary: summary,
      kind: .value(
        PipelineValue(form: form, choices: [], isList: false) { draft, word in
          var plan = draft.request.demo ?? DemoPlan()
          guard take(&plan, word.text) else { return false }
          draft.request.demo = plan
          return true
        }))
  }
}

extension PipelineReader {
  /// Checks a demo that was asked for.
  mutating func checkDemo() {
    guard let plan = draft.request.demo, let mark = draft.demoMark else { return }
    if !draft.request.inputs.isEmpty {
      add(
        "a pipeline reads inputs or makes up a demo, not both", at: mark,
        next: "Take one of the two out.")
    }
    if draft.account.mark != nil {
      add(
        "a pipeline pulls from tandem-source or makes up a demo, not both", at: mark,
        next: "Take one of the two out.")
    }
    if plan.pumps > plan.days {
      add("the demo has more pumps than days", at: mark, next: "Give as many days at least.")
    }
  }
}
