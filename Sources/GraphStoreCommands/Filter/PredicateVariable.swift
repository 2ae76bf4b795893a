import GraphStore

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

  /// Refuses values for variables that nothing asks for: most often a name is misspelled.
  ///
  /// - Parameters:
  ///   - known: The names of the variables that are asked for.
  ///   - message: What is said before `variable $NAME`.
  static func refuseUnused(_ texts: [String], known: [String], message: String) throws(Diagnostic) {
    for text in texts {
      guard let name = PredicateVariable(text)?.name, !known.contains(name) else { continue }
      var seen: Set<String> = []
      let names = known.filter { seen.insert($0).inserted }.map { "$" + $0 }.joined(separator: ", ")
      throw Diagnostic(
        code: "unknown-variable", message: "\(message) variable $\(name)",
        hints: [known.isEmpty ? "there is none" : "there is \(names)"],
        suggestions: NearestNames.names(near: name, among: known), exitCode: .usage)
    }
  }

  /// The value where it is JSON.
  ///
  /// - Throws: a diagnostic for a value that is none.
  private func parsedOperand() throws(Diagnostic) -> QueryOperand {
    try JSONArgument.operand(value, option: "--var \(name)", hint: JSONArgument.quotingHint(for: value))
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
