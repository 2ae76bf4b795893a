/// How a fetch runs: which part where, the statement, and the database's plan.
public struct FetchExplanation: Sendable {
  /// A part of the request and where it runs.
  public struct Part: Sendable {
    /// The part as text.
    public var text: String
    /// Whether the store runs it.
    public var isInStore: Bool
    /// Which form was chosen, or why it runs in memory.
    public var reason: String
  }

  /// The parts, in the order of the request.
  public var parts: [Part]
  /// The statement.
  public var sql: String
  /// The bound values as text, in order.
  public var bindings: [String]
  /// The database's plan, a line a step.
  public var queryPlan: [String]
}
