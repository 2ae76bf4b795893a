import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Driver of stores of one type that a program has written, and that are in memory as a whole.
struct AtomicStoreDriver<Store: AtomicStore>: StoreDriver {
  let type: StoreType

  var keepsFiles: Bool { false }

  func recognizes(_ beginning: [UInt8]) -> Bool { false }

  func isAlwaysNew(at path: String) -> Bool { false }

  private func opener(_ path: String, _ options: StoreOptions) -> AtomicStoreOpener<Store> {
    AtomicStoreOpener(type: type, place: path, options: options)
  }

  func create(
    _ path: String, _ options: StoreOptions, _ model: ManagedObjectModel, _ form: NewStoreForm
  ) throws -> any PersistentStore {
    var options = options
    options.isReadOnly = false
    return try opener(path, options).create(model, form)
  }

  func open(
    _ path: String, _ options: StoreOptions, _ wanted: WantedEntities, _ use: StoreUse
  ) throws -> any PersistentStore {
    try opener(path, options).open(wanted, use)
  }

  func checkCopying(from source: any PersistentStore, to path: String) throws {}

  // MARK: Stores that are not open

  func metadata(at path: String, timeout: Duration) throws -> StoreMetadata {
    try CustomStoreMetadata<Store>(type: type, place: path, timeout: timeout).read()
  }

  func changeMetadata(
    at path: String, timeout: Duration, _ changes: ([String: Value]) throws -> [String: Value?]
  ) throws {
    try CustomStoreMetadata<Store>(type: type, place: path, timeout: timeout).change(changes)
  }

  func copy(
    _ source: String, to destination: String, _ present: PresentStore, isOneFile: Bool, timeout: Duration
  ) throws -> StoreBackupResult {
    throw GraphStoreError.unsupported("\(source) cannot be copied as it is", by: Store.self)
  }

  func destroy(_ path: String, isForced: Bool, timeout: Duration) throws {
    throw GraphStoreError.unsupported("\(path) cannot be removed", by: Store.self)
  }
}
