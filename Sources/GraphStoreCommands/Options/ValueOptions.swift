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
    for variable in variables where PredicateVariable(variable) == nil {
      throw ValidationError("--var takes name=JSON, not '\(variable)'.")
    }
    if let name = PredicateVariable.repeated(in: variables) {
      throw ValidationError("--var gives $\(name) two values; leave one out.")
    }
  }
}
