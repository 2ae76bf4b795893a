/// A closure that represents a part of a predicate; equal only to itself.
///
/// ```swift
/// let isEven = QueryPredicate.block(
///   PredicateBlock { object, _ in
///     guard case .value(.int(let number)) = object else { return false }
///     return number.isMultiple(of: 2)
///   })
/// print(try isEven.evaluate(with: .int(4)))  // true
/// ```
public struct QueryBlock<Answer>: Hashable, Sendable {
  /// Computes the answer for one object, with the variables' values by name.
  public typealias Body = @Sendable (QueryOperand, [String: QueryOperand]) throws -> Answer

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

  /// Runs the closure. Throws what it throws.
  public func callAsFunction(
    _ object: QueryOperand, _ variables: [String: QueryOperand]
  ) throws -> Answer {
    try storage.body(object, variables)
  }

  /// Whether both are one block.
  public static func == (left: Self, right: Self) -> Bool {
    left.storage === right.storage
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(storage))
  }
}

/// A closure that represents a predicate.
public typealias PredicateBlock = QueryBlock<Bool>

/// A closure that represents an expression.
public typealias ExpressionBlock = QueryBlock<QueryOperand>
