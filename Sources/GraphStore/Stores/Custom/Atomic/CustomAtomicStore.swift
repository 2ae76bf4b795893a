import Foundation
import GraphStoreModel

/// A store in memory whose state a type that a program has written loads and saves.
final class CustomAtomicStore: WholeGraphStore {
  let base: InMemoryStore
  private let store: any AtomicStore
  private let type: StoreType
  /// The location, as messages call it.
  let path: String

  init(_ base: InMemoryStore, _ store: any AtomicStore, _ type: StoreType, path: String) {
    (self.base, self.store, self.type, self.path) = (base, store, type, path)
  }

  var customStore: (any CustomStore)? { store }
  var typeName: String { type.rawValue }
  var url: URL { LocationText.url(path) }
  var isInFile: Bool { false }
  var isReadOnly: Bool { options.isReadOnly }
  var isMadeByCoreData: Bool { false }

  func sharing() -> any PersistentStore {
    CustomAtomicStore(InMemoryStore(sharing: base), store, type, path: path)
  }
}
