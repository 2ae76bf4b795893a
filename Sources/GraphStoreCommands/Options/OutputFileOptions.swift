import ArgumentParser

/// Where a command prints to.
struct OutputFileOptions: ParsableArguments {
  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp(
      "Write to a file, which appears when it is whole; asks before one is replaced. - is standard output.",
      valueName: "file"),
    completion: .file())
  var path: String?
}
