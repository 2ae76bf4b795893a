import GraphStore
import GraphStoreReports

/// Variable of a predicate and its value, as they are given on the command line and in the shell:
/// `name=value`, `$name=value`, or `name:=JSON`.
struct PredicateVariable: Hashable, Sendable {
  /// The name, without the dollar sign.
  let name: String
  let value: String
  /// Whether the value is said to be JSON.
  let isJSON: Bool

  /// As it is given, without a dollar sign.
  var text: String { "\(name)\(isJSON ? ":=" : "=")\(value)" }

  /// Nil for a text without an equals sign or without a name before it.
  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    var name = text[..<equals].drop { $0 == "$" }
    isJSON = name.hasSuffix(":")
    if isJSON { name = name.dropLast() }
    guard !name.isEmpty else { return nil }
    self.name = String(name)
    value = String(text[text.index(after: equals)...])
  }

  /// The first name that texts give two values for, of which one would be forgotten.
  static func repeated(in texts: [String]) -> String? {
    var names: Set<String> = []
    return texts.lazy.compactMap(PredicateVariable.init).first { !names.insert($0.name).inserted }?.name
  }

  /// The names that texts give values for.
  static func names(in texts: [String]) -> [String] { texts.compactMap { PredicateVariable($0)?.name } }

  /// The value where it is JSON.
  ///
  /// - Throws: a diagnostic for a value that is none.
  private func parsedOperand() throws(Diagnostic) -> QueryOperand {
    try JSONArgument.operand(value, option: "--var \(name)", hint: JSONArgument.quotingHint(for: value))
  }

  /// The values of variables of a query, whose types the keys give that they meet: text, but for those that
  /// say that they are JSON.
  static func values(of variables: [PredicateVariable]) throws(Diagnostic) -> [String: Value] {
    var values: [String: Value] = [:]
    for variable in variables { values[variable.name] = try variable.parsedValue() }
    return values
  }

  private func parsedValue() throws(Diagnostic) -> Value {
    guard isJSON else { return .string(value) }
    do {
      return Value(try JSONText.value(Array(value.utf8)))
    } catch {
      throw Diagnostic(
        code: "json-syntax", message: "--var \(name): \(error.message)",
        source: Diagnostic.Source(label: "--var", text: value, offset: error.offset, length: 1),
        exitCode: .usage)
    }
  }

  /// What the variables of a predicate stand for. A session's are text unless they say that they are JSON;
  /// those of the command line always are JSON, and win.
  static func operands(
    ofSession session: [PredicateVariable], commandLine: [String]
  ) throws(Diagnostic) -> [String: QueryOperand] {
    var operands: [String: QueryOperand] = [:]
    for variable in session {
      operands[variable.name] =
        variable.isJSON ? try variable.parsedOperand() : .value(.string(variable.value))
    }
    for text in commandLine {
      guard let variable = PredicateVariable(text) else { continue }
      operands[variable.name] = try variable.parsedOperand()
    }
    return operands
  }
}
