import GraphStore

/// List of the lint rules, in lines for people or as JSON.
package enum ModelRuleList {
  /// A few lines for each rule, and how one is silenced.
  package static func lines(usesColor: Bool) -> [String] {
    ModelLinter.rules.flatMap { rule in
      let notes = [scope(rule.scope), rule.isOptIn ? "with --enable \(rule.id)" : nil].compactMap(\.self)
      let title = Style.bold.apply(rule.id, if: usesColor)
      return [
        title + (notes.isEmpty ? "" : "   (\(notes.joined(separator: ", ")))"),
        "  finds:   \(rule.explanation)", "  reason:  \(rule.reason)",
        "  remedy:  \(CommandRemedy.text(rule.remedy))", "",
      ]
    } + [
      "Silence a rule with --disable RULE, or for a model, an entity or a property in its user info:",
      "  \"userInfo\": { \"\(ModelRule.ignoreKey)\": [\"RULE\"] }",
    ]
  }

  private static func scope(_ scope: ModelRule.Scope) -> String? {
    switch scope {
    case .model: nil
    case .support: "also by validate and init"
    case .versions: "of a directory of versions"
    case .store: "with --store"
    case .reading: "of models of Xcode and compiled ones"
    case .merging: "where models are merged"
    case .running: "in programs"
    }
  }

  /// `[{"rule":…,"scope":…,"optIn":…,"finds":…,"reason":…,"remedy":…,"silencing":…}]`
  package static func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginArray()
    for rule in ModelLinter.rules {
      json.beginObject()
      json.member("rule", rule.id)
      json.member("scope", rule.scope.rawValue)
      json.key("optIn")
      json.value(rule.isOptIn)
      json.member("finds", rule.explanation)
      json.member("reason", rule.reason)
      json.member("remedy", CommandRemedy.text(rule.remedy))
      json.member("silencing", rule.silencing)
      json.endObject()
    }
    json.endArray()
    output.append(byte: 0x0A)
  }
}
