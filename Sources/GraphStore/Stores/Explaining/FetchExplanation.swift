/// How a fetch runs: which part where, the statements, the database's plan, and what would help.
///
/// A value for people and tools; nothing of it changes how the fetch runs.
public struct FetchExplanation: Sendable {
  /// The entity's name.
  public var entity: String
  /// The parts, in the order of the request: predicate, sort, fields; of dictionaries predicate, groups, results, the condition
  /// on groups, sort.
  public var parts: [Part]
  /// What runs, the fetch itself first, of each store in turn, then what prefetches.
  public var statements: [Statement]
  /// What stores go through that keep their objects in memory, and run no statement (DGN-079).
  public var scans: [Scan] = []
  /// Where the order comes from; nil for a request without one.
  public var sort: Sort?
  /// Where limit and offset act; nil for a request without them.
  public var window: Window?
  /// How many rows come from the store.
  public var rows: Rows
  /// What would make it faster; nothing is advised for fewer than 1,000 objects (DGN-088).
  public var advice: [Advice]
  /// What may surprise in the predicate, such as objects without a value that an inequality leaves out.
  public var notes: [String] = []
  /// What a run took; nil where none was asked for.
  public var analysis: Analysis?
  /// What the request returns.
  public var resultType = FetchRequestResultType.managedObject

  /// The first statement's text.
  public var sql: String { statements.first?.sql ?? "" }
  /// The first statement's values as text, in order.
  public var bindings: [String] { statements.first?.bindings ?? [] }

  /// Whether the store runs all of predicate and sort.
  public var isInStore: Bool { parts.allSatisfy { $0.isInStore || $0.kind == .field } }
}

extension FetchExplanation {
  /// Adds how the same request runs over another store.
  mutating func merge(_ other: FetchExplanation) {
    statements += other.statements
    scans += other.scans
    rows.total += other.rows.total
    rows.read = rows.read.flatMap { left in other.rows.read.map { left + $0 } }
    rows.isExact = rows.isExact && other.rows.isExact
    advice += other.advice.filter { !advice.contains($0) }
  }
}
