import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Dialect of SQLite: the predicates and sorts it can evaluate exactly.
///
/// Where SQLite's own operators mean something else, functions registered by ``install(on:)`` do the work.
struct SQLiteDialect: SQLDialect {
  /// The locale of `[l]` and of localized order.
  var locale = ProcessLocale.current

  /// SQLite's parser is built with 100 symbols, and every build takes 32,766 values.
  var limits: (openSymbols: Int, bindings: Int) { (90, 30_000) }

  /// Registers the functions that the dialect's statements use; to be called once for each connection.
  static func install(on connection: SQLiteConnection) throws {
    try SQLiteTextFunctions.install(on: connection)
    try SQLiteDecimalFunctions.install(on: connection)
    try SQLiteListFunctions.install(on: connection)
    try SQLiteSumFunctions.install(on: connection)
    try SQLiteValueFunctions.install(on: connection)
    try SQLiteAggregateFunctions.install(on: connection)
    try SQLitePercentileFunction.install(on: connection)
    try SQLiteDataFunctions.install(on: connection)
    try SQLiteLocaleFunctions.install(on: connection)
  }

  func compare(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer {
    if left.constant != nil, right.constant != nil {
      return .no(.function, "two constants are compared in memory")
    }
    if left.constant != nil {
      return compare(comparator.mirrored, options: options, left: right, right: left)
    }
    guard let sign = comparator.sign else {
      return .no(.differentKinds, "the operator is no plain comparison")
    }
    if left.type == .string, right.type == .string, !options.isPlain {
      return compareFolded(sign, options: options, left: left, right: right)
    }
    if left.type.isNumber, right.type.isNumber {
      return compareNumbers(comparator, sign: sign, left: left, right: right)
    }
    guard let constant = right.constant else {
      guard left.type.isStoredLike(right.type) else {
        return .no(.differentKinds, "keys of two types are compared in memory")
      }
      return .exact(.infix(sign, left.expression, right.expression))
    }
    guard let binding = binding(constant, as: left.type) else {
      return .no(.differentKinds, "the value cannot be compared in the store")
    }
    return .exact(.infix(sign, left.expression, .binding(binding)))
  }

  /// The form in which a column of a type holds a constant.
  func binding(_ value: Value, as type: ExpressionType) -> SQLBinding? {
    switch (type, value) {
    case (_, .int(let number)) where type.isNumber: return .integer(number)
    case (_, .bool(let flag)) where type.isNumber: return .integer(flag ? 1 : 0)
    case (_, .double(let number)) where type.isNumber: return number.isNaN ? .null : .double(number)
    case (.string, .string(let text)): return .text(text)
    case (.date, .date(let date)):
      let seconds = date.timeIntervalSinceReferenceDate
      return seconds.isNaN ? .null : .timestamp(seconds)
    case (.uuid, .uuid(let uuid)): return unsafe .blob(withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) })
    case (.uri, .uri(let uri)): return .text(uri.absoluteString)
    case (.data, .data(let data)): return .blob(Array(data))
    default: return nil
    }
  }
}

extension SQLExpression {
  /// A number that SQLite may hold as an integer, as a double.
  var asReal: SQLExpression { .infix("*", self, .literal("1.0")) }
}

extension QueryComparison.Options {
  /// The number under which the registered functions know the options.
  var code: Int64 {
    isPlain ? 0 : (contains(.caseInsensitive) ? 1 : 0) + (contains(.diacriticInsensitive) ? 2 : 0)
  }
}
