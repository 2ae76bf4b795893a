import GraphStore

extension DiagnosticMapper {
  /// The diagnostic of an error of the library, with one for each of several problems.
  package static func diagnostic(_ error: GraphStoreError) -> Diagnostic {
    if !error.errors.isEmpty { return diagnostic(ofSeveral: error) }
    var result = Diagnostic(
      // A rule of the model may say in its own words what it demands.
      code: error.word,
      message: error.code == .validation ? sentence(error.message) : clause(error.message),
      details: error.details,
      suggestions: error.suggestions, entity: error.entity, property: error.property,
      exitCode: exitCode(of: error))
    result.object = error.objectID.flatMap { $0.isTemporaryID ? nil : $0.shortForm }
    result.value = error.value
    result.number = error.number
    result.conflicts = error.conflicts.flatMap(\.values)
    result.cause = error.underlying.map { "\($0)" }
    if !error.remedy.isEmpty { result.hints = [hint(CommandRemedy.text(of: error))] }
    switch error.code {
    case .unknownEntity:
      result.message = "the model has no entity \"\(error.entity ?? "")\""
      result.hints = [error.remedy.replacing("The model has ", with: "Also known: ")].map(sentence)
    case .validation:
      result.message = placed(result.message, error)
      // What to do is in the message: the rule, and what it asks for.
      result.hints = []
    case .storeAlreadyOpen:
      result.message = result.message
        .replacing(
          ", which is open under the coordinator: both have",
          with: ", and both cannot be opened as one: they have"
        )
        .replacing(" is open under the coordinator already, as ", with: " is named twice, also as ")
    case .deleteDenied:
      result.hints = ["delete or move them first, in the same save: graphstore run - <<'…'"]
    default: break
    }
    return result
  }

  /// The message of a rule that a value breaks, behind the entity, the key and, where it is in the store, the
  /// object.
  private static func placed(_ message: String, _ error: GraphStoreError) -> String {
    guard let entity = error.entity, let property = error.property else { return message }
    let key = "\(entity).\(property)"
    let object = error.objectID.flatMap { $0.isTemporaryID ? nil : $0.shortForm }
    if let object, message.contains(object) { return message }
    let place = key + (object.map { " of \($0)" } ?? "")
    for said in ["\(key): ", "\(error.objectID?.entity.superentity?.name ?? "").\(property): "]
    where message.hasPrefix(said) {
      return place + ": " + message.dropFirst(said.count)
    }
    if message == "\(property) is a required property" {
      let isRelationship = error.objectID?.entity.property(named: property) is RelationshipDescription
      return place + ": \(isRelationship ? "an object" : "a value") is required"
    }
    return message.hasPrefix(key) ? message : "\(place): \(message)"
  }

  private static func diagnostic(ofSeveral error: GraphStoreError) -> Diagnostic {
    let parts = error.errors.map { diagnostic($0) }
    let isData = parts.contains { $0.exitCode == .dataError }
    var result = Diagnostic(
      code: error.word, message: clause(error.message),
      details: Diagnostic.details(of: parts), hints: ["nothing was written"], entity: error.entity,
      exitCode: isData ? .dataError : .refused)
    result.errors = parts
    if error.code == .mappingMissing || error.code == .migrationConstraint {
      // Here the parts are reasons of one thing, which has a remedy.
      result.exitCode = exitCode(of: error)
      result.hints = [hint(CommandRemedy.text(of: error))]
    }
    if error.code == .mappingMissing {
      result.hints.append("graphstore migrate new-mapping OLD NEW writes a mapping to begin with")
    }
    return result
  }
}

/// The remedy of an error of the library in the words of the command: its options, where the library speaks
/// of settings.
enum CommandRemedy {
  /// What the library says, and what a user of the command does.
  static let words = [
    (
      "Open the copy under a coordinator of its own",
      "Name one of them with --store, and ask the other by a command of its own"
    ),
    ("Use the store that is open", "Name it with --store once"),
    ("set a longer timeout", "wait longer with --timeout"),
    ("Open it for writing", "Open it without --read-only"),
    ("open it for reading only", "open it with --read-only"),
    ("Give the model that it was made with", "Give the model that it was made with: --model FILE"),
    ("one configuration, name that: ", "one configuration, say --configuration NAME: "),
    ("Open it with the configuration ", "Open it with --configuration "),
    (
      ", or open it with the model that it carries",
      " shows how it gets to this model; without --model it opens with the one that it carries"
    ),
    ("give its model to read", "give its model with --model FILE to read"),
    ("or let the store there be replaced", "or replace the store there with --force"),
    ("or set a merge policy", "or say what is to hold with --on-save-conflict"),
    ("do not keep ids", "import without --keep-ids"),
    ("choose to ignore, update or replace", "say --on-conflict ignore, update or replace"),
    ("Check the store", "Run graphstore check"),
    ("check the store", "run graphstore check"),
    ("a check of the store lists", "graphstore check lists"),
    ("repair it clearing ", "graphstore check --repair --clear "),
    ("a repair clearing ", "graphstore check --repair --clear "),
    ("Repair the store", "Run graphstore check --repair"),
    ("Migrate it to another place", "Migrate it to another place: graphstore migrate apply --output PATH"),
    ("Take the model out of it", "Take the model out of it: graphstore model from-store"),
    ("rite a mapping for this step", "rite a mapping for this step (graphstore migrate new-mapping)"),
    (
      "Mend the predicate or the sort keys",
      "Mend the predicate or the sort keys; `graphstore predicate check` explains them"
    ),
    ("Mend the expression", "Mend the expression; `graphstore predicate check` explains conditions"),
    (
      "Begin one with enableHistoryTracking, or the option historyTracking",
      "Begin one: graphstore history enable"
    ),
    ("remove from the history what all have read", "graphstore history purge --read-by-all"),
    ("as the list of rules has them", "as `graphstore model lint --rules` lists them"),
  ]

  /// What the library says of an error, or what a user of the command is to do instead.
  static func text(of error: GraphStoreError) -> String {
    // A user of the command has no object that could be refreshed.
    if error.code == .mergeConflict {
      return "Run the command again, in a shell after .rollback, or say what is to be done with conflicts: "
        + "--on-save-conflict, in a shell .policy; nothing was written."
    }
    return error.remedy
  }

  /// What the library says, in the words of the command.
  static func text(_ remedy: String) -> String {
    let named = remedy.replacing(/rite a mapping for the step from (.+) to (.+)\./) {
      "rite a mapping: graphstore migrate new-mapping \($0.1) \($0.2)."
    }
    return words.reduce(named) { text, pair in text.replacing(pair.0, with: pair.1) }
  }
}
