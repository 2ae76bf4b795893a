extension ModelRule {
  /// The rules over the versions of a model.
  static let ofVersions = [
    versionLabel, versionsIndistinguishable, renamingToNothing, maybeRenamed, noPath,
  ]

  /// MDL-042.
  static let versionLabel = ModelRule(
    "version-label", "The key \"version\" in the file of a version differs from the file's name.",
    reason: "The file's name counts, and people who read the file are misled.",
    remedy: "Take the key away or make it the file's name.", scope: .versions)

  /// MDL-050.
  static let versionsIndistinguishable = ModelRule(
    "versions-indistinguishable", "Two versions have equal hashes.",
    reason:
      "A store that fits one fits the other and counts as the newer one, so no migration between them ever runs.",
    remedy: "If they are to be told apart give an entity that differs a \"versionHashModifier\".",
    scope: .versions)

  /// MDL-352.
  static let renamingToNothing = ModelRule(
    "renaming-to-nothing", "A renaming identifier matches nothing in the version before.",
    reason: "A migration does not carry over what was to be renamed.",
    remedy: "Write the name that it had in the version before, or take the identifier away.", scope: .versions
  )

  /// MDL-352.
  static let maybeRenamed = ModelRule(
    "maybe-renamed", "One property vanishes and one of the same type appears, without a renaming identifier.",
    reason: "A migration removes the old one with its values and adds the new one empty.",
    remedy: "If it was renamed give the new one the old name as its \"renamingIdentifier\".", scope: .versions
  )

  /// MDL-352.
  static let noPath = ModelRule(
    "no-path", "There is no way from a version to the current one by mappings, written or inferred.",
    reason: "Stores of that version cannot be opened any more.",
    remedy: "Write a mapping, or make each change one that can be inferred.", scope: .versions)
}

extension ModelRule {
  /// The rules over a model and the objects of a store.
  static let ofStores = [requiredWithoutDefault, notUnique, valuesBreakLimits, alwaysNil, textLooksTyped]

  /// MDL-103, MIG-103 to MIG-105.
  package static let requiredWithoutDefault = ModelRule(
    "required-without-default",
    "Objects of the store lack a value that the model requires and has no default for.",
    reason: "A migration to the model is refused, or objects cannot be saved once they are changed.",
    remedy: "Give the attribute a default, or make it optional.", scope: .store)

  /// MDL-291.
  package static let notUnique = ModelRule(
    "not-unique", "Values in the store are not as unique as the model asks.",
    reason: "A migration to the model is refused as long as there are duplicates.",
    remedy: "Make the values differ first, or widen the constraint.", scope: .store)

  /// MDL-148 to MDL-150.
  package static let valuesBreakLimits = ModelRule(
    "values-break-limits", "Values in the store break a limit, length or pattern of their attribute.",
    reason: "Each such object cannot be saved once it is changed.",
    remedy: "Correct the values, or widen the limit.", scope: .store)

  /// An attribute that is never set.
  package static let alwaysNil = ModelRule(
    "always-nil", "No object of the store has a value for an attribute.",
    reason: "The attribute costs room in every row and attention of every reader.",
    remedy: "Remove it if nothing uses it any more.", scope: .store)

  /// Text that is something else.
  package static let textLooksTyped = ModelRule(
    "text-looks-typed", "All values of a string attribute read as numbers or as dates.",
    reason: "Text compares and sorts as text: \"10\" comes before \"9\".",
    remedy: "Make it a number or a date, unless the text is only a label.", scope: .store)
}

extension ModelRule {
  /// The rules about what happened while a model was read, merged or used. The readers, the merger and the
  /// coordinator look with them, not ``ModelLinter`` itself.
  static let ofSources = ofMerging + ofReaders + ofPrograms

  // MARK: Models of other makers

  private static let ofReaders = ofXcode + ofCompiled

  private static let ofXcode = [
    reading(
      "foreign-dropped", "A part of a model of Xcode's makes no sense.",
      reason: "It has no effect here; it is kept for writing back.", remedy: "Mend it in Xcode."),
    reading(
      "foreign-mended", "A part of a model of Xcode's is read in its evident sense, not as it stands.",
      reason: "Other tools may read it otherwise.", remedy: "Write it as it is meant."),
    reading(
      "foreign-unknown", "A model of Xcode's says something that is not known here.",
      reason: "It has no effect here; it is kept for writing back.",
      remedy: "Nothing, if a store does not need it."),
  ]

  private static let ofCompiled = [
    reading(
      "compiled-dropped", "A part of a compiled model makes no sense.", reason: "It is left out.",
      remedy: compiledRemedy),
    reading(
      "compiled-bad-value", "A value in a compiled model is not one of those there can be.",
      reason: "It is left out, or the usual value is taken.", remedy: compiledRemedy),
    reading(
      "compiled-no-derivation", "A derived attribute of a compiled model does not say from what.",
      reason: "It is read as an ordinary attribute.", remedy: compiledRemedy),
    reading(
      "compiled-no-destination", "A relationship or request of a compiled model leads to no entity.",
      reason: "It is left out.", remedy: compiledRemedy),
    reading(
      "compiled-unknown-class", "A compiled model holds an object of an unexpected kind.",
      reason: "It is left out.", remedy: compiledRemedy),
    reading(
      "compiled-unknown-flag", "An attribute of a compiled model has flags that are not known here.",
      reason: "They have no effect here.", remedy: compiledRemedy),
    reading(
      "compiled-unknown-key", "A compiled model says something that is not known here.",
      reason: "It has no effect here.", remedy: "Nothing, if a store does not need it."),
    reading(
      "compiled-unknown-part",
      "A predicate, expression or index of a compiled model is of a kind that is not known here.",
      reason: "It is left out.", remedy: compiledRemedy),
    reading(
      "compiled-unknown-type", "An attribute of a compiled model has a type that cannot be stored.",
      reason: "It is left out.", remedy: compiledRemedy),
    reading(
      "compiled-more", "A compiled model has more findings than are told one by one.",
      reason: "They are counted only.", remedy: compiledRemedy),
  ]

  private static let compiledRemedy = "Compile the model again, or give its source, a .xcdatamodeld folder."

  private static func reading(
    _ id: String, _ explanation: String, reason: String, remedy: String
  ) -> ModelRule {
    ModelRule(id, explanation, reason: reason, remedy: remedy, scope: .reading)
  }

  // MARK: Merging

  /// MDL-054.
  private static let ofMerging = [
    ModelRule(
      "merged-definitions-differ",
      "Two merged models define an entity alike but for what does not count for its hash.",
      reason: "The definition of the first model is taken, and that of the second has no effect.",
      remedy: "Keep the entity in one of the models.", scope: .merging)
  ]

  // MARK: Programs

  /// MDL-070, DGN-136.
  private static let ofPrograms = [
    ModelRule(
      "class-not-registered", "No class is registered under the className of an entity.",
      reason: "Its objects load and save as plain managed objects, without the code of the class.",
      remedy: "Give the class to the coordinator, or take the className out of the model.", scope: .running),
    ModelRule(
      "class-not-used", "A class that a program gives is named by no entity.",
      reason: "No object is of that class: its accessors and dependent keys are never used.",
      remedy: "Name it as the className of an entity, or do not give it to the coordinator.", scope: .running),
  ]
}
