import ArgumentParser

/// Option on the form in which values of transformable attributes are shown and taken.
struct ArchiveOptions: ParsableArguments {
  @Flag(
    help: "Values of transformable attributes are JSON, not Base64, where Core Data's archive holds them.")
  var decode = false
}

extension ArchiveOptions: FastPathOptions {
  static var plain: ArchiveOptions {
    var options = ArchiveOptions()
    options.decode = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    guard option == "--decode" else { return false }
    decode = line.flag(option)
    return true
  }
}
