import CGraphStoreSQLite

/// A result code of SQLite, primary (8 bits) or extended.
///
/// `case .busy:` matches every extended code of that primary code too:
///
/// ```swift
/// switch error.extendedCode {
/// case .constraintUnique: …
/// case .constraint: …
/// default: …
/// }
/// ```
public struct SQLiteErrorCode: RawRepresentable, Hashable, Sendable {
  /// The number as in sqlite3.h.
  public let rawValue: Int32

  /// Wraps a number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The primary code: the lowest eight bits.
  public var primary: SQLiteErrorCode { SQLiteErrorCode(rawValue: rawValue & 0xff) }

  /// Matches an equal code, and any extended code of a primary one.
  public static func ~= (pattern: SQLiteErrorCode, code: SQLiteErrorCode) -> Bool {
    pattern.rawValue == code.rawValue
      || (pattern.rawValue <= 0xff && pattern.rawValue == code.primary.rawValue)
  }
}

extension SQLiteErrorCode {
  /// A generic failure, mostly invalid SQL.
  public static let error = SQLiteErrorCode(rawValue: SQLITE_ERROR)
  /// The file's permissions refuse it.
  public static let permission = SQLiteErrorCode(rawValue: SQLITE_PERM)
  /// A callback asked for an abort, or a rollback ended a pending read.
  public static let abort = SQLiteErrorCode(rawValue: SQLITE_ABORT)
  /// Another connection holds the lock.
  public static let busy = SQLiteErrorCode(rawValue: SQLITE_BUSY)
  /// The snapshot is too old to be written from.
  public static let busySnapshot = SQLiteErrorCode(rawValue: SQLITE_BUSY | (2 << 8))
  /// A table is locked within one connection.
  public static let locked = SQLiteErrorCode(rawValue: SQLITE_LOCKED)
  /// The beginning of a log could not be read although it was tried again and again, for others were at it.
  public static let lockingProtocol = SQLiteErrorCode(rawValue: SQLITE_PROTOCOL)
  /// Out of memory.
  public static let noMemory = SQLiteErrorCode(rawValue: SQLITE_NOMEM)
  /// An attempt to write what may only be read.
  public static let readOnly = SQLiteErrorCode(rawValue: SQLITE_READONLY)
  /// The database file has been moved or removed under the connection.
  public static let readOnlyDatabaseMoved = SQLiteErrorCode(rawValue: SQLITE_READONLY | (4 << 8))
  /// Ended by ``SQLiteConnection/interrupt()``.
  public static let interrupt = SQLiteErrorCode(rawValue: SQLITE_INTERRUPT)
  /// The operating system failed to read or write.
  public static let io = SQLiteErrorCode(rawValue: SQLITE_IOERR)
  /// The operating system failed to write, but for want of room.
  public static let ioWrite = SQLiteErrorCode(rawValue: SQLITE_IOERR | (3 << 8))
  /// The file system has no lock for a reader.
  public static let ioReadLock = SQLiteErrorCode(rawValue: SQLITE_IOERR | (9 << 8))
  /// The file system has no lock for a writer.
  public static let ioLock = SQLiteErrorCode(rawValue: SQLITE_IOERR | (15 << 8))
  /// The index of a log cannot be made larger.
  public static let ioIndexSize = SQLiteErrorCode(rawValue: SQLITE_IOERR | (19 << 8))
  /// The file is damaged.
  public static let corrupt = SQLiteErrorCode(rawValue: SQLITE_CORRUPT)
  /// The disk is full.
  public static let full = SQLiteErrorCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  public static let cantOpen = SQLiteErrorCode(rawValue: SQLITE_CANTOPEN)
  /// The schema changed while a statement was prepared.
  public static let schema = SQLiteErrorCode(rawValue: SQLITE_SCHEMA)
  /// A text or blob is over the limit.
  public static let tooBig = SQLiteErrorCode(rawValue: SQLITE_TOOBIG)
  /// A constraint was violated.
  public static let constraint = SQLiteErrorCode(rawValue: SQLITE_CONSTRAINT)
  /// A unique index was violated.
  public static let constraintUnique = SQLiteErrorCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
  /// A primary key was violated.
  public static let constraintPrimaryKey = SQLiteErrorCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
  /// A row id was used twice.
  public static let constraintRowID = SQLiteErrorCode(rawValue: SQLITE_CONSTRAINT | (10 << 8))
  /// A value's type does not fit the column.
  public static let mismatch = SQLiteErrorCode(rawValue: SQLITE_MISMATCH)
  /// The interface was used wrongly: a closed connection, an empty statement.
  public static let misuse = SQLiteErrorCode(rawValue: SQLITE_MISUSE)
  /// Not authorised.
  public static let authorization = SQLiteErrorCode(rawValue: SQLITE_AUTH)
  /// A bound parameter's number is out of range.
  public static let range = SQLiteErrorCode(rawValue: SQLITE_RANGE)
  /// The file is not a SQLite database.
  public static let notADatabase = SQLiteErrorCode(rawValue: SQLITE_NOTADB)
}
