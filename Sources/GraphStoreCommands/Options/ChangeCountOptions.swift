import ArgumentParser

/// Option of commands that print nothing of what they change.
struct ChangeCountOptions: ParsableArguments {
  @Flag(help: "Print how many objects were changed, or would be, as one JSON object.") var json = false
}
