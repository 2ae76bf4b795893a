import Foundation
import GraphStoreModel

extension DocumentStore {
  /// Makes a store at a path that is free, or holds an empty file.
  ///
  /// - Throws: `store-exists`, `store-permission`, `disk-full`; there is no file then.
  static func create(
    _ path: String, _ options: StoreOptions, model: ManagedObjectModel, _ form: NewStoreForm,
    _ format: any AtomicStoreFormat
  ) throws -> DocumentStore {
    let entities = try StoredEntities(model, configuration: options.configuration)
    let metadata = StoreMetadata(identifier: form.identifier, type: format.type, entities)
    let schema = InMemorySchema(form.layout ?? ModelLayout(entities))
    let file = AtomicStoreFile(path)
    guard ResolvedPath.isFree(path) else { throw exists(file) }
    let lastKeys = [Int64](repeating: 0, count: schema.layout.entities.count)
    let state = InMemoryState(schema, metadata)
    try file.create(
      format.bytes(of: AtomicContent(state: state, entities: entities, lastKeys: lastKeys)))
    var options = options
    options.isReadOnly = false
    return store(state, lastKeys, entities, file, options, format, rowCache: form.rowCache)
  }

  /// Opens the store at a path, which is left as it is.
  ///
  /// - Throws: `store-option`; what is wrong with the path, from `store-not-found` to `store-corrupt`;
  ///   `no-model`, `incompatible-model`; `store-permission` where the store is to be written, and may not be.
  static func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse,
    _ format: any AtomicStoreFormat
  ) throws -> DocumentStore {
    try options.checkVersioning()
    let file = AtomicStoreFile(path)
    let document = try document(of: file, format)
    let store = try open(document, of: file, options, wanted, use, format)
    if !options.isReadOnly { file.removeSecondNames() }
    return store
  }

  /// Opens the store that a document which was read is.
  ///
  /// - Throws: as ``open(_:_:_:_:_:)``, but for what is wrong with the path.
  static func open(
    _ document: any AtomicDocument, of file: AtomicStoreFile, _ options: StoreOptions,
    _ wanted: WantedEntities, _ use: StoreUse, _ format: any AtomicStoreFormat
  ) throws -> DocumentStore {
    var metadata = document.metadata
    let entities = try wanted.entities(options, metadata, path: file.path)
    guard metadata.fits(entities) else {
      var error = GraphStoreError.incompatibility(metadata, given: entities, path: file.path)
      if metadata.modelText == nil { error.remedy = "Give the model that it was made with." }
      throw error
    }
    if !options.isReadOnly { try file.checkWritable() }
    if case .model = wanted, !options.isReadOnly, metadata.isOther(entities) { metadata.carry(entities) }
    let schema = InMemorySchema(use.layout ?? ModelLayout(entities))
    let (state, lastKeys) = try state(of: document, metadata, schema, entities, options, path: file.path)
    return store(state, lastKeys, entities, file, options, format, label: use.label)
  }

  /// What a document holds, and the last keys by entity tree.
  static func state(
    of document: any AtomicDocument, _ metadata: StoreMetadata, _ schema: InMemorySchema,
    _ entities: StoredEntities, _ options: StoreOptions, path: String
  ) throws -> (state: InMemoryState, lastKeys: [Int64]) {
    var builder = AtomicStateBuilder(
      schema, metadata, holding: entities, checksDeclarations: options.validatesXML)
    do throws(AtomicDocumentFailure) {
      try document.read(into: &builder)
      return try builder.finish()
    } catch {
      throw document.located(error, schema.layout.entities).error(at: path)
    }
  }

  /// The metadata of a store that is not open.
  static func metadata(at path: String, _ format: any AtomicStoreFormat) throws -> StoreMetadata {
    try document(of: AtomicStoreFile(path), format).metadata
  }

  private static func document(
    of file: AtomicStoreFile, _ format: any AtomicStoreFormat
  ) throws -> any AtomicDocument { try document(file.read(), at: file.path, format) }

  /// The document that a file holds.
  static func document(
    _ bytes: [UInt8], at path: String, _ format: any AtomicStoreFormat
  ) throws -> any AtomicDocument {
    guard format.recognizes(bytes) else {
      let found = StoreRegistry.type(recognizing: bytes)
      throw GraphStoreError(
        .storeTypeMismatch,
        "\(path) was to be opened as a store of type \(format.type), and is "
          + (found.map { "of type \($0)." } ?? "none."),
        remedy: found.map { "Leave the type out, or give \($0)." } ?? "Name a store of that type.")
    }
    do throws(AtomicDocumentFailure) {
      return try format.document(in: bytes)
    } catch {
      throw error.error(at: path)
    }
  }

  private static func store(
    _ state: InMemoryState, _ lastKeys: [Int64], _ entities: StoredEntities, _ file: AtomicStoreFile,
    _ options: StoreOptions, _ format: any AtomicStoreFormat, label: StoreLabel? = nil,
    rowCache: RowCache? = nil
  ) -> DocumentStore {
    let database = InMemoryDatabase(
      state, lastKeys: lastKeys, hasOneCounter: format.hasOneCounter, name: file.path,
      timeout: options.timeout,
      checker: { try file.checkUnchanged(overwritesChanges: options.overwritesChangedFile) }
    ) { _, state, lastKeys in
      try file.replace(overwritesChanges: options.overwritesChangedFile, timeout: options.timeout) {
        try format.bytes(of: AtomicContent(state: state, entities: entities, lastKeys: lastKeys))
      }
    }
    let scope = StoreIdentity(state.metadata.identifier, model: entities.model, label: label)
    return DocumentStore(
      InMemoryStore(entities, database, scope: scope, options, rowCache: rowCache), file, format,
      isReadOnly: options.isReadOnly)
  }
}

extension StoreMetadata {
  /// Whether the objects of a document are of some entities: the recorded hashes are theirs; of a document of
  /// Core Data's, whose hashes only a package of Xcode's has, it is enough that the names are. A document
  /// says itself what is in it, and old ones record nothing.
  func fits(_ entities: StoredEntities) -> Bool {
    if isOurs { return versionHashes == entities.versionHashes }
    if versionHashes.isEmpty { return true }
    return entities.listedHashes.map { $0 == versionHashes }
      ?? (Set(versionHashes.keys) == Set(entities.entities.map(\.name)))
  }

  /// The model that is carried.
  ///
  /// - Parameter isTrusted: Whether patterns need not be compiled yet: they were when the store was made.
  /// - Throws: `no-model` where there is none; `store-corrupt` for a trusted one that is damaged,
  ///   ``ModelError`` for another.
  func carriedModel(ofStoreAt path: String, isTrusted: Bool = true) throws -> LoadedModel {
    guard let modelText else {
      throw GraphStoreError(
        .noModel, "\(path) carries no model.", remedy: "Give the model that it was made with.")
    }
    let name = ModelFile.baseName(of: path)
    guard isTrusted else { return try LoadedModel(json: modelText, name: name) }
    do {
      return try LoadedModel(storedJSON: modelText, name: name)
    } catch {
      throw GraphStoreError(
        .storeCorrupt, "The model inside \(path) cannot be read.",
        remedy: "Give the model that it was made with.", underlying: error)
    }
  }
}
