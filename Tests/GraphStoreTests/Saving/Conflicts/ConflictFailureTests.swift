import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Conflicts in saves that fail for another reason, and in saves to several stores.
struct ConflictFailureTests {
  private let stack: SeveralStores
  private let refusing: WatchedStore
  private let third: PersistentStoreReference
  private let theirs: ManagedObjectContext

  init() throws {
    stack = try SeveralStores()
    refusing = WatchedStore(
      try SQLiteStore.create(
        stack.folder.file("2.db"), StoreOptions(timeout: .milliseconds(50)),
        model: stack.coordinator.managedObjectModel, layout: stack.coordinator.layout))
    third = try stack.coordinator.mount(refusing)
    theirs = stack.newContext()
    for (number, store) in (stack.stores + [third]).enumerated() {
      for name in ["a", "b"] {
        let object = try theirs.insert("Employee", ["name": "\(name)\(number)", "salary": 1])
        try theirs.assign(object, to: store)
      }
    }
    try theirs.save()
  }

  private func all(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    let all = try context.all("Employee", sort: ["name"])
    for object in all { _ = try object.string("name") }
    return all
  }

  private func salaries() throws -> [Int64] {
    let other = stack.newContext()
    return try other.all("Employee", sort: ["name"]).map { try $0.value(forKey: "salary") as! Int64 }
  }

  private func conflict(_ policy: PolicyCase) throws -> [ManagedObject] {
    let mine = try all(stack.context)
    stack.context.mergePolicy = policy.policy
    // Each of the first ones is changed by both: a0, a1, a2, then the second ones by this writer alone.
    for object in try all(theirs) where try object.string("name")!.hasPrefix("a") {
      try object.setValue(Int64(2), forKey: "salary")
    }
    try theirs.save()
    for object in mine { try object.setValue(Int64(3), forKey: "salary") }
    return mine
  }

  @Test(
    "CTX-006, STO-131, CTX-181: conflicts in all of several stores are resolved",
    arguments: PolicyCase.allCases)
  func several(_ policy: PolicyCase) throws {
    let mine = try conflict(policy)
    if policy == .error {
      let error = try #require(throws: GraphStoreError.self) { try stack.context.save() }
      #expect(error.conflicts.count == 3)
      #expect(try salaries() == [2, 2, 2, 1, 1, 1] && mine.allSatisfy(\.isUpdated))
      return
    }
    try stack.context.save()
    let winner: Int64 = policy == .store || policy == .rollback ? 2 : 3
    #expect(try salaries() == [winner, winner, winner, 3, 3, 3] && !stack.context.hasChanges)
    try stack.context.checkInvariants()
  }

  @Test("CTX-113: one store conflicts and the others do not", arguments: PolicyCase.allCases)
  func oneOfSeveral(_ policy: PolicyCase) throws {
    let mine = try all(stack.context)
    stack.context.mergePolicy = policy.policy
    try all(theirs)[1].setValue(Int64(2), forKey: "salary")
    try theirs.save()
    for object in mine { try object.setValue(Int64(3), forKey: "salary") }
    if policy == .error {
      #expect(code { try stack.context.save() } == .mergeConflict)
      #expect(try salaries() == [1, 2, 1, 1, 1, 1] && mine.allSatisfy(\.isUpdated))
      return
    }
    try stack.context.save()
    let winner: Int64 = policy == .store || policy == .rollback ? 2 : 3
    #expect(try salaries() == [3, winner, 3, 3, 3, 3] && !stack.context.hasChanges)
  }

  @Test(
    "CTX-119, CTX-120: a store that refuses after conflicts were resolved leaves all stores as they were, and the save can be made again",
    arguments: PolicyCase.allCases, ["write", "commit", "begin"])
  func refusal(_ policy: PolicyCase, _ step: String) throws {
    let mine = try conflict(policy)
    refusing.refused = step == "write" ? .write : step == "commit" ? .commit : .begin
    let new = try stack.context.insert("Employee", ["name": "new", "salary": 9])
    try stack.context.assign(new, to: stack.stores[0])
    for _ in 0..<2 {
      #expect(throws: (any Error).self) { try stack.context.save() }
      guard step != "commit" || policy == .error else { break }
      #expect(try salaries() == [2, 2, 2, 1, 1, 1])
      #expect(new.isInserted && mine[3].isUpdated && mine[5].isUpdated)
      try stack.context.checkInvariants()
    }
    refusing.refused = nil
    if policy == .error {
      #expect(code { try stack.context.save() } == .mergeConflict)
      for object in mine { try stack.context.refresh(object, mergeChanges: true) }
    }
    try stack.context.save()
    let winner: Int64 = policy == .store || policy == .rollback ? 2 : 3
    #expect(try salaries() == [winner, winner, winner, 3, 3, 3, 9] && !stack.context.hasChanges)
    try stack.context.checkInvariants()
  }

  @Test(
    "CTX-119, DGN-191: a disk that is full after conflicts were resolved leaves the store as it was",
    arguments: PolicyCase.settling)
  func fullDisk(_ policy: PolicyCase) throws {
    for isGone in [false, true] {
      let writers = try TwoWriters(TestModels.company(), .context, policy.policy) { context in
        for name in ["a", "b"] { try context.insert("Employee", ["name": name, "salary": 1]) }
      }
      let connection = try writers.stack.connection()
      let mine = try all(writers.mine)
      if isGone {
        try writers.theirs.delete(all(writers.theirs)[0])
      } else {
        try all(writers.theirs)[0].setValue(Int64(2), forKey: "salary")
      }
      try writers.theirs.save()
      let pages = try connection.int64("PRAGMA page_count") ?? 0
      try connection.execute("PRAGMA max_page_count = \(pages + 2)")
      try mine[0].setValue(Int64(3), forKey: "salary")
      try mine[1].setValue(Int64(3), forKey: "salary")
      let new = try writers.mine.insert(
        "Employee", ["name": String(repeating: "x", count: 100_000), "salary": 9])
      for _ in 0..<2 {
        #expect(code { try writers.mine.save() } == .diskFull)
        #expect(new.isInserted && mine[1].isUpdated)
        let stored = try writers.stored().all("Employee", sort: ["name"])
        #expect(try stored.map { try $0.value(forKey: "salary") as? Int64 } == (isGone ? [1] : [2, 1]))
        try writers.mine.checkInvariants()
      }
      try connection.execute("PRAGMA max_page_count = 1000000")
      try writers.mine.save()
      #expect(!writers.mine.hasChanges)
      let stored = try writers.stored().all("Employee", sort: ["name"])
      let winner: Int64? = policy == .store || policy == .rollback ? (isGone ? nil : 2) : 3
      #expect(
        try stored.map { try $0.value(forKey: "salary") as? Int64 }
          == ([winner, 3, 9] as [Int64?]).compactMap { $0 })
      try writers.mine.checkInvariants()
    }
  }

  @Test(
    "CTX-119, CTX-235: uniqueness that was resolved in a save that fails afterwards; nothing is stored, and a rollback clears all",
    arguments: PolicyCase.settling)
  func fullDiskAfterUniqueness(_ policy: PolicyCase) throws {
    var model = TestModels.company()
    for index in model.entities.indices where model.entities[index].name == "Employee" {
      model.entities[index].uniquenessConstraints = [["name"]]
    }
    let writers = try TwoWriters(model, .context, policy.policy) { context in
      try context.insert("Employee", ["name": "a", "salary": 1])
    }
    let connection = try writers.stack.connection()
    let pages = try connection.int64("PRAGMA page_count") ?? 0
    try connection.execute("PRAGMA max_page_count = \(pages + 2)")
    try writers.mine.insert("Employee", ["name": "a", "salary": 2])
    try writers.mine.insert("Employee", ["name": String(repeating: "x", count: 100_000), "salary": 9])
    #expect(code { try writers.mine.save() } == .diskFull)
    #expect(try writers.stored().only("Employee").value(forKey: "salary") as? Int64 == 1)
    try writers.mine.checkInvariants()
    writers.mine.rollback()
    #expect(!writers.mine.hasChanges)
    try writers.mine.checkInvariants()
    try connection.execute("PRAGMA max_page_count = 1000000")
    try writers.mine.save()
    #expect(try writers.mine.all("Employee").map { try $0.value(forKey: "salary") as? Int64 } == [1])
  }

  @Test("CTX-181, STO-131: conflicts of one store are resolved although another store refuses the save")
  func refusedElsewhere() throws {
    let mine = try conflict(.object)
    refusing.refused = .write
    #expect(throws: WatchedStore.Refusal.self) { try stack.context.save() }
    refusing.refused = nil
    // What the policy has resolved stays so: without one, nothing is in the way but the third store's
    // conflict.
    let conflicting = try #require(mine.first { try $0.string("name") == "a0" })
    #expect(conflicting.committedRow?.version == 2)
    try stack.context.save()
    #expect(try salaries() == [3, 3, 3, 3, 3, 3])
  }
}
