import Foundation
import GraphStoreModel

extension DocumentStore {
  /// Makes a store of what a block writes; its file appears when all is there.
  ///
  /// - Returns: Where the store is kept that was there; nil where there was none, or it is not kept.
  /// - Throws: `store-exists` where none is to be replaced, `store-type-mismatch`, `store-permission`,
  ///   `disk-full`; what the block throws. The path is as it was then.
  static func create(
    _ path: String, _ options: StoreOptions, model: ManagedObjectModel, _ form: NewStoreForm,
    _ format: any AtomicStoreFormat, _ present: PresentStore, filling fill: (any WriteSession) throws -> Void
  ) throws -> String? {
    let bytes = try document(options, model: model, form, format, filling: fill)
    guard present == .refused else {
      let target = try StoreDestination(path, from: nil, isReplacing: true).path
      return try DocumentStoreCopy.place(
        bytes, at: target, named: "the copy", of: format.type, present, timeout: options.timeout)
    }
    let file = AtomicStoreFile(path)
    guard ResolvedPath.isFree(path) else { throw Self.exists(file) }
    try file.create(bytes)
    return nil
  }

  /// The document of what a block writes into a new store.
  ///
  /// - Throws: what the block throws; `external-data-missing` for a value that is in a file which is gone.
  static func document(
    _ options: StoreOptions, model: ManagedObjectModel, _ form: NewStoreForm,
    _ format: any AtomicStoreFormat, filling fill: (any WriteSession) throws -> Void
  ) throws -> [UInt8] {
    let entities = try StoredEntities(model, configuration: options.configuration)
    let metadata = StoreMetadata(identifier: form.identifier, type: format.type, entities)
    let schema = InMemorySchema(form.layout ?? ModelLayout(entities))
    let database = InMemoryDatabase(schema, metadata, timeout: options.timeout)
    let scope = StoreIdentity(form.identifier, model: entities.model)
    let store = InMemoryStore(entities, database, scope: scope, options)
    try store.write(fill)
    return try format.bytes(of: AtomicContent(database, of: entities))
  }

  /// The document of what the store holds, as that of a store with another identifier.
  func document(identifier: UUID) throws -> [UInt8] {
    var state = try base.database.snapshot()
    state.metadata.identifier = identifier
    return try format.bytes(of: AtomicContent(base.database, of: entities, in: state))
  }

  /// The failure of making a store at a path that is taken.
  static func exists(_ file: AtomicStoreFile) -> GraphStoreError {
    GraphStoreError(
      .storeExists, "There is a file at \(file.path).", remedy: "Choose another path, or remove the file.")
  }
}
