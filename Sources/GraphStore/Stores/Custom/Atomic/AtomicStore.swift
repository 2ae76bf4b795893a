import Foundation
import GraphStorePredicates

/// Store of a type that a program has written, which is in memory as a whole: it is loaded when it is added,
/// and saved anew by each commit that changes something.
///
/// The type says how objects are read and written; the library does everything else: fetches, faults,
/// relationships, conflicts, uniqueness, transactions. See <doc:CustomStores> for a whole one.
///
/// ```swift
/// struct PropertyListStore: AtomicStore {
///   let file: URL
///
///   init(_ opening: StoreOpening) { file = opening.url }
///
///   func load() throws -> AtomicStoreContent? {
///     guard FileManager.default.fileExists(atPath: file.path) else { return nil }
///     return try PropertyListDecoder().decode(AtomicStoreContent.self, from: Data(contentsOf: file))
///   }
///
///   func save(_ save: AtomicStoreSave) throws {
///     try PropertyListEncoder().encode(save.content).write(to: file, options: .atomic)
///   }
/// }
/// ```
public protocol AtomicStore: CustomStore {
  /// Whether the store makes the references of new objects itself, of any form; else the library does, which
  /// are whole numbers from 1 for each entity tree.
  static var makesReferences: Bool { get }

  /// Reads everything: called once, while the store is being added.
  ///
  /// It runs on a thread of the library's own, while the thread that adds the store waits for as long as the
  /// store's time-out.
  ///
  /// - Returns: All objects, and the metadata as they were saved; nil where there is no store, in whose stead
  ///   a new one is made. What cannot be read is an error, never nil.
  /// - Throws: what keeps it from being read; the store is not added then.
  func load() async throws -> AtomicStoreContent?

  /// Writes everything: all of it, or nothing.
  ///
  /// It runs on a thread of the library's own, one save at a time, while the thread that saves waits however
  /// long it takes; it must not use the store's coordinator or contexts.
  ///
  /// - Throws: what keeps it from being written. The save of the context throws `store-save-failed` with this
  ///   error below it, the store is as it was, and the changes stay in the context.
  func save(_ save: AtomicStoreSave) async throws

  /// Makes the reference of a new object: called once for each, before it is saved, of a store that makes
  /// references; anew where a save that failed is tried again. By default they are new UUIDs as text.
  ///
  /// - Parameters:
  ///   - entity: The name of the object's entity.
  ///   - values: The values of its attributes.
  /// - Throws: what keeps the object from having one; it is not saved then.
  func reference(forNew entity: String, values: [String: Value]) throws -> NodeReference
}

extension AtomicStore {
  /// False: the library makes references.
  public static var makesReferences: Bool { false }

  /// A new UUID.
  public func reference(forNew entity: String, values: [String: Value]) throws -> NodeReference {
    .text(UUID().uuidString)
  }
}

extension PersistentStoreCoordinator {
  /// Registers a type of stores that a program has written, for the whole process; one of the same name is
  /// replaced for stores that are added later.
  ///
  /// - Parameters:
  ///   - store: The type that reads and writes.
  ///   - type: The name by which stores are opened, and which their metadata have.
  /// - Throws: `invalid-request` for the name of a type of the library's own, and for none.
  public static func registerStoreType<Store: AtomicStore>(_ store: Store.Type, as type: StoreType) throws {
    try StoreRegistry.register(custom: AtomicStoreDriver<Store>(type: type))
  }
}
