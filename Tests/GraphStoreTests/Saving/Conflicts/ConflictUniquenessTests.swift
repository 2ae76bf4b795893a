import Foundation
import Testing

@testable import GraphStore

/// Conflicts of uniqueness, and those within transactions.
@Suite(.everyStore)
struct ConflictUniquenessTests: ConflictCouples {
  // MARK: Transactions and several stores

  @Test(
    "CTX-119, CTX-194: conflicts are resolved within a transaction, and taken back with it",
    arguments: PolicyCase.settling)
  func transaction(_ policy: PolicyCase) throws {
    struct Stop: Error {}
    for isTakenBack in [false, true] {
      let writers = try couples(.context, policy)
      let held = try realize(writers.mine)
      defer { _ = held }
      let mine = try employee("A", writers.mine)
      try employee("A", writers.theirs).setValue(Int64(7), forKey: "salary")
      do {
        try writers.stack.coordinator.transaction(with: writers.theirs, writers.mine) { _ in
          try writers.theirs.save()
          try mine.setValue(Int64(5), forKey: "salary")
          try writers.mine.save()
          #expect(!writers.mine.hasChanges)
          let wanted: Int64 = policy == .store || policy == .rollback ? 7 : 5
          #expect(try mine.value(forKey: "salary") as? Int64 == wanted)
          if isTakenBack { throw Stop() }
        }
      } catch is Stop {}
      let stored = try employee("A", writers.stored()).value(forKey: "salary") as? Int64
      #expect(stored == (isTakenBack ? 1 : policy == .store || policy == .rollback ? 7 : 5))
      try writers.mine.checkInvariants()
      // Afterwards both go on with what is stored.
      let again = try employee("A", writers.mine)
      #expect(try again.value(forKey: "salary") as? Int64 == stored)
      try again.setValue(Int64(50), forKey: "salary")
      try writers.mine.save()
      #expect(try employee("A", writers.stored()).value(forKey: "salary") as? Int64 == 50)
    }
  }

  @Test(
    "CTX-230, CTX-235: uniqueness conflicts are resolved within a transaction", arguments: PolicyCase.settling
  )
  func uniquenessInTransaction(_ policy: PolicyCase) throws {
    let writers = try TwoWriters(Self.keyed, .context, policy.policy) {
      try $0.insert("Base", ["name": "stored", "first": "k", "second": 1])
    }
    try writers.stack.coordinator.transaction(with: writers.theirs, writers.mine) { _ in
      try writers.theirs.insert("Base", ["name": "theirs", "first": "l", "second": 1])
      try writers.theirs.save()
      try writers.mine.insert("Base", ["name": "mine", "first": "l", "second": 1])
      try writers.mine.insert("Base", ["name": "mine2", "first": "k", "second": 1])
      try writers.mine.save()
    }
    let names = try writers.stored().all("Base", sort: ["name"]).map { try $0.string("name") }
    #expect(
      names == (policy == .store || policy == .rollback ? ["stored", "theirs"] : ["mine", "mine2"]))
  }

  // MARK: Uniqueness

  private static let keyed = ModelDefinition(
    name: "Keyed",
    entities: [
      EntityDefinition(
        "Base",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("first", .string),
          AttributeDefinition("second", .int64), AttributeDefinition("size", .int64),
        ], uniquenessConstraints: [["first", "second"]]),
      EntityDefinition(
        "Derived", parent: "Base", attributes: [AttributeDefinition("mark", .string)],
        uniquenessConstraints: [["mark"]]),
      EntityDefinition("Deeper", parent: "Derived"),
      EntityDefinition("Sibling", parent: "Base", attributes: [AttributeDefinition("mark2", .string)]),
    ])

  @Test(
    "CTX-227, CTX-228: a constraint of two properties, with nil in either, over sub-entities",
    arguments: PolicyCase.settling)
  func twoProperties(_ policy: PolicyCase) throws {
    let writers = try TwoWriters(Self.keyed, .context, policy.policy) { context in
      try context.insert("Sibling", ["name": "s", "first": "k", "second": 1])
      try context.insert("Deeper", ["name": "d", "first": "q", "second": 1, "mark": "m"])
    }
    for values in [["first": "k"], ["second": 1], ["first": "k", "second": 2]] as [[String: Any]] {
      try writers.mine.insert("Derived", values)
    }
    try writers.mine.save()
    #expect(try writers.stored().all("Base").count == 5)
    try writers.mine.insert("Deeper", ["name": "x", "first": "k", "second": 1, "mark": "z"])
    try writers.mine.insert("Derived", ["name": "y", "first": "r", "second": 1, "mark": "m"])
    try writers.mine.save()
    #expect(!writers.mine.hasChanges)
    let names = try writers.stored().all("Base", "name != nil", sort: ["name"]).map { try $0.string("name") }
    #expect(names == (policy == .store || policy == .rollback ? ["d", "s"] : ["x", "y"]))
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-103, CTX-229: two objects that exchange unique values do so while another writer changed one of them",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func exchange(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(Self.keyed, writer, policy.policy) { context in
      try context.insert("Base", ["name": "a", "first": "A", "second": 1, "size": 1])
      try context.insert("Base", ["name": "b", "first": "B", "second": 1, "size": 1])
    }
    let mine = try writers.mine.all("Base", sort: ["name"])
    for object in mine { _ = try object.string("name") }
    try writers.theirs.all("Base", "name == 'a'")[0].setValue(Int64(9), forKey: "size")
    try writers.theirs.save()
    try mine[0].setValue("B", forKey: "first")
    try mine[1].setValue("A", forKey: "first")
    try writers.mine.save()
    let stored = try writers.stored().all("Base", sort: ["name"])
    let values = try stored.map { "\(try $0.string("first")!)\(try $0.value(forKey: "size") as! Int64)" }
    switch policy {
    case .store, .object, .error: #expect(values == ["B9", "A1"])
    case .overwrite: #expect(values == ["B1", "A1"])
    // The first is as stored; the other one then meets it, and loses its change.
    case .rollback: #expect(values == ["A9", "B1"])
    }
    #expect(!writers.mine.hasChanges)
  }

  @Test(
    "CTX-235, CTX-237: a stored object that takes the value of another stored one is never deleted for it",
    arguments: PolicyCase.settling, [true, false])
  func twoStored(_ policy: PolicyCase, _ isHolderChanged: Bool) throws {
    let writers = try TwoWriters(Self.keyed, .context, policy.policy) { context in
      try context.insert("Base", ["name": "a", "first": "A", "second": 1, "size": 1])
      try context.insert("Base", ["name": "b", "first": "B", "second": 1, "size": 1])
    }
    let mine = try writers.mine.all("Base", sort: ["name"])
    if isHolderChanged { try mine[0].setValue(Int64(2), forKey: "size") }
    try mine[1].setValue("A", forKey: "first")
    try writers.mine.save()
    let names = try writers.stored().all("Base", sort: ["name"]).map { try $0.string("name") }
    // Beside a change of the holder the conflict lies within the context, which keeps what is stored
    // (CTX-235).
    #expect(names == (policy == .overwrite && !isHolderChanged ? ["b"] : ["a", "b"]))
  }

  @Test(
    "CTX-007, CTX-205, CTX-264: no object of the context leads to one that a policy has dropped",
    arguments: OtherWriter.allCases)
  func unchangedLinksToDropped(_ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(), writer, .mergeByPropertyStoreTrump) { context in
      let department = try context.insert("Department", ["name": "Sales"])
      try context.insert("Employee", ["name": "old", "department": department])
    }
    let department = try writers.mine.only("Department")
    let old = try writers.mine.only("Employee")
    try writers.theirs.delete(writers.theirs.only("Department"))
    try writers.theirs.save()
    try department.setValue("changed", forKey: "name")
    try writers.mine.save()
    #expect(department.managedObjectContext == nil)
    #expect(try old.object(forKey: "department") == nil)
  }

  @Test("CTX-234: a deletion that conflicts is resolved before uniqueness is looked at")
  func orderOfDeletion() throws {
    final class Recording: MergePolicy, @unchecked Sendable {
      nonisolated(unsafe) var calls: [String] = []
      override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        calls.append("merge")
        try super.resolve(optimisticLockingConflicts: conflicts)
      }
      override func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
        calls.append("constraint")
        try super.resolve(constraintConflicts: conflicts)
      }
    }
    for isDeletion in [true, false] {
      let policy = Recording(merge: .mergeByPropertyStoreTrump)
      let writers = try TwoWriters(Self.keyed, .context, policy) { context in
        try context.insert("Base", ["name": "a", "first": "A", "second": 1])
        try context.insert("Base", ["name": "b", "first": "B", "second": 1])
      }
      let mine = try writers.mine.all("Base", sort: ["name"])
      for object in mine { _ = try object.string("name") }
      try writers.theirs.all("Base", "name == 'a'")[0].setValue(Int64(9), forKey: "size")
      try writers.theirs.save()
      if isDeletion {
        try writers.mine.delete(mine[0])
      } else {
        try writers.mine.detectConflicts(for: mine[0])
      }
      try writers.mine.insert("Base", ["name": "n", "first": "B", "second": 1])
      try writers.mine.save()
      #expect(policy.calls == ["merge", "constraint"], "\(isDeletion)")
      #expect(try writers.stored().all("Base").count == 2)
    }
  }

  @Test(
    "CTX-207, CTX-229: the value of an object whose deletion is withdrawn is its own again",
    arguments: [PolicyCase.store, .rollback], OtherWriter.allCases)
  func valueOfWithdrawn(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(Self.keyed, writer, policy.policy) { context in
      try context.insert("Base", ["name": "a", "first": "A", "second": 1])
    }
    let mine = try writers.mine.only("Base")
    try writers.theirs.only("Base").setValue(Int64(9), forKey: "size")
    try writers.theirs.save()
    try writers.mine.delete(mine)
    let new = try writers.mine.insert("Base", ["name": "n", "first": "A", "second": 1])
    try writers.mine.save()
    #expect(new.managedObjectContext == nil && !mine.isDeleted && !writers.mine.hasChanges)
    let stored = try writers.stored().only("Base")
    #expect(try stored.string("name") == "a" && stored.value(forKey: "size") as? Int64 == 9)
  }

  @Test(
    "CTX-231: a value that another writer took in the meantime is a conflict, also where a fetch has not seen it",
    arguments: PolicyCase.settling)
  func faster(_ policy: PolicyCase) throws {
    let writers = try TwoWriters(Self.keyed, .process, policy.policy) { _ in }
    try writers.mine.insert("Base", ["name": "mine", "first": "A", "second": 1, "size": 5])
    try writers.theirs.insert("Base", ["name": "theirs", "first": "A", "second": 1])
    try writers.theirs.save()
    try writers.mine.save()
    let stored = try writers.stored().only("Base")
    let isTheirs = policy == .store || policy == .rollback
    #expect(try stored.string("name") == (isTheirs ? "theirs" : "mine"))
    #expect(try stored.value(forKey: "size") as? Int64 == (isTheirs ? nil : 5))
  }

  @Test("CTX-238: a displaced record whose deletion is denied fails the save, and nothing is lost")
  func denied() throws {
    var model = Self.keyed
    model.entities[0].relationships = [
      RelationshipDefinition("parts", to: "Part", inverse: "base", isToMany: true, deleteRule: .deny)
    ]
    model.entities.append(
      EntityDefinition(
        "Part", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("base", to: "Base", inverse: "parts")]))
    let writers = try TwoWriters(model, .context, .overwrite) { context in
      let base = try context.insert("Base", ["name": "a", "first": "A", "second": 1])
      try context.insert("Part", ["name": "p", "base": base])
    }
    let new = try writers.mine.insert("Base", ["name": "n", "first": "A", "second": 1])
    let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(error.code == .deleteDenied && new.isInserted && new.objectID.isTemporaryID)
    #expect(try writers.stored().only("Base").string("name") == "a")
    try writers.mine.checkInvariants()
    writers.mine.rollback()
    #expect(!writers.mine.hasChanges)
  }

  @Test(
    "CTX-241: links among objects that leave and stay, and to themselves, are passed on",
    arguments: PolicyCase.settling)
  func linksAmongLeaving(_ policy: PolicyCase) throws {
    var model = TestModels.company()
    for index in model.entities.indices where model.entities[index].name == "Employee" {
      model.entities[index].uniquenessConstraints = [["name"]]
    }
    let writers = try TwoWriters(model, .context, policy.policy) { context in
      try context.insert("Employee", ["name": "A", "salary": 1])
      try context.insert("Project", ["name": "p"])
    }
    let project = try writers.mine.only("Project")
    let first = try writers.mine.insert("Manager", ["name": "N", "salary": 2])
    let second = try writers.mine.insert("Employee", ["name": "N", "salary": 3])
    let third = try writers.mine.insert("Employee", ["name": "T", "manager": second])
    let again = try writers.mine.insert("Employee", ["name": "A", "manager": second])
    try second.setValue(Set([second, first, third]), forKey: "friends")
    try second.setValue(second, forKey: "spouse")
    try project.setValue([second, third, again], forKey: "members")
    try writers.mine.save()
    #expect(!writers.mine.hasChanges && second.managedObjectContext == nil)
    try writers.mine.checkInvariants()
    let stored = try writers.stored()
    #expect(
      try stored.all("Employee", sort: ["name"]).map { try $0.string("name") }.count(where: { $0 == "N" })
        == 1)
    let n = try employee("N", stored)
    #expect(try employee("T", stored).object(forKey: "manager") === n)
    #expect(try n.names("friends").contains("T"))
    #expect(try Set(stored.only("Project").names("members")).isSuperset(of: ["N", "T"]))
    for context in [stored, writers.mine] {
      for object in try context.all("Employee") {
        for friend in try object.objects(forKey: "friends") {
          #expect(try friend.objects(forKey: "friends").contains(object))
        }
        if let spouse = try object.object(forKey: "spouse") {
          #expect(try spouse.object(forKey: "spouse") === object)
        }
      }
    }
  }
}
