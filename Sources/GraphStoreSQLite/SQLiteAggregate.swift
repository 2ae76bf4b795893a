/// The state of one run of an aggregate function.
public protocol SQLiteAggregate: AnyObject {
  /// Takes in one row; only `result.setError(_:)` may be used on the result, and what is thrown ends the statement.
  func step(_ arguments: SQLiteFunctionArguments, _ result: SQLiteFunctionResult) throws
  /// Gives the outcome after the last row.
  func finish(_ result: SQLiteFunctionResult)
}
