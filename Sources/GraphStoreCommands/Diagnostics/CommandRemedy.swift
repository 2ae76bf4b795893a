import GraphStore

/// The remedy of an error of the library in the words of the command: its options, where the library speaks of settings.
enum CommandRemedy {
  /// What the library says, and what a user of the command does.
  static let words = [
    ("set a longer timeout", "wait longer with --timeout"),
    ("Open it for writing", "Open it without --read-only"),
    ("open it for reading only", "open it with --read-only"),
    ("Give the model that it was made with", "Give the model that it was made with: --model FILE"),
    (
      "Open it with the model that it carries; its objects move to the other model by an export, and an import into a new "
        + "store",
      "Leave out --model to open it with the model that it carries; to go on with another model: "
        + "graphstore export --all -o all.ndjson, graphstore init NEW --model MODEL, "
        + "graphstore import --all all.ndjson -s NEW"
    ),
    ("Open it with the model that it carries", "Leave out --model: the store carries its model"),
    ("give its model to read", "give its model with --model FILE to read"),
    ("do not keep ids", "import without --keep-ids"),
    ("choose to ignore, update or replace", "say --on-conflict ignore, update or replace"),
  ]

  static func text(of error: GraphStoreError) -> String {
    // A user of the command has no object that could be refreshed.
    if error.code == .mergeConflict {
      return "Run the command again, in a shell after .rollback; nothing was written."
    }
    return words.reduce(error.remedy) { text, pair in text.replacing(pair.0, with: pair.1) }
  }
}
