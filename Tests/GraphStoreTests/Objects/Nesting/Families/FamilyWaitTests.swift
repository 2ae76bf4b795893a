import Foundation
import Synchronization
import Testing

@testable import GraphStore

/// Eight threads in one family of private-queue contexts, each of which waits upwards at random.
@Suite("Waiting in families of contexts", .serialized)
struct FamilyWaitTests {
  private static let threads = 8
  private static let seconds = 60.0

  /// What may fail where others change the same objects, or observers come in between.
  private static let expected: Set<GraphStoreError.Code> = [
    .mergeConflict, .objectNotFound, .contextBusy, .recursiveSave, .inaccessibleObject, .objectDetached,
    .objectInvalidated, .validation, .multipleValidationErrors, .deleteDenied, .storeTimeout,
  ]

  @Test(
    "CTX-299, CTX-300, CTX-315: threads that nest blocks of children, parents and observers all come to an end",
    arguments: TestSeed.sequence(2))
  func nestings(_ seed: TestSeed) throws {
    let stack = try TestStack(TestModels.company())
    let family = Family(stack)
    let observations = family.observe()
    try stack.context.performAndWait {
      for number in 0..<6 { try stack.context.insert("Employee", ["name": "E\(number)", "salary": number]) }
      try stack.context.save()
    }
    let group = DispatchGroup()
    for thread in 0..<Self.threads {
      let start = Thread { [family] in
        family.run(thread, SeededGenerator(seed: seed.number &* 100 &+ UInt64(thread)))
        group.leave()
      }
      group.enter()
      start.stackSize = 8 << 20
      start.start()
    }
    guard group.wait(timeout: .now() + Self.seconds) == .success else {
      Issue.record("\(seed): threads wait for each other: \(family.positions)")
      return
    }
    observations.cancel()
    let surprises = family.surprises
    #expect(surprises.isEmpty, "\(seed): \(surprises.prefix(3))")
    for context in family.contexts {
      try context.performAndWait {
        context.rollback()
        try context.checkInvariants()
      }
    }
    let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
    #expect(findings.isEmpty, "\(seed): \(findings.prefix(3))")
  }

  private final class Observations: Sendable {
    private let list = Mutex([Held]())

    private struct Held: @unchecked Sendable { let observation: ContextObservation }

    func add(_ observation: ContextObservation) {
      let held = Held(observation: observation)
      list.withLock { $0.append(held) }
    }

    func cancel() { list.withLock { list in list.forEach { $0.observation.cancel() } } }
  }

  /// A root with three children, which have two each.
  private final class Family: Sendable {
    let contexts: [ManagedObjectContext]
    private let state = Mutex((surprises: [String](), positions: [Int: String]()))

    init(_ stack: TestStack) {
      let children = (0..<3).map { _ in ManagedObjectContext(parent: stack.context) }
      contexts =
        [stack.context] + children
        + children.flatMap { child in
          (0..<2).map { _ in ManagedObjectContext(parent: child) }
        }
      for (number, context) in contexts.enumerated() { context.name = "\(number)" }
      stack.context.mergePolicy = .mergeByPropertyObjectTrump
    }

    var surprises: [String] { state.withLock { $0.surprises } }
    var positions: [Int: String] { state.withLock { $0.positions } }

    /// Observers that read and save, in the context, in its parent, and later in a child.
    func observe() -> Observations {
      let observations = Observations()
      for (number, context) in contexts.enumerated() {
        context.performAndWait {
          observations.add(
            context.observe(.objectsDidChange) { [self, unowned context] _ in
              trying { _ = try context.count(for: FetchRequest(entityName: "Employee")) }
              if number % 2 == 0 { trying { try context.save() } }
              if let child = contexts.first(where: { $0.parent === context }) {
                child.enqueue { [self] in trying { _ = try child.all("Employee", "salary > 2") } }
              }
            })
          observations.add(
            context.observe(.didSave) { [self, unowned context] _ in
              guard let parent = context.parent else { return }
              parent.performAndWait { trying { _ = try parent.all("Employee", "salary > 3") } }
              if number % 3 == 0 { parent.performAndWait { trying { try parent.save() } } }
            })
        }
      }
      return observations
    }

    func run(_ thread: Int, _ random: SeededGenerator) {
      var random = random
      for round in 0..<10 {
        state.withLock { $0.positions[thread] = "round \(round)" }
        nest(random.pick(contexts), depth: 3, &random)
      }
      state.withLock { $0.positions[thread] = nil }
    }

    private func nest(_ context: ManagedObjectContext, depth: Int, _ random: inout SeededGenerator) {
      var inner = random
      context.performAndWait {
        trying { try act(in: context, &inner) }
        guard depth > 0 else { return }
        for _ in 0..<Int.random(in: 0...2, using: &inner) {
          // Of what this thread has already, and what is above.
          var next = context
          if inner.chance(60), let parent = context.parent { next = parent }
          nest(next, depth: depth - 1, &inner)
          trying { try act(in: context, &inner) }
        }
        if inner.chance(20) {
          let other = inner.pick(contexts)
          other.enqueue { [self] in trying { try other.save() } }
        }
      }
      random = inner
    }

    private func act(in context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
      let employees = try context.all("Employee")
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<3:
        try context.insert(
          "Employee", ["name": "new", "salary": Int.random(in: 0..<6, using: &random)])
      case 3..<6:
        try employees.randomElement(using: &random)?.setValue(
          Int.random(in: 0..<6, using: &random), forKey: "salary")
      case 6: if employees.count > 4 { try context.delete(random.pick(employees)) }
      case 7:
        guard let one = employees.randomElement(using: &random) else { return }
        try one.setValue(random.pick(employees), forKey: "manager")
      case 8: try context.refreshAllObjects()
      case 9: context.rollback()
      case 10: try context.obtainPermanentIDs(for: context.insertedObjects)
      default: try context.save()
      }
    }

    private func trying(_ body: () throws -> Void) {
      do { try body() } catch let error as GraphStoreError {
        let parts = error.parts.map(\.code) + [error.code]
        if !parts.contains(where: FamilyWaitTests.expected.contains) { record("\(error)") }
      } catch { record("\(error)") }
    }

    private func record(_ surprise: String) { state.withLock { $0.surprises.append(surprise) } }
  }
}
