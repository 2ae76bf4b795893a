import Dispatch
import Testing

@testable import GraphStore

@Suite("Objects on several threads")
struct RegistryThreadTests {
  @Test("FLT-057, FLT-080: contexts that fetch and let go at the same time leave no row behind")
  func contexts() throws {
    let stack = try TestStack(TestModels.company())
    for number in 0..<300 { try stack.context.insert("Employee", ["name": "Employee number \(number)"]) }
    try stack.context.save()
    stack.context.reset()
    let coordinator = stack.coordinator
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<10 {
        let context = ManagedObjectContext(coordinator: coordinator)
        let objects = (try? context.all("Employee")) ?? []
        let names = objects.compactMap { try? $0.string("name") }
        do { try context.checkInvariants() } catch { Issue.record(error) }
        if Set(names).count != 300 { Issue.record("\(names.count) names of \(objects.count) objects") }
      }
    }
    #expect(stack.cachedRows == 0)
  }

  @Test(
    "FLT-057, FLT-058: rows that two contexts let go of in turn are gone for who looks for them, at any moment"
  )
  func releasesInTurn() throws {
    let stack = try TestStack(TestModels.company())
    let count = 200
    for number in 0..<count { try stack.context.insert("Employee", ["name": "Employee number \(number)"]) }
    try stack.context.save()
    stack.context.reset()
    let contexts = (0..<2).map { _ in ManagedObjectContext(confinedToThread: stack.coordinator) }
    var first = try contexts[0].all("Employee")
    var second = try contexts[1].all("Employee")
    var left = count
    while let id = first.last?.objectID {
      first.removeLast()
      second.removeLast()
      left -= 1
      guard left % 5 == 0 else { continue }
      let fault = try stack.context.object(with: id)
      #expect(try stack.statements { _ = try fault.string("name") } == 1)
      #expect(stack.cachedRows == left + 1)
      try contexts[left % 2].checkInvariants()
    }
    #expect(stack.cachedRows == 0)
  }

  @Test("FLT-080: an object let go of on another thread is never handed out again")
  func release() throws {
    let stack = try TestStack(TestModels.company())
    for number in 0..<200 { try stack.context.insert("Employee", ["name": "E\(number)"]) }
    try stack.context.save()
    stack.context.reset()
    let queue = DispatchQueue(label: "release")
    for _ in 0..<20 {
      var objects = try stack.context.all("Employee")
      let kept = objects.removeFirst()
      nonisolated(unsafe) var leaving = objects
      objects = []
      queue.async { leaving.removeAll() }
      let again = try stack.context.all("Employee")
      #expect(again.count == 200 && again[0] === kept)
      #expect(try again[199].string("name") == "E199")
      queue.sync {}
    }
    try stack.context.checkInvariants()
    #expect(stack.context.registeredCount == 0)
    #expect(stack.cachedRows == 0)
  }
}
