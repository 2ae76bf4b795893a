import Foundation
import GraphStorePredicates

/// A store that a coordinator has mounted: what new objects are assigned to, fetches are restricted to and is
/// removed.
///
/// It is a value that any thread may use. Two are equal where they refer to the same mounting; a store that
/// was removed and added again is another one. It keeps its coordinator, but not the store's file, open.
///
/// ```swift
/// let archive = try coordinator.addStore(at: "archive.db")
/// let ada = try context.insert(Employee.self)
/// try context.assign(ada, to: archive)
/// var request = Employee.fetchRequest()
/// request.affectedStores = [archive]
/// print(try context.count(for: request), "in", archive.path)
/// ```
public struct PersistentStoreReference: Sendable {
  let mount: Mount
  let owner: PersistentStoreCoordinator

  /// The store, at its present path.
  private var store: any PersistentStore { present ?? mount.store }

  /// The store, while it is mounted: another one may have been mounted in its stead.
  private var present: (any PersistentStore)? {
    owner.store(mount.index).flatMap { $0.scope === mount.scope ? $0 : nil }
  }

  /// The coordinator that has the store mounted; nil once it was removed.
  public var coordinator: PersistentStoreCoordinator? {
    present == nil ? nil : owner
  }

  /// The store's UUID.
  public var identifier: UUID { store.scope.identifier }

  /// The absolute path of its file, as it was opened, or set since.
  public var path: String { store.path }

  /// The location of the store, with symbolic links resolved.
  public var url: URL { store.url }

  /// The configuration of the model whose entities it holds; nil for all entities.
  public var configurationName: String? { store.entities.configuration }

  /// Whether it is open for reading only.
  public var isReadOnly: Bool { store.isReadOnly }

  /// The options it was opened with: whether for reading only, its time-out and the like.
  ///
  /// A store that cannot be written for a reason of its own, which ``warnings`` list, was opened for reading
  /// only.
  public var options: StoreOptions { store.options }

  /// The type of the store, such as `SQLite`.
  public var typeName: String { store.typeName }

  /// Findings of opening it that prevent nothing but perhaps writing.
  public var warnings: [StoreWarning] { store.warnings }

  /// The files beside the store that hold values with external storage: how many, and their size in bytes;
  /// nil for a store whose model has no such attribute, or that keeps no files. It costs a look at each file.
  public var externalData: (files: Int, bytes: Int)? { store.externalData }

  /// The write-ahead log beside the store's file: its size in bytes, and how many query generations are
  /// alive, while which it grows with every save; nil for a store without one. It costs a look at the file.
  public var writeAheadLog: (bytes: Int, generations: Int)? { store.writeAheadLog }

  /// SQLite's name for the way in which its file keeps a transaction until it is committed, such as `wal` or
  /// `delete`; nil for a store that is in no file.
  ///
  /// - Throws: what reading throws.
  public func journalMode() throws -> String? { try store.journalMode() }

  /// Its own metadata and those of programs, as ``PersistentStoreCoordinator/metadata(for:)`` returns them.
  ///
  /// - Throws: `unknown-store` once it was removed; what reading throws.
  public func metadata() throws -> [String: Value] { try owner.metadata(for: self) }
}

extension PersistentStoreReference: Hashable {
  /// Whether two refer to the same mounting.
  public static func == (left: Self, right: Self) -> Bool {
    left.mount.index == right.mount.index && left.mount.scope === right.mount.scope
      && left.owner === right.owner
  }

  /// Hashes the mounting.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(mount.index)
    hasher.combine(ObjectIdentifier(owner))
  }
}

extension PersistentStoreReference: CustomStringConvertible {
  /// The path.
  public var description: String { path }
}

/// The stores of a save that ended halfway.
private struct IncompleteSaveStores: Sendable {
  var written: [PersistentStoreReference] = []
  var unwritten: [PersistentStoreReference] = []
}

extension GraphStoreError {
  /// The stores that have what was saved, where a save of several ended halfway.
  public var writtenStores: [PersistentStoreReference] {
    get { self[IncompleteSaveStores.self]?.written ?? [] }
    set { self[IncompleteSaveStores.self, default: IncompleteSaveStores()].written = newValue }
  }

  /// The stores that have nothing of it, where a save of several ended halfway.
  public var unwrittenStores: [PersistentStoreReference] {
    get { self[IncompleteSaveStores.self]?.unwritten ?? [] }
    set { self[IncompleteSaveStores.self, default: IncompleteSaveStores()].unwritten = newValue }
  }
}
