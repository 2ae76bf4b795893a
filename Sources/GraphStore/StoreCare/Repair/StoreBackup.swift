import GraphStoreSQLite

/// Backups of stores: the copy that a repair makes, page for page at a free path beside the store, and what
/// puts a backup back.
///
/// A migration that leaves something behind keeps the old store itself as a backup, which can be put back:
///
/// ```swift
/// let result = try StoreMigration(plan).run()
/// if let backup = result.backup {
///   try StoreBackup.restore(backup, to: result.path)
/// }
/// ```
public enum StoreBackup {
  /// Copies the store that a connection has open, with its external data, and makes the copy durable.
  ///
  /// The copy appears when it is whole.
  ///
  /// - Returns: The copy's path.
  /// - Throws: `disk-full`, `store-permission`; ``SQLiteError``.
  static func make(of connection: SQLiteConnection, path: String) throws -> String {
    TemporaryStore.removeLeftovers(beside: path)
    let copy = try TemporaryStore(beside: path)
    try fill(copy, from: connection)
    // Users that may not read the store may not read its copy.
    copy.adoptAttributes(of: path)
    try copy.flush()
    var (name, number) = ("\(path).backup", 1)
    while try RegularFile.isTaken(name) || !place(copy, of: path, at: name) {
      number += 1
      name = "\(path).backup-\(number)"
    }
    return name
  }

  private static func fill(_ copy: TemporaryStore, from connection: SQLiteConnection) throws {
    let destination = try SQLiteConnection(path: copy.path, mode: .readWrite)
    defer { destination.close() }
    try connection.copy(into: destination)
  }

  /// Renames the copy, and links the external data under names of their own.
  ///
  /// - Returns: Whether the name was still free.
  private static func place(_ copy: TemporaryStore, of path: String, at name: String) throws -> Bool {
    let folder = ExternalDataFolder(besideStoreAt: name)
    let added = try ExternalDataFolder(besideStoreAt: path).link(into: folder)
    var isPlaced = false
    defer {
      if !isPlaced {
        folder.remove(added)
        folder.removeIfEmpty()
      }
    }
    guard try copy.take(free: name) else { return false }
    isPlaced = true
    let failure = FolderEntries.flush(beside: name)
    guard failure == 0 else {
      TemporaryStore.remove(name)
      throw GraphStoreError.unwritten(name, failure)
    }
    return true
  }
}
