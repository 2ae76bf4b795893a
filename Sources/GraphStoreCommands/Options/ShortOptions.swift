import ArgumentParser

/// Short names of the shared options, on commands only.
struct ShortOptions: ParsableArguments {
  @Flag(name: .customShort("q"), help: "Same as --quiet.")
  var quiet = false

  @Flag(name: .customShort("y"), help: "Same as --yes.")
  var yes = false
}
