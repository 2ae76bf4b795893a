import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// The functions of the application that run in a store, on one connection (PRD-183).
///
/// Contexts of one store may have different functions of one name, so each registration has an SQL name of
/// its own.
final class SQLiteApplicationFunctions {
  static let prefix = "gs_app_"

  private var installed: Set<Int> = []

  static func name(of function: RegisteredFunction) -> String { prefix + String(function.number) }

  /// Makes functions known to a connection that does not have them yet.
  func install(_ functions: PredicateFunctions, on connection: SQLiteConnection) throws {
    guard functions.hasSQLForms else { return }
    for function in functions.withSQLForms where installed.insert(function.number).inserted {
      try connection.register(function: Self.name(of: function), argumentCount: -1) {
        arguments, result in
        try Self.call(function, arguments: arguments, result: result)
      }
    }
  }

  private static func call(
    _ function: RegisteredFunction, arguments: SQLiteFunctionArguments, result: SQLiteFunctionResult
  ) throws {
    let count = arguments.count - 1
    let code = arguments.int64(at: count)
    let values = try (0..<count).map { place in
      QueryOperand.value(
        try SQLiteValueFunctions.kind(code, fromEnd: count - 1 - place).value(arguments, place))
    }
    let value = try function.result(values[0], Array(values.dropFirst())).value
    SQLiteValueFunctions.kind(code, fromEnd: count).set(value, result)
  }
}

extension SQLiteDialect {
  func call(_ function: RegisteredFunction, _ operands: [SQLOperand]) -> SQLValueAnswer {
    guard function.isDeterministic, let form = function.sqlForm else {
      let lack = function.sqlForm == nil ? "has no SQL form" : "is not marked deterministic"
      return .no(.customFunction, "the function \(function.name) \(lack)")
    }
    let type = ExpressionType(form.result)
    guard let kind = SQLiteValueKind(type), operands.count <= 16 else {
      return .no(.customFunction, "the function \(function.name) has more arguments than SQL takes")
    }
    var expressions: [SQLExpression] = []
    var kinds = [kind]
    for operand in operands {
      guard let argument = argument(operand), !operand.isForComparisonOnly else {
        return .no(.customFunction, "the function \(function.name) is given what is no single value")
      }
      expressions.append(argument.expression)
      // The function distinguishes a Boolean from the number 1.
      kinds.append(operand.type == .boolean ? .boolean : argument.kind)
    }
    let name = SQLiteApplicationFunctions.name(of: function)
    return .exact(SQLOperand(.call(name, expressions + [.number(SQLiteValueFunctions.code(kinds))]), type))
  }
}

/// SQL functions over runs of bytes: bytes, part. Nothing has the empty run in it (PRD-102).
enum SQLiteDataFunctions {
  /// Whether the bytes have the part in them.
  static let containsName = "gs_data_contains"
  /// Whether the bytes begin with the part.
  static let beginsName = "gs_data_begins"
  /// Whether the bytes end with the part.
  static let endsName = "gs_data_ends"

  static func install(on connection: SQLiteConnection) throws {
    try register(containsName, .contains, on: connection)
    try register(beginsName, .beginsWith, on: connection)
    try register(endsName, .endsWith, on: connection)
  }

  private static func register(
    _ name: String, _ operation: TextMatcher.Operation, on connection: SQLiteConnection
  ) throws {
    let test = EngineTextTest(bytes: operation)
    try connection.register(function: name, argumentCount: 2) { arguments, result in
      guard !arguments.isNull(at: 0), !arguments.isNull(at: 1) else { return }
      let kind = SQLiteValueKind.data
      result.set(try test.matches(kind.value(arguments, 0), kind.value(arguments, 1)))
    }
  }
}
