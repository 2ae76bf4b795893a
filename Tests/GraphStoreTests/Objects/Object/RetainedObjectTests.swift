import Foundation
import Testing

@testable import GraphStore

@Suite("Objects that a context holds", .everyStore)
struct RetainedObjectTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    for number in 0..<3 { _ = try stack.context.insert("Employee", ["name": "E\(number)"]) }
    try stack.context.save()
    stack.context.reset()
  }

  private func fetch() throws -> [ManagedObject] { try context.fetch(FetchRequest(entityName: "Employee")) }

  @Test(
    "FLT-155, CTX-016: unset, unchanged objects go with their last holder; set, all stay; set back, those unchanged go"
  )
  func setting() throws {
    #expect(!context.retainsRegisteredObjects)
    do { _ = try fetch() }
    #expect(context.registeredObjects.isEmpty)
    let first = try fetch()[0]
    context.retainsRegisteredObjects = true
    do {
      _ = try fetch()
      _ = try context.insert("Department", ["name": "New"])
    }
    #expect(context.registeredObjects.count == 4 && context.retainsRegisteredObjects)
    try context.save()
    #expect(context.registeredObjects.count == 4)
    try fetch()[1].setValue("Changed", forKey: "name")
    context.retainsRegisteredObjects = false
    #expect(context.registeredObjects.count == 2)
    #expect(Set(context.registeredObjects).contains(first))
    try context.save()
    #expect(context.registeredObjects.count == 1)
  }

  @Test("FLT-155: what is deleted, or has left by a reset, is held no more, and the context can go")
  func leaving() throws {
    context.retainsRegisteredObjects = true
    weak var gone: ManagedObject?
    do {
      let person = try fetch()[0]
      gone = person
      try context.delete(person)
    }
    try context.save()
    #expect(gone == nil && context.registeredObjects.count == 2)
    weak let left = try fetch()[0]
    #expect(left != nil)
    context.reset()
    #expect(left == nil && context.registeredObjects.isEmpty)
    do { _ = try fetch() }
    #expect(context.registeredObjects.count == 2)
    weak var ended: ManagedObjectContext?
    weak var object: ManagedObject?
    do {
      let other = ManagedObjectContext(coordinator: context.coordinator)
      other.retainsRegisteredObjects = true
      object = try other.fetch(FetchRequest(entityName: "Employee"))[0]
      ended = other
      #expect(object != nil)
    }
    #expect(ended == nil && object == nil)
  }

  @Test("FLT-156: rows that one context holds serve another's faults without a statement")
  func prefetching() throws {
    let helper = stack.newContext()
    helper.retainsRegisteredObjects = true
    do { _ = try helper.fetch(FetchRequest(entityName: "Employee")) }
    let ids = helper.registeredObjects.map(\.objectID)
    #expect(
      try stack.statements {
        for id in ids { try check(context.object(with: id).string("name") != nil) }
      } == 0)
  }
}
