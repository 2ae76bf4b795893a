import Glibc
import GraphStoreSQLite

extension GraphStoreError {
  /// A failure of SQLite in the words of a store.
  init(_ failure: SQLiteError, path: String) {
    let (code, message, remedy) = Self.words(failure, path)
    self.init(code, message, remedy: remedy, underlying: failure)
  }

  /// The error that a file or folder cannot be written or made durable.
  ///
  /// - Parameter number: The system's number of what is wrong.
  static func unwritten(_ path: String, _ number: Int32) -> GraphStoreError {
    switch number {
    case ENOSPC, EDQUOT:
      GraphStoreError(
        .diskFull, "There is no room left to write \(path).", remedy: "Make room on the disk and try again.")
    case EMFILE, ENFILE: tooManyFiles(path)
    default:
      GraphStoreError(
        .storeSaveFailed, "\(path) cannot be written: \(unsafe String(cString: strerror(number))).",
        remedy: "Mend the cause and try again; nothing was changed.")
    }
  }

  /// The error that a file cannot be opened because the process, or the system, has too many open.
  package static func tooManyFiles(_ path: String) -> GraphStoreError {
    let (code, message, remedy) = wordsOfTooManyFiles(path)
    return GraphStoreError(code, message, remedy: remedy)
  }

  private static func wordsOfTooManyFiles(_ path: String) -> (Code, String, String) {
    (
      .storeOpen, "\(path) cannot be opened: too many files are open.",
      "Close other files, or raise the limit of open files (ulimit -n)."
    )
  }

  /// Whether SQLite was interrupted.
  var isInterruption: Bool { (underlying as? SQLiteError)?.category == .interrupted }

  /// Whether SQLite refuses a statement for its size, which is that of the request.
  private static func isTooLargeRequest(_ message: String) -> Bool {
    [
      "too many columns in", "at most 64 tables in a join", "too many terms in", "too many SQL variables",
      "Expression tree is too large", "parser stack overflow",
    ].contains { message.contains($0) }
  }

  /// Whether a table or column is missing: statements are made from a model that fits the store, which
  /// therefore has lost what they name.
  private static func isMissingPart(_ message: String) -> Bool {
    ["no such table: ", "no such column: "].contains { message.contains($0) }
  }

  private static func words(_ failure: SQLiteError, _ path: String) -> (Code, String, String) {
    switch failure.category {
    case .busy:
      (
        .storeTimeout, "\(path) is in use by another process.",
        "Try again later, or set a longer timeout."
      )
    case .corrupt, .notADatabase,
      .other where isMissingPart(failure.message):
      (
        .storeCorrupt, "\(path) is damaged: \(failure.message).",
        "Check the store, which says what is damaged, and restore a backup."
      )
    case .full:
      (.diskFull, "There is no room left to write \(path).", "Make room on the disk and try again.")
    case .readOnly:
      (
        .readOnlyStore, "\(path) can only be read.",
        "See to the right to write the file and its folder, or open it for reading only."
      )
    case .permission:
      (.storePermission, "The right to use \(path) is missing.", "See to the file's permissions.")
    case .noLocks:
      (
        .storeOpen, "\(path) is on a file system without locks, which writing needs.",
        "Move the store to another file system, or open it for reading only where nobody writes to it."
      )
    case .tooManyFiles: wordsOfTooManyFiles(path)
    case .cantOpen:
      (
        .storeOpen, "\(path) cannot be opened.",
        "See to the path, and to the rights on the file and its folder."
      )
    case .tooBig:
      (.valueTooLarge, "A value is too large for \(path).", "Keep values under 1,000,000,000 bytes.")
    case .unique, .constraint:
      (.constraintConflict, "A value is in \(path) already: \(failure.message).", "Choose another value.")
    case .other where isTooLargeRequest(failure.message):
      (
        .invalidRequest, "The request is too large for \(path): \(failure.message).",
        "Ask for fewer fields, sort keys, conditions or relationships at a time."
      )
    case .io where failure.extendedCode == .ioWrite:
      (
        .sqlite,
        failure.systemNumber == EFBIG
          ? "\(path) cannot be written: the file would be larger than it may be."
          : "\(path) cannot be written: \(failure.message).",
        "See to the disk, and to the limit of the size of files (ulimit -f), and try again."
      )
    case .io, .interrupted, .noMemory, .other:
      (.sqlite, "\(path): \(failure.message).", "Try again; if it fails again, check the store.")
    }
  }
}
