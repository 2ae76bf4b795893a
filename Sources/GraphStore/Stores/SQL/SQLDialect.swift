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
  /// The parameter of a number, which counts from 1.
  func parameter(_ number: Int) -> String
  /// A condition that is always true, or never.
  func constant(_ isTrue: Bool) -> String
  /// The limit of a select that has an offset alone.
  var noLimit: SQLBinding { get }
  /// The suffix of a key of the order.
  func direction(ascending: Bool, nilPlacement: QuerySortDescriptor.NilPlacement) -> String
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
