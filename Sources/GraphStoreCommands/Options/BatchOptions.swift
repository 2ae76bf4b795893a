import ArgumentParser

/// Option of commands that can change objects of an entity as one set.
struct BatchOptions: ParsableArguments {
  @Flag(
    name: .customLong("batch"),
    help: "Write the store as one set, by the rules of the model and without an object for each.")
  var isOn = false
}
