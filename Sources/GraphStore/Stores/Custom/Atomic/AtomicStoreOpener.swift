import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Opener of the stores of one type that a program has written and that are in memory as a whole.
struct AtomicStoreOpener<Store: AtomicStore> {
  let type: StoreType
  /// The location, a path or a URL.
  let place: String
  var options: StoreOptions

  // MARK: Opening

  /// - Throws: what loading throws; `store-not-found` where there is no store, and none is to be made;
  ///   `store-open` for metadata that lack something, `store-corrupt` for objects that contradict the model
  ///   or each other; `no-model`, `incompatible-model`.
  func open(_ wanted: WantedEntities, _ use: StoreUse) throws -> any PersistentStore {
    try options.checkVersioning()
    let store = try makeStore(wanted)
    guard let content = try load(store) else {
      guard use.makesMissing, !options.isReadOnly, case .model(let model) = wanted else {
        throw GraphStoreError(
          .storeNotFound, "There is no store of type \(type) at \(place).",
          remedy: "See to the location, or add the store for writing, which makes it.")
      }
      return try make(store, model, NewStoreForm(layout: use.layout))
    }
    var metadata = try StoreMetadata(content.metadata, of: type, at: place)
    let entities = try wanted.entities(options, metadata, path: place)
    guard metadata.fits(entities) else {
      throw GraphStoreError.incompatibility(metadata, given: entities, place: place, of: type)
    }
    if !options.isReadOnly { metadata.complete(entities, type, isGiven: wanted.isGiven) }
    let scope = identity(metadata.identifier, entities.model, use.label)
    let schema = InMemorySchema(use.layout ?? ModelLayout(entities))
    do throws(AtomicDocumentFailure) {
      var builder = AtomicStateBuilder(schema, metadata, holding: entities, scope.references)
      for (root, key) in metadata.highestKeys where builder.names.isRoot(root) {
        try builder.setHighestKey(key, ofTreeNamed: root)
      }
      var reader = try NodeReader(content.nodes, builder.names, scope.references)
      try reader.read(into: &builder)
      let (state, lastKeys) = try builder.finish()
      return persistent(store, state, lastKeys, entities, scope)
    } catch {
      throw GraphStoreError(
        .storeCorrupt, "\(place) holds what a store cannot hold. \(error.message)",
        remedy: "Mend what load() of \(Store.self) returns, or the data that it reads.")
    }
  }

  /// Makes a new store where there is none.
  ///
  /// - Throws: `store-exists`.
  func create(_ model: ManagedObjectModel, _ form: NewStoreForm) throws -> any PersistentStore {
    let store = try makeStore(.model(model))
    guard try load(store) == nil else {
      throw GraphStoreError(
        .storeExists, "There is a store at \(place).", remedy: "Choose another location.")
    }
    return try make(store, model, form)
  }

  private func make(
    _ store: Store, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> any PersistentStore {
    let entities = try StoredEntities(model, configuration: options.configuration)
    let metadata = StoreMetadata(identifier: form.identifier, type: type, entities)
    let scope = identity(metadata.identifier, model, nil)
    let state = InMemoryState(InMemorySchema(form.layout ?? ModelLayout(entities)), metadata)
    let lastKeys = [Int64](repeating: 0, count: state.schema.layout.entities.count)
    // One that is made in the stead of another is saved once it is filled.
    if form.rowCache == nil {
      let content = AtomicContent(state: state, entities: entities, lastKeys: lastKeys)
      try save(store, NodeWriter(content: content, scope: scope), from: nil)
    }
    return persistent(store, state, lastKeys, entities, scope, form.rowCache)
  }

  // MARK: Parts

  private func makeStore(_ wanted: WantedEntities) throws -> Store {
    let opening = StoreOpening(
      url: LocationText.url(place), type: type, options: options, model: wanted.givenModel)
    do { return try Store(opening) } catch { throw unopened(error) }
  }

  private func load(_ store: Store) throws -> AtomicStoreContent? {
    do {
      return try StoreWork.waiting(until: .now() + options.timeout.dispatchInterval) {
        try await store.load()
      } else: {
        GraphStoreError(
          .storeTimeout, "\(place) was not loaded within \(options.timeout).",
          remedy: "Try again, or set a longer timeout.")
      }
    } catch { throw unopened(error) }
  }

  private func unopened(_ error: any Error) -> GraphStoreError {
    (error as? GraphStoreError)
      ?? GraphStoreError(
        .storeOpen, "\(place) cannot be opened: \(error)", remedy: "Mend the cause and try again.",
        underlying: error)
  }

  private func identity(
    _ identifier: UUID, _ model: ManagedObjectModel, _ label: StoreLabel?
  ) -> StoreIdentity {
    StoreIdentity(
      identifier, model: model, label: label,
      references: Store.makesReferences ? .shared(by: identifier) : nil)
  }

  private func persistent(
    _ store: Store, _ state: InMemoryState, _ lastKeys: [Int64], _ entities: StoredEntities,
    _ scope: StoreIdentity, _ rowCache: RowCache? = nil
  ) -> CustomAtomicStore {
    let naming = scope.references.map {
      NodeNaming($0) { try store.reference(forNew: $0, values: $1) }
    }
    let database = InMemoryDatabase(
      state, lastKeys: lastKeys, name: place, timeout: options.timeout, naming: naming
    ) { former, state, lastKeys in
      try naming?.assignMissing(in: state, since: former)
      func writer(_ state: InMemoryState) -> NodeWriter {
        NodeWriter(
          content: AtomicContent(state: state, entities: entities, lastKeys: lastKeys), scope: scope)
      }
      try save(store, writer(state), from: writer(former))
    }
    let base = InMemoryStore(entities, database, scope: scope, options, rowCache: rowCache)
    return CustomAtomicStore(base, store, type, path: place)
  }

  // MARK: Saving

  private func save(_ store: Store, _ objects: NodeWriter, from former: NodeWriter?) throws {
    var metadata = objects.content.metadata
    if !Store.makesReferences { metadata.setHighestKeys(objects.content.highestKeys) }
    let save = AtomicStoreSave(objects, from: former, metadata: metadata.all)
    do {
      try StoreWork.finishing { try await store.save(save) }
    } catch {
      throw GraphStoreError(
        .storeSaveFailed, "\(place) could not be saved: \(error)",
        remedy: "Mend the cause and save again; nothing was written.", underlying: error)
    }
  }
}

extension StoreMetadata {
  /// Adds what the store did not record, of data that the library had not written.
  fileprivate mutating func complete(_ entities: StoredEntities, _ type: StoreType, isGiven: Bool) {
    if versionHashes.isEmpty {
      values.merge(StoreMetadata(identifier: identifier, type: type, entities).values) { given, _ in given }
    } else if isGiven, isOther(entities) {
      carry(entities)
    }
  }

  /// The highest keys that objects have had, by the names of root entities.
  fileprivate var highestKeys: [(root: String, key: Int64)] {
    guard case .dictionary(let keys)? = values[Key.highestKeys] else { return [] }
    return keys.compactMap { root, value in if case .int(let key) = value { (root, key) } else { nil } }
  }

  fileprivate mutating func setHighestKeys(_ keys: [(root: String, key: Int64)]) {
    let known = keys.filter { $0.key > 0 }.map { ($0.root, Value.int($0.key)) }
    values[Key.highestKeys] = known.isEmpty ? nil : .dictionary(Dictionary(uniqueKeysWithValues: known))
  }
}
