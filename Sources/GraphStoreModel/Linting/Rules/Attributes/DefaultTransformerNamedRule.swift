/// The insecure archive of old, asked for by name (MDL-163).
enum DefaultTransformerNamedRule: LintRule {
  static let rule = ModelRule(
    "default-transformer-named", "A transformable attribute names the insecure keyed archive of old.",
    reason: "It is taken to mean the default, which holds plain values and no other classes.",
    remedy: "Take \"transformer\" away, or name a transformer of your own.")

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for attribute in model.attributes where attribute.definition.type == .transformable {
      guard let name = attribute.definition.transformer, stem(name) == "KeyedUnarchiveFromData" else {
        continue
      }
      report.add(
        at: attribute.path.key("transformer"),
        "\(attribute.label) names \(name), which means the default archive.")
    }
  }

  /// The name without the prefix and the suffix that it may have.
  private static func stem(_ name: String) -> Substring {
    var stem = Substring(name)
    if stem.hasPrefix("NS") { stem = stem.dropFirst(2) }
    if stem.hasSuffix("Transformer") { stem = stem.dropLast("Transformer".count) }
    return stem
  }
}
