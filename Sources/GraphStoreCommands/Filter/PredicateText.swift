import GraphStore

/// Predicate of the command line, with the values given for its placeholders and variables.
struct PredicateText {
  /// How errors call the text.
  static let label = "expression"

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
      try JSONArgument.operand($0, option: "--arg", hint: Self.hint($0))
    }
    variables = try Self.variables(values.variables, session.settings.variables)
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

  private static func variables(
    _ texts: [String], _ given: [VariableText]
  ) throws -> [String: QueryOperand] {
    var values: [String: QueryOperand] = [:]
    // A session's are text unless they say that they are JSON; those of the command always are JSON.
    for variable in given {
      values[variable.name] = variable.isJSON ? try operand(variable) : .value(.string(variable.value))
    }
    for variable in texts.compactMap(VariableText.init) { values[variable.name] = try operand(variable) }
    return values
  }

  private static func operand(_ variable: VariableText) throws -> QueryOperand {
    try JSONArgument.operand(
      variable.value, option: "--var \(variable.name)", hint: hint(variable.value))
  }

  /// How a text is written that was given without its quotes.
  private static func hint(_ text: String) -> String {
    let output = OutputBuffer.memory()
    output.append(jsonString: text)
    return "the value is JSON: write a text as '\(output.consumeString())'"
  }
}
