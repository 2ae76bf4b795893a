/// A closure that stands for a predicate; equal only to itself.
public struct PredicateBlock: Hashable, Sendable {
  /// Answers for one object, given the variables' values by name.
  public typealias Body = @Sendable (QueryOperand, [String: QueryOperand]) throws -> Bool

  private final class Storage: Sendable {
    let body: Body

    init(_ body: @escaping Body) {
      self.body = body
    }
  }

  private let storage: Storage

  /// Makes a block from a closure.
  public init(_ body: @escaping Body) {
    storage = Storage(body)
  }

  /// Runs the closure.
  public func callAsFunction(_ object: QueryOperand, _ variables: [String: QueryOperand]) throws -> Bool {
    try storage.body(object, variables)
  }

  /// Whether both are equal, as the type says.
  public static func == (left: PredicateBlock, right: PredicateBlock) -> Bool {
    left.storage === right.storage
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(storage))
  }
}

/// A closure that stands for an expression; equal only to itself.
public struct ExpressionBlock: Hashable, Sendable {
  /// Answers for one object, given the variables' values by name.
  public typealias Body = @Sendable (QueryOperand, [String: QueryOperand]) throws -> QueryOperand

  private final class Storage: Sendable {
    let body: Body

    init(_ body: @escaping Body) {
      self.body = body
    }
  }

  private let storage: Storage

  /// Makes a block from a closure.
  public init(_ body: @escaping Body) {
    storage = Storage(body)
  }

  /// Runs the closure.
  public func callAsFunction(_ object: QueryOperand, _ variables: [String: QueryOperand]) throws
    -> QueryOperand
  {
    try storage.body(object, variables)
  }

  /// Whether both are equal, as the type says.
  public static func == (left: ExpressionBlock, right: ExpressionBlock) -> Bool {
    left.storage === right.storage
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(storage))
  }
}
