import ArgumentParser
import GraphStoreReports

/// Options that every command has, before its name or behind it: long names only, because short names on the
/// root take values away from options behind it (`--sort -salary`).
struct SharedOptions: ParsableArguments {
  @Option(help: "Colours: auto, always or never.")
  var color: When?

  @Flag(name: .customLong("no-color"), help: "Same as --color never.")
  var noColor = false

  @Option(
    name: .customLong("error-format"),
    help: "Errors as text, one line of JSON each, or annotations of a workflow at GitHub.")
  var errorFormat: DiagnosticPrinter.Format?

  @Option(
    help: ArgumentHelp(
      "Settings of that profile of .graphstore.json, before those of variables (GRAPHSTORE_PROFILE).",
      valueName: "name"))
  var profile: String?

  @Flag(help: "No notes on standard error, only errors.")
  var quiet = false

  @Flag(
    name: .customLong("no-pager"),
    help: "Print results that are longer than the screen as others (GRAPHSTORE_PAGER, PAGER).")
  var noPager = false

  @Flag(help: "Say on standard error how long it took, in SQLite and in all.")
  var time = false
}

extension SharedOptions: FastPathOptions {
  static var plain: SharedOptions {
    var options = SharedOptions()
    options.color = nil
    options.noColor = false
    options.errorFormat = nil
    options.profile = nil
    options.quiet = false
    options.noPager = false
    options.time = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--color": color = line.word(option)
    case "--no-color": noColor = line.flag(option)
    case "--error-format": errorFormat = line.word(option)
    case "--profile": profile = line.text(option)
    case "--quiet": quiet = line.flag(option)
    case "--no-pager": noPager = line.flag(option)
    case "--time": time = line.flag(option)
    default: return false
    }
    return true
  }
}

extension When: ExpressibleByArgument {}
extension DiagnosticPrinter.Format: ExpressibleByArgument {}

/// Short names of the shared options, on commands only.
struct ShortOptions: ParsableArguments {
  /// Which option each of them is another name of.
  static let longNames = [("-q", "--quiet")]

  @Flag(name: .customShort("q"), help: "Same as --quiet.")
  var quiet = false
}

extension ShortOptions: FastPathOptions {
  static var plain: ShortOptions {
    var options = ShortOptions()
    options.quiet = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    guard option == "-q" else { return false }
    quiet = line.flag(option)
    return true
  }
}
