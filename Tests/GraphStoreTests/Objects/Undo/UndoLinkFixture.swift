import Testing

@testable import GraphStore

/// Departments and employees that relationships of every kind and rule link, in a context with an undo
/// manager.
struct UndoLinkFixture {
  /// The relationships of a department to an employee, of each kind and rule.
  enum Link: CaseIterable {
    case denied, deniedPair, left, leftPair, oneWay, nullified, nullifiedPair, partner

    var name: String { "\(self)" }
    var inverse: String? { self == .oneWay ? nil : "\(self)Of" }
    var isToMany: Bool { self != .oneWay && self != .partner }
    var isPair: Bool { [.deniedPair, .leftPair, .nullifiedPair].contains(self) }
    fileprivate var rule: DeleteRule {
      switch self {
      case .denied, .deniedPair: .deny
      case .left, .leftPair: .noAction
      default: .nullify
      }
    }
  }

  let stack: TestStack
  let manager = GraphUndoManager()
  var context: ManagedObjectContext { stack.context }

  init() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "D", attributes: [AttributeDefinition("n", .int64)],
        relationships: Link.allCases.map {
          RelationshipDefinition(
            $0.name, to: "E", inverse: $0.inverse, isToMany: $0.isToMany, isOrdered: $0 == .denied,
            deleteRule: $0.rule)
        }),
      EntityDefinition(
        "E", attributes: [AttributeDefinition("n", .int64)],
        relationships: Link.allCases.compactMap { link in
          link.inverse.map {
            RelationshipDefinition(
              $0, to: "D", inverse: link.name, isToMany: link.isPair, deleteRule: .nullify)
          }
        }),
    ])
    stack = try TestStack(model)
  }

  /// A department and two employees that a relationship links to it, saved.
  func linked(by link: Link) throws -> (owner: ManagedObject, members: [ManagedObject]) {
    let owner = try context.insert(entityNamed: "D")
    let members = try (0..<(link.isToMany ? 2 : 1)).map { _ in try context.insert(entityNamed: "E") }
    try owner.setValue(link.isToMany ? members as Any : members[0], forKey: link.name)
    try context.save()
    try context.setUndoManager(manager)
    return (owner, members)
  }

  /// A department and an employee without links, saved.
  func unlinked() throws -> (owner: ManagedObject, other: ManagedObject) {
    try context.setUndoManager(manager)
    let pair = try (context.insert(entityNamed: "D"), context.insert(entityNamed: "E"))
    try context.save()
    return pair
  }

  /// Whether the first member is linked, seen from each end.
  func ends(_ link: Link, _ owner: ManagedObject, _ member: ManagedObject) throws -> [Bool] {
    let here = try owner.objectIDs(forRelationshipNamed: link.name).contains(member.objectID)
    guard let inverse = link.inverse else { return [here] }
    return [here, try member.objectIDs(forRelationshipNamed: inverse).contains(owner.objectID)]
  }

  /// The same in the store.
  func storedEnds(_ link: Link, _ owner: ManagedObject, _ member: ManagedObject) throws -> [Bool] {
    let stored = stack.newContext()
    return try ends(
      link, stored.existingObject(with: owner.objectID), stored.existingObject(with: member.objectID))
  }

  func expectLinked(
    _ link: Link, _ owner: ManagedObject, _ members: [ManagedObject], _ what: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    for object in [owner] + members {
      #expect(
        context.registeredObject(for: object.objectID) === object && !object.isDeleted, "\(what)",
        sourceLocation: location)
    }
    if link.isToMany {
      let present = try owner.objects(forKey: link.name)
      #expect(
        link == .denied ? present == members : Set(present) == Set(members), "\(what)",
        sourceLocation: location)
    }
    for member in members {
      #expect(try ends(link, owner, member).allSatisfy(\.self), "\(what)", sourceLocation: location)
    }
    try context.save()
    #expect(!context.hasChanges, "\(what)", sourceLocation: location)
    let stored = stack.newContext()
    let found = try stored.existingObject(with: owner.objectID)
    for member in members {
      #expect(
        try ends(link, found, stored.existingObject(with: member.objectID)).allSatisfy(\.self),
        "\(what), stored",
        sourceLocation: location)
    }
  }

  func saveIfAllowed(_ saves: Bool) throws {
    guard saves else { return }
    do {
      try context.save()
    } catch let error as GraphStoreError
      where [.deleteDenied, .multipleValidationErrors].contains(error.code)
    {
      #expect(context.hasChanges)
    }
  }
}
