import Foundation
import GraphStore

/// Save that is going to meet a conflict, for tests of merge policies.
///
/// A fixture has a store with items, and a context whose next save finds that others have been there first.
/// The items have a unique `name`, an `amount`, a `text` and a `note`.
///
/// ```swift
/// let fixture = try ConflictFixture(.changedAndChanged)
/// try fixture.save(with: .mergeByPropertyObjectTrump)
/// print(try fixture.stored()[0]["amount"] ?? .null)  // int(3)
/// ```
///
/// Each test makes its own. Any thread may use it; ``context`` belongs to its queue.
public final class ConflictFixture: Sendable {
  /// What both sides have done.
  public enum State: String, CaseIterable, Sendable {
    /// The item `one`, which has amount 1: others have saved amount 2 and the note `theirs`; the context has
    /// set amount 3 and the text `mine`.
    case changedAndChanged
    /// The context has changed the item in this way, and others have deleted it.
    case changedAndDeleted
    /// The context has deleted the item, and others have changed it in that way.
    case deletedAndChanged
    /// The context has inserted two items of the name `two`, with the amounts 4 and 5.
    case sameUniqueValueInContext
    /// Others have saved an item of the name `two` with amount 2 and the note `theirs`; the context has
    /// inserted one with amount 3 and the text `mine`.
    case sameUniqueValueInStore
  }

  /// The others.
  public enum Side: String, CaseIterable, Sendable {
    /// Another context of the same coordinator.
    case context
    /// Another coordinator over the same file, as another process has it.
    case coordinator
  }

  /// The context whose save meets the conflict, with a queue of its own.
  public let context: ManagedObjectContext
  private let coordinators: [PersistentStoreCoordinator]
  private let folder: URL?

  /// Brings a context into a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - side: Who the others are.
  /// - Throws: what keeps a store from being made in the temporary folder.
  public init(_ state: State, with side: Side = .context) throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        name: "Conflicts",
        entities: [
          EntityDefinition(
            "Item",
            attributes: [
              AttributeDefinition("name", .string), AttributeDefinition("amount", .int64),
              AttributeDefinition("text", .string), AttributeDefinition("note", .string),
            ], uniquenessConstraints: [["name"]])
        ]))
    switch side {
    case .context:
      folder = nil
      coordinators = [try .create(storeAt: "/dev/null", model: model)]
    case .coordinator:
      let folder = FileManager.default.temporaryDirectory.appending(path: "conflict-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appending(path: "store.db").path
      self.folder = folder
      coordinators = [
        try .create(storeAt: path, model: model), try .open(storeAt: path, model: model),
      ]
    }
    context = ManagedObjectContext(coordinator: coordinators[0], concurrencyType: .privateQueue)
    try prepare(state)
  }

  deinit {
    for coordinator in coordinators { coordinator.close() }
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  /// Saves the context by a policy.
  ///
  /// - Throws: what the policy throws, and `merge-conflict` or `uniqueness` where it leaves a conflict.
  public func save(with policy: MergePolicy) throws {
    try context.performAndWait { () throws in
      context.mergePolicy = policy
      try context.save()
    }
  }

  /// The values of the stored items by the names of attributes, in the order of the names.
  ///
  /// - Throws: what reading the store throws.
  public func stored() throws -> [[String: Value]] {
    try inOther { context in
      let request = FetchRequest<ManagedObject>(
        entityName: "Item",
        sortDescriptors: try ["name", "amount"].map { try QuerySortDescriptor(parsing: $0) })
      return try context.fetch(request).map { item in
        try ["name", "amount", "text", "note"].reduce(into: [:]) { values, key in
          values[key] = try item.queryValue(forKey: key)
        }
      }
    }
  }

  // MARK: Both sides

  private func prepare(_ state: State) throws {
    try inOther { context in
      let item = try context.insert(entityNamed: "Item")
      try Self.set(item, ["name": .string("one"), "amount": .int(1)])
      try context.save()
    }
    try changeHere(state)
    try inOther { context in
      switch state {
      case .changedAndChanged, .deletedAndChanged: try Self.set(Self.item(in: context), Self.theirs)
      case .changedAndDeleted: try context.delete(try Self.item(in: context))
      case .sameUniqueValueInContext: return
      case .sameUniqueValueInStore:
        try Self.set(try context.insert(entityNamed: "Item"), Self.theirs.merging(Self.two) { $1 })
      }
      try context.save()
    }
  }

  private func changeHere(_ state: State) throws {
    let context = context
    try context.performAndWait { () throws in
      switch state {
      case .changedAndChanged, .changedAndDeleted: try Self.set(Self.item(in: context), Self.mine)
      case .deletedAndChanged: try context.delete(try Self.item(in: context))
      case .sameUniqueValueInContext:
        for amount in [4, 5] as [Int64] {
          try Self.set(
            try context.insert(entityNamed: "Item"), ["amount": .int(amount)].merging(Self.two) { $1 })
        }
      case .sameUniqueValueInStore:
        try Self.set(try context.insert(entityNamed: "Item"), Self.mine.merging(Self.two) { $1 })
      }
    }
  }

  private static let mine: [String: Value] = ["amount": .int(3), "text": .string("mine")]
  private static let theirs: [String: Value] = ["amount": .int(2), "note": .string("theirs")]
  private static let two: [String: Value] = ["name": .string("two")]

  private static func set(_ item: ManagedObject, _ values: [String: Value]) throws {
    for (key, value) in values { try item.setQueryValue(value, forKey: key) }
  }

  /// The item `one`, with its values read.
  private static func item(in context: ManagedObjectContext) throws -> ManagedObject {
    var request = FetchRequest<ManagedObject>(
      entityName: "Item", predicate: try QueryPredicate(parsing: "name == 'one'"))
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)[0]
  }

  private func inOther<Result: Sendable>(
    _ body: (ManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = ManagedObjectContext(
      coordinator: coordinators[coordinators.count - 1], concurrencyType: .privateQueue)
    return try context.performAndWait { () throws -> Result in try body(context) }
  }
}
