import GraphStore
import Testing

@Suite("Links that are made or cut anew", .everyStore)
struct RestatedLinkTests {
  /// The relationships of an entity to itself.
  enum Kind: String, CaseIterable {
    case owner, next, peers, ordered

    var inverse: String {
      ["owner": "kids", "next": "previous", "peers": "peered", "ordered": "ordering"][rawValue]!
    }
    var isToMany: Bool { self == .peers || self == .ordered }
  }

  private static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Node",
      relationships: [
        RelationshipDefinition("owner", to: "Node", inverse: "kids"),
        RelationshipDefinition("kids", to: "Node", inverse: "owner", isToMany: true),
        RelationshipDefinition("next", to: "Node", inverse: "previous"),
        RelationshipDefinition("previous", to: "Node", inverse: "next"),
        RelationshipDefinition("peers", to: "Node", inverse: "peered", isToMany: true),
        RelationshipDefinition("peered", to: "Node", inverse: "peers", isToMany: true),
        RelationshipDefinition("ordered", to: "Node", inverse: "ordering", isToMany: true, isOrdered: true),
        RelationshipDefinition("ordering", to: "Node", inverse: "ordered", isToMany: true),
      ])
  ])

  private func set(_ kind: Kind, _ source: ManagedObject, _ target: ManagedObject, isLinked: Bool) throws {
    guard kind.isToMany else { return try source.setValue(isLinked ? target : nil, forKey: kind.rawValue) }
    if isLinked {
      try source.addObjects([target], forKey: kind.rawValue)
    } else {
      try source.removeObjects([target], forKey: kind.rawValue)
    }
  }

  @Test(
    "CTX-007, REL-067, FLT-112: both ends agree after a refresh where another writer has changed a link that was set here to what it was",
    arguments: Kind.allCases, [true, false])
  func refreshing(_ kind: Kind, isLinked: Bool) throws {
    for (isSourceRead, isTargetRead, readsLater) in [
      (true, true, false), (true, false, false), (false, true, false), (false, false, false),
      (false, false, true),
      (true, false, true), (false, true, true),
    ] {
      let stack = try TestStack(Self.model)
      let (mine, other) = (stack.context, stack.newContext())
      let (source, target) = (try mine.insert(entityNamed: "Node"), try mine.insert(entityNamed: "Node"))
      try set(kind, source, target, isLinked: isLinked)
      try mine.save()
      for object in [source, target] { try mine.refresh(object, mergeChanges: false) }
      if isSourceRead { _ = try source.value(forKey: kind.rawValue) }
      if isTargetRead { _ = try target.value(forKey: kind.inverse) }
      try set(kind, source, target, isLinked: isLinked)
      if readsLater { _ = try target.value(forKey: kind.inverse) }
      try set(
        kind, other.existingObject(with: source.objectID), other.existingObject(with: target.objectID),
        isLinked: !isLinked)
      try other.save()
      try mine.refreshAllObjects()
      let ends = try [
        source.objectIDs(forRelationshipNamed: kind.rawValue) == [target.objectID],
        target.objectIDs(forRelationshipNamed: kind.inverse) == [source.objectID],
      ]
      #expect(ends[0] == ends[1], "\(kind), read: \(isSourceRead) \(isTargetRead) \(readsLater)")
      mine.mergePolicy = .mergeByPropertyObjectTrump
      try mine.save()
      let stored = stack.newContext()
      let (first, second) = try (
        stored.existingObject(with: source.objectID), stored.existingObject(with: target.objectID)
      )
      #expect(
        try (first.objectIDs(forRelationshipNamed: kind.rawValue).isEmpty)
          == second.objectIDs(forRelationshipNamed: kind.inverse).isEmpty)
    }
  }

  @Test("CTX-032, CTX-146, OBJ-094: members that are taken out and put back where they were are no change")
  func order() throws {
    let stack = try TestStack(Self.model)
    let context = stack.context
    let manager = GraphUndoManager()
    let nodes = try (0..<3).map { _ in try context.insert(entityNamed: "Node") }
    let source = try context.insert(entityNamed: "Node")
    try source.setValue(nodes, forKey: "ordered")
    try context.save()
    try context.setUndoManager(manager)
    try source.removeObjects([nodes[2]], forKey: "ordered")
    try source.addObjects([nodes[2]], forKey: "ordered")
    #expect(!manager.canUndo && !source.hasPersistentChangedValues)
    try source.setValue([nodes[1], nodes[0], nodes[2]], forKey: "ordered")
    try source.setValue(nodes, forKey: "ordered")
    #expect(!manager.canUndo && !source.hasPersistentChangedValues)
    try source.removeObjects([nodes[0]], forKey: "ordered")
    try source.addObjects([nodes[0]], forKey: "ordered")
    #expect(manager.canUndo && source.changedKeys == ["ordered"])
    try context.undo()
    #expect(
      try source.objects(forKey: "ordered") == nodes && !manager.canUndo && !source.hasPersistentChangedValues
    )
  }
}
