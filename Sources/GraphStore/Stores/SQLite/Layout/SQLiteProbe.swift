import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// Kind of file at a path, determined without creating or changing anything.
enum SQLiteProbe: Sendable {
  /// Nothing.
  case missing
  /// A folder.
  case directory
  /// Something else that is no file: a pipe, a device, a socket.
  case special
  /// A file of no bytes.
  case empty
  /// A file that the process may not read.
  case unreadable
  /// A file that cannot be opened because too many are.
  case tooManyFiles
  /// A file beside which there is no room for what reading it needs.
  case noRoom
  /// A file that the system fails to read.
  case failing(SQLiteError)
  /// A file that is no SQLite file.
  case notSQLite
  /// A SQLite file beside which a folder, a link or the like has the name of one of SQLite's own files: its
  /// name.
  case blocked(by: String)
  /// A SQLite file that is no store.
  case notAStore
  /// A SQLite file that is damaged, or a store that lacks a part: which one, as a sentence.
  case damaged(String)
  /// A store whose metadata cannot be read, while its records can: what is wrong, as a sentence.
  case damagedMetadata(String)
  /// A SQLite file whose last change was interrupted; opening it for writing takes that back.
  case needsRecovery
  /// A SQLite file that another process keeps from being read.
  case busy
  /// A store of a format newer than this version knows.
  case newerFormat(Int)
  /// A store.
  case store(StoreMetadata)

  /// Looks at a path.
  static func probe(_ path: String) -> SQLiteProbe {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .directory
    case S_IFREG: break
    default: return .special
    }
    if status.st_size == 0 { return .empty }
    errno = 0
    guard let bytes = firstBytes(path) else {
      return DescriptorRoom.isExhausted(errno) ? .tooManyFiles : .unreadable
    }
    let files = SideFiles(path)
    if let name = files.blockingName { return .blocked(by: name) }
    guard let header = SQLiteFileHeader(bytes) else {
      // A store whose making was interrupted may lack its first page.
      if files.hasWholeJournal, case .needsRecovery = read(path, .readOnly) { return .needsRecovery }
      return .notSQLite
    }
    if !files.hasLog, !files.hasJournal, let stated = header.statedLength, stated > Int(status.st_size) {
      return .damaged("The file is cut short: \(status.st_size) of \(stated) bytes are there.")
    }
    let mode = SQLiteConnection.Mode.reading(header, files)
    switch read(path, mode) {
    case .damaged(let part):
      // A process that wrote meanwhile makes reading without locks see nonsense.
      let modeNow = SQLiteConnection.Mode.reading(path)
      return modeNow == mode ? .damaged(part) : read(path, modeNow)
    case .failing(let failure) where mode == .readOnly && failure.category == .noLocks:
      return read(path, .detached)
    case .unreadable where mode == .readOnly && header.usesWriteAheadLog:
      // Side files of another user, or a folder in which none can be made.
      return read(path, .detached)
    case let result: return result
    }
  }

  /// Whether a path holds what is most probably a store, whole and without the traces of an interrupted
  /// change.
  ///
  /// A file that is something else must not be opened as a store is, which leaves files beside it.
  static func isProbablyStore(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let bytes = firstBytes(path),
      let header = SQLiteFileHeader(bytes), header.isVacuumedIncrementally
    else { return false }
    if let stated = header.statedLength, stated > Int(status.st_size) { return false }
    let files = SideFiles(path)
    return !files.hasLog && !files.hasJournal && files.blockingName == nil
  }

  private static func read(_ path: String, _ mode: SQLiteConnection.Mode) -> SQLiteProbe {
    do {
      let connection = try SQLiteConnection(path: path, mode: mode, busyTimeout: .seconds(1))
      defer { connection.close() }
      switch try StoreHeader.read(connection) {
      case .success(let contents):
        return contents.damage.map { .damagedMetadata($0) } ?? .store(contents.metadata)
      case .failure(.notAStore): return .notAStore
      case .failure(.missingTable(let part)): return .damaged("The store's table \(part) is missing.")
      case .failure(.newerFormat(let format)): return .newerFormat(format)
      }
    } catch let failure as SQLiteError {
      return finding(failure)
    } catch {
      return .damaged((error as? GraphStoreError)?.message ?? "\(error)")
    }
  }

  private static func finding(_ failure: SQLiteError) -> SQLiteProbe {
    switch failure.category {
    case .busy: .busy
    case .permission, .cantOpen: .unreadable
    case .tooManyFiles: .tooManyFiles
    case .readOnly: .needsRecovery
    case .full: .noRoom
    case .io, .noLocks: .failing(failure)
    case .notADatabase, .corrupt, .unique, .constraint, .interrupted, .tooBig, .noMemory, .other:
      .damaged("SQLite says: \(failure.message).")
    }
  }

  /// Whether there is a log with content beside a file.
  static func hasLog(_ path: String) -> Bool { SideFiles(path).hasLog }

  fileprivate static func firstBytes(_ path: String) -> [UInt8]? {
    DatabaseFiles.firstBytes(path, count: SQLiteFileHeader.length)
  }

  /// The files that SQLite keeps beside a database.
  struct SideFiles {
    /// A log, with content or without.
    let logExists: Bool
    /// A log with content.
    let hasLog: Bool
    /// An index of the log that processes share.
    let hasSharedIndex: Bool
    /// A rollback journal with content; the first byte of one that is done with may be 0.
    let hasJournal: Bool
    /// A rollback journal that begins as journals of SQLite do.
    let hasWholeJournal: Bool
    /// Something else in the place of a log, which SQLite passes over where it may write the file; where it
    /// may not, it looks for the beginning of a log again and again, and gives up after ten seconds.
    let hasUnreadableLog: Bool
    /// The name of such a file that is a link or no regular file. SQLite makes no links, and does not follow
    /// all of them.
    let blockingName: String?

    /// Whether a file is too short for a log, or begins as logs do: by their magic number and the size of a
    /// page.
    static func isLog(_ path: String) -> Bool {
      guard let bytes = DatabaseFiles.firstBytes(path, count: 32), bytes.count == 32 else { return true }
      func number(at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
      }
      let pageSize = number(at: 8)
      return number(at: 0) & ~1 == 0x377f_0682 && pageSize.nonzeroBitCount == 1
        && (512...65536).contains(pageSize)
    }

    init(_ path: String) {
      // Beside the file itself, not beside a link to it.
      let resolved = unsafe realpath(path, nil)
      defer { unsafe free(resolved) }
      let path = unsafe resolved.map { unsafe String(cString: $0) } ?? path
      var blockingName: String?
      func size(_ suffix: String) -> Int? {
        var status = stat()
        guard unsafe lstat(path + suffix, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT != S_IFREG { blockingName = path + suffix }
        return Int(status.st_size)
      }
      logExists = size("-wal") != nil
      hasLog = (size("-wal") ?? 0) > 0
      hasSharedIndex = size("-shm") != nil
      let journalSize = size("-journal") ?? 0
      self.blockingName = blockingName
      // A pipe would make the reader wait.
      let hasBytes = journalSize > 0 && blockingName == nil
      let journal = hasBytes ? SQLiteProbe.firstBytes(path + "-journal") ?? [] : []
      hasJournal = journal.first.map { $0 != 0 } ?? false
      hasWholeJournal = journal.starts(with: StoreRecovery.journalMagic)
      hasUnreadableLog =
        hasLog && blockingName == nil && !Self.isLog(path + "-wal")
        && !(RegularFile.isWritable(path) && (!hasSharedIndex || RegularFile.isWritable(path + "-shm")))
    }
  }
}
