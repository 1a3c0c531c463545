/// The commands, carried out.
package struct PumplinePipeline: PipelineCommands {
  /// Creates the pipeline.
  package init() {}

  /// Converts inputs into outputs.
  package func convert(
    _ request: ConvertRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> ConvertSummary {
    do {
      return try withoutActuallyEscaping(events) { events in
        try ConvertRun(request: request, events: events).run()
      }
    } catch {
      throw RunFailure(sorting: error, ledger: request.ledger)
    }
  }

  /// Tells what inputs hold.
  package func inspect(
    _ request: InspectRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> InspectSummary {
    do {
      return try withoutActuallyEscaping(events) { events in
        try InspectRun(request: request, events: events).run()
      }
    } catch {
      throw RunFailure(sorting: error, ledger: nil)
    }
  }
}
