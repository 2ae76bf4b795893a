import GraphStoreModel

extension DocumentStore {
  /// Makes a store of what a block writes; its file appears when all is there.
  ///
  /// - Throws: `store-exists`, `store-permission`, `disk-full`; what the block throws. There is no file then.
  static func create(
    _ path: String, _ options: StoreOptions, model: ManagedObjectModel, _ form: NewStoreForm,
    _ format: any AtomicStoreFormat, filling fill: (any WriteSession) throws -> Void
  ) throws {
    let entities = try StoredEntities(model, configuration: options.configuration)
    let metadata = StoreMetadata(identifier: form.identifier, type: format.type, entities)
    let schema = InMemorySchema(form.layout ?? ModelLayout(entities))
    let database = InMemoryDatabase(schema, metadata, timeout: options.timeout)
    let scope = StoreIdentity(form.identifier, model: entities.model)
    let store = InMemoryStore(entities, database, scope: scope, options)
    try store.write(fill)
    let lastKeys = schema.layout.entities.map { database.lastKey($0.index) }
    let content = AtomicContent(state: try database.snapshot(), entities: entities, lastKeys: lastKeys)
    let file = AtomicStoreFile(path)
    guard ResolvedPath.isFree(path) else { throw Self.exists(file) }
    try file.create(format.bytes(of: content))
  }

  /// The failure of making a store at a path that is taken.
  static func exists(_ file: AtomicStoreFile) -> GraphStoreError {
    GraphStoreError(
      .storeExists, "There is a file at \(file.path).", remedy: "Choose another path, or remove the file.")
  }
}
