import ArgumentParser

/// Option on the objects' own ids among what is printed.
struct IdentifierOptions: ParsableArguments {
  @Flag(
    name: .customLong("no-id"),
    help: "Leave out the object's own id, which JSON shows in any case; --fields can name it.")
  var noIdentifier = false
}

extension IdentifierOptions: FastPathOptions {
  static var plain: IdentifierOptions {
    var options = IdentifierOptions()
    options.noIdentifier = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    guard option == "--no-id" else { return false }
    noIdentifier = line.flag(option)
    return true
  }
}
