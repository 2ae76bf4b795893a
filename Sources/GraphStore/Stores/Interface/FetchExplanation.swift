import GraphStorePredicates

/// Explanation of a fetch: which part runs where, the statements, the database's plan, and advice.
///
/// A value for people and tools; nothing of it changes how the fetch runs.
///
/// ```swift
/// let explanation = try context.explain(Employee.fetchRequest())
/// print(explanation.isInStore, explanation.sql)
/// for part in explanation.parts where !part.isInStore { print(part.text, part.detail) }
/// for advice in explanation.advice { print(advice.reason) }
/// ```
public struct FetchExplanation: Sendable {
  /// The entity's name.
  public var entity: String
  /// The parts, in the order of the request: predicate, sort, fields; of dictionaries predicate, groups,
  /// results, the condition on groups, sort.
  public var parts: [Part]
  /// The statements, those of the fetch first, store by store, then those of prefetching.
  public var statements: [Statement]
  /// The scans of stores that keep their objects in memory, and run no statement.
  public var scans: [Scan] = []
  /// The origin of the order; nil for a request without one.
  public var sort: Sort?
  /// The limit and offset, and the part that applies them; nil for a request without them.
  public var window: Window?
  /// The number of rows from the store.
  public var rows: Rows
  /// Advice on making it faster; nothing is advised for fewer than 1,000 objects.
  public var advice: [Advice]
  /// Notes on surprises in the predicate, such as objects without a value that an inequality leaves out.
  public var notes: [String] = []
  /// The cost of a run; nil where none was requested.
  public var analysis: Analysis?
  /// The type of the results.
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
  package mutating func merge(_ other: FetchExplanation) {
    statements += other.statements
    scans += other.scans
    rows.total += other.rows.total
    rows.read = rows.read.flatMap { left in other.rows.read.map { left + $0 } }
    rows.isExact = rows.isExact && other.rows.isExact
    advice += other.advice.filter { !advice.contains($0) }
  }
}

extension FetchExplanation {
  /// A part of the request and where it runs.
  public struct Part: Sendable {
    /// Kind of a part.
    public enum Kind: String, Hashable, Sendable {
      /// A member of the predicate's top-level conjunction.
      case predicate
      /// A sort descriptor.
      case sort
      /// A requested key path.
      case field
      /// The properties that rows are grouped by.
      case group
      /// A value of dictionaries.
      case result
      /// The condition on groups.
      case having
    }

    /// Location where a part runs; the raw value is its readable name.
    public enum Place: String, Hashable, Sendable {
      /// By the database's own operators.
      case store = "SQL"
      /// In the statement, by a function or collation that is called for each row.
      case storeFunction = "SQL (function per row)"
      /// By a store that keeps its objects in memory, over each of them.
      case scan = "in the scan"
      /// By a store of a custom type, which is asked for it.
      case customStore = "by the store"
      /// Over the rows that the store returns.
      case memory = "in memory"
    }

    /// The kind of the part.
    public var kind: Kind
    /// The part as text.
    public var text: String
    /// Its range in the predicate's text, when it was parsed from text.
    public var range: SourceRange?
    /// The location where it runs.
    public var place: Place
    /// The reason why it runs in memory; nil for a part that the store runs.
    public var reason: InMemoryReason?
    /// The form that was chosen, or the exact obstacle.
    public var detail: String

    /// Whether the store runs it.
    public var isInStore: Bool { place != .memory }
  }
}

extension FetchExplanation {
  /// A change of the model that would make the request faster.
  public struct Advice: Sendable, Hashable {
    /// An index to add.
    public struct Index: Sendable, Hashable {
      /// A name that the entity does not use yet.
      public var name: String
      /// The properties, in order.
      public var elements: [Element]

      /// A property of an index.
      public struct Element: Sendable, Hashable {
        /// The property's name.
        public var property: String
        /// Whether the greatest value is first.
        public var isDescending: Bool
      }
    }

    /// The entity to change.
    public var entity: String
    /// The index to add; nil where a normalised copy is advised, which the reason describes.
    public var index: Index?
    /// The saving it brings.
    public var reason: String
  }
}

extension FetchExplanation.Advice.Index {
  /// The index as a model file has it.
  public var json: String {
    let elements = elements.map {
      #"{"property": "\#($0.property)""# + ($0.isDescending ? #", "order": "descending"}"# : "}")
    }
    return #"{"name": "\#(name)", "elements": [\#(elements.joined(separator: ", "))]}"#
  }
}
