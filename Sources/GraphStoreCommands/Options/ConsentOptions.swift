import ArgumentParser

/// Option of every command that writes.
struct DryRunOptions: ParsableArguments {
  @Flag(
    name: [.customLong("dry-run"), .customShort("n")],
    help: "Do all of it, checks included, say what would be done, and write nothing.")
  var isOn = false
}

/// Options of commands that ask a person, before the command's name or behind it: long names only, as in
/// `SharedOptions`.
struct ConsentOptions: ParsableArguments {
  @Flag(help: "Answer yes to every question.")
  var yes = false

  @Flag(name: .customLong("no-input"), help: "Never ask: fail where a question would be asked.")
  var noInput = false
}

extension ConsentOptions: FastPathOptions {
  static var plain: ConsentOptions {
    var options = ConsentOptions()
    options.yes = false
    options.noInput = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--yes": yes = line.flag(option)
    case "--no-input": noInput = line.flag(option)
    default: return false
    }
    return true
  }
}

/// Short names of the options of commands that ask, on commands only.
struct ShortConsentOptions: ParsableArguments {
  /// Which option each of them is another name of.
  static let longNames = [("-y", "--yes")]

  @Flag(name: .customShort("y"), help: "Same as --yes.")
  var yes = false
}

extension ShortConsentOptions: FastPathOptions {
  static var plain: ShortConsentOptions {
    var options = ShortConsentOptions()
    options.yes = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    guard option == "-y" else { return false }
    yes = line.flag(option)
    return true
  }
}
