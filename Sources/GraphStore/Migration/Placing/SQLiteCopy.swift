import Foundation
import GraphStoreModel
import GraphStorePredicates

/// SQLite store with everything that a store of another type holds, over which a migration is planned and
/// run, and of which such a store is made at the end.
struct SQLiteCopy {
  let path: String
  let model: ManagedObjectModel
  /// How it is opened.
  let options: StoreOptions

  /// Fills an empty file with everything that a store holds, key for key.
  ///
  /// The copy lives no longer than the process, so that nothing of it need be durable. Members of to-many
  /// relationships without inverse keep all their owners.
  ///
  /// - Parameter onBatch: Called between batches; what it throws ends the copy.
  /// - Throws: `constraint-conflict` for objects of a store that break a constraint; `disk-full`.
  static func fill(
    _ copy: TemporaryStore, from source: any PersistentStore, onBatch: () throws -> Void = {}
  ) throws {
    var form = NewStoreForm(layout: source.layout)
    form.identifier = source.scope.identifier
    form.paired = try source.relationshipsWithSharedMembers()
    var options = StoreOptions(
      timeout: source.options.timeout, configuration: source.entities.configuration)
    options.sqlitePragmas = ["journal_mode": .string("MEMORY"), "synchronous": .string("OFF")]
    let driver = try StoreRegistry.driver(ofNew: .sqlite, at: copy.path)
    let store = try driver.create(copy.path, options, source.layout.model, form)
    defer { store.close() }
    try transfer(from: source, onBatch) { transfer in try store.write(transfer) }
    try store.closeWhenUnused()
  }

  /// The document of everything that it holds, and the number of its objects.
  ///
  /// - Parameter onBatch: Called between batches; what it throws ends it.
  func document(
    _ format: any AtomicStoreFormat, identifier: UUID, onBatch: () throws -> Void
  ) throws -> (bytes: [UInt8], objectCount: Int) {
    let store = try StoreRegistry.open(path, options, .model(model))
    defer { store.close() }
    var form = NewStoreForm(layout: store.layout)
    form.identifier = identifier
    var bytes: [UInt8] = []
    try Self.transfer(from: store, onBatch) { transfer in
      bytes = try DocumentStore.document(options, model: model, form, format, filling: transfer)
    }
    return (bytes, try store.objectCount())
  }

  /// Has a block write everything that a store holds into another one.
  static func transfer(
    from store: any PersistentStore, _ onBatch: () throws -> Void,
    _ body: (_ transfer: (any WriteSession) throws -> Void) throws -> Void
  ) throws {
    try withoutActuallyEscaping(onBatch) { onBatch in
      try store.read([.severalStatements, .wholeStore]) { source in
        try body { target in
          try StoreTransfer(
            source: source, target: target, layouts: store.layout.entities, entities: store.entities,
            onBatch: onBatch
          ).run()
        }
      }
    }
  }
}
