import Foundation
import GraphStoreSQLite

@testable import GraphStore

/// A type of store as the conformance suite sees it: how to make an empty one, how to look at it from
/// elsewhere, and what the type lacks (STO-050).
struct StoreFactory: Sendable, CustomStringConvertible {
  /// What not every type of store has.
  enum Feature: String, CaseIterable {
    /// Files that can be opened, copied and damaged.
    case files
    /// Keys of records that are chosen before they are written, as imports do.
    case chosenKeys
    /// Predicates, orders and windows that are all evaluated by the store.
    case evaluation
    /// Statements that are counted.
    case statements
    /// Keys that each entity tree counts by itself, from 1.
    case keysOfTrees
    /// Keys that are positive numbers, and no other references.
    case numbers
    /// Keys that are greater than all that were given before, whoever has got them.
    case ascendingKeys
    /// Texts with a NUL.
    case everyCharacter
  }

  let description: String
  let lacks: Set<Feature>
  let make:
    @Sendable (_ path: String, ManagedObjectModel, [String: ManagedObject.Type]) throws ->
      PersistentStoreCoordinator
  /// Another coordinator with what the store of a stack holds, as another process has it.
  let reopen: @Sendable (TestStack) throws -> PersistentStoreCoordinator
  /// Takes the row of a record out behind everybody's back, and leaves links to it as they are.
  let removeRow: @Sendable (TestStack, ManagedObjectID) throws -> Void
  /// Removes what a closed store leaves outside of its folder.
  var discard: @Sendable (_ path: String) -> Void = { _ in }

  /// The types of the library's own whose entity trees count keys by themselves; beside a server these are
  /// the stores on it.
  static let all = servers.isEmpty ? [sqlite, privateSQLite, memory, json, binary] : servers

  /// These, and XML and custom types; beside a server the stores on it alone.
  static let everyKind = servers.isEmpty ? all + [xml] + incremental : servers

  /// The types that are one document.
  static let atomic = [json, binary, xml]

  /// Custom types that answer requests: one that does all that the library may ask for, and one that gives
  /// nothing but nodes.
  static let incremental = [
    shelf("incremental", ShelfStore.Behaviour()),
    shelf("bare incremental", ShelfStore.Behaviour(capabilities: [])),
  ]

  /// The type of the stores that tests make.
  @TaskLocal static var current = sqlite

  static let sqlite = StoreFactory(
    description: "SQLite", lacks: [],
    make: { try .create(storeAt: $0, model: $1, classes: $2) },
    reopen: { try .open(storeAt: $0.path) },
    removeRow: { stack, id in
      let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
      defer { raw.close() }
      try raw.execute("DELETE FROM Z\(id.entity.rootEntity.name.uppercased()) WHERE Z_PK = \(id.key)")
    })

  static let privateSQLite = StoreFactory(
    description: "private SQLite", lacks: [.files],
    make: { try .create(storeAt: "/dev/null", model: $1, classes: $2) },
    reopen: { stack in
      let store = SQLiteStore(sharing: try sqlite(stack))
      return PersistentStoreCoordinator(store, layout: store.layout, [:])
    },
    removeRow: { stack, id in
      let root = id.entity.rootEntity.name.uppercased()
      try stack.connection().execute("DELETE FROM Z\(root) WHERE Z_PK = \(id.key)")
    })

  static let memory = StoreFactory(
    description: "in memory", lacks: [.files, .statements],
    make: { try .inMemory(model: $1, classes: $2) },
    reopen: { stack in
      let store = InMemoryStore(sharing: try inMemory(stack))
      return PersistentStoreCoordinator(store, layout: store.layout, [:])
    },
    removeRow: { stack, id in
      let session = try InMemoryWriteSession(inMemory(stack), isShared: false)
      session.state.remove(id.entity.rootEntity.index, id.key)
      try session.commit()
    })

  static let json = document(.json)
  static let binary = document(.binary)
  static let xml = document(.xml)

  /// A type that is one document; a second coordinator takes part in what the first has in memory, since
  /// another process would see the file alone, and save to it only what the first has not.
  private static func document(_ type: StoreType) -> StoreFactory {
    StoreFactory(
      description: type.rawValue,
      lacks: type == .xml ? [.files, .statements, .keysOfTrees] : [.files, .statements],
      make: {
        var options = StoreOptions()
        options.type = type
        return try .create(storeAt: $0, model: $1, options: options, classes: $2)
      },
      reopen: { stack in
        let store = try atomic(stack).sharing()
        return PersistentStoreCoordinator(store, layout: store.layout, [:])
      },
      removeRow: { stack, id in
        let session = try InMemoryWriteSession(atomic(stack).base, isShared: false)
        session.state.remove(id.entity.rootEntity.index, id.key)
        try session.commit()
      })
  }

  /// A second coordinator has the same shelf.
  private static func shelf(_ description: String, _ behaviour: ShelfStore.Behaviour) -> StoreFactory {
    @Sendable func coordinator(
      of shelf: ShelfStore, _ classes: [String: ManagedObject.Type]
    ) throws -> PersistentStoreCoordinator {
      let coordinator = PersistentStoreCoordinator(model: shelf.model, classes: classes)
      shelf.use(in: coordinator, try coordinator.addStore(shelf))
      return coordinator
    }
    return StoreFactory(
      description: description, lacks: Set(Feature.allCases),
      make: { try coordinator(of: ShelfStore($1, behaviour), $2) },
      reopen: { try coordinator(of: shelf($0), [:]) },
      removeRow: { stack, id in
        if let identifier = id.nodeIdentifier { try shelf(stack).remove(identifier) }
      })
  }

  private static func shelf(_ stack: TestStack) throws -> ShelfStore {
    guard let shelf = (stack.coordinator.firstStore as? IncrementalPersistentStore)?.base as? ShelfStore
    else {
      throw OtherType()
    }
    return shelf
  }

  private struct OtherType: Error {}

  private static func atomic(_ stack: TestStack) throws -> DocumentStore {
    guard let store = stack.coordinator.firstStore as? DocumentStore else { throw OtherType() }
    return store
  }

  private static func sqlite(_ stack: TestStack) throws -> SQLiteStore {
    guard let store = stack.coordinator.firstStore as? SQLiteStore else { throw OtherType() }
    return store
  }

  private static func inMemory(_ stack: TestStack) throws -> InMemoryStore {
    guard let store = stack.coordinator.firstStore as? InMemoryStore else { throw OtherType() }
    return store
  }
}
