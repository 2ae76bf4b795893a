import Foundation
import GraphStoreModel
import GraphStorePredicates

/// A request for dictionaries, checked: what is read of rows, how groups are made of them, and what is
/// computed of these.
///
/// Every expression is cut in two. Its *leaves* are read of the rows: the grouping values, and the arguments
/// of aggregates. The rest is computed once a result. So a store and memory only have to agree on leaves, and
/// both compute results, conditions on groups and orders over the same trees.
package struct ResultQuery: Sendable, Hashable {
  /// A value that is read of rows.
  package struct Leaf: Sendable, Hashable {
    package enum Role: Sendable, Hashable {
      /// The value of a row, or what all rows of a group have in common.
      case value
      /// An aggregate of the values of a group's rows.
      case aggregate(AggregateFunction, isDistinct: Bool)
      /// The value by which rows are sorted, with what an ordered relationship says of its members.
      case sort(QuerySortDescriptor)
    }

    package var role: Role
    /// The value of one row.
    package var expression: QueryExpression
    /// The type of the value of one row.
    package var type: ExpressionType
  }

  /// A value of the dictionaries.
  package struct Result: Sendable, Hashable {
    package var name: String
    /// Over the leaves.
    package var expression: QueryExpression
    package var type: ExpressionType
    /// The attribute whose values it has as they are stored.
    package var attribute: AttributeDescription?
    /// The type that values are converted to.
    package var conversion: AttributeType?
    /// Whether it is a sum, which of integers has to fit 64 bits (FET-090).
    package var isSum = false
    /// The range of the sum in its text.
    package var range: SourceRange?
  }

  /// A to-many relationship over which rows are grouped: each row becomes one for each member, or one
  /// without a member where there is none. Groups take each row in once all the same.
  package struct Expansion: Sendable, Hashable {
    /// The variable that denotes the member in the grouping values; none that can be written.
    package var variable: String
    /// The variable of the expansion whose members have the relationship; nil for the rows' own.
    package var owner: String?
    /// The keys that lead to the members, of which the last one alone is to-many.
    package var keys: [QueryKeyPath.Step]
  }

  /// One key of the order.
  package struct Order: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
      case leaf(Int)
      case result(Int)
    }

    package var subject: Subject
    package var ascending: Bool
    package var comparator = QuerySortDescriptor.Comparator.compare
    /// The place of missing values; nil for before small ones.
    package var nilPlacement: QuerySortDescriptor.NilPlacement?
    /// The sort descriptor as readable text; nil for a tie-breaker.
    package var text: String?
    package var range: SourceRange?
  }

  /// To-many relationships over which rows are grouped: a row is in the groups of each of its members.
  package var expansions: [Expansion] = []
  package var leaves: [Leaf] = []
  /// The leading leaves that rows of one group have in common.
  package var keyCount = 0
  /// The grouping keys as readable text, each with its range in its text.
  package var groupTexts: [String] = []
  /// Whether rows are taken together: in groups, or all of them in one.
  package var isGrouped = false
  package var results: [Result] = []
  /// The condition on groups, over the leaves.
  package var having: QueryPredicate?
  /// The condition on groups as it was written.
  package var writtenHaving: QueryPredicate?
  package var order: [Order] = []
  package var isDistinct = false

  /// Whether results represent several rows, so that counting them is not counting rows.
  package var joinsRows: Bool { isGrouped || isDistinct }
  /// Whether all rows make one group, which is there even where no row is (FET-086).
  package var isTotal: Bool { isGrouped && keyCount == 0 }
  /// Whether values are changed after they are computed.
  package var convertsValues: Bool { results.contains { $0.conversion != nil } }
  /// Whether the request has an order.
  package var hasRequestedOrder: Bool { order.contains { $0.text != nil } }

  /// The key under which expressions over leaves name one; no property can be called so.
  package static func leafKey(_ position: Int) -> String { "#\(position)" }

  /// The key of a result beside those of the leaves.
  package static func resultKey(_ position: Int) -> String { "=\(position)" }

  package static func leaf(_ position: Int) -> QueryExpression { .key(leafKey(position)) }

  /// The leaf that an expression is, and nothing else.
  package func directLeaf(of result: Result) -> Leaf? {
    guard case .keyPath(let path) = result.expression.kind, let keys = path.plainKeys, keys.count == 1,
      keys[0].hasPrefix("#"), let position = Int(keys[0].dropFirst())
    else { return nil }
    return leaves[position]
  }
}

extension ResultQuery.Order.Subject {
  /// The key under which expressions name it.
  package var key: String {
    switch self {
    case .leaf(let position): ResultQuery.leafKey(position)
    case .result(let position): ResultQuery.resultKey(position)
    }
  }
}

extension ResultQuery.Result {
  /// The value in the form that the result has: what was summed up of nothing is 0 of the type that the sum
  /// has.
  ///
  /// - Throws: `arithmetic-overflow` for a sum of integers beyond 64 bits; `value-out-of-range` for what does
  ///   not fit the type asked for.
  package func finished(_ value: Value) throws -> Value {
    var value = value.isNaN ? .null : value
    if isSum {
      switch (value, type) {
      case (.decimal, .integer): throw QueryPredicateError.sumOverflow(at: range)
      case (.int(let number), .double): value = .double(Double(number))
      case (.int(let number), .decimal): value = .decimal(Decimal(number))
      default: break
      }
    }
    guard let conversion else { return value }
    guard let converted = value.converted(to: conversion) else { throw misfit(value, conversion) }
    return converted
  }

  private func misfit(_ value: Value, _ type: AttributeType) -> GraphStoreError {
    GraphStoreError(
      .valueOutOfRange, "The result \(name) is \(value.literal), which does not fit \(type.rawValue).",
      remedy: "Give the expression another result type, or none.", property: name, value: value)
  }
}
