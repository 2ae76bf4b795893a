import Foundation
import Synchronization
import Testing

@testable import GraphStore

/// Collects the events that a coordinator tells.
private final class Collector: Sendable {
  private let collected = Mutex<[TraceEvent]>([])

  func add(_ event: TraceEvent) { collected.withLock { $0.append(event) } }

  /// The events told since the last call.
  func take() -> [TraceEvent] {
    collected.withLock { events in
      defer { events = [] }
      return events
    }
  }

  /// Their lines, with times left out.
  func takeLines() -> [String] {
    take().map { event in
      "\(event)".split(separator: " ").filter { !$0.hasPrefix("total=") && !$0.hasPrefix("sql=") }.joined(
        separator: " ")
    }
  }
}

@Suite("Events of a trace", .everyStore)
struct TraceEventTests {
  private let stack: TestStack
  private let collector = Collector()
  private var context: ManagedObjectContext { stack.context }
  private var coordinator: PersistentStoreCoordinator { stack.context.coordinator }

  init() throws {
    stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "A"])
    for number in 0..<2 {
      _ = try stack.context.insert("Employee", ["name": "E\(number)", "department": department])
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func observe(_ kinds: Set<TraceKind>, backtrace: Bool = false) -> TraceObservation {
    coordinator.observe(kinds, backtrace: backtrace) { [collector] in collector.add($0) }
  }

  private func department() throws -> ManagedObject {
    try context.fetch(FetchRequest(entityName: "Department"))[0]
  }

  @Test("DGN-049: each fetch request is told with its entity, what it was asked for and how much there was")
  func fetches() throws {
    let trace = observe([.fetches])
    let request = FetchRequest(entityName: "Employee")
    _ = try context.fetch(request)
    _ = try context.count(for: request)
    _ = try context.fetchIdentifiers(request)
    try context.enumerateFields(request, keyPaths: ["name"]) { _ in }
    let events = collector.take()
    #expect(events.count == 4)
    for event in events {
      guard case .fetch(_, _, _, let sqlTime) = event.work else { continue }
      #expect(sqlTime <= event.time && event.time > .zero)
      if stack.has(.statements) { #expect(sqlTime > .zero) }
    }
    for event in events { collector.add(event) }
    #expect(
      collector.takeLines() == [
        "fetch entity=Employee objects=2", "fetch entity=Employee kind=count objects=2",
        "fetch entity=Employee kind=ids objects=2", "fetch entity=Employee kind=dictionaries objects=2",
      ])
    trace.cancel()
    _ = try context.fetch(request)
    #expect(collector.take().isEmpty)
  }

  @Test("DGN-050: a save that reaches a store is told with its counts, a failed one with the error's code")
  func saves() throws {
    let trace = observe([.saves])
    defer { trace.cancel() }
    try context.save()
    #expect(collector.takeLines().isEmpty)
    let department = try department()
    try department.setValue("B", forKey: "name")
    _ = try context.insert("Department", ["name": "C"])
    try context.save()
    #expect(collector.takeLines() == ["save inserted=1 updated=1 deleted=0"])
    let other = stack.newContext()
    try other.object(with: department.objectID).setValue("D", forKey: "name")
    try department.setValue("E", forKey: "name")
    try other.save()
    #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(
      collector.takeLines() == [
        "save inserted=0 updated=1 deleted=0", "save inserted=0 updated=1 deleted=0 failed=merge-conflict",
      ])
  }

  @Test("DGN-051, DGN-052, DGN-053: faults and misses of objects and of to-manys")
  func faults() throws {
    let department = try department()
    let id = department.objectID
    do {
      let trace = observe([.faults])
      defer { trace.cancel() }
      _ = try department.string("name")
      #expect(collector.takeLines() == ["fault object=\(id.shortForm) cache=hit"])
      _ = try department.objects(forKey: "employees")
      #expect(
        collector.takeLines() == [
          "fault source=\(id.shortForm) relationship=employees members=2 cache=miss"
        ])
    }
    context.reset()
    let both = observe([.faults, .misses])
    _ = try context.object(with: id).string("name")
    #expect(
      collector.takeLines() == [
        "fault object=\(id.shortForm) cache=miss", "miss object=\(id.shortForm)",
      ])
    both.cancel()
    context.reset()
    let misses = observe([.misses])
    defer { misses.cancel() }
    let again = try context.fetch(FetchRequest(entityName: "Department"))[0]
    _ = try again.string("name")
    #expect(collector.takeLines().isEmpty)
    _ = try again.objects(forKey: "employees")
    #expect(
      collector.takeLines() == ["miss source=\(id.shortForm) relationship=employees members=2"])
  }

  @Test("DGN-056, FLT-175: with a backtrace each event carries the call stack, without one none")
  func backtrace() throws {
    let trace = observe([.fetches], backtrace: true)
    let plain = observe([.fetches])
    _ = try department()
    let events = collector.take()
    #expect(events.count == 2)
    #expect(events.filter { ($0.backtrace?.count ?? 0) > 3 }.count == 1)
    #expect(events.filter { $0.backtrace == nil }.count == 1)
    trace.cancel()
    plain.cancel()
  }

  @Test("DGN-057: an observer may use the context, and what it does is told too")
  func reentrance() throws {
    let context = context
    let depth = Mutex(0)
    let trace = coordinator.observe([.fetches]) { [collector] event in
      collector.add(event)
      guard
        depth.withLock({ depth in
          depth += 1
          return depth == 1
        })
      else { return }
      _ = try? context.count(for: FetchRequest(entityName: "Employee"))
    }
    defer { trace.cancel() }
    _ = try department()
    #expect(
      collector.takeLines() == [
        "fetch entity=Department objects=1", "fetch entity=Employee kind=count objects=2",
      ])
  }

  @Test("The token ends the observation when it is let go of; the name of the context is told")
  func token() throws {
    context.name = "mine"
    do {
      let trace = observe([.fetches])
      _ = try department()
      #expect(collector.take().map(\.contextName) == ["mine"])
      _ = trace
    }
    _ = try department()
    #expect(collector.take().isEmpty)
  }

  @Test("DGN-021: times are seconds with four decimals")
  func timeTexts() {
    let texts = [0.0, 0.00004, 0.00006, 0.0123, 1, 61.99999].map {
      TraceEvent.FieldValue.time(.seconds($0)).text
    }
    #expect(texts == ["0.0000s", "0.0000s", "0.0001s", "0.0123s", "1.0000s", "62.0000s"])
  }

  @Test(
    "DGN-003: a list of kinds is read as it is written; an unknown word is named with those that there are")
  func kinds() throws {
    #expect(try TraceKind.kinds(in: "faults,misses") == [.faults, .misses])
    #expect(try TraceKind.kinds(in: "fetches, saves") == [.fetches, .saves])
    for text in ["save", "", "faults,", "Faults"] {
      #expect { try TraceKind.kinds(in: text) } throws: { error in
        (error as? TraceKind.UnknownKind)?.message.contains("fetches, saves, faults, misses") == true
      }
    }
  }
}
