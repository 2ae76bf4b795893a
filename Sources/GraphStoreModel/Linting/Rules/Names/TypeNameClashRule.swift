/// An entity that is named like a type that every program uses.
enum TypeNameClashRule: LintRule {
  static let rule = ModelRule(
    "type-name-clash", "An entity has the name of a standard type of Swift or Foundation.",
    reason: "A class of that name hides the standard type wherever the class is seen.",
    remedy: "Choose another name, or give the entity a \"className\" of its own.")

  private static let types: Set<String> = [
    "Any", "Array", "Bool", "Character", "Codable", "Data", "Date", "Decimal", "Dictionary", "Double",
    "Error",
    "Float", "Int", "Int16", "Int32", "Int64", "Never", "Optional", "Protocol", "Range", "Result", "Self",
    "Sequence", "Set", "String", "Type", "URL", "UUID", "Void",
  ]

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      let name = entity.className ?? entity.name
      guard types.contains(name) else { continue }
      let key = entity.className == nil ? "name" : "className"
      report.add(
        at: model.path(position).key(key),
        "A class \(name) for \(entity.name) would hide the standard type \(name).")
    }
  }
}
