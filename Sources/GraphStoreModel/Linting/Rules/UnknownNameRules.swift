import GraphStorePredicates

/// A text for something that is not there.
enum LocalizationNamesNothingRule: LintRule {
  static let rule = ModelRule(
    "localization-names-nothing", "A key of the localization names no entity or property of the model.",
    reason: "The text is never shown.",
    remedy: "Write Entity/E, Property/P/Entity/E, Property/P or ErrorString/TEXT with names of the model.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    guard !model.definition.localization.isEmpty else { return }
    let entities = model.definition.entities
    let properties = Set(entities.flatMap(names))
    for key in model.definition.localization.keys.sorted() where !key.hasPrefix("ErrorString/") {
      let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      let missing: (name: String, known: [String])?
      switch (parts.count, parts[0], parts.count == 4 ? parts[2] : "") {
      case (2, "Entity", _):
        missing = model.entity(named: parts[1]) == nil ? (parts[1], entities.map(\.name)) : nil
      case (2, "Property", _):
        missing = properties.contains(parts[1]) ? nil : (parts[1], properties.sorted())
      case (4, "Property", "Entity"):
        missing = self.missing(parts[1], of: parts[3], in: model)
      default:
        report.add(at: place(key), "The key \"\(key)\" has none of the forms that are looked up.")
        continue
      }
      guard let missing else { continue }
      let near = NearestNames.names(near: missing.name, among: missing.known).first
      report.add(
        at: place(key), "The key \"\(key)\" names \(missing.name), which is not in the model.",
        remedy: near.map { "Write \($0)." })
    }
  }

  private static func place(_ key: String) -> ModelPath { ModelPath().key("localization").key(key) }

  private static func missing(
    _ property: String, of entity: String, in model: LintedModel
  ) -> (name: String, known: [String])? {
    guard let position = model.entity(named: entity) else {
      return (entity, model.definition.entities.map(\.name))
    }
    if model.property(property, of: position) != nil { return nil }
    return (property, model.lineage(of: position).flatMap { names(of: model.definition.entities[$0]) })
  }

  private static func names(of entity: EntityDefinition) -> [String] {
    entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
  }
}

/// A word that silences nothing.
enum UnknownIgnoredRule: LintRule {
  static let rule = ModelRule(
    "unknown-ignored", "A user info has under \"checkIgnore\" the name of a rule that does not exist.",
    reason: "The rule that was meant is not silenced.",
    remedy: "Write the names of rules as the list of rules has them.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    check(model.definition.userInfo, at: ModelPath(), report: &report)
    for (position, entity) in model.definition.entities.enumerated() {
      let path = model.path(position)
      check(entity.userInfo, at: path, report: &report)
      for (number, relationship) in entity.relationships.enumerated() {
        check(relationship.userInfo, at: path.item("relationships", number), report: &report)
      }
      for (number, property) in entity.fetchedProperties.enumerated() {
        check(property.userInfo, at: path.item("fetchedProperties", number), report: &report)
      }
    }
    for attribute in model.attributes {
      check(attribute.definition.userInfo, at: attribute.path, report: &report)
    }
  }

  private static func check(
    _ userInfo: [String: JSONValue], at path: ModelPath, report: inout LintReport
  ) {
    let place = path.key("userInfo").key(ModelRule.ignoreKey)
    if userInfo[ModelRule.ignoreKey] != nil, SilencedRules.names(in: userInfo) == nil {
      report.add(at: place, "\"\(ModelRule.ignoreKey)\" is no list of names of rules.")
    }
    for name in SilencedRules.names(in: userInfo) ?? [] where ModelLinter.rule(named: name) == nil {
      let near = NearestNames.names(near: name, among: ModelLinter.rules.map(\.id)).first
      report.add(at: place, "There is no rule \"\(name)\".", remedy: near.map { "Write \"\($0)\"." })
    }
  }
}
