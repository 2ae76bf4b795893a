import ArgumentParser

/// Option of commands that can change objects of an entity as one set.
struct BatchOptions: ParsableArguments {
  @Flag(
    name: .customLong("batch"),
    help:
      "Write the store as one set, without an object for each: types, mandatory and unique values, links and delete rules are checked, other rules are not."
  )
  var isOn = false
}
