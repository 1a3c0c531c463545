import Deduplicate
import Emit
import Platform

/// Ends what runs that died have left: outputs that their commits promised are published, taken
/// back, or found published; files of runs that never came to a commit are removed.
///
/// It needs the ledger's transaction: as long as that is held, no run is between the making of its
/// files and its commit, and no other one publishes.
struct OutboxRecovery {
  let ledger: Ledger
  /// The sinks that this run is about to write: what one was promised and nobody has seen yet goes
  /// into the file that this run writes, which would replace it at once.
  var isRewritten: (LedgerSink) -> Bool = { _ in false }

  /// Recovers.
  func run() throws {
    let owner = try ledger.id
    let sinks = try ledger.sinks()
    var waiting: Set<String> = []
    for entry in try ledger.outbox() {
      let sink = sinks.first { $0.number == entry.advance?.sink }
      if try !settle(entry, sink, owner), let staged = entry.staged { waiting.insert(staged.path) }
    }
    try ledger.forgetUnneededForms()
    for folder in try ledger.stagingFolders() {
      _ = StagedName.removeLeftovers(of: owner, in: folder, except: waiting)
    }
  }

  /// Ends one promise; false if it has to wait until its folder can be written to again.
  private func settle(
    _ entry: OutboxEntry, _ sink: LedgerSink?, _ owner: String
  ) throws -> Bool {
    guard let staged = entry.staged else {
      try settleUnstaged(entry, sink)
      return true
    }
    // A ledger that was tampered with must not remove or move the files of others.
    let isOurs = StagedName.isStaged(staged.path, owner: owner)
    let isSealed = isOurs && Digest256.ofFile(at: staged.path) == staged.digest
    if isSealed, sink.map(isRewritten) != true {
      do {
        try StagedFile.publish(staged.path, to: entry.target)
      } catch {
        return false
      }
      try ledger.confirm(entry)
    } else if !isSealed, Digest256.ofFile(at: entry.target) == staged.digest {
      if isOurs { StagedName.remove(staged.path) }
      try ledger.confirm(entry)
    } else {
      if isOurs { StagedName.remove(staged.path) }
      try ledger.takeBack(entry)
    }
    return true
  }

  /// What was to be written after a commit: a database tells itself how far it came; of standard
  /// output nobody knows, so it is owed.
  private func settleUnstaged(_ entry: OutboxEntry, _ sink: LedgerSink?) throws {
    if sink?.isDatabase == true, let standing = SQLiteStanding(at: entry.target),
      standing.ledger == (try ledger.outputIdentity), standing.change == entry.advance?.mark
    {
      try ledger.confirm(entry)
    } else {
      try ledger.takeBack(entry)
    }
  }
}
