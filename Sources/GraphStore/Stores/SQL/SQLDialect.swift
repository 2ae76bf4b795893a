import GraphStoreModel
import GraphStorePredicates

/// Dialect of an engine: translates predicates and sorts that it can evaluate exactly.
///
/// An answer that is not exact changes what a request finds: wherever the engine's meaning differs from
/// that of evaluation in memory, however rarely, the answer is ``SQLAnswer/no(_:_:)`` (PRD-230).
package protocol SQLDialect: SQLSyntax {
  /// A comparison by `==`, `!=`, `<`, `<=`, `>` or `>=` of two values, of which neither is the constant nil.
  func compare(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer
  /// A comparison by CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES of two texts, or two runs of bytes.
  func compareText(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer
  /// Whether a value is among constants, of which none is nil.
  func isMember(_ left: SQLOperand, of constants: [Value], _ options: QueryComparison.Options) -> SQLAnswer
  /// A function of values.
  func call(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer
  /// A function of the application, of values.
  func call(_ function: RegisteredFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer
  /// A value cast to a type.
  func cast(_ operand: SQLOperand, to type: QueryCastType) -> SQLValueAnswer
  /// One of two values.
  func conditional(_ condition: SQLExpression, then: SQLOperand, otherwise: SQLOperand) -> SQLValueAnswer
  /// An aggregate over the rows of a select, as that select's column.
  func aggregate(_ function: AggregateFunction, over operand: SQLOperand) -> SQLValueAnswer
  /// An aggregate over the different values among the rows of a select.
  func aggregate(_ function: AggregateFunction, overDistinct operand: SQLOperand) -> SQLValueAnswer
  /// The SQL term that orders rows by a comparator.
  func order(by operand: SQLOperand, _ comparator: QuerySortDescriptor.Comparator) -> SQLAnswer
  /// A constant as written in the text of an index; nil where the engine would not read back the very value.
  func literal(_ binding: SQLBinding) -> String?
  /// A condition that every row fulfils of which a comparison of texts is true that the dialect cannot make,
  /// and few others do; nil where there is none.
  func narrow(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLExpression?
  /// A column's value of which no index knows (PRD-249).
  func withoutIndex(_ expression: SQLExpression) -> SQLExpression
  /// What is NULL where all of some values are, and is something else where one of them is there.
  func anyValue(of expressions: [SQLExpression]) -> SQLExpression
  /// The value of an expression in a group of rows in which it is the same.
  func valueInGroup(_ expression: SQLExpression) -> SQLExpression
  /// Whether rows can be grouped by an expression that the statement has in its results too.
  func canGroup(by expression: SQLExpression) -> Bool
  /// Whether different rows can be ordered by what is none of their columns.
  var ordersDistinctRowsByAnything: Bool { get }
  /// The numbers of symbols that the engine's parser can keep open, and of values that can be bound to a
  /// statement.
  var limits: (openSymbols: Int, bindings: Int) { get }
}

/// A dialect's answer.
package enum SQLAnswer {
  /// The expression with exactly that meaning; the note says which form was chosen, where that matters to
  /// people.
  case exact(SQLExpression, note: String? = nil)
  /// It cannot be said exactly; the text says what is in the way.
  case no(InMemoryReason, String)
}

/// A dialect's answer that is a value.
package enum SQLValueAnswer {
  /// The value with exactly that meaning.
  case exact(SQLOperand)
  /// It cannot be said exactly; the text says what is in the way.
  case no(InMemoryReason, String)
}

/// Reason why a part of a request cannot be translated into a statement.
package struct NotPushable: Error {
  package var reason: InMemoryReason
  /// The exact obstacle.
  package var detail: String

  package init(_ reason: InMemoryReason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// Syntax of an engine for constructs that all of them have: parameters, column types, and the statements
/// that make tables and indexes.
package protocol SQLSyntax: Sendable {
  /// The engine's name in messages.
  var engineName: String { get }
  /// A name as written in a statement.
  func name(_ name: String) -> String
  /// The name of a table as written in a statement.
  func tableName(_ name: String) -> String
  /// Whether a select in FROM has to have a name.
  var namesSelects: Bool { get }
  /// The parameter of a number, which counts from 1.
  func parameter(_ number: Int) -> String
  /// A condition that is always true, or never.
  func constant(_ isTrue: Bool) -> String
  /// The limit of a select that has an offset alone.
  var noLimit: SQLBinding { get }
  /// The suffix of a key of the order.
  func direction(_ key: SQLSelect.Order) -> String
  /// The operator that joins a table to those before it.
  func joinOperator(_ kind: SQLSelect.Join.Kind) -> String
  /// The operator of whether two values differ, of which each may be missing.
  var isDistinct: String { get }
  /// The text before the table and after the rows of an INSERT.
  func insertion(_ conflict: SQLInsert.Conflict) -> (opening: String, closing: String)
  /// The keys that one parameter holds.
  func keyList(_ parameter: SQLExpression) -> SQLList
  /// Keys as the value of the parameter of ``keyList(_:)``, of any number.
  func binding(ofKeys keys: [Int64]) -> SQLBinding
  /// The type that a column is declared with.
  func declaredType(_ kind: SQLColumn.Kind) -> String
  /// The statement that makes an entity's table.
  func createStatement(_ table: SQLTable) -> String
  /// The statement that makes a table of pairs.
  func createStatement(_ table: SQLJoinTable) -> String
  /// The statement that makes an index.
  func createStatement(_ index: SQLIndex) -> String
}

extension SQLSyntax {
  package func name(_ name: String) -> String { SQLName.quoted(name) }

  package func tableName(_ name: String) -> String { self.name(name) }

  package var namesSelects: Bool { false }
}

extension SQLDialect {
  package func narrow(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLExpression? { nil }

  package func withoutIndex(_ expression: SQLExpression) -> SQLExpression { .prefix("+", expression) }

  package func anyValue(of expressions: [SQLExpression]) -> SQLExpression { .call("COALESCE", expressions) }

  package func valueInGroup(_ expression: SQLExpression) -> SQLExpression { expression }

  package func canGroup(by expression: SQLExpression) -> Bool { true }

  package var ordersDistinctRowsByAnything: Bool { true }
}

/// A value bound to a parameter of a statement.
package enum SQLBinding: Sendable, Hashable {
  case null
  case integer(Int64)
  case double(Double)
  /// A date, as seconds since the beginning of 2001.
  case timestamp(Double)
  case text(String)
  case blob([UInt8])
}
