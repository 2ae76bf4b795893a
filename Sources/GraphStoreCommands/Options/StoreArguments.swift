import ArgumentParser

/// Options of every command that works with a store or its model, before its name or behind it: long names only, as in
/// `SharedOptions`.
struct StoreArguments: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp("Store to open (GRAPHSTORE_STORE, .graphstore.json).", valueName: "path"),
    completion: .file(extensions: ["db", "sqlite", "gstore"]))
  var path: String?

  @Option(
    help: ArgumentHelp(
      "Model; repeat it to merge several. A store that is opened must have been made with it; default: its own model.",
      valueName: "path"),
    completion: .file())
  var model: [String] = []

  @Flag(name: .customLong("read-only"), help: "Open the store without write access.")
  var readOnly = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Wait for a locked store (default: 5).", valueName: "seconds")
  )
  var timeout: Double?
}

/// Short names of the store's options, on commands only.
struct ShortStoreArguments: ParsableArguments {
  @Option(name: .customShort("s"), help: ArgumentHelp("Same as --store.", valueName: "path"))
  var path: String?

  @Option(name: .customShort("m"), help: ArgumentHelp("Same as --model.", valueName: "path"))
  var model: [String] = []
}
