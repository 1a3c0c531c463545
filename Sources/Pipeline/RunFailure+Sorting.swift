import Audit
import Deduplicate
import Extract
import Platform
import PumpModel

extension RunFailure {
  /// Sorts what stopped a run by what a person can do about it.
  init(sorting error: any Error, ledger: String?) {
    switch error {
    case let failure as RunFailure: self = failure
    case let error as OutputError: self.init(error)
    case let error as ExtractError: self.init(error)
    case let error as NamingError: self.init(error)
    case let error as LedgerError: self.init(error, ledger: ledger)
    case let error as AuditError: self.init(error)
    case let failure as SourceFailure: self.init(failure)
    case let error as SQLiteError: self.init(LedgerError(error), ledger: ledger)
    default:
      self.init(
        .internal, what: "something unexpected happened: \(type(of: error))",
        next: "Please report it, with the command and this line.")
    }
  }

  private init(_ error: AuditError) {
    switch error {
    case .unreadable(let fault):
      self.init(.unreadable, what: "an output cannot be read: \(fault.reason)")
    case .store(let error):
      self.init(
        error.isOutOfRoom || error.isDenied ? .io : .internal,
        what: "samples cannot be compared: \(error)", where: "temporary files",
        next: "Free some space in the folder of temporary files, and run again.")
    }
  }

  private init(_ error: ExtractError) {
    let status: ExitStatus =
      switch error.kind {
      case .missing, .notAFile: .inputMissing
      case .unreadable: .io
      case .tooLarge: .unreadable
      }
    self.init(status, what: "the input \(error.reason)", where: error.place, next: error.advice)
  }

  private init(_ error: NamingError) {
    switch error {
    case .serialNeeded:
      self.init(
        .usage, what: "there are records that do not say which pump they are of",
        where: "--serial",
        next: "Give the serial number from the pump's back or its settings: --serial 12345678.")
    case .serialNamesSeveral(let count):
      self.init(
        .usage, what: "the serial number would name \(count) pumps", where: "--serial",
        next: "Convert the pumps one by one, or give the account answer (pumper) beside them.")
    }
  }

  private init(_ mixture: DataMixture, place: String) {
    let what =
      switch mixture {
      case .inOneRun: "made-up data and a pump's own were read together"
      case .demoIntoReal: "the data is made up, and the ledger holds a pump's own"
      case .realIntoDemo: "the data is a pump's own, and the ledger holds made-up data"
      }
    self.init(
      .refused, what: what, where: place,
      next: "Keep them apart: a run, a ledger and a file are of one kind. Data is made up if a "
        + "serial number in it or after --serial begins with \(DemoData.serialPrefix), an "
        + "assignment id with \(DemoData.assignmentPrefix), or its JSON says so under dataSource.")
  }

  private init(_ error: LedgerError, ledger: String?) {
    let place = ledger ?? "temporary ledger"
    switch error {
    case .busy:
      self.init(
        .busy, what: "another run holds the ledger", where: place,
        next: "Try again when it has ended, or wait longer with --wait.")
    case .missing:
      self.init(
        .inputMissing, what: "there is no ledger", where: place,
        next: "pumpline convert makes one with --ledger.")
    case .notALedger:
      self.init(
        .refused, what: "the file is no ledger of pumpline", where: place,
        next: "Name another file with --ledger.")
    case .newer(let version):
      self.init(
        .refused, what: "the ledger was made by a newer pumpline (schema \(version))",
        where: place, next: "Install the newest pumpline.")
    case .otherKind(let kind):
      self.init(
        .refused, what: "the ledger keeps \(kind.rawValue), and this needs one of another kind",
        where: place,
        next: kind == .samples
          ? "It was made by pumpline deduplicate; name another file with --ledger."
          : "It was made of pump history; name another file with --ledger.")
    case .mixed(let mixture): self.init(mixture, place: place)
    case .damaged(let error):
      self.init(
        .io, what: "the ledger is damaged: \(error)", where: place,
        next: "Restore it from a backup, or make a new one from the archives.")
    case .denied(let error):
      self.init(
        .cannotCreate, what: "the ledger may not be made or written to: \(error)", where: place,
        next: "Check that its folder exists and may be written to, or name another file.")
    case .checkFailed(let what):
      self.init(
        .internal, what: "a check of the ledger failed, and nothing was changed: \(what)",
        where: place,
        next: "Restore it from a backup, or make a new one from the archives; and please report "
          + "it.")
    case .noRoom(let error):
      self.init(
        .io, what: "the ledger cannot be written: \(error)", where: place,
        next: "Free some space there and in the folder of temporary files, and run again.")
    case .failed(let error):
      self.init(
        .internal, what: "the ledger failed: \(error)", where: place,
        next: "Please report it, with the command and this line.")
    }
  }
}
