import Foundation
import Testing

@testable import GraphStore

/// Conflicts about the ends of one-to-one relationships, and links to what a policy drops.
@Suite(.everyStore)
struct ConflictPartnerTests: ConflictCouples {
  @Test(
    "CTX-199, CTX-200, CTX-210: of two marriages with one of three people, one stands at both ends",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func spouses(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try couples(writer, policy)
    let held = try realize(writers.mine)
    defer { _ = held }
    try employee("A", writers.theirs).setValue(employee("C", writers.theirs), forKey: "spouse")
    try writers.theirs.save()
    try employee("A", writers.mine).setValue(employee("B", writers.mine), forKey: "spouse")
    try writers.mine.save()
    let expected =
      policy == .store || policy == .rollback ? ["AC", "B-", "CA"] : ["AB", "BA", "C-"]
    try expect(expected, in: writers, holding: held)
  }

  @Test(
    "CTX-199, CTX-200, CTX-210: a partner that the other writer has taken is one's at both ends",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func stolenPartner(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try couples(writer, policy)
    let held = try realize(writers.mine)
    defer { _ = held }
    try employee("C", writers.theirs).setValue(employee("B", writers.theirs), forKey: "spouse")
    try writers.theirs.save()
    try employee("A", writers.mine).setValue(employee("B", writers.mine), forKey: "spouse")
    try writers.mine.save()
    let expected =
      policy == .store || policy == .rollback ? ["A-", "BC", "CB"] : ["AB", "BA", "C-"]
    try expect(expected, in: writers, holding: held)
  }

  @Test(
    "CTX-199, CTX-200, CTX-210: a desk that both writers have given away has one owner",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func desk(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    for isFromDesk in [true, false] {
      let writers = try couples(writer, policy)
      let held = try realize(writers.mine)
      defer { _ = held }
      for (context, name) in [(writers.theirs, "A"), (writers.mine, "B")] {
        if isFromDesk {
          try context.only("Desk").setValue(employee(name, context), forKey: "owner")
        } else {
          try employee(name, context).setValue(context.only("Desk"), forKey: "desk")
        }
        try context.save()
      }
      let winner = policy == .store || policy == .rollback ? "A" : "B"
      #expect(!writers.mine.hasChanges)
      _ = try writers.mine.all("Employee")
      for object in held { try writers.mine.refresh(object, mergeChanges: false) }
      for context in [writers.mine, try writers.stored()] {
        #expect(try context.only("Desk").object(forKey: "owner")?.string("name") == winner, "\(isFromDesk)")
        let owners = try context.all("Employee").filter { try $0.object(forKey: "desk") != nil }
        #expect(try owners.map { try $0.string("name") } == [winner], "\(isFromDesk)")
      }
      #expect(!writers.mine.hasChanges)
      try writers.mine.checkInvariants()
    }
  }

  @Test(
    "CTX-205, CTX-206: a record written back whose partner has another one by now leaves one couple at both ends",
    arguments: [PolicyCase.object, .overwrite], OtherWriter.allCases)
  func writtenBackPartner(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try couples(writer, policy)
    let filling = writers.stack.newContext()
    try employee("A", filling).setValue(employee("B", filling), forKey: "spouse")
    try filling.save()
    let held = try realize(writers.mine)
    defer { _ = held }
    let mine = try employee("A", writers.mine)
    try writers.theirs.delete(employee("A", writers.theirs))
    try employee("B", writers.theirs).setValue(employee("C", writers.theirs), forKey: "spouse")
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "salary")
    try writers.mine.save()
    let stored = try pairs(writers.stored())
    // Either marriage may stand; but each is known to both.
    #expect([["AB", "BA", "C-"], ["A-", "BC", "CB"]].contains(stored))
    for object in held where object.managedObjectContext != nil {
      try writers.mine.refresh(object, mergeChanges: false)
    }
    #expect(try pairs(writers.mine) == stored)
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-203, CTX-205: a record written back has the members of many-to-manys that it has in memory",
    arguments: [PolicyCase.object, .overwrite], OtherWriter.allCases)
  func writtenBackMembers(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try couples(writer, policy)
    let filling = writers.stack.newContext()
    try employee("A", filling).addObjects([employee("B", filling)], forKey: "friends")
    try filling.save()
    let held = try realize(writers.mine)
    let mine = try employee("A", writers.mine)
    for object in held where object.entity.name == "Employee" { _ = try object.objects(forKey: "friends") }
    try writers.theirs.delete(employee("A", writers.theirs))
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "salary")
    try mine.addObjects([employee("C", writers.mine)], forKey: "friends")
    try writers.mine.save()
    #expect(try Set(employee("A", writers.stored()).names("friends")) == ["B", "C"])
    let shown = try Set(mine.names("friends"))
    #expect(try Set(employee("A", writers.stored()).names("friends")) == shown)
    #expect(try employee("B", writers.mine).names("friends") == (shown.contains("B") ? ["A"] : []))
    try writers.mine.checkInvariants()
  }

  @Test(
    "CTX-212: an object that a policy has dropped takes the links to it along",
    arguments: OtherWriter.allCases)
  func linksToDropped(_ writer: OtherWriter) throws {
    for policy in [PolicyCase.store, .rollback] {
      let writers = try TwoWriters(TestModels.company(), writer, policy.policy) { context in
        let department = try context.insert("Department", ["name": "Sales"])
        try context.insert("Employee", ["name": "old", "department": department])
      }
      let department = try writers.mine.only("Department")
      let old = try writers.mine.only("Employee")
      _ = try department.objects(forKey: "employees")
      try writers.theirs.delete(writers.theirs.only("Department"))
      try writers.theirs.save()
      let new = try writers.mine.insert("Employee", ["name": "new", "department": department])
      try department.setValue("changed", forKey: "name")
      try writers.mine.save()
      #expect(department.managedObjectContext == nil && !writers.mine.hasChanges, "\(policy)")
      #expect(try new.object(forKey: "department") == nil, "\(policy)")
      _ = try writers.mine.all("Employee")
      try writers.mine.refresh(old, mergeChanges: false)
      #expect(try old.object(forKey: "department") == nil, "\(policy)")
      #expect(try writers.stored().all("Employee", "department != nil").isEmpty, "\(policy)")
      try writers.mine.checkInvariants()
    }
  }
}
