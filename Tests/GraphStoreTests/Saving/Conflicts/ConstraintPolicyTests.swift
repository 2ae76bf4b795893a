import Foundation
import Testing

@testable import GraphStore

@Suite("Merge policies and uniqueness", .everyStore)
struct ConstraintPolicyTests {
  private static let model = ModelDefinition(
    name: "People",
    entities: [
      EntityDefinition(
        "Person",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("email", .string),
          AttributeDefinition("badge", .int64), AttributeDefinition("age", .int64, defaultValue: 7),
        ],
        relationships: [
          RelationshipDefinition("team", to: "Team", inverse: "people"),
          RelationshipDefinition(
            "notes", to: "Note", inverse: "person", isToMany: true, deleteRule: .cascade),
          RelationshipDefinition("friends", to: "Person", inverse: "friends", isToMany: true),
        ], uniquenessConstraints: [["email"], ["badge"]]),
      EntityDefinition("Boss", parent: "Person", attributes: [AttributeDefinition("bonus", .int64)]),
      EntityDefinition(
        "Team", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("people", to: "Person", inverse: "team", isToMany: true),
          RelationshipDefinition("leader", to: "Person"),
          RelationshipDefinition("guests", to: "Person", isToMany: true),
        ]),
      EntityDefinition(
        "Note", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("person", to: "Person", inverse: "notes")]),
    ])

  /// A store with Ada, in a team and with a note.
  private func writers(_ policy: PolicyCase, _ writer: OtherWriter = .context) throws -> TwoWriters {
    try TwoWriters(Self.model, writer, policy.policy) { context in
      let team = try context.insert("Team", ["name": "stored"])
      try context.insert("Team", ["name": "new"])
      let ada = try context.insert(
        "Person", ["name": "Ada", "email": "a@x", "badge": 1, "age": 30, "team": team])
      try context.insert("Note", ["name": "stored", "person": ada])
    }
  }

  private func people(_ writers: TwoWriters) throws -> [String] {
    try writers.stored().all("Person", sort: ["name"]).map { person in
      let values = try ["name", "email", "badge", "age"].map {
        try person.value(forKey: $0).map { "\($0)" } ?? "-"
      }
      return values.joined(separator: " ")
    }
  }

  // MARK: Records

  @Test(
    "CTX-125, CTX-226, CTX-232, CTX-233, DGN-178: under the error policy all conflicts are told, with values and both objects"
  )
  func error() throws {
    let writers = try writers(.error)
    let first = try writers.mine.insert("Person", ["name": "Bob", "email": "a@x"])
    let second = try writers.mine.insert("Boss", ["name": "Cid", "email": "c@x"])
    let third = try writers.mine.insert("Person", ["name": "Dan", "email": "c@x"])
    let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(error.code == .constraintConflict && error.number == 133021)
    #expect(error.constraintConflicts.count == 2)
    let inside = try #require(error.constraintConflicts.first { $0.databaseObject == nil })
    #expect(inside.conflictingObjects == [second, third] && inside.databaseSnapshot == nil)
    #expect(inside.constraint == ["email"] && inside.constraintValues == ["email": .string("c@x")])
    #expect(inside.conflictingSnapshots.map { $0["name"] } == [.string("Cid"), .string("Dan")])
    let stored = try #require(error.constraintConflicts.first { $0.databaseObject != nil })
    #expect(stored.conflictingObjects == [first] && stored.databaseSnapshot?["name"] == .string("Ada"))
    #expect(error.message.contains("c@x") || error.message.contains("a@x"))
    #expect(first.isInserted && second.isInserted && third.isInserted)
    #expect(try people(writers) == ["Ada a@x 1 30"])
  }

  @Test(
    "CTX-227, CTX-229, CTX-103, CTX-465: nil collides with nothing, nor does what the save deletes or changes away",
    arguments: PolicyCase.allCases)
  func noCollision(_ policy: PolicyCase) throws {
    let writers = try writers(policy)
    let ada = try writers.mine.only("Person")
    try ada.setValue("b@x", forKey: "email")
    try writers.mine.insert("Person", ["name": "Bob", "email": "a@x"])
    for _ in 0..<2 { try writers.mine.insert("Person", ["name": "Nil"]) }
    try writers.mine.save()
    #expect(try people(writers).count == 4)
    try writers.mine.delete(ada)
    try writers.mine.insert("Person", ["name": "Cid", "email": "b@x"])
    try writers.mine.save()
    #expect(try people(writers) == ["Bob a@x - 7", "Cid b@x - 7", "Nil - - 7", "Nil - - 7"])
  }

  @Test(
    "CTX-230: a conflict costs one statement a constraint, whatever the number of candidates",
    .needs(.statements))
  func cost() throws {
    func statements(_ count: Int) throws -> Int {
      let writers = try writers(.rollback)
      for index in 0..<count {
        try writers.mine.insert("Person", ["email": "\(index)@x", "badge": index + 10])
      }
      try writers.mine.insert("Person", ["email": "a@x"])
      return try writers.stack.recordedStatements { try writers.mine.save() }.count {
        $0.hasPrefix("WITH c(")
      }
    }
    // One names the broken constraint as the row is refused, one a constraint finds all.
    #expect(try statements(2) == statements(400))
    #expect(try statements(400) <= 4)
  }

  // MARK: Within the context

  @Test(
    "CTX-235, CTX-236, CTX-241, CTX-243: of new objects the first stays, with the links of all",
    arguments: PolicyCase.settling)
  func inserted(_ policy: PolicyCase) throws {
    let writers = try writers(policy)
    let teams = try writers.mine.all("Team", sort: ["name"])
    let first = try writers.mine.insert("Person", ["name": "first", "email": "n@x", "team": teams[0]])
    let second = try writers.mine.insert("Person", ["email": "n@x", "age": 50, "team": teams[1]])
    let note = try writers.mine.insert("Note", ["name": "of second", "person": second])
    let friend = try writers.mine.only("Person", "name == 'Ada'")
    try second.setValue(Set([friend]), forKey: "friends")
    let temporary = second.objectID
    try writers.mine.save()
    #expect(first.managedObjectContext === writers.mine && second.managedObjectContext == nil)
    #expect(second.objectID == temporary)
    let takes = policy == .object || policy == .overwrite
    #expect(try people(writers) == ["Ada a@x 1 30", "first n@x - \(takes ? 50 : 7)"])
    #expect(try first.object(forKey: "team") === teams[takes ? 1 : 0])
    #expect(try note.object(forKey: "person") === first && first.objects(forKey: "friends") == [friend])
    #expect(try writers.stored().all("Note", "person.name == 'first'").count == 1)
    #expect(try writers.stored().all("Person", "ANY friends.name == 'Ada'").count == 1)
    try writers.mine.checkInvariants()
  }

  // MARK: Against the store

  @Test(
    "CTX-099, CTX-101, CTX-231, CTX-237, CTX-238, CTX-239, CTX-240, CTX-241, CTX-225, CTX-459: a new object and a stored record",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func insertedAgainstStore(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(policy, writer)
    let team = try writers.mine.all("Team", "name == 'new'")[0]
    let new = try writers.mine.insert("Person", ["name": "Eve", "email": "a@x", "team": team])
    try writers.mine.insert("Note", ["name": "new", "person": new])
    try writers.mine.save()
    let stored = try writers.stored().only("Person")
    let notes = try Set(stored.objects(forKey: "notes").map { try $0.string("name") })
    let teamName = try stored.object(forKey: "team")?.string("name")
    switch policy {
    case .rollback, .store, .error:
      #expect(try people(writers) == ["Ada a@x 1 30"])
      #expect(new.managedObjectContext == nil && notes == ["stored", "new"] && teamName == "stored")
    case .object:
      #expect(try people(writers) == ["Eve a@x 1 30"])
      #expect(new.managedObjectContext == nil && notes == ["stored", "new"] && teamName == "new")
    case .overwrite:
      #expect(try people(writers) == ["Eve a@x - 7"])
      #expect(new.managedObjectContext != nil && notes == ["new"] && teamName == "new")
      #expect(try writers.stored().all("Note").count == 1)
    }
    #expect(!writers.mine.hasChanges)
    try writers.mine.checkInvariants()
  }

  @Test("CTX-237 to CTX-239: a stored object that takes the value of another", arguments: PolicyCase.settling)
  func updatedAgainstStore(_ policy: PolicyCase) throws {
    let writers = try writers(policy)
    try writers.theirs.insert("Person", ["name": "Bob", "email": "b@x", "age": 40])
    try writers.theirs.save()
    let bob = try writers.mine.all("Person", "name == 'Bob'")[0]
    try bob.setValue("a@x", forKey: "email")
    try bob.setValue(Int64(41), forKey: "age")
    try writers.mine.save()
    let expected =
      switch policy {
      case .rollback, .store, .error: ["Ada a@x 1 30", "Bob b@x - 40"]
      case .object: ["Ada a@x 1 41", "Bob b@x - 40"]
      case .overwrite: ["Bob a@x - 41"]
      }
    #expect(try people(writers) == expected)
    #expect(!writers.mine.hasChanges)
  }

  @Test(
    "CTX-235, CTX-238, CTX-241: a record that the context has linked is one of its objects; a one-way link passes on"
  )
  func linkedRecords() throws {
    let linked = try writers(PolicyCase.overwrite)
    let note = try linked.mine.insert(
      "Note", ["name": "unsaved", "person": linked.mine.only("Person", "name == 'Ada'")])
    try linked.mine.insert("Person", ["name": "Eve", "email": "a@x"])
    try linked.mine.save()
    #expect(try note.object(forKey: "person")?.string("name") == "Eve" && people(linked) == ["Eve a@x 1 30"])
    #expect(try linked.stored().all("Note").count == 2)
    let led = try writers(PolicyCase.overwrite)
    let team = try led.mine.insert(
      "Team", ["name": "led", "leader": led.mine.only("Person", "name == 'Ada'")])
    let new = try led.mine.insert("Person", ["name": "Eve", "email": "a@x"])
    try led.mine.save()
    #expect(try team.object(forKey: "leader") === new && people(led) == ["Eve a@x - 7"])
  }

  @Test(
    "CTX-241: links without an inverse pass too, of objects that the save writes",
    arguments: PolicyCase.settling)
  func linksWithoutInverse(_ policy: PolicyCase) throws {
    let writers = try writers(policy)
    let first = try writers.mine.insert("Person", ["name": "first", "email": "n@x"])
    let second = try writers.mine.insert("Person", ["name": "second", "email": "n@x"])
    let team = try writers.mine.insert("Team", ["name": "led", "leader": second])
    try team.setValue(Set([second]), forKey: "guests")
    try writers.mine.save()
    #expect(try team.object(forKey: "leader") === first && team.objects(forKey: "guests") == [first])
    let stored = try writers.stored().all("Team", "name == 'led'")[0]
    #expect(try stored.object(forKey: "leader")?.objectID.shortForm == first.objectID.shortForm)
    #expect(try stored.objects(forKey: "guests").count == 1)
  }

  private static let lists = ModelDefinition(
    name: "Lists",
    entities: [
      EntityDefinition(
        "List",
        relationships: [
          RelationshipDefinition("items", to: "Item", inverse: "list", isToMany: true, isOrdered: true),
          RelationshipDefinition("tags", to: "Item", inverse: "tagged", isToMany: true, isOrdered: true),
          RelationshipDefinition("picks", to: "Item", isToMany: true, isOrdered: true),
        ]),
      EntityDefinition(
        "Item", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("list", to: "List", inverse: "items"),
          RelationshipDefinition("tagged", to: "List", inverse: "tags", isToMany: true),
        ], uniquenessConstraints: [["name"]]),
    ])

  @Test(
    "CTX-241: in ordered relationships who stays takes the place of who leaves",
    arguments: [true, false], [true, false])
  func orderedPlaces(isOwnerStored: Bool, areMembersKnown: Bool) throws {
    let writers = try TwoWriters(Self.lists, .context, .mergeByPropertyObjectTrump) { context in
      let list = try context.insert("List", [:])
      let other = try context.insert("List", [:])
      try context.insert("Item", ["name": "z", "list": list])
      for name in ["b", "d"] { try context.insert("Item", ["name": name, "list": other]) }
    }
    let mine = writers.mine
    let stored = try #require(try mine.all("Item", "name == 'z'")[0].object(forKey: "list"))
    if areMembersKnown { _ = try stored.objects(forKey: "items").count }
    let owner = isOwnerStored ? stored : try mine.insert("List", [:])
    let items = try ["a", "b", "c", "d", "b", "e"].map { try mine.insert("Item", ["name": $0]) }
    for key in ["items", "tags", "picks"] {
      let list = try owner.mutableOrderedSetValue(forKey: key)
      for item in items { try list.append(item) }
    }
    try mine.save()
    let wanted = ["a", "b", "c", "d", "e"]
    let kept = try #require(try writers.stored().all("Item", "name == 'c'")[0].object(forKey: "list"))
    for object in [owner, kept] {
      for key in ["items", "tags", "picks"] {
        let names = try object.objects(forKey: key).map { try $0.string("name") ?? "" }
        #expect(names == (isOwnerStored && key == "items" ? ["z"] : []) + wanted, "\(key)")
      }
    }
  }

  @Test("CTX-245: an override chooses another winner instead of super")
  func otherWinner() throws {
    final class Last: MergePolicy, @unchecked Sendable {
      override func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
        for conflict in conflicts {
          for object in conflict.conflictingObjects.dropLast() {
            try object.managedObjectContext?.delete(object)
          }
        }
      }
    }
    let writers = try writers(Last(merge: .error))
    for name in ["x", "y", "z"] { try writers.mine.insert("Person", ["name": name, "email": "n@x"]) }
    try writers.mine.save()
    #expect(try people(writers) == ["Ada a@x 1 30", "z n@x - 7"])
  }

  @Test("CTX-242: one new object that meets several records", arguments: PolicyCase.settling)
  func several(_ policy: PolicyCase) throws {
    let writers = try writers(policy)
    try writers.theirs.insert("Person", ["name": "Bob", "email": "b@x", "badge": 2])
    try writers.theirs.save()
    let new = try writers.mine.insert("Person", ["name": "Eve", "email": "a@x", "badge": 2])
    switch policy {
    case .object:
      let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
      #expect(error.code == .constraintConflict && error.constraintConflicts.count == 2 && new.isInserted)
    case .overwrite:
      try writers.mine.save()
      #expect(try people(writers) == ["Eve a@x 2 7"])
    case .rollback, .store, .error:
      try writers.mine.save()
      #expect(try people(writers) == ["Ada a@x 1 30", "Bob b@x 2 7"])
    }
  }

  @Test("CTX-228: a constraint holds for sub-entities together")
  func subentities() throws {
    let writers = try writers(.mergeByPropertyObjectTrump)
    let boss = try writers.mine.insert("Boss", ["name": "Boss", "email": "a@x", "bonus": 5])
    try writers.mine.save()
    #expect(try boss.managedObjectContext == nil && people(writers) == ["Boss a@x 1 30"])
  }

  @Test("CTX-234: uniqueness is looked at once conflicts with other writers are resolved")
  func order() throws {
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
    let writers = try writers(.error)
    let policy = Recording(merge: .mergeByPropertyStoreTrump)
    writers.mine.mergePolicy = policy
    let ada = try writers.mine.only("Person")
    try writers.theirs.only("Person").setValue(Int64(31), forKey: "age")
    try writers.theirs.save()
    try ada.setValue("Ada L.", forKey: "name")
    try ada.setValue("n@x", forKey: "email")
    for name in ["x", "y"] { try writers.mine.insert("Person", ["name": name, "email": "z@x"]) }
    try writers.mine.save()
    #expect(policy.calls == ["merge", "constraint"])
    #expect(try people(writers) == ["Ada L. n@x 1 31", "x z@x - 7"])
  }
}

extension ConstraintPolicyTests {
  private func writers(_ policy: MergePolicy) throws -> TwoWriters {
    let writers = try writers(PolicyCase.error)
    writers.mine.mergePolicy = policy
    return writers
  }
}

extension ManagedObjectContext {
  fileprivate func only(_ entity: String, _ predicate: String) throws -> ManagedObject {
    try all(entity, predicate)[0]
  }
}
