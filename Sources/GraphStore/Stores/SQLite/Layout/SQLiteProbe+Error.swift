extension SQLiteProbe {
  /// The metadata of a store that can be opened.
  ///
  /// - Throws: What keeps the path from being opened as a store, in the words of STO-290's codes.
  func metadata(path: String) throws -> StoreMetadata {
    switch self {
    case .store(let metadata): return metadata
    case .missing:
      throw GraphStoreError(
        .storeNotFound, "There is no file at \(path).", remedy: "See to the path, or make a store with init.")
    case .directory: throw notAStore("\(path) is a folder, not a store.", "Name the store's file.")
    case .special: throw notAStore("\(path) is no regular file.", "Name the store's file.")
    case .empty:
      throw notAStore("\(path) is an empty file, not a store.", "Make a store there with init.")
    case .notSQLite:
      throw notAStore(
        "\(path) is not a SQLite file.", "Name a store, or read the file's records with import.")
    case .blocked(let name):
      throw GraphStoreError(
        .storeOpen, "\(name) is no regular file, and has the name of one that SQLite keeps beside \(path).",
        remedy: "Move it away.")
    case .notAStore:
      throw notAStore(
        "\(path) is a SQLite file but not a store.",
        "Read its records with import, for example from sqlite3 -json.")
    case .unreadable:
      throw GraphStoreError(
        .storePermission, "The right to read \(path) is missing.",
        remedy: "See to the permissions of the file and its folder.")
    case .tooManyFiles: throw GraphStoreError.tooManyFiles(path)
    case .noRoom:
      throw GraphStoreError(
        .diskFull, "There is no room left beside \(path) for what reading it needs.",
        remedy: "Make room on the disk and try again.")
    case .failing(let failure): throw GraphStoreError(failure, path: path)
    case .damaged(let part):
      throw GraphStoreError(
        .storeCorrupt, "\(path) is damaged. \(part)", remedy: "Restore it from a backup.")
    case .damagedMetadata(let part):
      throw GraphStoreError(
        .storeCorrupt, "\(path) is damaged. \(part)",
        remedy: "Restore it from a backup; its records can still be read and exported.")
    case .needsRecovery:
      throw GraphStoreError(
        .storeOpen, "The last change of \(path) was interrupted and has to be taken back first.",
        remedy: "Open it for writing, which takes it back.")
    case .busy:
      throw GraphStoreError(
        .storeTimeout, "\(path) is in use by another process.",
        remedy: "Try again later, or set a longer timeout.")
    case .newerFormat(let format):
      throw GraphStoreError(
        .storeOpen,
        "\(path) has format \(format); this version knows formats up to \(StoreMetadata.currentFormat).",
        remedy: "Open it with a newer version of graphstore.", underlying: NewerStoreFormat())
    }
  }

  private func notAStore(_ message: String, _ remedy: String) -> GraphStoreError {
    GraphStoreError(.notAStore, message, remedy: remedy)
  }
}
