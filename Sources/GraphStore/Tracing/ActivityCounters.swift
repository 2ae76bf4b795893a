import GraphStoreSQLite

/// What the contexts and stores of a coordinator have done, since it was made or the counters were reset (DGN-058).
public struct ActivityCounters: Hashable, Sendable {
  /// Fetch requests, counts and requests for identifiers among them.
  public var fetches = 0
  /// The objects that they gave, or counted.
  public var fetchedObjects = 0
  /// How long they took, as far as times were measured (``PersistentStoreCoordinator/measuresTime``).
  public var fetchTime = Duration.zero
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

  /// Adds what another context has done.
  static func += (left: inout Self, right: Self) {
    left.fetches += right.fetches
    left.fetchedObjects += right.fetchedObjects
    left.fetchTime += right.fetchTime
    left.saves += right.saves
    left.saveTime += right.saveTime
    left.objectFaults += right.objectFaults
    left.relationshipFaults += right.relationshipFaults
    left.objectMisses += right.objectMisses
    left.relationshipMisses += right.relationshipMisses
    left.prefetches += right.prefetches
    left.statements += right.statements
  }

  /// What has been done since.
  static func - (left: Self, right: Self) -> Self {
    var difference = left
    difference.fetches -= right.fetches
    difference.fetchedObjects -= right.fetchedObjects
    difference.fetchTime -= right.fetchTime
    difference.saves -= right.saves
    difference.saveTime -= right.saveTime
    difference.objectFaults -= right.objectFaults
    difference.relationshipFaults -= right.relationshipFaults
    difference.objectMisses -= right.objectMisses
    difference.relationshipMisses -= right.relationshipMisses
    difference.prefetches -= right.prefetches
    difference.statements = left.statements - right.statements
    return difference
  }
}
