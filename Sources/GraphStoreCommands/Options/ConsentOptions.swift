import ArgumentParser

/// What every writing command takes.
struct DryRunOptions: ParsableArguments {
  @Flag(
    name: [.customLong("dry-run"), .customShort("n")],
    help: "Do all of it, checks included, say what would be done, and write nothing.")
  var isOn = false
}
