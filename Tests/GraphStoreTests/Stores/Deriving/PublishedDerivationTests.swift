import Foundation
import GraphStore
import Testing

@Suite("Derived values that saves publish", .everyStore)
struct PublishedDerivationTests {
  /// What the second save changes.
  enum Change: CaseIterable {
    case addsMember, setsOwner, movesMember, deletesMember, changesSummand, changesOther, changesBoth,
      addsPair
    case changesPath
  }

  /// How the second save is made: whether its context has read the objects before, and whether it is part of
  /// a transaction.
  enum Way: CaseIterable {
    case read, unread, readInTransaction, unreadInTransaction
  }

  private let stack: TestStack
  private let lab: ManagedObjectID
  private let shop: ManagedObjectID
  private let ada: ManagedObjectID
  private let project: ManagedObjectID

  init() throws {
    stack = try TestStack(CompanyWithDerivations.model)
    let context = stack.context
    let company = try context.insert("Company", ["name": "Acme"])
    let departments = try ["Lab", "Shop"].map {
      try context.insert("Department", ["name": $0, "company": company])
    }
    let employee = try context.insert("Employee", ["name": "Ada", "salary": 1, "department": departments[0]])
    let work = try context.insert("Project", ["name": "x", "staff": Set([employee])])
    try context.save()
    (lab, shop, ada, project) = (
      departments[0].objectID, departments[1].objectID, employee.objectID, work.objectID
    )
    context.reset()
  }

  private var ids: [ManagedObjectID] { [lab, shop, ada, project] }

  private func carryOut(_ change: Change, in context: ManagedObjectContext) throws {
    func object(_ id: ManagedObjectID) throws -> ManagedObject { try context.object(with: id) }
    switch change {
    case .addsMember:
      try object(lab).addObjects([context.insert("Employee", ["salary": 5])], forKey: "employees")
    case .setsOwner: try context.insert("Employee", ["salary": 5, "department": object(lab)])
    case .movesMember: try object(ada).setValue(object(shop), forKey: "department")
    case .deletesMember: try context.delete(object(ada))
    case .changesSummand: try object(ada).setValue(9, forKey: "salary")
    case .changesOther: try object(shop).setValue("Yard", forKey: "name")
    case .changesBoth:
      try object(lab).addObjects([context.insert("Employee", ["salary": 5])], forKey: "employees")
      try object(lab).setValue("Yard", forKey: "name")
    case .addsPair:
      try object(project).addObjects([context.insert("Employee", ["salary": 7])], forKey: "staff")
    case .changesPath:
      try object(lab).object(forKey: "company")?.setValue("Apex", forKey: "name")
      try object(ada).setValue("Eve", forKey: "name")
    }
  }

  private func values(_ object: ManagedObject) throws -> [String: String] {
    var values: [String: String] = [:]
    for attribute in object.entity.attributes where attribute.isDerived {
      values[attribute.name] = "\(try object.queryValue(forKey: attribute.name))"
    }
    return values
  }

  /// What a fetch of another process gives, by identifier.
  private func stored() throws -> [ManagedObjectID: [String: String]] {
    let other = try stack.otherProcess()
    var values: [ManagedObjectID: [String: String]] = [:]
    for id in ids {
      guard let object = try? other.existingObject(with: id) else { continue }
      values[id] = try self.values(object)
    }
    return values
  }

  @Test(
    "CTX-106, CTX-107, FLT-062, OBJ-299, MDL-174, MDL-175: what a save publishes of derived values is what a fetch gives, to contexts that hold the objects, have faults of them, or ask later",
    arguments: Change.allCases, Way.allCases)
  func published(_ change: Change, _ way: Way) throws {
    let (view, reader, writer) = (stack.newContext(), stack.newContext(), stack.newContext())
    let held = try ids.map { try view.existingObject(with: $0) }
    let faults = try ids.map { try reader.object(with: $0) }
    let isRead = way == .read || way == .readInTransaction
    let objects = try ids.map { isRead ? try writer.existingObject(with: $0) : try writer.object(with: $0) }
    // Another writer raises no versions by what its save derives, of which this one does not know.
    let first = stack.newContext()
    try first.insert("Employee", ["salary": 100, "department": first.object(with: lab)])
    try first.object(with: project).addObjects([first.insert("Employee", ["salary": 3])], forKey: "staff")
    try first.save()
    if way == .read || way == .unread {
      try carryOut(change, in: writer)
      try writer.save()
    } else {
      try stack.coordinator.transaction(with: writer) { _ in
        try carryOut(change, in: writer)
        try writer.save()
      }
    }
    let stored = try stored()
    func expect(_ objects: [ManagedObject], _ who: String) throws {
      for object in objects where stored[object.objectID] != nil {
        #expect(try values(object) == stored[object.objectID], "\(object.objectID.shortForm), \(who)")
      }
    }
    try expect(objects.filter { change.isWritten($0.entity.name) }, "the saving context")
    for object in held { try view.refresh(object, mergeChanges: false) }
    try expect(held, "a context that has refreshed them")
    try expect(faults, "a context that had faults")
    let (later, latest) = (stack.newContext(), stack.newContext())
    try expect(stored.keys.map { try later.existingObject(with: $0) }, "a context that asks later")
    try expect(stored.keys.map { try latest.object(with: $0) }, "a context that fires faults later")
  }
}

extension PublishedDerivationTests.Change {
  /// Whether the save writes objects of an entity, or their members, which then have what is stored.
  fileprivate func isWritten(_ entity: String) -> Bool {
    switch self {
    case .addsMember, .setsOwner, .changesBoth, .movesMember: entity == "Department"
    case .addsPair: entity == "Project"
    case .changesPath: entity == "Employee"
    case .deletesMember, .changesSummand, .changesOther: false
    }
  }
}
