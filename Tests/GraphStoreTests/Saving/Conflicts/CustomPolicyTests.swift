import Foundation
import Testing

@testable import GraphStore

@Suite("Merge policies of programs", .everyStore)
struct CustomPolicyTests {
  private func conflict(_ policy: MergePolicy, _ writer: OtherWriter = .context) throws -> (
    TwoWriters, ManagedObject
  ) {
    let writers = try TwoWriters(TestModels.company(), writer, policy) { context in
      try context.insert("Employee", ["name": "Ada", "salary": 1])
      try context.insert("Department", ["name": "Sales"])
    }
    let mine = try writers.mine.only("Employee")
    let theirs = try writers.theirs.only("Employee")
    try theirs.setValue(Int64(2), forKey: "salary")
    try writers.theirs.save()
    try mine.setValue(Int64(3), forKey: "salary")
    return (writers, mine)
  }

  private func storedSalary(_ writers: TwoWriters) throws -> Int64? {
    try writers.stored().only("Employee").value(forKey: "salary") as? Int64
  }

  @Test(
    "CTX-215, CTX-216, CTX-219: an override under the older name is called, and super resolves",
    arguments: OtherWriter.allCases)
  func olderName(_ writer: OtherWriter) throws {
    final class Watching: MergePolicy, @unchecked Sendable {
      nonisolated(unsafe) var seen: [Int64?] = []
      override func resolve(mergeConflicts conflicts: [MergeConflict]) throws {
        seen.append(try conflicts[0].sourceObject.value(forKey: "salary") as? Int64)
        try super.resolve(mergeConflicts: conflicts)
        seen.append(try conflicts[0].sourceObject.value(forKey: "salary") as? Int64)
      }
    }
    let policy = Watching(merge: .mergeByPropertyStoreTrump)
    let (writers, _) = try conflict(policy, writer)
    try writers.mine.save()
    #expect(policy.seen == [3, 2])
    #expect(try storedSalary(writers) == 2)
  }

  @Test("CTX-217: the error of an override is that of the save; super on the error type throws the conflict")
  func errors() throws {
    struct Refused: Error {}
    final class Refusing: MergePolicy, @unchecked Sendable {
      override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws { throw Refused() }
    }
    let (writers, mine) = try conflict(Refusing(merge: .overwrite))
    #expect(throws: Refused.self) { try writers.mine.save() }
    #expect(mine.isUpdated)
    #expect(try mine.value(forKey: "salary") as? Int64 == 3)
    final class Strict: MergePolicy, @unchecked Sendable {}
    writers.mine.mergePolicy = Strict(merge: .error)
    #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .mergeConflict)
  }

  @Test("CTX-218, CTX-112: an override may fetch and set; saving in it is refused")
  func reading() throws {
    final class Reading: MergePolicy, @unchecked Sendable {
      nonisolated(unsafe) var refusal: GraphStoreError?
      override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        let context = try #require(conflicts[0].sourceObject.managedObjectContext)
        refusal = #expect(throws: GraphStoreError.self) { try context.save() }
        try super.resolve(optimisticLockingConflicts: conflicts)
        try context.only("Department").setValue("set by the policy", forKey: "name")
      }
    }
    let policy = Reading(merge: .mergeByPropertyObjectTrump)
    let (writers, _) = try conflict(policy)
    try writers.mine.save()
    #expect(policy.refusal?.code == .recursiveSave)
    #expect(try writers.stored().only("Department").string("name") == "set by the policy")
    #expect(!writers.mine.hasChanges)
  }

  @Test("CTX-220: what an override sets is validated")
  func validated() throws {
    final class Emptying: MergePolicy, @unchecked Sendable {
      override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        try super.resolve(optimisticLockingConflicts: conflicts)
        try conflicts[0].sourceObject.setValue(nil, forKey: "department")
      }
    }
    let model = TestModels.company(isDepartmentOptional: false)
    let writers = try TwoWriters(model, .context, Emptying(merge: .overwrite)) { context in
      let department = try context.insert("Department", ["name": "Sales"])
      try context.insert("Employee", ["name": "Ada", "salary": 1, "department": department])
    }
    let mine = try writers.mine.only("Employee")
    try writers.theirs.only("Employee").setValue(Int64(2), forKey: "salary")
    try writers.theirs.save()
    try mine.setValue(Int64(3), forKey: "salary")
    #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .validation)
    #expect(try storedSalary(writers) == 2)
  }

  @Test("CTX-221: a conflict that is left unstable fails the save")
  func unstable() throws {
    final class Idle: MergePolicy, @unchecked Sendable {
      nonisolated(unsafe) var calls = 0
      override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws { calls += 1 }
    }
    let policy = Idle(merge: .overwrite)
    let (writers, mine) = try conflict(policy)
    let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(
      error.code == .mergeConflict && error.conflicts.map(\.sourceObject) == [mine] && policy.calls == 1)
  }

  @Test("CTX-100, CTX-471: a record that others change in every round fails the save after ten of them")
  func endless() throws {
    final class Racing: MergePolicy, @unchecked Sendable {
      nonisolated(unsafe) var calls = 0
      nonisolated(unsafe) var other: ManagedObjectContext?
      override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        calls += 1
        try super.resolve(optimisticLockingConflicts: conflicts)
        let theirs = try #require(try other?.only("Employee"))
        try theirs.setValue(Int64(100 + calls), forKey: "salary")
        try other?.save()
      }
    }
    let policy = Racing(merge: .mergeByPropertyObjectTrump)
    let (writers, mine) = try conflict(policy)
    policy.other = writers.theirs
    let error = #expect(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(error?.code == .mergeConflict && error?.conflicts.map(\.sourceObject) == [mine])
    #expect(policy.calls == 10 && mine.isUpdated)
  }

  @Test(
    "CTX-222: the newest of object, object snapshot, cached and persisted snapshot wins",
    arguments: OtherWriter.allCases)
  func newest(_ writer: OtherWriter) throws {
    /// The newest `updatedAt` wins; nil counts as the oldest.
    final class Newest: MergePolicy, @unchecked Sendable {
      override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        for conflict in conflicts {
          let own = try conflict.sourceObject.value(forKey: "updatedAt") as? Date ?? .distantPast
          let others = [conflict.objectSnapshot, conflict.cachedSnapshot, conflict.persistedSnapshot].map {
            snapshot in
            if case .date(let date)? = snapshot?["updatedAt"] { date } else { Date.distantPast }
          }
          let policy: MergePolicy =
            others.allSatisfy { $0 <= own } ? .mergeByPropertyObjectTrump : .mergeByPropertyStoreTrump
          try policy.resolve(optimisticLockingConflicts: [conflict])
        }
      }
    }
    let model = ModelDefinition(
      name: "Dated",
      entities: [
        EntityDefinition(
          "Item", attributes: [AttributeDefinition("name", .string), AttributeDefinition("updatedAt", .date)])
      ])
    for (mineAt, theirsAt, winner) in [
      (5.0, 3.0, "mine"), (3, 5, "theirs"), (nil, 3, "theirs"), (3, nil, "mine"),
    ] as [(Double?, Double?, String)] {
      let writers = try TwoWriters(model, writer, Newest(merge: .error)) {
        try $0.insert("Item", ["name": "one"])
      }
      let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
      for (item, name, moment) in [(theirs, "theirs", theirsAt), (mine, "mine", mineAt)] {
        try item.setValue(name, forKey: "name")
        try item.setValue(moment.map { Date(timeIntervalSinceReferenceDate: $0) }, forKey: "updatedAt")
        if item === theirs { try writers.theirs.save() }
      }
      try writers.mine.save()
      #expect(try writers.stored().only("Item").string("name") == winner)
    }
  }

  @Test("CTX-223: a stored count is made right after a conflict, by the relationship and by a count")
  func count() throws {
    final class Counting: MergePolicy, @unchecked Sendable {
      override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        try super.resolve(optimisticLockingConflicts: conflicts)
        for continent in conflicts.map(\.sourceObject) where continent.entity.name == "Continent" {
          let context = try #require(continent.managedObjectContext)
          try context.refresh(continent, mergeChanges: true)
          let countries = try continent.objects(forKey: "countries")
          let request = FetchRequest(
            entityName: "City", predicate: try QueryPredicate("country IN %@", arguments: [countries]))
          try continent.setValue(Int64(countries.count), forKey: "countryCount")
          try continent.setValue(Int64(context.count(for: request)), forKey: "cityCount")
        }
      }
    }
    let model = ModelDefinition(
      name: "World",
      entities: [
        EntityDefinition(
          "Continent",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("countryCount", .int64),
            AttributeDefinition("cityCount", .int64),
          ],
          relationships: [
            RelationshipDefinition("countries", to: "Country", inverse: "continent", isToMany: true)
          ]),
        EntityDefinition(
          "Country", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("continent", to: "Continent", inverse: "countries"),
            RelationshipDefinition("cities", to: "City", inverse: "country", isToMany: true),
          ]),
        EntityDefinition(
          "City", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("country", to: "Country", inverse: "cities")]),
      ])
    let writers = try TwoWriters(model, .context, Counting(merge: .mergeByPropertyObjectTrump)) {
      try $0.insert("Continent", ["name": "Europe", "countryCount": 0, "cityCount": 0])
    }
    func add(_ name: String, cities: Int, in context: ManagedObjectContext) throws {
      let continent = try context.only("Continent")
      let country = try context.insert("Country", ["name": name, "continent": continent])
      for index in 0..<cities {
        try context.insert("City", ["name": "\(name) \(index)", "country": country])
      }
      try continent.setValue(Int64(1), forKey: "countryCount")
      try continent.setValue(Int64(cities), forKey: "cityCount")
    }
    try add("A", cities: 2, in: writers.mine)
    try add("B", cities: 3, in: writers.theirs)
    try writers.theirs.save()
    try writers.mine.save()
    let stored = try writers.stored().only("Continent")
    #expect(try stored.value(forKey: "countryCount") as? Int64 == 2)
    #expect(try stored.value(forKey: "cityCount") as? Int64 == 5)
  }

  @Test("CTX-115, PAT-051, PAT-052: saved, or rolled back with the error at hand")
  func saveOrRollback() async throws {
    let (writers, mine) = try conflict(.error)
    #expect(!writers.mine.saveOrRollback())
    #expect((writers.mine.lastSaveError as? GraphStoreError)?.code == .mergeConflict && !mine.hasChanges)
    try writers.mine.refresh(mine, mergeChanges: false)
    try mine.setValue(Int64(4), forKey: "salary")
    #expect(writers.mine.saveOrRollback() && writers.mine.lastSaveError == nil)
    #expect(try storedSalary(writers) == 4)
  }

  @Test(
    "CTX-115, PAT-052: a block on the context's queue is saved; what it throws is thrown, and nothing of it stays"
  )
  func performChanges() async throws {
    struct Halt: Error {}
    let stack = try TestStack(TestModels.company())
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    #expect(try await context.performChanges { _ = try $0.insert(entityNamed: "Project") })
    #expect(try context.performChangesAndWait { _ = try $0.insert(entityNamed: "Project") })
    await #expect(throws: Halt.self) {
      try await context.performChanges { context throws in
        _ = try context.insert(entityNamed: "Project")
        throw Halt()
      }
    }
    #expect(context.performAndWait { !context.hasChanges })
    #expect(try stack.otherProcess().all("Project").count == 2)
  }
}
