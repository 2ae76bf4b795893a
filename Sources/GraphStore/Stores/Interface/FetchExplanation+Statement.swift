extension FetchExplanation {
  /// A statement that the fetch runs.
  public struct Statement: Sendable {
    /// The key path that it prefetches; nil for the fetch itself.
    public var prefetches: String?
    /// The name of the store's file.
    public var store: String
    /// The text, exactly as the database gets it.
    public var sql: String
    /// The bound values as text, in order; long texts are cut, long lists and bytes are shown by their
    /// number.
    public var bindings: [String]
    /// The database's own plan, outer steps first. Its wording differs between versions of SQLite.
    public var plan: [Step]
  }

  /// The objects that a store keeps in memory and scans one by one.
  public struct Scan: Sendable, Hashable {
    /// The name of the store.
    public var store: String
    /// The entity that is asked for.
    public var entity: String
    /// The number of objects that are scanned.
    public var objects: Int
  }

  /// A step of the database's plan.
  public struct Step: Sendable, Hashable {
    /// The number of steps it is part of.
    public var depth: Int
    /// The database's words.
    public var text: String
  }

  /// Origin of the order of the result.
  public enum Sort: Sendable, Hashable {
    /// The statement reads an index in this order.
    case index(String)
    /// The statement reads the table in this order.
    case primaryKey
    /// The statement sorts what it has read.
    case afterReading
    /// The store sorts what its scan has found.
    case afterScan
    /// The objects are sorted.
    case memory(InMemoryReason)
  }

  /// The window of the request.
  public struct Window: Sendable, Hashable {
    /// The most results; 0 means no limit.
    public var limit: Int
    /// The number of rows that are skipped.
    public var offset: Int
    /// The reason why it is applied in memory; nil where the statement applies it.
    public var reason: InMemoryReason?
  }

  /// Number of rows from the store.
  public struct Rows: Sendable, Hashable {
    /// The rows that the statement hands over; nil where nothing is known.
    public var read: Int?
    /// The results; nil where nothing is known.
    public var returned: Int?
    /// The entity's objects in the store.
    public var total: Int
    /// Whether the numbers are counted, not estimated by the database's statistics.
    public var isExact: Bool
  }

  /// Cost of a run of the request.
  public struct Analysis: Sendable, Hashable {
    /// The number of results.
    public var objects: Int
    /// The time that the statement took, its rows read.
    public var storeTime: Duration
    /// The time of the whole fetch; never less than ``storeTime``.
    public var totalTime: Duration
  }
}
