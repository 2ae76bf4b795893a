import Foundation
import Testing

@testable import GraphStore

@Suite("Merge policies", .everyStore)
struct MergePolicyTests {
  private func writers(
    _ writer: OtherWriter, _ policy: PolicyCase,
    _ model: ModelDefinition = TestModels.company(employees: .cascade)
  ) throws -> TwoWriters {
    try TwoWriters(model, writer, policy.policy) { context in
      let department = try context.insert("Department", ["name": "Sales"])
      try context.insert("Employee", ["name": "Ada", "salary": 1, "department": department])
    }
  }

  private func delete(_ entity: String, in context: ManagedObjectContext) throws {
    try context.delete(context.only(entity))
    try context.save()
  }

  // MARK: Records

  @Test(
    "CTX-186, CTX-187, CTX-188, CTX-190, CTX-191, CTX-193, CTX-196, CTX-449, DGN-174, DGN-175: a conflict has the snapshots of its level, versions and differences",
    arguments: OtherWriter.allCases)
  func records(_ writer: OtherWriter) throws {
    let writers = try writers(writer, .error)
    let mine = try writers.mine.only("Employee")
    let theirs = try writers.theirs.only("Employee")
    let department = try mine.object(forKey: "department")
    for salary in [2, 3] {
      try theirs.setValue(Int64(salary), forKey: "salary")
      try writers.theirs.save()
    }
    try mine.setValue(Int64(5), forKey: "salary")
    let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(
      error.code == .mergeConflict && error.number == 133020
        && error.message.hasPrefix("Could not merge changes"))
    let conflict = try #require(error.conflicts.first)
    #expect(
      error.conflicts.count == 1 && conflict.sourceObject === mine && conflict.sourceObjectID == mine.objectID
    )
    #expect(conflict.oldVersionNumber == 1 && conflict.newVersionNumber == 3)
    let base = writer == .context ? conflict.objectSnapshot : conflict.cachedSnapshot
    let newer = writer == .context ? conflict.cachedSnapshot : conflict.persistedSnapshot
    #expect((writer == .context ? conflict.persistedSnapshot : conflict.objectSnapshot) == nil)
    #expect(base?["salary"] == .int(1) && newer?["salary"] == .int(3) && newer?["name"] == .string("Ada"))
    #expect(
      newer?["manager"] == .null && newer?["department"] == .object(ObjectReference(department!.objectID)))
    #expect(newer?["reports"] == nil)
    #expect(conflict.differences.map(\.property) == ["salary"])
    #expect(
      conflict.differences[0].old == .int(1) && conflict.differences[0].inMemory == .int(5)
        && conflict.differences[0].stored == .int(3))
    #expect(mine.hasChanges)
  }

  @Test(
    "CTX-181, CTX-189, CTX-193: all conflicts come together, updates and deletions; a row that is gone has version 0",
    arguments: OtherWriter.allCases)
  func all(_ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(), writer) { context in
      for name in ["a", "b", "c"] { try context.insert("Employee", ["name": name]) }
    }
    let mine = try writers.mine.all("Employee", sort: ["name"])
    let theirs = try writers.theirs.all("Employee", sort: ["name"])
    for object in mine { _ = try object.string("name") }
    try theirs[0].setValue("x", forKey: "name")
    try theirs[1].setValue("y", forKey: "name")
    try writers.theirs.delete(theirs[2])
    try writers.theirs.save()
    try mine[0].setValue(Int64(1), forKey: "salary")
    try writers.mine.delete(mine[1])
    try mine[2].setValue(Int64(1), forKey: "salary")
    let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(Set(error.conflicts.map(\.sourceObjectID)) == Set(mine.map(\.objectID)))
    let gone = error.conflicts.first { $0.sourceObject === mine[2] }
    #expect(gone?.newVersionNumber == 0 && gone?.persistedSnapshot == nil)
    #expect(mine[0].isUpdated && mine[1].isDeleted && mine[2].isUpdated)
  }

  @Test(
    "CTX-119, CTX-123, CTX-185, CTX-450: a save that fails keeps its changes; the cache has the newer row, and a refresh with merging helps",
    arguments: OtherWriter.allCases)
  func failed(_ writer: OtherWriter) throws {
    let writers = try writers(writer, .error)
    let mine = try writers.mine.only("Employee")
    try writers.theirs.only("Employee").setValue("Eve", forKey: "name")
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "salary")
    #expect(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(try mine.changedKeys == ["salary"] && mine.string("name") == "Ada")
    let statements = try writers.stack.statements { try writers.mine.refresh(mine, mergeChanges: true) }
    #expect(statements == 0)
    #expect(try mine.string("name") == "Eve")
    try writers.mine.save()
    #expect(try writers.stored().only("Employee").value(forKey: "salary") as? Int64 == 5)
  }

  @Test(
    "CTX-173, CTX-447: a version that has moved over equal values is no conflict, and is adopted",
    arguments: OtherWriter.allCases)
  func equalValues(_ writer: OtherWriter) throws {
    let writers = try writers(writer, .error)
    let (mine, theirs) = (try writers.mine.only("Employee"), try writers.theirs.only("Employee"))
    for salary in [2, 1] {
      try theirs.setValue(Int64(salary), forKey: "salary")
      try writers.theirs.save()
    }
    try mine.setValue("Eve", forKey: "name")
    try writers.mine.save()
    #expect(try writers.stored().only("Employee").string("name") == "Eve")
  }

  // MARK: What is saved and what is not

  @Test(
    "CTX-492: a save knows what of the changes is written and what was dropped",
    arguments: PolicyCase.settling,
    OtherWriter.allCases)
  func summary(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(), writer, policy.policy) { context in
      for name in ["a", "b", "c", "d"] { try context.insert("Employee", ["name": name, "salary": 1]) }
    }
    let mine = try writers.mine.all("Employee", sort: ["name"])
    let theirs = try writers.theirs.all("Employee", sort: ["name"])
    for object in mine { _ = try object.string("name") }
    for object in theirs[..<3] { try object.setValue(Int64(9), forKey: "salary") }
    try writers.theirs.save()
    for object in [mine[0], mine[1], mine[3]] { try object.setValue(Int64(5), forKey: "salary") }
    try mine[1].setValue("Eve", forKey: "name")
    try writers.mine.delete(mine[2])
    try writers.mine.insert("Employee", ["name": "new"])
    try writers.mine.save()
    let summary = writers.mine.lastSave
    switch policy {
    case .store:
      #expect(summary.saved == SaveSummary.Counts(inserted: 1, updated: 2))
      #expect(summary.dropped == SaveSummary.Counts(updated: 1, deleted: 1) && summary.partlyDropped == 1)
      #expect(summary.droppedUpdates == [mine[0].objectID])
    case .rollback:
      #expect(summary.saved == SaveSummary.Counts(inserted: 1, updated: 1))
      #expect(summary.dropped == SaveSummary.Counts(updated: 2, deleted: 1) && summary.partlyDropped == 0)
    default:
      #expect(summary == SaveSummary(saved: SaveSummary.Counts(inserted: 1, updated: 3, deleted: 1)))
    }
    try writers.mine.save()
    #expect(writers.mine.lastSave == SaveSummary())
  }

  // MARK: Records that are gone

  @Test(
    "CTX-179, CTX-205, CTX-206, CTX-210, CTX-225, CTX-361: changed here, record gone",
    arguments: PolicyCase.allCases,
    OtherWriter.allCases)
  func gone(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let mine = try writers.mine.only("Employee")
    let department = try #require(try mine.object(forKey: "department"))
    #expect(try department.names("employees") == ["Ada"])
    let id = mine.objectID
    try delete("Employee", in: writers.theirs)
    try mine.setValue(Int64(5), forKey: "salary")
    switch policy {
    case .error:
      #expect(throws: GraphStoreError.self) { try writers.mine.save() }
      #expect(mine.isUpdated)
      return
    case .rollback, .store:
      try writers.mine.save()
      #expect(mine.managedObjectContext == nil)
      #expect(try writers.stored().all("Employee").isEmpty)
    case .object, .overwrite:
      try writers.mine.save()
      #expect(mine.objectID == id && !mine.hasChanges)
      let stored = try writers.stored().only("Employee")
      #expect(stored.objectID.shortForm == id.shortForm)
      #expect(try stored.string("name") == "Ada" && stored.value(forKey: "salary") as? Int64 == 5)
      #expect(try stored.object(forKey: "department")?.string("name") == "Sales")
    }
    #expect(!writers.mine.hasChanges)
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-206: what is written back loses references to records that are gone too; a mandatory one fails validation",
    arguments: [true, false])
  func writtenBack(_ isOptional: Bool) throws {
    let model = TestModels.company(employees: .cascade, isDepartmentOptional: isOptional)
    let writers = try writers(.process, .object, model)
    let mine = try writers.mine.only("Employee")
    try delete("Department", in: writers.theirs)
    try mine.setValue(Int64(5), forKey: "salary")
    if isOptional {
      try writers.mine.save()
      #expect(try writers.stored().only("Employee").object(forKey: "department") == nil)
      #expect(try mine.object(forKey: "department") == nil)
    } else {
      let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
      #expect(error.code == .validation && error.property == "department")
    }
  }

  @Test(
    "CTX-177, CTX-208, DGN-177: deleted here, record gone, is no conflict by any policy",
    arguments: PolicyCase.allCases, OtherWriter.allCases)
  func bothDeleted(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let mine = try writers.mine.only("Employee")
    try delete("Employee", in: writers.theirs)
    try writers.mine.delete(mine)
    try writers.mine.save()
    #expect(try writers.stored().all("Employee").isEmpty && !writers.mine.hasChanges)
  }

  // MARK: Deletions

  @Test(
    "CTX-178, CTX-207, CTX-225: deleted here, record changed", arguments: PolicyCase.allCases,
    OtherWriter.allCases)
  func deleted(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let department = try writers.mine.only("Department")
    let employee = try writers.mine.only("Employee")
    _ = try employee.string("name")
    try writers.theirs.only("Department").setValue("Research", forKey: "name")
    try writers.theirs.save()
    try writers.mine.delete(department)
    try writers.mine.processPendingChanges()
    #expect(employee.isDeleted)
    switch policy {
    case .error:
      let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
      #expect(error.code == .mergeConflict && department.isDeleted && employee.isDeleted)
      return
    case .object, .overwrite:
      try writers.mine.save()
      #expect(try writers.stored().all("Department").isEmpty && writers.stored().all("Employee").isEmpty)
    case .rollback, .store:
      try writers.mine.save()
      #expect(
        !department.isDeleted && !employee.isDeleted && department.managedObjectContext === writers.mine)
      #expect(try department.string("name") == "Research" && department.names("employees") == ["Ada"])
      #expect(try employee.object(forKey: "department") === department)
      let stored = try writers.stored().only("Employee")
      #expect(try stored.object(forKey: "department")?.string("name") == "Research")
    }
    #expect(!writers.mine.hasChanges)
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-207: with a deletion its nullifications are withdrawn, and no others",
    arguments: [PolicyCase.rollback, .store])
  func nullifications(_ policy: PolicyCase) throws {
    let writers = try TwoWriters(TestModels.company(), .context, policy.policy) { context in
      for name in ["Sales", "Lab"] {
        let department = try context.insert("Department", ["name": name])
        let employee = try context.insert("Employee", ["name": "of \(name)", "department": department])
        let project = try context.insert("Project", ["name": "for \(name)"])
        try project.setValue([employee], forKey: "members")
      }
    }
    let departments = try writers.mine.all("Department", sort: ["name"])
    let employees = try writers.mine.all("Employee", sort: ["name"])
    for employee in employees { _ = try employee.object(forKey: "department") }
    try writers.theirs.all("Department", "name == 'Sales'")[0].setValue("Trade", forKey: "name")
    try writers.theirs.save()
    for department in departments { try writers.mine.delete(department) }
    try writers.mine.processPendingChanges()
    #expect(try employees.allSatisfy { try $0.object(forKey: "department") == nil })
    try writers.mine.save()
    #expect(try writers.stored().all("Department").map { try $0.string("name") } == ["Trade"])
    #expect(try employees[1].object(forKey: "department") === departments[1])
    #expect(try employees[0].object(forKey: "department") == nil)
    let stored = try writers.stored().all("Employee", sort: ["name"])
    #expect(try stored.map { try $0.object(forKey: "department")?.string("name") } == [nil, "Trade"])
    #expect(!writers.mine.hasChanges)
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-207: a child that was changed elsewhere stays when its owner goes, without the link",
    arguments: [PolicyCase.rollback, .store])
  func childOfDeleted(_ policy: PolicyCase) throws {
    let writers = try writers(.context, policy)
    let (department, employee) = (try writers.mine.only("Department"), try writers.mine.only("Employee"))
    try writers.theirs.only("Employee").setValue("Eve", forKey: "name")
    try writers.theirs.save()
    try writers.mine.delete(department)
    try writers.mine.save()
    #expect(department.managedObjectContext == nil)
    #expect(try employee.string("name") == "Eve" && employee.object(forKey: "department") == nil)
    let stored = try writers.stored().only("Employee")
    #expect(try stored.string("name") == "Eve" && stored.object(forKey: "department") == nil)
    try writers.mine.checkInvariants()
  }

  // MARK: Watched objects

  @Test(
    "CTX-171, CTX-182, CTX-209: an unchanged object that is watched", arguments: PolicyCase.allCases,
    OtherWriter.allCases)
  func watched(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let (department, employee) = (try writers.mine.only("Department"), try writers.mine.only("Employee"))
    try writers.mine.detectConflicts(for: department)
    try writers.theirs.only("Department").setValue("Research", forKey: "name")
    try writers.theirs.save()
    try employee.setValue(Int64(5), forKey: "salary")
    switch policy {
    case .error:
      let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
      #expect(error.conflicts.map(\.sourceObject) == [department])
      writers.mine.rollback()
      try employee.setValue(Int64(6), forKey: "salary")
      try writers.mine.save()
    case .overwrite:
      try writers.mine.save()
      #expect(try writers.stored().only("Department").string("name") == "Sales")
    case .object, .store, .rollback:
      try writers.mine.save()
      #expect(try department.string("name") == "Research")
      #expect(try writers.stored().only("Department").string("name") == "Research")
    }
    // It lasts until the save has succeeded.
    try writers.theirs.refresh(writers.theirs.only("Department"), mergeChanges: false)
    try writers.theirs.only("Department").setValue("Other", forKey: "name")
    try writers.theirs.save()
    try employee.setValue(Int64(7), forKey: "salary")
    writers.mine.mergePolicy = .error
    try writers.mine.save()
  }

  @Test(
    "CTX-209: a watched object whose record is gone", arguments: PolicyCase.allCases, OtherWriter.allCases)
  func watchedGone(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy, TestModels.company())
    let (department, employee) = (try writers.mine.only("Department"), try writers.mine.only("Employee"))
    _ = try employee.string("name")
    try writers.mine.detectConflicts(for: department)
    try delete("Department", in: writers.theirs)
    let project = try writers.mine.insert("Project", ["name": "new"])
    switch policy {
    case .error:
      #expect(throws: GraphStoreError.self) { try writers.mine.save() }
      #expect(project.isInserted)
    case .overwrite:
      try writers.mine.save()
      #expect(try writers.stored().only("Department").string("name") == "Sales")
    case .object, .store, .rollback:
      try writers.mine.save()
      #expect(department.managedObjectContext == nil)
      #expect(try writers.stored().all("Department").isEmpty && writers.stored().all("Project").count == 1)
    }
  }

  // MARK: To-manys

  @Test("CTX-174, CTX-175: members alone never make an owner conflict", arguments: OtherWriter.allCases)
  func members(_ writer: OtherWriter) throws {
    let writers = try writers(writer, .error)
    for (context, name) in [(writers.mine, "mine"), (writers.theirs, "theirs")] {
      let department = try context.only("Department")
      try context.insert("Employee", ["name": name, "department": department])
    }
    try writers.theirs.save()
    try writers.mine.save()
    #expect(try Set(writers.stored().only("Department").names("employees")) == ["Ada", "mine", "theirs"])
  }

  @Test(
    "CTX-203: pending members are merged, given up, or replace what is stored",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func pairs(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(), writer, policy.policy) { context in
      let friends = try ["a", "b", "mine", "theirs"].map { try context.insert("Employee", ["name": $0]) }
      let desk = try context.insert("Manager", ["name": "owner", "salary": 1])
      try desk.setValue(Set(friends[...1]), forKey: "friends")
    }
    func change(_ context: ManagedObjectContext, adding: String, removing: String, salary: Int64) throws {
      let owner = try context.only("Manager")
      _ = try owner.names("friends")
      let friends = try context.all("Employee", "name IN {'\(adding)', '\(removing)'}", sort: ["name"])
      var members = Set(try owner.objects(forKey: "friends"))
      for friend in friends {
        if try friend.string("name") == adding { members.insert(friend) } else { members.remove(friend) }
      }
      try owner.setValue(members, forKey: "friends")
      try owner.setValue(salary, forKey: "salary")
    }
    try change(writers.mine, adding: "mine", removing: "a", salary: 5)
    try change(writers.theirs, adding: "theirs", removing: "b", salary: 6)
    try writers.theirs.save()
    try writers.mine.save()
    let expected: Set<String> =
      switch policy {
      case .rollback: ["a", "theirs"]
      case .overwrite: ["b", "mine"]
      case .store, .object, .error: ["mine", "theirs"]
      }
    #expect(try Set(writers.stored().only("Manager").names("friends")) == expected)
    #expect(try Set(writers.mine.only("Manager").names("friends")) == expected)
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-204, REL-119: of an ordered to-many the winning side's order holds, the other side's members follow",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func order(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(), writer, policy.policy) { context in
      let project = try context.insert("Project", ["name": "p"])
      try project.setValue(
        ["a", "b", "c"].map { try context.insert("Employee", ["name": $0]) }, forKey: "members")
      for name in ["mine", "theirs"] { try context.insert("Employee", ["name": name]) }
    }
    func change(_ context: ManagedObjectContext, _ order: [String], _ name: String) throws {
      let project = try context.only("Project")
      _ = try project.names("members")
      let employees = try context.all("Employee")
      try project.setValue(
        try order.map { name in try employees.first { try $0.string("name") == name }! }, forKey: "members")
      try project.setValue(name, forKey: "name")
    }
    try change(writers.mine, ["c", "b", "a", "mine"], "mine")
    try change(writers.theirs, ["b", "a", "c", "theirs"], "theirs")
    try writers.theirs.save()
    try writers.mine.save()
    let expected =
      switch policy {
      case .rollback: ["b", "a", "c", "theirs"]
      case .overwrite: ["c", "b", "a", "mine"]
      case .store: ["b", "a", "c", "theirs", "mine"]
      case .object, .error: ["c", "b", "a", "mine", "theirs"]
      }
    #expect(try writers.stored().only("Project").names("members") == expected)
    #expect(try writers.mine.only("Project").names("members") == expected)
  }

  @Test(
    "CTX-198, CTX-205, CTX-210: an object that overwriting gives back to an ordered owner has a place there",
    arguments: [true, false], OtherWriter.allCases)
  func place(_ isGone: Bool, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(isOrdered: true), writer, .overwrite) { context in
      let departments = try ["A", "B"].map { try context.insert("Department", ["name": $0]) }
      for name in ["one", "two"] {
        try context.insert("Employee", ["name": name, "department": departments[0]])
      }
    }
    let mine = try writers.mine.all("Employee", sort: ["name"])
    let owner = try writers.mine.all("Department", sort: ["name"])[0]
    #expect(try owner.names("employees") == ["one", "two"] && mine[0].string("name") == "one")
    let theirs = try writers.theirs.all("Employee", sort: ["name"])[0]
    if isGone {
      try writers.theirs.delete(theirs)
    } else {
      try theirs.setValue(writers.theirs.all("Department", sort: ["name"])[1], forKey: "department")
    }
    try writers.theirs.save()
    try mine[0].setValue(Int64(5), forKey: "salary")
    try writers.mine.save()
    #expect(try owner.names("employees") == ["two", "one"])
    let stored = try writers.stored().all("Department", sort: ["name"])
    #expect(try stored.map { try $0.names("employees") } == [["two", "one"], []])
    if writers.stack.has(.files) {
      #expect(try StoreCheck.run(path: writers.stack.path).allSatisfy(\.isOK))
    }
    try writers.mine.checkInvariants()
  }

  // MARK: The save around it

  @Test("CTX-211, CTX-100: what a policy makes is validated")
  func validated() throws {
    let model = ModelDefinition(
      name: "Ranges",
      entities: [
        EntityDefinition(
          "Item", className: "Item",
          attributes: [
            AttributeDefinition("name", .string, isOptional: false), AttributeDefinition("note", .string),
          ])
      ])
    final class Item: ManagedObject {
      override func validateForUpdate() throws {
        try super.validateForUpdate()
        guard try string("name") == "long", try string("note") == nil else { return }
        throw GraphStoreError(.validation, "a long one has a note", remedy: "Give it.", number: 1550)
      }
    }
    let writers = try TwoWriters(model, .context, .mergeByPropertyObjectTrump, classes: ["Item": Item.self]) {
      try $0.insert("Item", ["name": "short", "note": "n"])
    }
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try theirs.setValue(nil, forKey: "note")
    try writers.theirs.save()
    try mine.setValue("long", forKey: "name")
    let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(error.message == "a long one has a note" && mine.isUpdated)
    #expect(try writers.stored().only("Item").string("name") == "short")
  }

  @Test(
    "CTX-212, CTX-076: what a policy has changed is told as refreshed, what it has dropped as deleted, before the save is"
  )
  func told() throws {
    for (policy, deletes) in [(PolicyCase.object, false), (.store, true)] {
      let writers = try writers(.context, policy)
      let mine = try writers.mine.only("Employee")
      if deletes {
        try delete("Employee", in: writers.theirs)
      } else {
        try writers.theirs.only("Employee").setValue("Eve", forKey: "name")
        try writers.theirs.save()
      }
      try mine.setValue(Int64(5), forKey: "salary")
      var told: [String] = []
      let changes = writers.mine.observe(.objectsDidChange) { change in
        if change.refreshed.contains(mine) { told.append("refreshed") }
        if change.deleted.contains(mine) { told.append("deleted") }
      }
      let saves = writers.mine.observe(.didSave) { _ in told.append("saved") }
      try writers.mine.save()
      changes.cancel()
      saves.cancel()
      #expect(told == [deletes ? "deleted" : "refreshed", "saved"])
    }
  }

  @Test("CTX-213: a policy's work is no step of undo")
  func undo() throws {
    let writers = try writers(.context, .object)
    let manager = GraphUndoManager()
    try writers.mine.setUndoManager(manager)
    let mine = try writers.mine.only("Employee")
    try writers.theirs.only("Employee").setValue("Eve", forKey: "name")
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "salary")
    try writers.mine.save()
    try writers.mine.undo()
    #expect(try mine.value(forKey: "salary") as? Int64 == 1 && mine.string("name") == "Eve")
    #expect(!manager.canUndo)
  }
}
