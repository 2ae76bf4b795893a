extension SQLiteStore {
  func sharing() -> any PersistentStore { SQLiteStore(sharing: self) }

  func reopened(at path: String) throws -> any PersistentStore {
    guard isInFile else { throw GraphStoreError.immovable(self, path) }
    var options = options
    options.configuration = entities.configuration
    let moved = try SQLiteStore.open(
      path, options, model: entities.model, layout: layout, continuing: self)
    if moved.scope === scope { return moved }
    moved.close()
    throw GraphStoreError(
      .storeOpen,
      "\(path) is another store than \(self.path): it has the UUID \(moved.scope.uuid), not \(scope.uuid).",
      remedy: "Remove the store from the coordinator, and add the other one.")
  }

  func didMove() { externalDataFolder.move(besideStoreAt: path) }

  var externalData: (files: Int, bytes: Int)? {
    guard isInFile, layout.hasExternalData else { return nil }
    let files = externalDataFolder.files()
    return (files.count, files.reduce(0) { $0 + $1.size })
  }

  func journalMode() throws -> String? {
    guard isInFile else { return nil }
    let session = SQLiteReadSession(self, [])
    try session.begin()
    defer { session.endReading() }
    return try session.journalMode()
  }

  func watch(_ onCommit: @escaping @Sendable () -> Void) throws -> (any StoreWatch)? {
    guard isInFile else { return nil }
    return try reporting {
      SQLiteStoreWatch(try pool.openConnection(), path: path) { [weak self] change in
        // Whoever reads then is to be told at once.
        if change == .replacement { self?.lastFileCheck.store(0, ordering: .relaxed) }
        onCommit()
      }
    }
  }
}
