import GraphStoreSQLite
import Synchronization

/// Counts of the work of a coordinator's contexts and stores, since it was made or the counters were reset.
///
/// ```swift
/// coordinator.resetCounters()
/// for employee in try context.fetch(Employee.fetchRequest()) { print(employee.department?.name ?? "-") }
/// print(coordinator.counters.fetches, coordinator.counters.objectMisses)
/// ```
public struct ActivityCounters: Hashable, Sendable {
  /// Fetch requests of one entity.
  public struct Fetches: Hashable, Sendable {
    /// Their number, including counts and requests for identifiers.
    public var count = 0
    /// The objects that they gave, or counted.
    public var objects = 0
    /// How long they took, as far as times were measured (``PersistentStoreCoordinator/measuresTime``).
    public var time = Duration.zero

    mutating func add(_ other: Self, times factor: Int) {
      count += factor * other.count
      objects += factor * other.objects
      time += other.time * factor
    }
  }

  /// Fetch requests by the name of the entity that they ask for; objects of its sub-entities count there.
  public var fetchesByEntity: [String: Fetches] = [:]
  /// Fetch requests, counts and requests for identifiers among them.
  public var fetches: Int { allFetches.count }
  /// The objects that they gave, or counted.
  public var fetchedObjects: Int { allFetches.objects }
  /// How long they took, as far as times were measured (``PersistentStoreCoordinator/measuresTime``).
  public var fetchTime: Duration { allFetches.time }
  /// Saves that have reached a store, those that failed there too.
  public var saves = 0
  /// How long they took, as far as times were measured.
  public var saveTime = Duration.zero
  /// Faults of objects that have got their values on being used; objects that a fetch has realised count as
  /// none.
  public var objectFaults = 0
  /// To-manys whose members were first asked for.
  public var relationshipFaults = 0
  /// Faults of objects whose rows the row cache did not have.
  public var objectMisses = 0
  /// Faults of to-manys for which a store was asked. The row cache has no members, so that it is all of them.
  public var relationshipMisses = 0
  /// Steps of key paths that fetches have prefetched.
  public var prefetches = 0
  /// Statements that have begun to run, by kind.
  public var statements = StatementCounts()

  private var allFetches: Fetches {
    fetchesByEntity.values.reduce(into: Fetches()) { $0.add($1, times: 1) }
  }

  /// Adds what another context has done.
  static func += (left: inout Self, right: Self) { left.add(right, times: 1) }

  /// The difference of two counts.
  static func - (left: Self, right: Self) -> Self {
    var difference = left
    difference.add(right, times: -1)
    return difference
  }

  private mutating func add(_ other: Self, times factor: Int) {
    for (entity, fetches) in other.fetchesByEntity {
      var sum = fetchesByEntity[entity] ?? Fetches()
      sum.add(fetches, times: factor)
      fetchesByEntity[entity] = sum == Fetches() ? nil : sum
    }
    saves += factor * other.saves
    saveTime += other.saveTime * factor
    objectFaults += factor * other.objectFaults
    relationshipFaults += factor * other.relationshipFaults
    objectMisses += factor * other.objectMisses
    relationshipMisses += factor * other.relationshipMisses
    prefetches += factor * other.prefetches
    statements.add(other.statements, times: factor)
  }
}

/// The times of a request: since when it runs, and how much of that in statements.
struct RequestClock {
  private let start = ContinuousClock.now
  private let statementTime = StatementClock.time

  /// How long the request has taken so far.
  var time: Duration { ContinuousClock.now - start }
  /// How long its statements have, on this thread; never longer than all.
  func sqlTime(within time: Duration) -> Duration { min(time, StatementClock.time - statementTime) }
}

/// The counters of one context: its queue alone writes them, other threads read them.
///
/// They are plain words, so that a fault that fires from the row cache pays an addition for being counted
/// (DGN-059); but for fetches, each of which takes an uncontended lock.
final class ContextActivity: Sendable {
  private let fetches = Mutex<[String: ActivityCounters.Fetches]>([:])
  private let saves = Atomic<Int>(0)
  private let saveNanoseconds = Atomic<Int>(0)
  private let objectFaults = Atomic<Int>(0)
  private let objectMisses = Atomic<Int>(0)
  private let relationshipFaults = Atomic<Int>(0)
  private let prefetches = Atomic<Int>(0)

  @inline(__always)
  private func add(_ more: Int, to counter: borrowing Atomic<Int>) {
    counter.store(counter.load(ordering: .relaxed) &+ more, ordering: .relaxed)
  }

  func countFetch(of entity: String, objects: Int, time: Duration?) {
    let fetch = ActivityCounters.Fetches(count: 1, objects: objects, time: time ?? .zero)
    fetches.withLock { $0[entity, default: ActivityCounters.Fetches()].add(fetch, times: 1) }
  }

  func countSave(time: Duration?) {
    add(1, to: saves)
    if let time { add(time.wholeNanoseconds, to: saveNanoseconds) }
  }

  @inline(__always)
  func countObjectFault(isCached: Bool) {
    add(1, to: objectFaults)
    if !isCached { add(1, to: objectMisses) }
  }

  func countRelationshipFaults(_ count: Int) { add(count, to: relationshipFaults) }

  func countPrefetch() { add(1, to: prefetches) }

  /// The counts of the context. Misses are read before the faults that they belong to, so that they are never
  /// more.
  var counters: ActivityCounters {
    var counters = ActivityCounters()
    counters.objectMisses = objectMisses.load(ordering: .relaxed)
    counters.objectFaults = objectFaults.load(ordering: .relaxed)
    counters.relationshipFaults = relationshipFaults.load(ordering: .relaxed)
    counters.relationshipMisses = counters.relationshipFaults
    counters.fetchesByEntity = fetches.withLock { $0 }
    counters.saves = saves.load(ordering: .relaxed)
    counters.saveTime = .nanoseconds(saveNanoseconds.load(ordering: .relaxed))
    counters.prefetches = prefetches.load(ordering: .relaxed)
    return counters
  }
}

extension Duration {
  fileprivate var wholeNanoseconds: Int { Int(self / .nanoseconds(1)) }
}
