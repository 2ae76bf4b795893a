import Foundation
import Testing

@testable import GraphStore

/// What requests see of a store beside those that write it.
struct SessionTests {
  private let stack: TestStack
  private let store: any PersistentStore
  private let department: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    store = stack.coordinator.mounts[0].store
    department = try stack.context.insert("Department", ["name": "before"])
    try stack.context.save()
  }

  private struct Stop: Error {}

  private func names(_ context: ManagedObjectContext) throws -> [String?] {
    try context.all("Department", sort: ["name"]).map { try $0.string("name") }
  }

  @Test(
    "CTX-324, STO-267: a fetch goes on while another context's transaction is open, and sees the state before"
  )
  func besideTransaction() throws {
    let reader = stack.newContext()
    try stack.coordinator.transaction(with: stack.context) { _ in
      try department.setValue("after", forKey: "name")
      try stack.context.insert("Department", ["name": "new"])
      try stack.context.save()
      #expect(try names(reader) == ["before"])
      #expect(try reader.count(for: FetchRequest(entityName: "Department")) == 1)
      #expect(try names(stack.context) == ["after", "new"])
    }
    #expect(try names(stack.newContext()) == ["after", "new"])
  }

  @Test("STO-275: what a transaction writes or reads is in the row cache after its commit, never before")
  func overlay() throws {
    let id = department.objectID
    let reader = stack.newContext()
    let seen = try reader.existingObject(with: id)
    try stack.coordinator.transaction(with: stack.context) { transaction in
      try department.setValue("after", forKey: "name")
      try stack.context.save()
      try reader.refresh(seen, mergeChanges: false)
      #expect(try seen.string("name") == "before")
      let partner = stack.newContext()
      try transaction.join(partner)
      #expect(try partner.existingObject(with: id).string("name") == "after")
    }
    try reader.refresh(seen, mergeChanges: false)
    var name: String?
    #expect(try stack.statements { name = try seen.string("name") } == 0)
    #expect(name == "after")
  }

  @Test(
    "CTX-434: a transaction that is taken back leaves nothing in any context that took part, nor in the cache"
  )
  func takenBack() throws {
    let partner = stack.newContext()
    var seen: ManagedObject?
    try? stack.coordinator.transaction(with: stack.context, partner) { _ in
      try department.setValue("unsaved", forKey: "name")
      try stack.context.save()
      seen = try partner.all("Department")[0]
      #expect(try seen?.string("name") == "unsaved")
      throw Stop()
    }
    #expect(try seen?.string("name") == "before")
    #expect(try names(stack.newContext()) == ["before"])
  }

  @Test("A part of a transaction that is taken back alone is read anew within it")
  func savepoint() throws {
    try stack.coordinator.transaction(with: stack.context) { transaction in
      let id = department.objectID
      try? transaction.savepoint {
        try department.setValue("inner", forKey: "name")
        try stack.context.save()
        throw Stop()
      }
      let object = try stack.context.existingObject(with: id)
      #expect(try object.string("name") == "before")
    }
  }

  @Test("STO-272: all statements of a request see one state")
  func snapshot() throws {
    let request = StoreRequest(entityName: "Department", .count)
    try store.read(.severalStatements) { session in
      let plan = try session.plan(request)
      #expect(try plan.count() == 1)
      try stack.context.insert("Department", ["name": "new"])
      try stack.context.save()
      #expect(try plan.count() == 1)
    }
    #expect(try store.read { try $0.plan(request).count() } == 2)
  }

  @Test(
    "CTX-324: a snapshot that a save has overtaken puts no old row into the row cache, and no deleted one")
  func overtaken() throws {
    let layout = department.layout
    let key = department.key
    let session = try store.beginReading(.severalStatements)
    defer { session.endReading() }
    let old = try #require(try session.row(layout, key))
    try department.setValue("after", forKey: "name")
    try stack.context.save()
    store.rowCache.put(old, key: key, holders: 0, from: session.origin)
    let kept = try #require(store.rowCache.row(layout.rootIndex, key, in: .committed))
    #expect(kept.version == old.version + 1)
    try stack.context.delete(department)
    try stack.context.save()
    store.rowCache.put(old, key: key, holders: 1, from: session.origin)
    #expect(store.rowCache.row(layout.rootIndex, key, in: .committed) == nil)
  }

  @Test("REL-247: a commit forgets the rows whose references it has emptied, whoever has read them before")
  func cleared() throws {
    let layout = department.layout
    let row = try #require(try store.read { try $0.row(layout, department.key) })
    store.rowCache.put(row, key: department.key, holders: 1, from: .commit)
    let company = try #require(layout.entity.relationships.first)
    var record = CommitRecord(request: SaveRequest())
    record.cleared = [CommitRecord.ClearedReferences(reference: company, keys: [department.key])]
    store.rowCache.recordCommit(record)
    #expect(store.rowCache.row(layout.rootIndex, department.key, in: .committed) == nil)
  }

  @Test(
    "CTX-324: a record read by its key before a commit is not put into the row cache after it, held or not")
  func overtakenRecord() throws {
    let layout = department.layout
    let key = department.key
    let (old, origin) = try store.read(.oneRecord) { (try #require(try $0.row(layout, key)), $0.origin) }
    store.rowCache.put(old, key: key, holders: 0, from: origin)
    #expect(store.rowCache.row(layout.rootIndex, key, in: .committed)?.block === old.block)
    try stack.context.delete(department)
    try stack.context.save()
    store.rowCache.put(old, key: key, holders: 1, from: origin)
    #expect(store.rowCache.row(layout.rootIndex, key, in: .committed) == nil)
  }

  @Test("STO-036, FLT-134: once a store is closed no request begins, and the one in progress ends")
  func closing() throws {
    let request = StoreRequest(entityName: "Department", .count)
    try store.read { session in
      stack.coordinator.close()
      let count = try session.plan(request).count()
      #expect(count == 1)
    }
    #expect { try store.read { try $0.plan(request).count() } } throws: {
      GraphStoreError.code(.noStore) ~= $0
    }
    #expect { try names(stack.newContext()) } throws: { GraphStoreError.code(.noStore) ~= $0 }
  }

  @Test("PRD-029: a predicate of 200 levels is evaluated inside a transaction")
  func deepPredicate() throws {
    let text =
      String(repeating: "NOT (", count: 200) + "name == 'before'" + String(repeating: ")", count: 200)
    try stack.coordinator.transaction(with: stack.context) { _ in
      let found = try stack.context.all("Department", text)
      #expect(found.count == 1)
    }
  }

  @Test("Objects of the program's own classes are made when nothing is being read any more")
  func classes() throws {
    final class Reading: ManagedObject {
      nonisolated(unsafe) static var counts: [Int] = []

      required init(_ origin: Origin) {
        super.init(origin)
        guard let context = managedObjectContext else { return }
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let count = try? other.count(for: FetchRequest(entityName: "Employee"))
        Self.counts.append(count ?? -1)
      }
    }
    var model = TestModels.company()
    let place = try #require(model.entities.firstIndex { $0.name == "Employee" })
    model.entities[place].className = "Reading"
    let stack = try TestStack(model, classes: ["Reading": Reading.self])
    for number in 0..<10 { try stack.context.insert("Employee", ["name": "\(number)"]) }
    try stack.context.save()
    Reading.counts = []
    let pool = try #require(stack.pool)
    #expect(try stack.newContext().all("Employee").count == 10)
    #expect(Reading.counts == [Int](repeating: 10, count: 10))
    #expect(pool.connectionCount == 1)
  }
}
