/// A chain of keys from the object under test or from another expression.
///
/// ```swift
/// let path = QueryKeyPath(steps: [.key("department"), .key("name")])
/// let order = QuerySortDescriptor(keyPath: path)
/// print(path.plainKeys ?? [], order)  // ["department", "name"] department.name
/// ```
public struct QueryKeyPath: Hashable, Sendable {
  /// One part of the chain.
  public enum Step: Hashable, Sendable {
    /// A key.
    case key(String)
    /// A collection operator by its name without `@`: `count`, `sum`, `distinctUnionOfObjects`.
    case collectionOperator(String)
    /// A variable whose text names the key or key path that is used here.
    case variable(String)

    /// Whether both are of the same kind and name, scalar by scalar.
    public static func == (left: Step, right: Step) -> Bool {
      switch (left, right) {
      case (.key(let left), .key(let right)): left.hasSameScalars(as: right)
      case (.collectionOperator(let left), .collectionOperator(let right)): left.hasSameScalars(as: right)
      case (.variable(let left), .variable(let right)): left.hasSameScalars(as: right)
      default: false
      }
    }
  }

  /// Where the chain begins; nil is the object under test.
  public let base: QueryExpression?
  /// The parts in order; never empty when made by the parser.
  public let steps: [Step]

  /// Makes a key path. A base that is itself a key path, or `SELF`, is joined into the chain.
  public init(base: QueryExpression? = nil, steps: [Step]) {
    switch base?.kind {
    case .evaluatedObject:
      self.base = nil
      self.steps = steps
    case .keyPath(let path):
      self.base = path.base
      self.steps = path.steps + steps
    default:
      self.base = base
      self.steps = steps
    }
  }

  /// The position of the first collection operator among the steps; nil when there is none.
  package var collectionOperatorIndex: Int? {
    steps.firstIndex { if case .collectionOperator = $0 { true } else { false } }
  }

  /// The chain's plain keys when it begins at the object under test and holds nothing but keys.
  public var plainKeys: [String]? {
    guard base == nil else { return nil }
    var keys: [String] = []
    keys.reserveCapacity(steps.count)
    for step in steps {
      guard case .key(let key) = step else { return nil }
      keys.append(key)
    }
    return keys
  }
}
