import GraphStorePredicates

extension FetchExplanation {
  /// A part of the request and where it runs.
  public struct Part: Sendable {
    /// What a part is.
    public enum Kind: String, Hashable, Sendable {
      /// A member of the predicate's top-level conjunction.
      case predicate
      /// A sort descriptor.
      case sort
      /// A requested key path.
      case field
      /// What rows are grouped by.
      case group
      /// A value of dictionaries.
      case result
      /// The condition on groups.
      case having
    }

    /// Where a part runs; the raw value is what people read (DGN-070).
    public enum Place: String, Hashable, Sendable {
      /// By the database's own operators.
      case store = "SQL"
      /// In the statement, by a function or collation that is called for each row.
      case storeFunction = "SQL (function per row)"
      /// By a store that keeps its objects in memory, over each of them.
      case scan = "in the scan"
      /// Over the rows that come back.
      case memory = "in memory"
    }

    /// What the part is.
    public var kind: Kind
    /// The part as text.
    public var text: String
    /// Where it stands in the predicate's text, when it came from text.
    public var range: SourceRange?
    /// Where it runs.
    public var place: Place
    /// Why it runs in memory; nil for a part that the store runs.
    public var reason: InMemoryReason?
    /// Which form was chosen, or what exactly is in the way.
    public var detail: String

    /// Whether the store runs it.
    public var isInStore: Bool { place != .memory }
  }
}
