import Foundation
import Testing

@testable import GraphStore

/// What policies, hooks, observers and undo make of conflicts.
@Suite(.everyStore)
struct ConflictPolicyTests: ConflictCouples {
  // MARK: Failing after a policy

  @Test(
    "CTX-119, CTX-120: when validation fails after a record was written back, a rollback leaves the context clean",
    arguments: OtherWriter.allCases)
  func failedWriteBack(_ writer: OtherWriter) throws {
    let model = TestModels.company(employees: .cascade, isDepartmentOptional: false)
    let writers = try TwoWriters(model, writer, .overwrite) { context in
      let department = try context.insert("Department", ["name": "Sales"])
      try context.insert("Employee", ["name": "Ada", "salary": 1, "department": department])
    }
    let mine = try writers.mine.only("Employee")
    try writers.theirs.delete(writers.theirs.only("Department"))
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "salary")
    for _ in 0..<2 {
      #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .validation)
      #expect(try mine.value(forKey: "salary") as? Int64 == 5 && writers.mine.hasChanges)
      try writers.mine.checkInvariants()
    }
    writers.mine.rollback()
    #expect(!writers.mine.hasChanges)
    try writers.mine.checkInvariants()
    try writers.mine.insert("Department", ["name": "again"])
    try writers.mine.save()
    #expect(try writers.stored().all("Employee").isEmpty)
  }

  @Test(
    "CTX-119: a save that fails after conflicts were resolved can be repaired and made again",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func repaired(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let model = ModelDefinition(
      name: "Ranges",
      entities: [
        EntityDefinition(
          "Item", className: "Range",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("low", .int64, defaultValue: 0),
            AttributeDefinition("high", .int64, defaultValue: 0),
          ])
      ])
    final class Range: ManagedObject {
      override func validateForUpdate() throws {
        try super.validateForUpdate()
        let ends = try ["low", "high"].map { try queryValue(forKey: $0).number }
        guard ends[0] > ends[1] else { return }
        throw GraphStoreError(.validation, "low is above high", remedy: "Lower it.", number: 1550)
      }
    }
    let writers = try TwoWriters(model, writer, policy.policy, classes: ["Range": Range.self]) {
      try $0.insert("Item", ["name": "one", "low": 5, "high": 10])
    }
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try theirs.setValue(Int64(6), forKey: "high")
    try writers.theirs.save()
    try mine.setValue(Int64(8), forKey: "low")
    let isMerged = policy == .store || policy == .object
    if isMerged {
      #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .validation)
      #expect(try writers.stored().only("Item").value(forKey: "low") as? Int64 == 5)
      #expect(try mine.value(forKey: "low") as? Int64 == 8 && mine.changedKeys.contains("low"))
      try mine.setValue(Int64(6), forKey: "low")
    }
    try writers.mine.save()
    #expect(!writers.mine.hasChanges)
    let stored = try writers.stored().only("Item")
    let expected: [Int64] = isMerged ? [6, 6] : policy == .overwrite ? [8, 10] : [5, 6]
    #expect(
      try [stored.value(forKey: "low") as! Int64, stored.value(forKey: "high") as! Int64] == expected)
  }

  // MARK: Undo

  @Test(
    "CTX-153, CTX-159, CTX-213: undo and redo across resolved conflicts leave a context that can be saved",
    arguments: [PolicyCase.rollback], OtherWriter.allCases)
  func undo(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    enum Theirs: CaseIterable { case change, delete, relink }
    enum Mine: CaseIterable { case change, delete, relink, insert }
    for theirs in Theirs.allCases {
      for own in Mine.allCases {
        let writers = try couples(writer, policy)
        let held = try realize(writers.mine)
        defer { _ = held }
        let manager = GraphUndoManager()
        try writers.mine.setUndoManager(manager)
        let (a, mine) = (try employee("A", writers.theirs), try employee("A", writers.mine))
        switch theirs {
        case .change: try a.setValue(Int64(7), forKey: "salary")
        case .delete: try writers.theirs.delete(a)
        case .relink: try a.setValue(employee("C", writers.theirs), forKey: "spouse")
        }
        try writers.theirs.save()
        switch own {
        case .change: try mine.setValue(Int64(5), forKey: "salary")
        case .delete: try writers.mine.delete(mine)
        case .relink: try mine.setValue(employee("B", writers.mine), forKey: "spouse")
        case .insert:
          try writers.mine.insert("Employee", ["name": "N", "spouse": mine])
          try mine.setValue(Int64(5), forKey: "salary")
        }
        try writers.mine.processPendingChanges()
        let comment: Comment = "\(theirs), \(own)"
        try writers.mine.save()
        try writers.mine.checkInvariants()
        for _ in 0..<2 {
          _ = try writers.mine.undo()
          try writers.mine.checkInvariants()
          try writers.mine.save()
          #expect(!writers.mine.hasChanges, comment)
          _ = try writers.mine.redo()
          try writers.mine.checkInvariants()
          try writers.mine.save()
          #expect(!writers.mine.hasChanges, comment)
        }
        let stored = try pairs(writers.stored())
        #expect(stored == (try pairs(writers.mine)), comment)
        for couple in stored where !couple.hasSuffix("-") {
          #expect(stored.contains(String(couple.reversed())), comment)
        }
      }
    }
  }

  @Test(
    "CTX-159: undo past a resolved conflict leads to what others have saved, and not to what nobody has",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func undoneConflict(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(), writer, policy.policy) { context in
      let departments = try ["A", "B", "C"].map { try context.insert("Department", ["name": $0]) }
      try context.insert("Employee", ["name": "Ada", "salary": 1, "department": departments[0]])
    }
    let (mine, theirs) = (try writers.mine.only("Employee"), try writers.theirs.only("Employee"))
    let manager = GraphUndoManager()
    try writers.mine.setUndoManager(manager)
    for salary in [7, 8] {
      try mine.setValue(Int64(salary), forKey: "salary")
      if policy == .store {
        let other = try writers.mine.all("Department", "name == 'B'")
        try mine.setValue(other[0], forKey: "department")
      }
      try writers.mine.processPendingChanges()
    }
    let third = try writers.theirs.all("Department", "name == 'C'")[0]
    for (key, value) in [("salary", Int64(9)), ("name", "Eve"), ("department", third)] as [(String, Any)] {
      try theirs.setValue(value, forKey: key)
    }
    try writers.theirs.save()
    try writers.mine.save()
    var salaries = [try mine.value(forKey: "salary") as? Int64]
    while manager.canUndo {
      try writers.mine.undo()
      salaries.append(try mine.value(forKey: "salary") as? Int64)
    }
    #expect(salaries == (policy == .store || policy == .rollback ? [9] : [8, 7, 9]))
    try writers.mine.save()
    let stored = try writers.stored().only("Employee")
    #expect(try stored.value(forKey: "salary") as? Int64 == 9 && stored.string("name") == "Eve")
    if policy == .store { #expect(try stored.object(forKey: "department")?.string("name") == "C") }
    try writers.mine.checkInvariants()
  }

  // MARK: Observers and hooks

  @Test("CTX-059, CTX-100, CTX-211: what an observer changes during a policy's round is validated and saved")
  func observers() throws {
    let writers = try couples(.context, .object)
    let held = try realize(writers.mine)
    defer { _ = held }
    let (a, b) = (try employee("A", writers.mine), try employee("B", writers.mine))
    try employee("A", writers.theirs).setValue("A2", forKey: "name")
    try writers.theirs.save()
    try a.setValue(Int64(5), forKey: "salary")
    try writers.mine.processPendingChanges()
    var refusals = 0
    let token = writers.mine.observe(.objectsDidChange) { change in
      guard change.refreshed.contains(a) else { return }
      try? b.setValue(Int64(77), forKey: "salary")
      do { try writers.mine.save() } catch {
        if (error as? GraphStoreError)?.code == .recursiveSave { refusals += 1 }
      }
    }
    var willSaves = 0
    let other = writers.mine.observe(.willSave) { _ in willSaves += 1 }
    try writers.mine.save()
    token.cancel()
    other.cancel()
    #expect(willSaves == 1 && refusals == 1 && !writers.mine.hasChanges)
    #expect(try employee("B", writers.stored()).value(forKey: "salary") as? Int64 == 77)
  }

  final class Stamped: ManagedObject {
    override func willSave() {
      super.willSave()
      guard !isDeleted, let name = try? string("name"), (try? string("stamp")) != "of \(name)" else { return }
      try? setValue("of \(name)", forKey: "stamp")
    }

    override func awakeFromFetch() {
      super.awakeFromFetch()
      try? setValue("woken", forKey: "note")
    }
  }

  @Test(
    "CTX-037, CTX-092, CTX-100: hooks that set values work in the rounds of a policy",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func hooks(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let model = ModelDefinition(
      name: "Hooks",
      entities: [
        EntityDefinition(
          "Item", className: "Stamped",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("stamp", .string),
            AttributeDefinition("size", .int64), AttributeDefinition("note", .string, isTransient: true),
          ])
      ])
    let writers = try TwoWriters(model, writer, policy.policy, classes: ["Stamped": Stamped.self]) {
      try $0.insert("Item", ["name": "one", "size": 1])
    }
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try theirs.setValue("theirs", forKey: "name")
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "size")
    try writers.mine.save()
    #expect(!writers.mine.hasChanges)
    let stored = try writers.stored().only("Item")
    let name = try stored.string("name")
    #expect(name == (policy == .overwrite ? "one" : "theirs"))
    // The other process of the test knows no class.
    if policy != .rollback { #expect(try stored.string("stamp") == "of \(name ?? "")") }
    #expect(try stored.value(forKey: "size") as? Int64 == (policy == .rollback ? 1 : 5))
    try writers.mine.checkInvariants()
  }

  // MARK: Policies that do other things

  final class Acting: MergePolicy, @unchecked Sendable {
    let action: @Sendable (ManagedObjectContext, ManagedObject) throws -> Void

    init(
      _ type: MergePolicyType,
      _ action: @escaping @Sendable (ManagedObjectContext, ManagedObject) throws -> Void
    ) {
      self.action = action
      super.init(merge: type)
    }

    override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
      for conflict in conflicts {
        try action(try #require(conflict.sourceObject.managedObjectContext), conflict.sourceObject)
      }
    }
  }

  private func acting(
    _ writer: OtherWriter, _ action: @escaping @Sendable (ManagedObjectContext, ManagedObject) throws -> Void
  ) throws -> (TwoWriters, ManagedObject, [ManagedObject]) {
    let writers = try couples(writer, .error)
    writers.mine.mergePolicy = Acting(.overwrite, action)
    let held = try realize(writers.mine)
    try employee("A", writers.theirs).setValue(Int64(7), forKey: "salary")
    try writers.theirs.save()
    let mine = try employee("A", writers.mine)
    try mine.setValue(Int64(5), forKey: "salary")
    try employee("B", writers.mine).setValue(Int64(6), forKey: "salary")
    return (writers, mine, held)
  }

  @Test("CTX-218, CTX-220: a policy may delete the object", arguments: OtherWriter.allCases)
  func deletingPolicy(_ writer: OtherWriter) throws {
    let (writers, mine, held) = try acting(writer) { context, object in
      try context.refresh(object, mergeChanges: true)
      try context.delete(object)
    }
    defer { _ = held }
    try writers.mine.save()
    #expect(mine.managedObjectContext == nil && !writers.mine.hasChanges)
    #expect(try writers.stored().all("Employee").count == 2)
    #expect(try employee("B", writers.stored()).value(forKey: "salary") as? Int64 == 6)
  }

  @Test(
    "CTX-143: a rollback or a reset by a policy does nothing and fails the save", arguments: [true, false])
  func busyPolicy(_ resets: Bool) throws {
    let (writers, mine, held) = try acting(.context) { context, object in
      if resets { context.reset() } else { context.rollback() }
      try context.refresh(object, mergeChanges: true)
    }
    defer { _ = held }
    let error = try #require(throws: GraphStoreError.self) { try writers.mine.save() }
    #expect(error.code == .contextBusy)
    #expect(mine.isUpdated && mine.managedObjectContext === writers.mine)
    #expect(try employee("A", writers.stored()).value(forKey: "salary") as? Int64 == 7)
    try writers.mine.checkInvariants()
    writers.mine.mergePolicy = .mergeByPropertyObjectTrump
    try writers.mine.save()
    #expect(try employee("A", writers.stored()).value(forKey: "salary") as? Int64 == 5)
  }

  @Test("CTX-218: a policy may insert objects and fetch, which are part of the save")
  func insertingPolicy() throws {
    let (writers, _, held) = try acting(.process) { context, object in
      try context.refresh(object, mergeChanges: true)
      let all = try context.all("Employee")
      try context.insert("Employee", ["name": "N\(all.count)", "manager": object])
    }
    defer { _ = held }
    try writers.mine.save()
    #expect(try employee("N3", writers.stored()).object(forKey: "manager")?.string("name") == "A")
    #expect(!writers.mine.hasChanges)
  }

  // MARK: Many

  @Test(
    "CTX-181: a thousand conflicts are resolved at once", arguments: PolicyCase.settling, OtherWriter.allCases
  )
  func thousand(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(), writer, policy.policy) { context in
      for number in 0..<1000 { try context.insert("Employee", ["name": "e\(number)", "salary": 1]) }
    }
    let mine = try writers.mine.all("Employee", sort: ["name"])
    for object in mine { _ = try object.string("name") }
    for (number, object) in try writers.theirs.all("Employee", sort: ["name"]).enumerated() {
      if number.isMultiple(of: 3) {
        try writers.theirs.delete(object)
      } else {
        try object.setValue(Int64(2), forKey: "salary")
      }
    }
    try writers.theirs.save()
    for (number, object) in mine.enumerated() {
      if number.isMultiple(of: 5) {
        try writers.mine.delete(object)
      } else {
        try object.setValue(Int64(3), forKey: "salary")
      }
    }
    let start = ContinuousClock.now
    try writers.mine.save()
    let time = ContinuousClock.now - start
    #expect(time < .seconds(5), "\(time)")
    let stored = try writers.stored().all("Employee")
    let winner: Int64 = policy == .store || policy == .rollback ? 2 : 3
    #expect(try stored.allSatisfy { try $0.value(forKey: "salary") as? Int64 == winner })
    let gone = (0..<1000).count { number in
      switch policy {
      case .store, .rollback, .error: number.isMultiple(of: 3)
      case .object, .overwrite: number.isMultiple(of: 5)
      }
    }
    #expect(stored.count == 1000 - gone)
    #expect(!writers.mine.hasChanges)
  }
}
