import ArgumentParser

/// Short names of the shared options, on commands only.
struct ShortOptions: ParsableArguments {
  @Option(name: .customShort("s"), help: ArgumentHelp("Same as --store.", valueName: "path"))
  var store: String?

  @Option(name: .customShort("m"), help: ArgumentHelp("Same as --model.", valueName: "path"))
  var model: [String] = []

  @Flag(name: .customShort("q"), help: "Same as --quiet.")
  var quiet = false

  @Flag(name: .customShort("y"), help: "Same as --yes.")
  var yes = false
}
