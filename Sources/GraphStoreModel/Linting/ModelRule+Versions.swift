extension ModelRule {
  /// The rules that look at the versions of a model.
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
