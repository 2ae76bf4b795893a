import Foundation
import GraphStoreModel

/// Copy of everything that a store holds, as a store of another type, or of one that is in no file.
package struct StoreConversion {
  /// The type of the new store.
  private let type: StoreType
  private let present: PresentStore
  /// The model of a store that carries none.
  private let model: ManagedObjectModel?
  private let timeout: Duration

  package init(
    to type: StoreType, _ present: PresentStore, model: ManagedObjectModel? = nil, timeout: Duration
  ) {
    (self.type, self.present, self.model, self.timeout) = (type, present, model, timeout)
  }

  /// - Throws: As ``StoreDriver/copy(_:to:_:isOneFile:timeout:)``; `no-model`, `store-type-unknown`,
  ///   `constraint-conflict`.
  package func run(_ path: String, to destination: String) throws -> StoreBackupResult {
    let options = StoreOptions(isReadOnly: true, timeout: timeout)
    let store = try StoreRegistry.open(path, options, model.map(WantedEntities.model) ?? .carried)
    defer { store.close() }
    let driver = try StoreRegistry.driver(ofNew: type, at: destination)
    if present == .refused { try driver.checkCopying(from: store, to: destination) }
    let (count, replaced) = try store.read([.severalStatements, .wholeStore]) { source in
      let count = try store.objectCount(in: source)
      return (count, try write(source, of: store, count, at: destination, driver))
    }
    do {
      return try checked(destination, count: count, replaced, driver)
    } catch {
      guard present == .refused else { throw error }
      // What is not whole is no backup, and its fault is the store's.
      try? driver.destroy(destination, isForced: true, timeout: timeout)
      guard let error = error as? GraphStoreError, error.code == .storeCorrupt else { throw error }
      throw GraphStoreError(
        .storeCorrupt, "\(path) has what no store of type \(type.rawValue) can hold: \(error.message)",
        remedy: "Check the store, and repair it first.", underlying: error)
    }
  }

  /// - Returns: Where the store is kept that was there.
  private func write(
    _ source: any ReadSession, of store: any PersistentStore, _ count: Int, at destination: String,
    _ driver: any StoreDriver
  ) throws -> String? {
    var form = NewStoreForm(layout: store.layout)
    form.identifier = store.scope.identifier
    form.paired = try store.relationshipsWithSharedMembers(source)
    let options = StoreOptions(timeout: timeout, configuration: store.entities.configuration)
    return try driver.create(destination, options, store.layout.model, form, present) { target in
      try StoreTransfer(
        source: source, target: target, layouts: store.layout.entities, entities: store.entities
      ).run()
      // What takes the place of another store is known to be whole before.
      if present != .refused { try Self.check(store.objectCount(in: target), count) }
    }
  }

  /// Reads the new store, and counts its objects.
  private func checked(
    _ destination: String, count: Int, _ replaced: String?, _ driver: any StoreDriver
  ) throws -> StoreBackupResult {
    let options = StoreOptions(isReadOnly: true, timeout: timeout)
    let new = try driver.open(destination, options, .carried, StoreUse())
    defer { new.close() }
    try Self.check(new.objectCount(), count)
    return StoreBackupResult(
      path: destination, objectCount: count, byteCount: try new.byteCount(), missingFileCount: 0,
      replacedStore: replaced)
  }

  private static func check(_ found: Int, _ count: Int) throws {
    guard found == count else { throw GraphStoreError.wrongCopy("it has \(found) of \(count) objects") }
  }
}
