import CGraphStoreSQLite
import Glibc
import GraphStoreFiles

/// A failure of SQLite.
public struct SQLiteError: Error, Hashable, Sendable {
  /// Category of errors that a caller can act on.
  public enum Category: Hashable, Sendable {
    /// Another connection holds a lock; trying again may help.
    case busy
    /// The file is damaged.
    case corrupt
    /// The file is not a SQLite database.
    case notADatabase
    /// No room is left on the disk.
    case full
    /// The database may only be read.
    case readOnly
    /// The file's permissions refuse it.
    case permission
    /// The file cannot be opened.
    case cantOpen
    /// Too many files are open.
    case tooManyFiles
    /// The file system has no locks.
    case noLocks
    /// The operating system failed to read or write.
    case io
    /// A unique index or a primary key holds that value already.
    case unique
    /// Another constraint was violated.
    case constraint
    /// Interrupted from outside.
    case interrupted
    /// A text or blob is over the limit.
    case tooBig
    /// Out of memory.
    case noMemory
    /// Anything else: invalid SQL, wrong use.
    case other
  }

  /// A column as SQLite names it in messages.
  public struct Column: Hashable, Sendable {
    /// The table's name.
    public let table: String
    /// The column's name.
    public let column: String

    /// Names a column.
    public init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  /// The code with its extension; `extendedCode.primary` is the class of failure.
  public let extendedCode: SQLiteErrorCode
  /// SQLite's own sentence.
  public let message: String
  /// The statement's text, without its values.
  public let sql: String?
  /// The system's number of what is wrong, of a file that cannot be opened, read or written; 0 where it is
  /// not known.
  public let systemNumber: Int32

  /// The primary code.
  public var code: SQLiteErrorCode { extendedCode.primary }

  /// Describes a failure.
  public init(code: SQLiteErrorCode, message: String, sql: String? = nil, systemNumber: Int32 = 0) {
    self.extendedCode = code
    self.message = message
    self.sql = sql
    self.systemNumber = systemNumber
  }

  /// Reads code and message that a connection keeps of its last failure.
  @usableFromInline
  init(code: Int32, database: OpaquePointer?, sql: String?) {
    var (extended, systemNumber) = (code, Int32(0))
    var message = unsafe String(cString: sqlite3_errstr(code))
    if let database = unsafe database {
      let last = unsafe sqlite3_extended_errcode(database)
      // The connection keeps the message of its last failure only: it belongs here if the class is the same.
      if last & 0xff == code & 0xff {
        extended = max(last, code)
        message = unsafe String(cString: sqlite3_errmsg(database))
        if [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xff) {
          systemNumber = unsafe sqlite3_system_errno(database)
        }
      }
    }
    self.init(
      code: SQLiteErrorCode(rawValue: extended), message: message, sql: sql, systemNumber: systemNumber)
  }

  /// The category of the error, which a caller can act on.
  public var category: Category {
    if DescriptorRoom.isExhausted(systemNumber) { return .tooManyFiles }
    // The index of a log cannot be enlarged for want of space.
    if [ENOSPC, EDQUOT].contains(systemNumber) || extendedCode == .ioIndexSize { return .full }
    return switch extendedCode {
    case .busy, .locked, .lockingProtocol: .busy
    case .corrupt: .corrupt
    case .notADatabase: .notADatabase
    case .full: .full
    case .readOnly: .readOnly
    case .permission, .authorization: .permission
    case .cantOpen: .cantOpen
    case .ioReadLock, .ioLock: .noLocks
    case .io: .io
    case .constraintUnique, .constraintPrimaryKey, .constraintRowID: .unique
    case .constraint: .constraint
    case .interrupt: .interrupted
    case .tooBig: .tooBig
    case .noMemory: .noMemory
    default: .other
    }
  }

  /// Whether what failed was to write the file, for want of room or otherwise.
  public var isOfWriting: Bool {
    extendedCode == .ioWrite || (category == .full && extendedCode != .ioIndexSize)
  }

  /// The columns of the violated unique constraint, in its order; empty for other failures.
  public var constraintColumns: [Column] {
    guard category == .unique, let list = message.split(separator: ":", maxSplits: 1).dropFirst().first else {
      return []
    }
    return list.split(separator: ",").compactMap { item in
      let trimmed = item.drop(while: { $0 == " " })
      guard let dot = trimmed.lastIndex(of: ".") else { return nil }
      return Column(table: String(trimmed[..<dot]), column: String(trimmed[dot...].dropFirst()))
    }
  }
}

extension SQLiteError: CustomStringConvertible {
  /// The message, the code, and the statement if there is one.
  public var description: String {
    let base = "SQLite: \(message) (\(extendedCode.rawValue))"
    guard let sql else { return base }
    return "\(base) in: \(sql)"
  }
}

/// A stored value that is not what it has to be; a function that throws it ends its statement as damage.
public struct SQLiteDamagedValue: Error {
  /// The value found instead, as a sentence.
  public let message: String

  /// Describes a damaged value.
  public init(_ message: String) {
    self.message = message
  }
}
