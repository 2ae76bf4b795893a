import Testing

@testable import GraphStore

@Suite("What undo covers", .everyStore)
struct UndoScopeTests {
  private let stack: TestStack
  private let manager = GraphUndoManager()
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    var model = TestModels.company(employees: .cascade, isOrdered: true)
    model.entities[1].attributes.append(AttributeDefinition("mark", .string, isTransient: true))
    stack = try TestStack(model)
    try stack.context.setUndoManager(manager)
  }

  private func text(_ objects: [ManagedObject]) throws -> [String] {
    try objects.map { object in
      guard object.managedObjectContext != nil else { return "left" }
      var parts = ["\(object.isInserted) \(object.isUpdated) \(object.isDeleted)"]
      for property in object.entity.properties {
        let value = try object.value(forKey: property.name)
        if let members = value as? Set<ManagedObject> {
          parts.append("\(property.name): \(members.map(\.objectID.shortForm).sorted())")
        } else if let members = value as? [ManagedObject] {
          parts.append("\(property.name): \(members.map(\.objectID.shortForm))")
        } else {
          parts.append(
            "\(property.name): \((value as? ManagedObject)?.objectID.shortForm ?? "\(value ?? "nil")")")
        }
      }
      return parts.joined(separator: ", ")
    }
  }

  @Test(
    "OBJ-404, CTX-145: attributes, transient ones, both ends, order, insertions and deletions with what follows"
  )
  func everything() throws {
    let tools = try context.insert("Department", ["name": "Tools"])
    let sales = try context.insert("Department", ["name": "Sales"])
    let people = try ["a", "b", "c"].map {
      try context.insert("Employee", ["name": $0, "department": tools])
    }
    let desk = try context.insert("Desk", ["name": "d", "owner": people[2]])
    let seller = try context.insert(
      "Employee", ["name": "s", "department": sales, "friends": Set([people[0]])])
    try context.save()
    manager.removeAllActions()
    var objects = [tools, sales, desk, seller] + people
    let before = try text(objects)
    try people[0].setValue("changed", forKey: "name")
    try people[0].setValue("marked", forKey: "mark")
    try people[1].setValue(people[0], forKey: "spouse")
    try tools.setValue([people[2], people[0], people[1]], forKey: "employees")
    try people[1].addObjects([people[2]], forKey: "friends")
    let new = try context.insert("Employee", ["name": "new", "department": tools, "manager": people[0]])
    try context.delete(sales)
    try context.delete(people[2])
    try context.processPendingChanges()
    objects.append(new)
    let after = try text(objects)
    #expect(seller.isDeleted && desk.isDeleted && before + ["left"] != after)
    for _ in 0..<2 {
      try context.undo()
      #expect(try text(objects) == before + ["left"])
      #expect(!context.hasChanges && !manager.canUndo)
      try context.redo()
      #expect(try text(objects) == after)
      try context.checkInvariants()
    }
  }

  @Test(
    "OBJ-405: every call but begin and end takes up what has changed at once; those two are safe at any time")
  func processing() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    #expect(manager.canUndo)
    try context.save()
    manager.removeAllActions()
    try ada.setValue("b", forKey: "name")
    manager.setActionName("rename")
    #expect(manager.undoActionName == "rename" && !context.hasOpenEvent)
    try ada.setValue("c", forKey: "name")
    #expect(manager.undoActionName == nil && manager.canUndo && !manager.canRedo)
    try ada.setValue("d", forKey: "name")
    manager.beginUndoGrouping()
    #expect(context.hasOpenEvent)
    try manager.endUndoGrouping()
    #expect(context.hasOpenEvent)
    try context.processPendingChanges()
    var errors: [any Error] = []
    var isFirst = true
    let token = context.observe(.objectsDidChange) { _ in
      guard isFirst else { return }
      isFirst = false
      do {
        manager.beginUndoGrouping()
        try ada.setValue(1, forKey: "salary")
        try manager.endUndoGrouping()
      } catch { errors.append(error) }
    }
    try ada.setValue("e", forKey: "name")
    try context.processPendingChanges()
    #expect(errors.isEmpty && manager.groupingLevel == 0 && manager.canUndo)
    token.cancel()
    while manager.canUndo { try context.undo() }
    #expect(try ada.string("name") == "Ada" && ada.value(forKey: "salary") == nil && !ada.hasChanges)
  }

  @Test("CTX-158, OBJ-417: neither a refresh nor the resolution of a conflict is recorded")
  func notRecorded() throws {
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    manager.removeAllActions()
    let other = stack.newContext()
    let theirs = try other.existingObject(with: ada.objectID)
    try theirs.setValue("Eve", forKey: "name")
    try other.save()
    try context.refresh(ada, mergeChanges: false)
    #expect(try ada.string("name") == "Eve")
    #expect(!manager.canUndo)
    try theirs.setValue("Zoe", forKey: "name")
    try other.save()
    context.mergePolicy = .mergeByPropertyObjectTrump
    try ada.setValue(5, forKey: "salary")
    try context.save()
    #expect(try ada.string("name") == "Zoe" && manager.undoCount == 1)
    try context.undo()
    #expect(
      try ada.string("name") == "Zoe" && ada.value(forKey: "salary") == nil && ada.changedKeys == ["salary"])
  }

  @Test("CTX-162: what is recorded is the values that have changed, of the objects that have, and no row")
  func cost() throws {
    let people = try (0..<200).map { try context.insert("Employee", ["name": "\($0)", "salary": $0]) }
    try context.save()
    manager.removeAllActions()
    for _ in 0..<3 {
      try people[3].setValue("x", forKey: "name")
      try people[4].setValue("y", forKey: "name")
      try people[4].setValue(people[5], forKey: "manager")
      try context.processPendingChanges()
      try people[3].setValue("z", forKey: "name")
      try people[4].setValue(nil, forKey: "manager")
      try context.processPendingChanges()
    }
    for group in manager.undoStack {
      let reversals = group.steps.flatMap(\.reversals)
      #expect(reversals.count <= 3 && !reversals.isEmpty)
      for reversal in reversals { #expect(reversal.values.count + reversal.members.count <= 2) }
    }
    let kept = manager.undoStack.flatMap(\.steps).flatMap(\.reversals).filter { $0.object === people[3] }
    #expect(kept.count == 6 && kept.allSatisfy { $0.values.count == 1 && $0.members.isEmpty })
  }
}
