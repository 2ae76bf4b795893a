import Foundation
import GraphStore
import Testing

/// Several threads that delete, add and move, each in a context of its own.
@Suite("Concurrent deletions", .serialized)
struct ConcurrentDeletionTests {
  private static let threads = 4
  private static let seconds = 1.5

  /// What saves that lose a race may fail with.
  private static let expected: Set<GraphStoreError.Code> = [
    .mergeConflict, .deleteDenied, .objectNotFound, .storeTimeout, .validation, .multipleValidationErrors,
    .inaccessibleObject, .objectDetached,
  ]

  private struct Tally: Sendable {
    var saved = 0
    var failed = 0
    var surprises: [String] = []
  }

  @Test(
    "REL-247: whatever the threads do to each other, no reference dangles",
    arguments: [DeleteRule.cascade, .nullify, .deny], [false, true])
  func noDanglingReference(_ rule: DeleteRule, _ hasOwnCoordinators: Bool) throws {
    let stack = try TestStack(TestModels.company(employees: rule))
    for number in 0..<6 { try stack.context.insert("Department", ["name": "D\(number)"]) }
    for number in 0..<6 { try stack.context.insert("Project", ["name": "P\(number)"]) }
    try stack.context.save()
    let tallies = Tallies()
    let (path, shared) = (stack.path, stack.coordinator)
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      do {
        let coordinator = hasOwnCoordinators ? try PersistentStoreCoordinator.open(storeAt: path) : shared
        let context = ManagedObjectContext(coordinator: coordinator)
        tallies.add(Self.run(context, seed: UInt64(thread)))
        if hasOwnCoordinators { coordinator.close() }
      } catch {
        tallies.add(Tally(surprises: ["\(error)"]))
      }
    }
    let total = tallies.total
    #expect(total.surprises.isEmpty, "\(total.surprises.prefix(3))")
    #expect(total.saved > Self.threads * 3)
    let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
    #expect(findings.isEmpty, "\(findings.prefix(3)) after \(total.saved) saves, \(total.failed) failures")
  }

  private final class Tallies: @unchecked Sendable {
    private let lock = NSLock()
    private var sum = Tally()

    func add(_ tally: Tally) {
      lock.withLock {
        sum.saved += tally.saved
        sum.failed += tally.failed
        sum.surprises += tally.surprises
      }
    }

    var total: Tally { lock.withLock { sum } }
  }

  private static func run(_ context: ManagedObjectContext, seed: UInt64) -> Tally {
    var random = SeededGenerator(seed: seed)
    var tally = Tally()
    var held: [ManagedObject] = []
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      do {
        try step(context, &random, &held)
        try context.save()
        tally.saved += 1
      } catch let error as GraphStoreError {
        tally.failed += 1
        if !expected.contains(error.code) { tally.surprises.append("\(error)") }
        held = []
        Bool.random(using: &random) ? context.reset() : context.rollback()
      } catch {
        tally.surprises.append("\(error)")
      }
    }
    return tally
  }

  private static func step(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator, _ held: inout [ManagedObject]
  ) throws {
    let departments = try context.all("Department")
    guard let department = departments.randomElement(using: &random) else {
      try context.insert("Department", ["name": "again"])
      return
    }
    held.append(department)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      for number in 0...Int.random(in: 0..<3, using: &random) {
        let employee = try context.insert("Employee", ["name": "E\(number)", "department": department])
        if let project = try context.all("Project").randomElement(using: &random) {
          try employee.addObjects([project], forKey: "projects")
        }
      }
    case 4..<6:
      guard let employee = try context.all("Employee").randomElement(using: &random) else { return }
      try employee.setValue(department, forKey: "department")
      held.append(employee)
    case 6..<8: held += try department.objects(forKey: "employees")
    default:
      try context.delete(department)
      if Bool.random(using: &random) { try context.processPendingChanges() }
      try context.insert("Department", ["name": "new"])
    }
    if held.count > 60 { held.removeFirst(30) }
  }
}
