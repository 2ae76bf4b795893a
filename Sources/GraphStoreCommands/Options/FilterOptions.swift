import ArgumentParser

/// Which objects of an entity a command means.
struct FilterOptions: ParsableArguments {
  @Option(
    name: [.customLong("where"), .customShort("w")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Predicate; several must all hold.", valueName: "predicate"))
  var predicates: [String] = []

  @Option(
    name: .customLong("var"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Value of $name, of the type of the key it meets; name:=JSON for null and the like.",
      valueName: "name=value"))
  var variables: [String] = []

  @Flag(inversion: .prefixedNo, help: "Objects of sub-entities too.")
  var subentities = true

  func validate() throws {
    for variable in variables where VariableText(variable) == nil {
      throw ValidationError("--var takes name=value, not '\(variable)'.")
    }
    if let name = VariableText.repeated(in: variables) {
      throw ValidationError("--var gives $\(name) two values; leave one out.")
    }
  }
}
