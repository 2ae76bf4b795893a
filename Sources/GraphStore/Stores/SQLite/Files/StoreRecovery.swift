import Foundation
import GraphStoreSQLite

/// Recovery of stores: rolls back changes that were interrupted.
///
/// A store that is written through a rollback journal, and not through a log, has a journal beside it
/// whenever its writer was killed amid a change. Opening the store for writing takes the change back; opening
/// it for reading only cannot.
///
/// ```swift
/// if try StoreRecovery.run(path: "company.db") { print("an interrupted change was taken back") }
/// ```
public enum StoreRecovery {
  /// Rolls back the last change of the store at a path, where it was interrupted, which needs the right to
  /// write.
  ///
  /// - Returns: Whether there was such a change.
  /// - Throws: `store-open` where the journal beside the store names another file, which SQLite would remove;
  ///   `store-permission`, `store-timeout`, `disk-full`.
  @discardableResult
  public static func run(path: String, timeout: Duration = StoreOptions.defaultTimeout) throws -> Bool {
    guard isNeeded(path) else { return false }
    try checkJournal(path)
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: timeout)
      defer { connection.close() }
      _ = try connection.int64("SELECT count(*) FROM sqlite_schema")
    } catch let failure as SQLiteError where [.readOnly, .permission, .cantOpen].contains(failure.category) {
      throw GraphStoreError(
        .storePermission,
        "The last change of \(path) was interrupted, and the right to take it back is missing.",
        remedy: "See to the right to write the file and its folder.", underlying: failure)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
    return true
  }

  /// Whether the last change was interrupted.
  static func isNeeded(_ path: String) -> Bool {
    if case .needsRecovery = SQLiteProbe.probe(path) { true } else { false }
  }

  /// Makes sure that the journal beside a store, if there is one, concerns the store alone.
  ///
  /// The journal of a change of several databases ends with the name of a file that lists them, and SQLite
  /// removes that file when it has rolled back the change. No store is changed so; a journal that came with a
  /// store could name any file.
  ///
  /// - Throws: `store-open`.
  static func checkJournal(_ path: String) throws {
    guard let name = fileNamed(inJournal: path + "-journal") else { return }
    throw GraphStoreError(
      .storeOpen,
      "The journal beside \(path) names the file \(name), which taking back its change would remove.",
      remedy: "If you know where the store comes from, let sqlite3 take it back; else remove both.")
  }

  /// The bytes with which a journal begins, and ends where it names another file.
  static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// The name at the end of a journal: its page, the name, its length, a checksum, and the journal's magic
  /// number.
  private static func fileNamed(inJournal path: String) -> String? {
    let trailer = 16
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    guard size >= trailer, let end = read(file, trailer, at: size - trailer),
      end.suffix(8).elementsEqual(journalMagic)
    else { return nil }
    let length = end.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, length <= size - trailer else { return nil }
    let shown = min(length, 4096)
    let name = read(file, shown, at: size - trailer - length) ?? []
    return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func read(_ file: Int32, _ count: Int, at offset: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe pread(file, &bytes, count, off_t(offset)) == count ? bytes : nil
  }
}
