import GraphStoreModel
import GraphStorePredicates

/// Driver of stores that are kept in one document of some form.
struct DocumentStoreDriver: StoreDriver {
  let format: any AtomicStoreFormat

  var type: StoreType { format.type }

  func recognizes(_ beginning: [UInt8]) -> Bool { format.recognizes(beginning) }

  func identifies(_ beginning: [UInt8]) -> Bool { format.identifies(beginning) }

  func isAlwaysNew(at path: String) -> Bool { false }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> any PersistentStore {
    try DocumentStore.create(path, options, model: model, form, format)
  }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm,
    _ present: PresentStore, filling fill: (any WriteSession) throws -> Void
  ) throws -> String? {
    try DocumentStore.create(path, options, model: model, form, format, present, filling: fill)
  }

  func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse
  ) throws -> any PersistentStore {
    try DocumentStore.open(path, options, wanted, use, format)
  }

  func metadata(at path: String, timeout: Duration) throws -> StoreMetadata {
    try DocumentStore.metadata(at: path, format)
  }

  func changeMetadata(
    at path: String, timeout: Duration, _ changes: ([String: Value]) throws -> [String: Value?]
  ) throws {
    let store = try DocumentStore.open(path, StoreOptions(timeout: timeout), .carried, StoreUse(), format)
    defer { store.close() }
    try store.write { try $0.setMetadata(changes(try $0.metadata())) }
  }

  func checkCopying(from source: any PersistentStore, to path: String) throws {
    _ = try StoreDestination(path, from: nil, isReplacing: false)
  }

  func copy(
    _ source: String, to destination: String, _ present: PresentStore, isOneFile: Bool, timeout: Duration
  ) throws -> StoreBackupResult {
    try DocumentStoreCopy(of: source, to: destination, format, timeout: timeout).make(present)
  }

  func destroy(_ path: String, isForced: Bool, timeout: Duration) throws {
    try AtomicStoreFile(path).remove { if !isForced { _ = try DocumentStore.metadata(at: path, format) } }
  }
}
