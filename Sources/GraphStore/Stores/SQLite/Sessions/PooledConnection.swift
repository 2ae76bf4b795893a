import GraphStoreFiles
import GraphStoreSQLite

/// A connection of a store's pool, with what is prepared on it.
///
/// One session at a time has it.
final class PooledConnection {
  let connection: SQLiteConnection
  let functions = SQLiteApplicationFunctions()
  /// By entity; made when the first fault of a tree fires.
  @safe @exclusivity(unchecked) private var keyReaders: [SQLiteKeyReader?] = []

  /// The file, of which this process takes note as long as the connection is open.
  private var identity: FileIdentity?

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    try SQLiteDialect.install(on: connection)
    identity = connection.path.flatMap { FileIdentity($0) }
    if let identity { OpenStores.enter(identity) }
  }

  deinit { leave() }

  private func leave() {
    if let identity { OpenStores.leave(identity) }
    identity = nil
  }

  /// Reads rows of an entity tree by their keys, by a statement that is prepared once.
  func keyReader(_ root: Int, _ make: () throws -> SQLiteKeyReader) rethrows -> SQLiteKeyReader {
    if root < keyReaders.count, let reader = keyReaders[root] { return reader }
    let reader = try make()
    while keyReaders.count <= root { keyReaders.append(nil) }
    keyReaders[root] = reader
    return reader
  }

  func close() {
    keyReaders = []
    connection.close()
    leave()
  }
}
