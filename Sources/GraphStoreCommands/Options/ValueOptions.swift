import ArgumentParser

/// Options with values for the placeholders and variables of a predicate that no entity gives types.
struct ValueOptions: ParsableArguments {
  @Option(
    name: .customLong("arg"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Value of the next %@, %K, %d …; give one for each, in order.", valueName: "json"))
  var arguments: [String] = []

  @Option(
    name: .customLong("var"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Value of $name: n=5, n='\"text\"', n='{\"$date\": \"2024-05-01\"}'.", valueName: "name=json"))
  var variables: [String] = []

  func validate() throws {
    for variable in variables where VariableText(variable) == nil {
      throw ValidationError("--var takes name=JSON, not '\(variable)'.")
    }
    if let name = VariableText.repeated(in: variables) {
      throw ValidationError("--var gives $\(name) two values; leave one out.")
    }
  }
}

/// A variable and its value as they are given on the command line and in the shell: `name=value`, `$name=value`, or
/// `name:=JSON`.
struct VariableText: Hashable, Sendable {
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
    return texts.lazy.compactMap(VariableText.init).first { !names.insert($0.name).inserted }?.name
  }
}
