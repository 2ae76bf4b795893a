extension ModelRule {
  /// The rules about what happened while a model was read, merged or used. The readers, the merger and the coordinator look
  /// with them, not ``ModelLinter`` itself.
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

  /// MDL-070.
  private static let ofPrograms = [
    ModelRule(
      "class-not-registered", "No class is registered under the className of an entity.",
      reason: "Its objects load and save as plain managed objects, without the code of the class.",
      remedy: "Give the class to the coordinator, or take the className out of the model.", scope: .running)
  ]
}
