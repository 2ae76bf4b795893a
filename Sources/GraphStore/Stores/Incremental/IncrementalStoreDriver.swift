import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Driver of the incremental stores of one type: it makes the store of a location, and connects to it.
///
/// What is at a location is the store's own affair: nothing is looked for, made or removed there.
struct IncrementalStoreDriver: StoreDriver {
  typealias Maker = @Sendable (StoreOpening) throws -> any IncrementalStore

  let type: StoreType
  let make: Maker

  var keepsFiles: Bool { false }

  private func store(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel? = nil
  ) throws -> any IncrementalStore {
    try make(StoreOpening(url: LocationText.url(path), type: type, options: options, model: model))
  }

  func recognizes(_ beginning: [UInt8]) -> Bool { false }

  func isAlwaysNew(at path: String) -> Bool { true }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> any PersistentStore {
    try open(path, options, .model(model), StoreUse(layout: form.layout))
  }

  func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse
  ) throws -> any PersistentStore {
    try options.checkVersioning()
    let entities: StoredEntities
    switch wanted {
    case .entities(let some): entities = some
    case .model(let model): entities = try StoredEntities(model, configuration: options.configuration)
    case .carried:
      throw GraphStoreError(
        .noModel, "\(path) carries no model, as no store of type \(type) does.",
        remedy: "Open it under a model.")
    }
    return try IncrementalPersistentStore.open(
      store(path, options, entities.model), at: path, type: type, entities,
      layout: use.layout ?? ModelLayout(entities),
      options, label: use.label)
  }

  func metadata(at path: String, timeout: Duration) throws -> StoreMetadata {
    try IncrementalPersistentStore.metadata(
      of: store(path, StoreOptions(timeout: timeout)), at: path, type: type, timeout: timeout)
  }

  func changeMetadata(
    at path: String, timeout: Duration, _ changes: ([String: Value]) throws -> [String: Value?]
  ) throws { throw unsupported("Changing metadata by location") }

  func checkCopying(from source: any PersistentStore, to path: String) throws {
    throw unsupported("Taking over the records of another store")
  }

  func copy(
    _ source: String, to destination: String, _ present: PresentStore, isOneFile: Bool, timeout: Duration
  ) throws -> StoreBackupResult { throw unsupported("Copying by location") }

  func destroy(_ path: String, isForced: Bool, timeout: Duration) throws {
    throw unsupported("Removing by location")
  }

  private func unsupported(_ work: String) -> GraphStoreError {
    .unsupportedRequest(
      work, of: type.rawValue, instead: "Add the store to a coordinator, and work with its objects.")
  }
}
