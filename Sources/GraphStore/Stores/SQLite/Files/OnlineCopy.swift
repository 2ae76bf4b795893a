import Foundation
import GraphStoreFiles
import GraphStoreSQLite

/// Copy of a SQLite store that others go on using: page for page, what is in its log included, with its
/// external data (STO-157).
///
/// The store is only read, and nobody who writes to it waits where it has a log.
struct OnlineCopy {
  /// The copy, whole, durable and checked.
  let store: TemporaryStore
  /// The number of records of the copy.
  let objectCount: Int
  /// The number of files that rows name, and that the store itself lacks.
  let missingFileCount: Int

  /// How often a copy is begun anew because the store was replaced, or files of external data went, while it
  /// was made.
  private static let attemptLimit = 5

  /// Makes a copy of what a store holds at one moment.
  ///
  /// - Parameters:
  ///   - target: The path beside which the copy is made.
  ///   - isOneFile: Whether values with external storage are written into the file.
  /// - Throws: What is wrong with the path, from `store-not-found` to `store-corrupt`; `store-timeout`,
  ///   `disk-full`, `store-permission`; for one file `external-data-missing`, and `no-model` where nothing
  ///   says which values are in files.
  init(of path: String, beside target: String, isOneFile: Bool, timeout: Duration) throws {
    let path = ResolvedPath.of(path)
    TemporaryStore.removeLeftovers(beside: target)
    let store = try TemporaryStore(beside: target)
    do {
      let copied = try Self.fill(store, from: path, timeout)
      missingFileCount = copied.missing.count
      objectCount = copied.contents.objectCount
      if isOneFile { try Self.writeExternalData(of: copied, from: path, into: store) }
      store.adoptAttributes(of: path)
      try Self.finish(store, path)
    } catch let failure as SQLiteError {
      // Of the store nothing is written.
      throw GraphStoreError(failure, path: failure.isOfWriting ? target : path)
    }
    self.store = store
  }

  /// Contents of a finished copy of the pages, and the files that it names and the store lacks.
  private typealias Copied = (contents: CopiedContents, missing: Set<ExternalDataName>)

  // MARK: Filling

  /// Fills a store with what another holds, and with the files that its rows name.
  ///
  /// Files are linked before and after the pages are read: one that a row of the copy names was there then,
  /// unless somebody wrote and replaced it in between. The copy is begun anew then, and where another file
  /// is at the path by now, whose external data those linked are.
  private static func fill(
    _ store: TemporaryStore, from path: String, _ timeout: Duration
  ) throws -> Copied {
    let folder = ExternalDataFolder(besideStoreAt: path)
    let copied = ExternalDataFolder(besideStoreAt: store.path)
    var missing: Set<ExternalDataName>?
    for _ in 0..<attemptLimit {
      let identity = FileIdentity(path)
      try folder.link(try folder.listing(), into: copied)
      try copyPages(path, to: store, timeout)
      try folder.link(try folder.listing(), into: copied)
      guard identity == FileIdentity(path) else {
        missing = nil
        continue
      }
      let contents = try contents(of: store, path)
      let present = Set(try copied.listing())
      copied.remove(present.subtracting(contents.names))
      copied.removeIfEmpty()
      let missed = contents.names.subtracting(present)
      // What is missing again is missing in the store.
      guard missed.isEmpty || missed == missing else {
        missing = missed
        continue
      }
      try copied.separate()
      return (contents, missed)
    }
    throw GraphStoreError(
      .storeTimeout,
      "\(path) was replaced, or its files of external data went, again and again while it was copied.",
      remedy: "Try again when less is written.")
  }

  /// Copies one state of the database.
  private static func copyPages(_ path: String, to store: TemporaryStore, _ timeout: Duration) throws {
    _ = try SQLiteMetadataFile.read(path, timeout: timeout)
    let source = try SQLiteConnection.openForReading(path, busyTimeout: timeout)
    defer { source.close() }
    let destination = try SQLiteConnection(path: store.path, mode: .readWrite)
    defer { destination.close() }
    try source.copy(into: destination)
    // Nothing of it may be left in a log when its contents are read.
    try destination.foldLog(.whole)
  }

  private static func contents(of store: TemporaryStore, _ path: String) throws -> CopiedContents {
    do {
      return try CopiedContents(path: store.path)
    } catch let failure as SQLiteError where failure.category == .corrupt {
      throw GraphStoreError.damagedSource(path, failure.message + ".")
    } catch is StoreHeader.Problem {
      throw GraphStoreError.damagedSource(path, "its system tables cannot be read.")
    }
  }

  // MARK: One file

  /// Writes values that are in files of their own into the rows of a copy, one at a time (STO-186).
  private static func writeExternalData(
    of copied: Copied, from path: String, into store: TemporaryStore
  ) throws {
    let places = copied.contents.places
    if places.isEmpty { return }
    guard copied.contents.hasModel else {
      throw GraphStoreError(
        .noModel, "\(path) carries no model, which would say which of its values are in files of their own.",
        remedy: "Copy it with the files beside it.")
    }
    if let missing = places.first(where: { copied.missing.contains($0.name) }) {
      throw GraphStoreError.missingExternalData(
        at: ExternalDataFolder(besideStoreAt: path).path(of: missing.name))
    }
    let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
    defer { connection.close() }
    let folder = ExternalDataFolder(besideStoreAt: store.path)
    let source = ExternalDataSource.folder(folder)
    try connection.transaction(.immediate) {
      for place in places {
        guard let data = source.data(place.name) else {
          throw GraphStoreError.missingExternalData(at: folder.path(of: place.name))
        }
        let sql = "UPDATE \(place.table) SET \(place.column) = ?1 WHERE Z_PK = ?2"
        try connection.withStatement(sql) { statement in
          try unsafe ExternalColumn.bytes(inline: data).withUnsafeBytes { bytes in
            try unsafe statement.bind(blobCopying: bytes, at: 1)
          }
          try statement.bind(place.key, at: 2)
          try statement.run()
        }
      }
    }
    folder.remove(folder.files().map(\.name))
    folder.removeIfEmpty()
  }

  // MARK: Finishing

  /// Makes the copy durable and checks it; what is wrong with it is wrong with the store, page for page.
  private static func finish(_ store: TemporaryStore, _ path: String) throws {
    do {
      try store.finish()
    } catch let error as GraphStoreError where error.code == .migrationFailed {
      throw GraphStoreError.damagedSource(path, error.message)
    }
  }
}

extension GraphStoreError {
  /// The failure to copy a store that is damaged.
  fileprivate static func damagedSource(_ path: String, _ reason: String) -> GraphStoreError {
    GraphStoreError(
      .storeCorrupt, "\(path) is damaged, and so would its copy be: \(reason)",
      remedy: "Check the store; an earlier backup may be whole.")
  }
}
