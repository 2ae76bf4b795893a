import Foundation
import Synchronization
import Testing

@testable import GraphStore

@Suite("Staleness of cached rows", .everyStore)
struct StalenessTests {
  /// A clock that is set by hand, in seconds.
  private final class HandClock: Sendable {
    private let seconds = Mutex(1.0)

    func advance(_ more: Double) { seconds.withLock { $0 += more } }
    var nanoseconds: Int64 { seconds.withLock { Int64($0 * 1e9) } }
  }

  private let stack: TestStack
  private let clock = HandClock()
  private let id: ManagedObjectID
  private var context: ManagedObjectContext { stack.context }
  /// What a row that is read again costs in the store that is tested.
  private var one: Int { stack.has(.statements) ? 1 : 0 }

  init() throws {
    stack = try TestStack(TestModels.company())
    let cache = stack.context.coordinator.mounts[0].store.rowCache
    if cache.clock != nil { cache.clock = { [clock] in clock.nanoseconds } }
    let person = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    id = person.objectID
    stack.context.reset()
  }

  /// Statements that a fault costs whose row another context has read before.
  private func cost(after seconds: Double, interval: TimeInterval) throws -> Int {
    let holder = stack.newContext()
    let held = try holder.existingObject(with: id)
    clock.advance(seconds)
    let reader = stack.newContext()
    reader.stalenessInterval = interval
    let fault = try reader.object(with: id)
    let statements = try stack.statements { try check(fault.string("name") == "Ada") }
    withExtendedLifetime(held) {}
    return statements
  }

  @Test(
    "FLT-066, FLT-067, FLT-068, FLT-070, FLT-073, FLT-191, CTX-015: only a positive interval makes a cached row too old"
  )
  func interval() throws {
    #expect(context.stalenessInterval == 0)
    #expect(try cost(after: 1000, interval: 0) == 0)
    #expect(try cost(after: 1000, interval: -1) == 0)
    #expect(try cost(after: 9, interval: 10) == 0)
    #expect(try cost(after: 11, interval: 10) == one)
    #expect(try cost(after: 11, interval: 12) == 0)
  }

  @Test(
    "FLT-068, FLT-071: a row that is too old shows what others have written; in memory there is nothing newer"
  )
  func values() throws {
    guard stack.has(.statements) else { return }
    let held = try context.existingObject(with: id)
    let other = try stack.otherProcess()
    try other.fetch(FetchRequest(entityName: "Employee"))[0].setValue("Eve", forKey: "name")
    try other.save()
    let patient = stack.newContext()
    #expect(try patient.object(with: id).string("name") == "Ada")
    clock.advance(5)
    let strict = stack.newContext()
    strict.stalenessInterval = 4
    #expect(try strict.object(with: id).string("name") == "Eve")
    // The row that was read again is as new for everybody.
    let second = stack.newContext()
    second.stalenessInterval = 4
    #expect(try stack.statements { try check(second.object(with: id).string("name") == "Eve") } == 0)
    #expect(try held.string("name") == "Ada")
  }

  @Test("FLT-069: an object that has its values keeps them, whatever their age; a fault with a row does not")
  func realized() throws {
    context.stalenessInterval = 10
    let person = try context.existingObject(with: id)
    clock.advance(100)
    #expect(try stack.statements { try check(person.string("name") == "Ada") } == 0)
    let again = stack.newContext()
    again.stalenessInterval = 10
    let fault = try again.fetch(FetchRequest(entityName: "Employee"))[0]
    #expect(try stack.statements { try check(fault.string("name") == "Ada") } == 0)
    try again.refresh(fault, mergeChanges: false)
    let fetched = try again.fetch(FetchRequest(entityName: "Employee"))[0]
    clock.advance(11)
    #expect(try stack.statements { try check(fetched.string("name") == "Ada") } == one)
  }

  @Test("FLT-068: a save counts as reading what it writes; faults that are realised together are judged too")
  func written() throws {
    let person = try context.existingObject(with: id)
    clock.advance(100)
    try person.setValue("Bea", forKey: "name")
    try context.save()
    let reader = stack.newContext()
    reader.stalenessInterval = 10
    #expect(try stack.statements { try check(reader.object(with: id).string("name") == "Bea") } == 0)
    clock.advance(11)
    let second = stack.newContext()
    second.stalenessInterval = 10
    let fault = try second.object(with: id)
    #expect(try stack.statements { try second.realizeFaults(in: [fault]) } == one)
    #expect(try stack.statements { try check(fault.string("name") == "Bea") } == 0)
  }

  @Test(
    "FLT-068, FLT-141: what is realised together leaves neither values of a record that is gone, nor a former destination"
  )
  func realizedTogether() throws {
    guard stack.has(.statements) else { return }
    let tools = try context.insert("Department", ["name": "Tools"])
    let sales = try context.insert("Department", ["name": "Sales"])
    let moved = try context.insert("Employee", ["name": "Bob", "department": tools])
    try context.save()
    let reader = stack.newContext()
    reader.stalenessInterval = 10
    var request = FetchRequest(entityName: "Employee")
    request.sortDescriptors = [try QuerySortDescriptor(key: "name")]
    // Prefetching gives faults their destinations.
    request.relationshipKeyPathsForPrefetching = ["department"]
    let people = try reader.fetch(request)
    let (gone, other) = (people[0], people[1])
    #expect(people.count == 2 && people.allSatisfy(\.isFault))
    let writer = try stack.otherProcess()
    let theirs = try writer.all("Employee", sort: ["name"])
    try writer.delete(theirs[0])
    try theirs[1].setValue(try writer.all("Department", "name == 'Sales'")[0], forKey: "department")
    try writer.save()
    clock.advance(11)
    try reader.realizeFaults(in: people)
    #expect(gone.isDeleted && !other.isDeleted)
    #expect(try gone.string("name") == nil)
    #expect(try other.object(forKey: "department")?.objectID == sales.objectID)
    withExtendedLifetime(moved) {}
  }
}
