import GraphStorePredicates

/// Comparisons with values. One with nil tests whether there is a value.
extension TypedExpression {
  /// Whether the value equals an operand; with nil, whether there is none.
  public static func == (left: Self, right: PathResult?) -> TypedPredicate<PathScope.Object> {
    left.compare(.equal, constant(right))
  }

  /// Whether the value is another one; with nil, whether there is one.
  ///
  /// A missing value is not selected by a fetch with `!= 2`; add `|| key == nil` where it should be.
  public static func != (left: Self, right: PathResult?) -> TypedPredicate<PathScope.Object> {
    left.compare(.notEqual, constant(right))
  }

  /// Whether the value is one of some.
  public func `in`(_ values: some Sequence<PathResult>) -> TypedPredicate<PathScope.Object> {
    compare(.in, Self.constants(values))
  }
}

extension TypedExpression where PathResult: Comparable {
  /// Whether the value is less than an operand.
  public static func < (left: Self, right: PathResult) -> TypedPredicate<PathScope.Object> {
    left.compare(.less, constant(right))
  }

  /// Whether the value is at most an operand.
  public static func <= (left: Self, right: PathResult) -> TypedPredicate<PathScope.Object> {
    left.compare(.lessOrEqual, constant(right))
  }

  /// Whether the value is greater than an operand.
  public static func > (left: Self, right: PathResult) -> TypedPredicate<PathScope.Object> {
    left.compare(.greater, constant(right))
  }

  /// Whether the value is at least an operand.
  public static func >= (left: Self, right: PathResult) -> TypedPredicate<PathScope.Object> {
    left.compare(.greaterOrEqual, constant(right))
  }

  /// Whether the value is between two, both included; no value is between bounds in the wrong order.
  public func between(_ lower: PathResult, _ upper: PathResult) -> TypedPredicate<PathScope.Object> {
    compare(.between, Self.constants([lower, upper]))
  }
}

/// Flags.
extension TypedExpression where PathResult == Bool {
  /// Whether the value is false; a missing value is not.
  public static prefix func ! (operand: Self) -> TypedPredicate<PathScope.Object> { operand == false }
}

/// Comparisons with other expressions of the same object (PRD-076, PRD-141).
extension TypedExpression {
  /// Whether both values are equal.
  public static func == <Right: TypedExpression>(left: Self, right: Right) -> TypedPredicate<PathScope.Object>
  where
    Right.PathScope: SingleQueryScope, Right.PathScope.Object == PathScope.Object,
    Right.PathResult == PathResult
  {
    left.compare(.equal, right.queryPath.expression)
  }

  /// Whether the values differ.
  public static func != <Right: TypedExpression>(left: Self, right: Right) -> TypedPredicate<PathScope.Object>
  where
    Right.PathScope: SingleQueryScope, Right.PathScope.Object == PathScope.Object,
    Right.PathResult == PathResult
  {
    left.compare(.notEqual, right.queryPath.expression)
  }
}

extension TypedExpression where PathResult: Comparable {
  /// Whether the value is less than the other.
  public static func < <Right: TypedExpression>(left: Self, right: Right) -> TypedPredicate<PathScope.Object>
  where
    Right.PathScope: SingleQueryScope, Right.PathScope.Object == PathScope.Object,
    Right.PathResult == PathResult
  {
    left.compare(.less, right.queryPath.expression)
  }

  /// Whether the value is at most the other.
  public static func <= <Right: TypedExpression>(left: Self, right: Right) -> TypedPredicate<PathScope.Object>
  where
    Right.PathScope: SingleQueryScope, Right.PathScope.Object == PathScope.Object,
    Right.PathResult == PathResult
  {
    left.compare(.lessOrEqual, right.queryPath.expression)
  }

  /// Whether the value is greater than the other.
  public static func > <Right: TypedExpression>(left: Self, right: Right) -> TypedPredicate<PathScope.Object>
  where
    Right.PathScope: SingleQueryScope, Right.PathScope.Object == PathScope.Object,
    Right.PathResult == PathResult
  {
    left.compare(.greater, right.queryPath.expression)
  }

  /// Whether the value is at least the other.
  public static func >= <Right: TypedExpression>(left: Self, right: Right) -> TypedPredicate<PathScope.Object>
  where
    Right.PathScope: SingleQueryScope, Right.PathScope.Object == PathScope.Object,
    Right.PathResult == PathResult
  {
    left.compare(.greaterOrEqual, right.queryPath.expression)
  }
}
