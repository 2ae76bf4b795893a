import GraphStoreSQLite

/// What the contexts and stores of a coordinator have done, since it was made or the counters were reset (DGN-058).
public struct ActivityCounters: Hashable, Sendable {
  /// Fetch requests of one entity.
  public struct Fetches: Hashable, Sendable {
    /// How many there were, counts and requests for identifiers among them.
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

  /// Fetch requests by the name of the entity that they ask for; objects of its sub-entities count there (FET-253).
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
  /// Faults of objects that have got their values on being used; objects that a fetch has realised count as none
  /// (DGN-060).
  public var objectFaults = 0
  /// To-manys whose members were first asked for (DGN-062).
  public var relationshipFaults = 0
  /// Faults of objects whose rows the row cache did not have (DGN-061).
  public var objectMisses = 0
  /// Faults of to-manys for which a store was asked. The row cache has no members, so that it is all of them (FLT-047).
  public var relationshipMisses = 0
  /// Steps of key paths that fetches have prefetched (DGN-063).
  public var prefetches = 0
  /// Statements that have begun to run, by kind.
  public var statements = StatementCounts()

  private var allFetches: Fetches {
    fetchesByEntity.values.reduce(into: Fetches()) { $0.add($1, times: 1) }
  }

  /// Adds what another context has done.
  static func += (left: inout Self, right: Self) { left.add(right, times: 1) }

  /// What has been done since.
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
