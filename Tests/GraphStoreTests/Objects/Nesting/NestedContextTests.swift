import Testing

@testable import GraphStore

extension ManagedObjectContext {
  /// Makes a child of a context, which the thread of the test uses without blocks.
  convenience init(childOf parent: ManagedObjectContext) {
    self.init(parent, .thread(.current), isGuarded: ConcurrencyGuard.isOn)
  }
}

/// Contexts over contexts.
@Suite("Nested contexts", .everyStore)
struct NestedContextTests {
  private let stack: TestStack
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  /// A department with two employees is stored.
  init() throws {
    stack = try TestStack(TestModels.company(isOrdered: true))
    parent = stack.context
    let department = try parent.insert("Department", ["name": "R&D"])
    try parent.insert("Employee", ["name": "Ada", "salary": 1, "department": department])
    try parent.insert("Employee", ["name": "Bob", "salary": 2, "department": department])
    try parent.save()
    parent.reset()
    child = ManagedObjectContext(childOf: parent)
  }

  private func employee(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Employee", "name == '\(name)'").first)
  }

  private func names(_ context: ManagedObjectContext, _ predicate: String? = nil) throws -> [String] {
    try context.all("Employee", predicate, sort: ["name"]).compactMap { try $0.string("name") }
  }

  /// What the stores have.
  private func stored() throws -> [String] { try names(stack.newContext()) }

  private func checkInvariants() throws {
    for context in [parent, child] { try context.checkInvariants() }
  }

  @Test(
    "CTX-287, FET-062, FET-139: a child that has changed a destination judges by the links that its parent has changed"
  )
  func destinationsOfChangedLinks() throws {
    let sales = try parent.insert("Department", ["name": "Sales"])
    try parent.save()
    try employee("Bob", in: parent).setValue(sales, forKey: "department")
    try #require(try child.all("Department", "name == 'Sales'").first).setValue("Shop", forKey: "name")
    let request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "department.name == 'Shop'"))
    for context in [child, ManagedObjectContext(childOf: child)] {
      #expect(try context.count(for: request) == 1)
      #expect(try context.fetchIdentifiers(request).count == 1)
      #expect(try names(context, "department.name == 'Shop'") == ["Bob"])
    }
  }

  // MARK: Saving into the parent

  @Test(
    "CTX-003, CTX-288, CTX-457: a child saves into its parent, and the store has it once that is saved"
  )
  func saving() throws {
    let department = try child.all("Department")[0]
    let new = try child.insert("Employee", ["name": "Cy", "salary": 3, "department": department])
    let id = new.objectID
    try employee("Ada", in: child).setValue(10, forKey: "salary")
    #expect(!parent.hasChanges)
    try child.save()
    #expect(!child.hasChanges && !new.isInserted && new.objectID == id && id.isTemporaryID)
    #expect(try stored() == ["Ada", "Bob"])

    let mine = try employee("Cy", in: parent)
    #expect(mine !== new && mine.managedObjectContext === parent && mine.objectID == id && mine.isInserted)
    #expect(try mine.object(forKey: "department")?.string("name") == "R&D")
    #expect(try parent.all("Department")[0].names("employees") == ["Ada", "Bob", "Cy"])
    #expect(try employee("Ada", in: parent).value(forKey: "salary") as? Int64 == 10)
    #expect(parent.insertedObjects == [mine] && parent.updatedObjects.count == 2)
    try checkInvariants()

    try parent.save()
    #expect(try stored() == ["Ada", "Bob", "Cy"] && !mine.objectID.isTemporaryID)
    #expect(try employee("Ada", in: stack.otherProcess()).value(forKey: "salary") as? Int64 == 10)
    try checkInvariants()
  }

  @Test(
    "CTX-289: what was saved into the parent is a child's committed state, and later changes are told from it"
  )
  func again() throws {
    let new = try child.insert("Employee", ["name": "Cy", "salary": 3])
    try child.save()
    #expect(try stack.statements { try child.save() } == 0)
    try new.setValue("Di", forKey: "name")
    #expect(new.isUpdated && new.changedKeys == ["name"] && child.updatedObjects == [new])
    child.rollback()
    #expect(try new.string("name") == "Cy" && names(parent) == ["Ada", "Bob", "Cy"])
    try new.setValue("Di", forKey: "name")
    try child.save()
    #expect(try names(parent) == ["Ada", "Bob", "Di"] && parent.insertedObjects.count == 1)
    try child.delete(new)
    try child.save()
    #expect(try names(parent) == ["Ada", "Bob"] && parent.insertedObjects.isEmpty)
    try parent.save()
    #expect(try stored() == ["Ada", "Bob"])
    try checkInvariants()
  }

  @Test("CTX-290, CTX-457: properties changed in the child replace the parent's, the others stay")
  func merging() throws {
    let mine = try employee("Ada", in: child)
    let theirs = try employee("Ada", in: parent)
    try theirs.setValue("Eve", forKey: "name")
    try theirs.setValue(5, forKey: "salary")
    try mine.setValue(6, forKey: "salary")
    try child.save()
    #expect(try theirs.string("name") == "Eve" && theirs.value(forKey: "salary") as? Int64 == 6)
    #expect(try stored() == ["Ada", "Bob"])
    try parent.save()
    #expect(try stored() == ["Bob", "Eve"])
  }

  @Test("CTX-291: what the child has changed is made in the parent, which has not seen it before")
  func unseen() throws {
    let id = try employee("Ada", in: child).objectID
    parent.reset()
    #expect(parent.registeredObject(for: id) == nil)
    try child.object(with: id).setValue("Eve", forKey: "name")
    try child.save()
    #expect(parent.registeredObject(for: id)?.isUpdated == true)
  }

  @Test("CTX-294, PAT-161: what a child rolls back, resets or is dropped with never reaches the parent")
  func dropping() throws {
    try child.insert("Employee", ["name": "Cy"])
    child.rollback()
    try employee("Ada", in: child).setValue("Eve", forKey: "name")
    child.reset()
    do {
      let other = ManagedObjectContext(childOf: parent)
      try other.delete(employee("Bob", in: other))
    }
    #expect(!parent.hasChanges)
    #expect(try names(parent) == ["Ada", "Bob"] && names(child) == ["Ada", "Bob"])
    try checkInvariants()
  }

  @Test("CTX-295: two children learn of each other's saves when they refresh")
  func siblings() throws {
    let other = ManagedObjectContext(childOf: parent)
    let mine = try employee("Ada", in: child)
    let theirs = try employee("Ada", in: other)
    #expect(try mine.string("name") == "Ada" && theirs.string("name") == "Ada")
    try mine.setValue("Eve", forKey: "name")
    try child.save()
    #expect(try theirs.string("name") == "Ada")
    try other.refresh(theirs, mergeChanges: false)
    #expect(try theirs.string("name") == "Eve" && stored() == ["Ada", "Bob"])
  }

  @Test(
    "CTX-301, REL-182: a deletion and what follows from it are deletions in the parent, not yet in the store")
  func deleting() throws {
    let ada = try employee("Ada", in: child)
    try ada.setValue(child.insert("Desk", ["name": "desk"]), forKey: "desk")
    try child.save()
    try parent.save()
    try child.delete(ada)
    try child.save()
    #expect(parent.deletedObjects.map(\.entity.name).sorted() == ["Desk", "Employee"])
    #expect(try names(parent) == ["Bob"] && parent.all("Desk").isEmpty)
    #expect(try parent.all("Department")[0].names("employees") == ["Bob"])
    #expect(try stored() == ["Ada", "Bob"])
    try parent.save()
    #expect(try stored() == ["Bob"] && stack.newContext().all("Desk").isEmpty)
    try checkInvariants()
  }

  @Test("CTX-288: links of every shape and the order of members go into the parent")
  func links() throws {
    let (ada, bob) = (try employee("Ada", in: child), try employee("Bob", in: child))
    let department = try child.all("Department")[0]
    try ada.setValue(bob, forKey: "spouse")
    try ada.addObjects([bob], forKey: "friends")
    try bob.setValue(ada, forKey: "manager")
    let project = try child.insert("Project", ["name": "P"])
    try project.setValue([bob, ada], forKey: "members")
    try department.setValue([bob, ada], forKey: "employees")
    try child.save()
    for context in [parent, stack.newContext()] {
      if context !== parent { try parent.save() }
      let (ada, bob) = (try employee("Ada", in: context), try employee("Bob", in: context))
      #expect(try ada.object(forKey: "spouse") === bob && bob.object(forKey: "spouse") === ada)
      #expect(try ada.names("friends") == ["Bob"] && bob.names("friends") == ["Ada"])
      #expect(try ada.names("reports") == ["Bob"] && bob.object(forKey: "manager") === ada)
      #expect(try context.all("Project")[0].names("members") == ["Bob", "Ada"])
      #expect(try context.all("Department")[0].names("employees") == ["Bob", "Ada"])
    }
    try checkInvariants()
  }

  // MARK: Reading what the parent has not saved

  @Test("CTX-287, FLT-048: a child faults what its parent has not saved, as its own instances")
  func faulting() throws {
    let theirs = try parent.insert("Employee", ["name": "Cy", "salary": 3])
    let group = try parent.insert("Department", ["name": "new"])
    try theirs.setValue(group, forKey: "department")
    try theirs.addObjects([try employee("Ada", in: parent)], forKey: "friends")
    let mine = try child.object(with: theirs.objectID)
    #expect(mine !== theirs && mine.isFault && mine.objectID == theirs.objectID && !mine.isInserted)
    #expect(try stack.statements { try check(try mine.string("name") == "Cy") } == 0)
    let department = try #require(try mine.object(forKey: "department"))
    #expect(department !== group && department.isFault && department.managedObjectContext === child)
    #expect(try department.names("employees") == ["Cy"] && mine.names("friends") == ["Ada"])
    #expect(try department.objects(forKey: "employees")[0] === mine)
    #expect(try child.existingObject(with: group.objectID) === department)
    #expect(!child.hasChanges)
    try checkInvariants()
  }

  @Test("CTX-287: a child sees what its parent has changed and deleted, and nobody else does")
  func unsavedRows() throws {
    let ada = try employee("Ada", in: parent)
    try ada.setValue("Eve", forKey: "name")
    try parent.delete(employee("Bob", in: parent))
    let mine = try child.object(with: ada.objectID)
    #expect(try mine.string("name") == "Eve")
    try ada.setValue("Fay", forKey: "name")
    #expect(try mine.string("name") == "Eve")
    #expect(try child.all("Department")[0].names("employees") == ["Eve"])
    let other = stack.newContext()
    #expect(try other.object(with: ada.objectID).string("name") == "Ada")
    #expect(try stored() == ["Ada", "Bob"])
    try checkInvariants()
  }

  @Test("CTX-297: refreshing in a child takes the parent's values as they are, and asks no store")
  func refreshing() throws {
    let (mine, theirs) = (try employee("Ada", in: child), try employee("Ada", in: parent))
    try theirs.setValue("Eve", forKey: "name")
    try mine.setValue(7, forKey: "salary")
    #expect(
      try stack.statements {
        try child.refresh(mine, mergeChanges: true)
        try check(try mine.string("name") == "Eve" && mine.value(forKey: "salary") as? Int64 == 7)
        try child.refresh(mine, mergeChanges: false)
        try check(try mine.string("name") == "Eve" && mine.value(forKey: "salary") as? Int64 == 1)
      } == 0)
  }

  @Test("an object that its parent has dropped is inaccessible in a child")
  func gone() throws {
    let theirs = try parent.insert("Employee", ["name": "Cy"])
    let mine = try child.object(with: theirs.objectID)
    parent.rollback()
    #expect(try mine.string("name") == nil && mine.isDeleted)
    try child.save()
    #expect(!child.hasChanges && !parent.hasChanges)
    #expect {
      try ManagedObjectContext(childOf: parent).object(with: theirs.objectID)
    } throws: {
      GraphStoreError.code(.temporaryIDUnknown) ~= $0
    }
  }

  @Test("CTX-287: a fault that a fetch has given its row shows what its parent has when it fires")
  func firing() throws {
    let mine = try child.all("Employee", sort: ["name"])
    let theirs = try employee("Ada", in: parent)
    try theirs.setValue("Eve", forKey: "name")
    #expect(mine[0].isFault)
    #expect(try mine[0].string("name") == "Eve")
    child.reset()
    let again = try child.all("Employee", sort: ["name"])
    parent.rollback()
    #expect(try again.map { try $0.string("name") } == ["Bob", "Ada"])
  }

  // MARK: Fetching

  @Test("FET-037, CTX-287: a fetch of a child sees what its parent has not saved, as if it were stored")
  func fetching() throws {
    try parent.insert("Employee", ["name": "Cy", "salary": 3])
    try employee("Ada", in: parent).setValue(9, forKey: "salary")
    try parent.delete(employee("Bob", in: parent))
    #expect(try names(child) == ["Ada", "Cy"] && names(child, "salary > 5") == ["Ada"])
    var request = FetchRequest(entityName: "Employee")
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "-salary")]
    request.fetchOffset = 1
    #expect(try child.fetch(request).map { try $0.string("name") } == ["Cy"])
    #expect(try child.count(for: request) == 1)
    #expect(try child.fetchIdentifiers(request) == parent.insertedObjects.map(\.objectID))
    var keys: [Int64] = []
    try child.enumerateFields(request, keyPaths: ["name"]) { keys.append($0.key) }
    #expect(keys == parent.insertedObjects.map(\.key))
    try checkInvariants()
  }

  @Test("FET-037: a child's own changes correct what its parent answers")
  func correcting() throws {
    try parent.insert("Employee", ["name": "Cy", "salary": 3])
    try employee("Cy", in: child).setValue(30, forKey: "salary")
    try child.delete(employee("Ada", in: child))
    try child.insert("Employee", ["name": "Di", "salary": 40])
    #expect(try names(child) == ["Bob", "Cy", "Di"] && names(child, "salary > 5") == ["Cy", "Di"])
    #expect(try names(child, "department.name == 'R&D'") == ["Bob"])
    #expect(try child.count(for: FetchRequest(entityName: "Employee")) == 3)
    #expect(try names(parent) == ["Ada", "Bob", "Cy"])
  }

  @Test("prefetching in a child follows what its parent has not saved")
  func prefetching() throws {
    let group = try parent.insert("Department", ["name": "new"])
    try parent.insert("Employee", ["name": "Cy", "department": group])
    var request = FetchRequest(entityName: "Department")
    request.relationshipKeyPathsForPrefetching = ["employees.department"]
    let departments = try child.fetch(request)
    #expect(departments.count == 2)
    #expect(
      try stack.statements {
        for department in departments {
          for employee in try department.objects(forKey: "employees") {
            try check(try employee.object(forKey: "department") === department)
          }
        }
      } == 0)
    try checkInvariants()
  }

  @Test("CTX-292, OBJ-336: a child validates before its parent has anything of it")
  func validating() throws {
    let stack = try TestStack(TestModels.company(isDepartmentOptional: false))
    let child = ManagedObjectContext(childOf: stack.context)
    try child.insert("Employee", ["name": "Cy"])
    #expect(throws: GraphStoreError.self) { try child.save() }
    #expect(child.hasChanges && !stack.context.hasChanges)
  }

  // MARK: Chains and identifiers

  @Test("CTX-285, CTX-286: a save goes up one level of a chain, and all of its contexts have one coordinator")
  func chain() throws {
    let grandchild = ManagedObjectContext(childOf: child)
    #expect(grandchild.coordinator === stack.coordinator)
    let new = try grandchild.insert("Employee", ["name": "Cy"])
    try employee("Ada", in: grandchild).setValue(new, forKey: "manager")
    try grandchild.save()
    #expect(try names(child) == ["Ada", "Bob", "Cy"] && names(parent) == ["Ada", "Bob"])
    try child.save()
    #expect(try employee("Ada", in: parent).object(forKey: "manager")?.objectID == new.objectID)
    #expect(try stored() == ["Ada", "Bob"])
    try parent.save()
    #expect(try stored() == ["Ada", "Bob", "Cy"])
    #expect(new.objectID.isTemporaryID)
    let top = try parent.insert("Employee", ["name": "Di"])
    #expect(try grandchild.object(with: top.objectID).string("name") == "Di" && names(grandchild).count == 4)
    try grandchild.checkInvariants()
  }

  @Test("CTX-304: a child's new object keeps its temporary identifier over both saves, and fires under it")
  func identifiers() throws {
    let new = try child.insert("Employee", ["name": "Cy"])
    let id = new.objectID
    try child.save()
    let theirs = try employee("Cy", in: parent)
    try parent.save()
    #expect(new.objectID == id && !theirs.objectID.isTemporaryID)
    try theirs.setValue("Di", forKey: "name")
    try child.refresh(new, mergeChanges: false)
    #expect(try new.string("name") == "Di")
    #expect(throws: GraphStoreError.self) { try stack.newContext().object(with: id) }
  }

  @Test("CTX-286: a child holds its parent")
  func holding() throws {
    weak var held: ManagedObjectContext?
    var child: ManagedObjectContext?
    do {
      let parent = ManagedObjectContext(coordinator: stack.coordinator)
      held = parent
      child = ManagedObjectContext(childOf: parent)
    }
    #expect(held != nil)
    #expect(try child?.all("Employee").count == 2)
    child = nil
    #expect(held == nil)
  }

  @Test("CTX-299, CTX-300: a child on a queue of its own reads and saves on its parent's queue")
  func queues() throws {
    let parent = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    let child = ManagedObjectContext(parent: parent)
    try child.performAndWait {
      try child.insert("Employee", ["name": "Cy"])
      #expect(try names(child) == ["Ada", "Bob", "Cy"])
      try child.save()
      try parent.performAndWait {
        #expect(try names(parent) == ["Ada", "Bob", "Cy"])
        try parent.save()
      }
    }
    #expect(try stored() == ["Ada", "Bob", "Cy"])
  }
}
