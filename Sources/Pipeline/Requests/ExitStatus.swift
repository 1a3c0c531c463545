/// How a command ended, as scripts see it.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Finished; nothing was rejected. A valid empty answer is clean too.
  case ok = 0
  /// Finished, and something in the input was rejected.
  case rejects = 1
  /// The command line asks for something impossible, or leaves out what is needed.
  case usage = 64
  /// An input cannot be read or recognised.
  case unreadable = 65
  /// An input does not exist.
  case inputMissing = 66
  /// A server is unavailable or answers something unexpected.
  case unavailable = 69
  /// A bug, or a check of the result failed.
  case `internal` = 70
  /// An output may not or cannot be made.
  case cannotCreate = 73
  /// Reading or writing failed half-way.
  case io = 74
  /// Another run holds the ledger.
  case busy = 75
  /// Credentials were refused.
  case credentials = 77
  /// A pipeline file is wrong, or the ledger refuses.
  case refused = 78
  /// Interrupted from the keyboard.
  case interrupted = 130

  /// One sentence for manuals.
  package var meaning: String {
    switch self {
    case .ok: "Finished; nothing was rejected."
    case .rejects:
      "Finished, but something in the input was rejected, or a check found differences."
    case .usage: "The command line is wrong, the zone is missing or refused, or a pump has no name."
    case .unreadable: "An input cannot be read or recognised."
    case .inputMissing: "An input does not exist."
    case .unavailable: "The server is unavailable or answers something unexpected."
    case .internal: "A bug, or a check of the result failed; nothing was kept."
    case .cannotCreate: "An output may not or cannot be made."
    case .io: "Reading or writing failed."
    case .busy: "Another run holds the ledger; try again."
    case .credentials: "Credentials were refused."
    case .refused: "The ledger refuses, or a pipeline file is wrong."
    case .interrupted: "Interrupted from the keyboard."
    }
  }
}
