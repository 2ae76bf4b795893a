import GraphStore
import Testing

/// Does something in its deinitialiser, in which it must not be kept.
private final class Parting: ManagedObject {
  nonisolated(unsafe) static var onRelease: (Parting) -> Void = { _ in }
  static let name = AttributeKey<Parting, String>("name")
  static let parent = ToOneKey<Parting, Parting>("parent")

  deinit { Self.onRelease(self) }
}

@Suite("What a deinitialiser may not do", .everyStore, .serialized)
struct ReleasedObjectTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    Parting.onRelease = { _ in }
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "Thing", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("parent", to: "Thing", inverse: "children"),
            RelationshipDefinition("children", to: "Thing", inverse: "parent", isToMany: true),
            RelationshipDefinition("seen", to: "Thing", isToMany: true),
          ])
      ]), classes: ["Thing": Parting.self])
    let root = try stack.context.insert("Thing", ["name": "root"])
    try stack.context.insert("Thing", ["name": "leaf", "parent": root])
    try stack.context.save()
    stack.context.reset()
  }

  /// Reads the leaf and lets go of it.
  ///
  /// - Returns: The codes of what its deinitialiser tried, nil for what it was allowed to do.
  private func releasing(
    isRealized: Bool, _ attempts: @escaping (Parting) -> [() throws -> Void]
  ) throws -> [GraphStoreError.Code?] {
    nonisolated(unsafe) var codes: [GraphStoreError.Code?] = []
    Parting.onRelease = { object in
      Parting.onRelease = { _ in }
      codes = attempts(object).map { attempt in code { try attempt() } }
    }
    do {
      let leaf = try context.all("Thing", "name == 'leaf'")[0]
      if isRealized { _ = try leaf.string("name") }
    }
    Parting.onRelease = { _ in }
    return codes
  }

  @Test(
    "FLT-209, OBJ-533: a change of an object that is being released throws and changes nothing",
    arguments: [true, false])
  func changes(_ isRealized: Bool) throws {
    let root = try context.all("Thing", "name == 'root'")[0]
    let codes = try releasing(isRealized: isRealized) { [context] leaf in
      [
        { try leaf.setValue("late", forKey: "name") },
        { try leaf.setPrimitiveValue("late", forKey: "name") },
        { try leaf.setValue(nil, forKey: "parent") },
        { try leaf.setValue(root, forKey: "parent") },
        { try leaf.addObjects([root], forKey: "children") },
        { try root.addObjects([leaf], forKey: "seen") },
        { try root.setValue(leaf, forKey: "parent") },
        { try context.delete(leaf) },
        { try context.refresh(leaf, mergeChanges: false) },
        { try context.detectConflicts(for: leaf) },
      ]
    }
    #expect(codes == [GraphStoreError.Code?](repeating: .objectInvalidated, count: 10))
    #expect(!context.hasChanges)
    try context.save()
    context.reset()
    let leaf = try context.all("Thing", "name == 'leaf'")[0]
    #expect(try leaf.object(forKey: "parent")?.string("name") == "root" && context.all("Thing").count == 2)
  }

  @Test("FLT-209, OBJ-171: a typed setter there changes nothing, and its error does not stop the next save")
  func typed() throws {
    let codes = try releasing(isRealized: true) { leaf in
      [{ leaf[Parting.name] = "late" }, { leaf[Parting.parent] = nil }]
    }
    #expect(codes == [nil, nil])
    #expect(!context.hasChanges && context.takeDeferredErrors().isEmpty)
    try context.save()
    #expect(try stack.otherProcess().all("Thing", "name == 'leaf' AND parent != nil").count == 1)
  }

  @Test("FLT-209: what it has can be read", arguments: [true, false])
  func reading(_ isRealized: Bool) throws {
    nonisolated(unsafe) var seen: [String?] = []
    let codes = try releasing(isRealized: isRealized) { leaf in
      [
        { seen.append(leaf[Parting.name]) },
        { seen.append(try leaf.object(forKey: "parent")?.string("name")) },
        { seen.append("\(try leaf.objects(forKey: "children").count)") },
      ]
    }
    #expect(codes == [nil, nil, nil] && seen == ["leaf", "root", "0"])
    #expect(!context.hasChanges)
  }
}
