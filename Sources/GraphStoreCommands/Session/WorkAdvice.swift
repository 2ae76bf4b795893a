import GraphStore
import GraphStoreReports
import Synchronization

/// What `--verbose` advises behind a command, by what its contexts have done: to prefetch what was read one
/// by one, and to save less often (DGN-223, DGN-224).
final class WorkAdvice {
  /// What was done.
  private struct Work: Sendable {
    /// How many to-manys were read, by entity and relationship.
    var misses: [String: [String: Int]] = [:]
    /// How many objects were read one by one, by entity.
    var objectMisses: [String: Int] = [:]
    var saveCount = 0
    var saveTime = Duration.zero

    mutating func take(_ event: TraceEvent) {
      switch event.work {
      case .relationshipFault(let source, let relationship, _):
        misses[source.entity.name, default: [:]][relationship, default: 0] += 1
      case .objectFault(let object, _): objectMisses[object.entity.name, default: 0] += 1
      case .save:
        saveCount += 1
        saveTime += event.time
      case .fetch: break
      }
    }
  }

  /// The work of one coordinator, which its contexts tell of on their threads.
  private final class Record: Sendable {
    let work = Mutex(Work())
  }

  /// From so many on in one command it pays to read them together.
  private static let manyMisses = 10
  /// From so many on it pays to make them one.
  private static let manySaves = 10

  private let coordinator: PersistentStoreCoordinator
  private let record = Record()
  private var observation: TraceObservation?
  private let start = ContinuousClock.now

  /// Advises on the work of a coordinator's contexts from now on.
  init(_ coordinator: PersistentStoreCoordinator) {
    self.coordinator = coordinator
    observation = coordinator.observe([.misses, .saves]) { [record] event in
      record.work.withLock { $0.take(event) }
    }
  }

  /// Begins with a command.
  func begin() { record.work.withLock { ($0.misses, $0.objectMisses) = ([:], [:]) } }

  /// The hints on what a command has read one by one.
  ///
  /// - Parameter entity: The entity that it has queried; nil for a command that cannot prefetch.
  func hints(queried entity: EntityDescription?) -> [String] {
    let done = record.work.withLock(\.self)
    let model = coordinator.managedObjectModel
    guard let entity else { return [] }
    var counts: [String: Int] = [:]
    for (source, relationships) in done.misses where model.entitiesByName[source]?.isKind(of: entity) == true
    {
      for (name, count) in relationships { counts[name, default: 0] += count }
    }
    // Objects that were read one by one were led to by one of its relationships, where only one can have done
    // so.
    for (name, count) in done.objectMisses {
      guard let destination = model.entitiesByName[name] else { continue }
      let leading = entity.relationships.filter { destination.isKind(of: $0.destination) }
      if leading.count == 1, counts[leading[0].name] == nil { counts[leading[0].name] = count }
    }
    return counts.filter { $0.value >= Self.manyMisses }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "prefetch \"\($0.key)\" (\($0.value) faults)" }
  }

  /// The hint on many saves, each of which waits for the disk; nil where they are few.
  func hintOnSaves() -> String? {
    let (count, time) = record.work.withLock { ($0.saveCount, $0.saveTime) }
    // Saves within one transaction wait once.
    guard min(count, coordinator.counters.statements.commit) >= Self.manySaves else { return nil }
    let total = (ContinuousClock.now - start).millisecondsText
    return "\(count) saves took \(time.millisecondsText) of \(total) ms: make them one, "
      + "see graphstore help store-speed"
  }
}
