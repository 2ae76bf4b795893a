import GraphStore
import GraphStoreReports

/// Predicate of the command line, with the values given for its placeholders and variables.
struct PredicateText {
  /// How errors call the text.
  static let label = LocatedPredicateError.unnamedLabel

  let text: String
  let predicate: QueryPredicate
  /// The values of `$name`.
  let variables: [String: QueryOperand]

  /// Reads the predicate; without arguments its text may hold no placeholder.
  ///
  /// - Throws: ``LocatedPredicateError`` for the predicate, a diagnostic for a value that is no JSON.
  init(_ text: String, values: ValueOptions, in session: CommandSession) throws {
    self.text = text
    let arguments = try values.arguments.map {
      try JSONArgument.operand($0, option: "--arg", hint: JSONArgument.quotingHint(for: $0))
    }
    variables = try PredicateVariable.operands(
      ofSession: session.settings.variables, commandLine: values.variables)
    do throws(QueryPredicateError) {
      predicate =
        arguments.isEmpty
        ? try QueryPredicate(parsing: text)
        : try QueryPredicate(text, arguments: arguments.map(\.argument))
    } catch {
      var error = error
      if arguments.isEmpty, Self.isPlaceholder(error, text) {
        error.hint = "Give the value of each placeholder with --arg JSON, or write a variable such as $name."
      }
      throw Self.error(error, text)
    }
    session.askedVariables.formUnion(predicate.names.variables)
    try VariableNames.refuseUnused(
      PredicateVariable.names(in: values.variables), known: predicate.names.variables,
      message: "nothing asks for the")
  }

  /// Whether an error lies at a placeholder, for which no value is given.
  private static func isPlaceholder(_ error: QueryPredicateError, _ text: String) -> Bool {
    guard error.code == .syntax, let offset = error.offset else { return false }
    let rest = Array(text.utf8.dropFirst(offset).prefix(2))
    guard rest.count == 2, rest[0] == UInt8(ascii: "%") else { return false }
    return rest[1] == UInt8(ascii: "@") || Character(UnicodeScalar(rest[1])).isLetter
  }

  /// Runs something with the predicate, whose errors are then shown in its text.
  func located<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as QueryPredicateError {
      throw Self.error(error, text)
    }
  }

  /// Something wrong with the predicate itself.
  static func error(_ error: QueryPredicateError, _ text: String) -> LocatedPredicateError {
    LocatedPredicateError(error: error, label: label, text: text)
  }
}
