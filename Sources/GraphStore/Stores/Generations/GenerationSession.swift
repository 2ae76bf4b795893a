import GraphStoreModel

/// A read session that stays open at one state of a store for as long as contexts are pinned to it.
///
/// Rows that it reads are those of its state, so that they enter no row cache. Requests take turns at it;
/// each of them counts, while it reads, as one that uses the store.
package protocol GenerationSession: ReadSession {
  /// Whether nothing was committed to the store since the session began, by anybody.
  var isPresent: Bool { get }

  /// Begins a request; waits for a block that has the store to itself.
  ///
  /// - Returns: False once the store is closed, and the session with it.
  /// - Throws: `store-timeout`, `sqlite` while the store is stopped.
  func enter() throws -> Bool
  /// Ends a request that ``enter()`` has begun.
  func leave()
  /// Ends the session.
  func end()
}

/// Session over a store that a query generation knows nothing of: it was added later, and has no records.
package final class EmptyReadSession: ReadSession {
  package var origin: RowCache.Origin { .generation }

  package func plan(_ request: StoreRequest) throws -> any StoreFetchPlan {
    throw GraphStoreError(
      .noStore, "The store was added after the state to which the context is pinned.",
      remedy: "Move the pin of the context, by setting it from the current generation.")
  }

  package func begin() {}
  package func row(_ entity: EntityLayout, _ key: Int64) -> Row? { nil }
  package func rows(_ root: EntityLayout, keys: [Int64], _ receive: (inout RowBatch) throws -> Void) {}
  package func members(_ relationship: RelationshipLayout, owners: [Int64]) -> [LinkRow] { [] }

  package func holders(of constraint: UniquenessConstraint, rows: [SaveRequest.FetchedRow])
    -> [ConstraintHolder]
  {
    []
  }

  package func metadata() -> [String: Value] { [:] }
  package func greatestKey(_ root: EntityLayout) -> Int64 { 0 }
  package func endReading() {}
}
