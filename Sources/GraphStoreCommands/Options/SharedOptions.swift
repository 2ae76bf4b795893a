import ArgumentParser

/// Options that every command has, before its name or behind it: long names only, because short names on the root take
/// values away from options behind it (`--sort -salary`).
struct SharedOptions: ParsableArguments {
  @Option(help: "Colours: auto, always or never.")
  var color: When?

  @Flag(name: .customLong("no-color"), help: "Same as --color never.")
  var noColor = false

  @Option(name: .customLong("error-format"), help: "Errors as text, or one line of JSON each.")
  var errorFormat: DiagnosticPrinter.Format?

  @Flag(help: "No notes on standard error, only errors.")
  var quiet = false

  @Flag(help: "Say on standard error how long it took.")
  var time = false

  @Flag(help: "Answer yes to every question.")
  var yes = false

  @Flag(name: .customLong("no-input"), help: "Never ask: fail where a question would be asked.")
  var noInput = false
}

extension When: ExpressibleByArgument {}
extension DiagnosticPrinter.Format: ExpressibleByArgument {}

/// Short names of the shared options, on commands only.
struct ShortOptions: ParsableArguments {
  @Flag(name: .customShort("q"), help: "Same as --quiet.")
  var quiet = false

  @Flag(name: .customShort("y"), help: "Same as --yes.")
  var yes = false
}
