import GraphStorePredicates

/// A word that silences nothing.
enum UnknownIgnoredRule: LintRule {
  static let rule = ModelRule(
    "unknown-ignored", "A user info has under \"checkIgnore\" the name of a rule that does not exist.",
    reason: "The rule that was meant is not silenced.",
    remedy: "Write the names of rules as `graphstore model lint --rules` lists them.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    look(at: model.definition.userInfo, ModelPath(), &report)
    for (position, entity) in model.definition.entities.enumerated() {
      let path = model.path(position)
      look(at: entity.userInfo, path, &report)
      for (number, relationship) in entity.relationships.enumerated() {
        look(at: relationship.userInfo, path.item("relationships", number), &report)
      }
      for (number, property) in entity.fetchedProperties.enumerated() {
        look(at: property.userInfo, path.item("fetchedProperties", number), &report)
      }
    }
    for attribute in model.attributes { look(at: attribute.definition.userInfo, attribute.path, &report) }
  }

  private static func look(
    at userInfo: [String: JSONValue], _ path: ModelPath, _ report: inout LintReport
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
