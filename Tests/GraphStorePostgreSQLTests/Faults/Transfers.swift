#if PostgreSQL
import Foundation
import GraphStorePredicates
import Synchronization

@testable import GraphStore
@testable import GraphStorePostgreSQL

/// A writer of its own, as a process is one, that moves sums between employees, links, deletes and inserts at
/// random; each of its changes leaves a project of its own name.
struct TransferWriter {
  let number: Int
  let address: String
  let options: StoreOptions
  /// Says what has become of a change; false ends the work.
  let isGoingOn: @Sendable (_ name: String, Outcome) -> Bool

  enum Outcome {
    case done
    case notDone
    /// Nobody can say.
    case unknown
  }

  static let employees = 24
  static let departments = 4
  static let sum = Int64(employees * 100)

  /// Makes what the writers work on.
  static func prepare(_ context: ManagedObjectContext) throws {
    for number in 0..<departments {
      try context.insert(entityNamed: "Department").setValue("d\(number)", forKey: "name")
    }
    for number in 0..<employees {
      let employee = try context.insert(entityNamed: "Employee")
      try employee.setValue("e\(number)", forKey: "name")
      try employee.setValue(Int64(100), forKey: "count")
    }
    try context.save()
  }

  /// Makes changes until it has made so many, or is to stop.
  func run(changes: Int) {
    var random = SeededGenerator(seed: UInt64(number) + 1)
    let coordinator = PersistentStoreCoordinator(model: StaffModel.model)
    defer { coordinator.close() }
    for change in 0..<changes {
      var attempt = 0
      while true {
        attempt += 1
        let name = "\(number).\(change).\(attempt)"
        let outcome = attemptChange(name, coordinator, &random)
        guard isGoingOn(name, outcome) else { return }
        if outcome != .notDone || attempt > 200 { break }
      }
    }
  }

  private func attemptChange(
    _ name: String, _ coordinator: PersistentStoreCoordinator, _ random: inout SeededGenerator
  ) -> Outcome {
    do {
      if coordinator.persistentStores.isEmpty { try coordinator.addStore(at: address, options: options) }
      let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
      var generator = random
      defer { random = generator }
      try context.performAndWait {
        try change(in: context, &generator)
        try context.insert(entityNamed: "Project").setValue(name, forKey: "title")
        try context.save()
      }
      return .done
    } catch GraphStoreError.code(.commitUnknown) {
      return .unknown
    } catch {
      return .notDone
    }
  }

  private func change(in context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
    // What other writers have made of them, and not what an earlier change has read.
    try context.refreshAllObjects()
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.returnsObjectsAsFaults = false
    request.shouldRefreshRefetchedObjects = true
    let employees = try context.fetch(request).shuffled(using: &random)
    let departments = try context.fetch(FetchRequest<ManagedObject>(entityName: "Department"))
    guard employees.count > 1 else { return }
    func count(_ employee: ManagedObject) throws -> Int64 {
      try employee.value(forKey: "count") as? Int64 ?? 0
    }
    func add(_ amount: Int64, to employee: ManagedObject) throws {
      try employee.setValue(try count(employee) + amount, forKey: "count")
    }
    switch Int.random(in: 0..<7, using: &random) {
    case 0...2:
      let amount = Int64.random(in: 1...20, using: &random)
      try add(-amount, to: employees[0])
      try add(amount, to: employees[1])
    case 3: try employees[0].setValue(departments.randomElement(using: &random), forKey: "department")
    case 4:
      // That two delete one object is no conflict, so that only what has no sum is deleted.
      if let empty = try employees.first(where: { try count($0) == 0 }) {
        try context.delete(empty)
      } else {
        try add(try count(employees[0]), to: employees[1])
        try employees[0].setValue(Int64(0), forKey: "count")
      }
    case 5:
      let new = try context.insert(entityNamed: "Employee")
      try new.setValue(Int64(0), forKey: "count")
      try new.setValue(departments.randomElement(using: &random), forKey: "department")
    default:
      guard let department = departments.randomElement(using: &random), departments.count > 1 else { return }
      try context.delete(department)
      let new = try context.insert(entityNamed: "Department")
      try new.setValue("n\(UInt64.random(in: 0...UInt64.max, using: &random))", forKey: "name")
    }
  }
}

/// What has become of the changes of several writers.
final class TransferLog: Sendable {
  private struct State {
    var done: Set<String> = []
    var notDone: Set<String> = []
    var unknown: Set<String> = []
  }

  private let state = Mutex(State())

  func note(_ name: String, _ outcome: TransferWriter.Outcome) {
    state.withLock { state in
      switch outcome {
      case .done: _ = state.done.insert(name)
      case .notDone: _ = state.notDone.insert(name)
      case .unknown: _ = state.unknown.insert(name)
      }
    }
  }

  var doneCount: Int { state.withLock(\.done.count) }
  var failureCount: Int { state.withLock { $0.notDone.count + $0.unknown.count } }

  /// What contradicts the names that the store has.
  func contradictions(_ stored: Set<String>) -> [String] {
    state.withLock { state in
      state.done.subtracting(stored).map { "\($0) was done, and is not there" }
        + state.notDone.intersection(stored).map { "\($0) was not done, and is there" }
        + stored.subtracting(state.done).subtracting(state.unknown).map { "nobody has made \($0)" }
    }
  }

  /// What is wrong with a store after the writers.
  func findings(_ stores: TestStores, _ address: String) throws -> [String] {
    let coordinator = PersistentStoreCoordinator(model: StaffModel.model)
    try coordinator.addStore(at: address, options: TestStores.options)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    var (sum, titles): (Int64, Set<String>) = (0, [])
    try context.performAndWait {
      for employee in try context.fetch(FetchRequest<ManagedObject>(entityName: "Employee")) {
        sum += try employee.value(forKey: "count") as? Int64 ?? 0
      }
      for project in try context.fetch(FetchRequest<ManagedObject>(entityName: "Project")) {
        titles.insert(try project.value(forKey: "title") as? String ?? "")
      }
    }
    var wrong = contradictions(titles)
    if sum != TransferWriter.sum { wrong.append("the sum is \(sum)") }
    let damage = try StoreCheck.run(path: address).flatMap(\.findings)
    return wrong + damage.map { "\($0.name) \($0.subject): \($0.message)" }
  }
}
#endif
