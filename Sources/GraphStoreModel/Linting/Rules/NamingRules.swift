/// Names that are not written as is customary (MDL-350).
enum NameStyleRule: LintRule {
  static let rule = ModelRule(
    "name-style", "An entity starts lower-case or ends in Entity, or a property starts upper-case.",
    reason:
      "Names become types and members of Swift, where readers expect types upper-case and members lower-case.",
    remedy: "Rename it, with the old name as its \"renamingIdentifier\" where stores exist.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      let path = model.path(position)
      if entity.name.first?.isLowercase == true {
        report.add(at: path.key("name"), "The entity \(entity.name) starts with a lower-case letter.")
      }
      if entity.name.hasSuffix("Entity"), entity.name != "Entity" {
        report.add(at: path.key("name"), "The entity \(entity.name) says in its name that it is one.")
      }
      let relationships = entity.relationships.enumerated().map { ($1.name, path.item("relationships", $0)) }
      let fetched = entity.fetchedProperties.enumerated().map {
        ($1.name, path.item("fetchedProperties", $0))
      }
      for (name, place) in relationships + fetched {
        check(name, label: "\(entity.name).\(name)", at: place, report: &report)
      }
    }
    for attribute in model.attributes {
      check(attribute.definition.name, label: attribute.label, at: attribute.path, report: &report)
    }
  }

  private static func check(_ name: String, label: String, at path: ModelPath, report: inout LintReport) {
    guard name.first?.isUppercase == true else { return }
    report.add(at: path.key("name"), "The property \(label) starts with an upper-case letter.")
  }
}

/// Properties of one entity that are easily mistaken for each other (MDL-063).
enum NamesDifferByCaseRule: LintRule {
  static let rule = ModelRule(
    "names-differ-by-case", "Two properties of an entity have names that differ in case only.",
    reason: "They are easily mistaken for each other, and formats that ignore case cannot tell them apart.",
    remedy: "Give one of them another name.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    let own = model.definition.entities.map(properties)
    var folded: [[String: String]] = own.map { properties in
      Dictionary(properties.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
    }
    for (position, properties) in own.enumerated() {
      let ancestors = model.lineage(of: position).dropFirst()
      for property in properties {
        let key = property.name.lowercased()
        let inherited = ancestors.lazy.compactMap { folded[$0][key] }.first
        let other = inherited ?? folded[position][key]
        if let other, other != property.name {
          report.add(
            at: property.path(model.path(position)).key("name"),
            "\(model.name(position)).\(property.name) and \(other) differ in case only.")
        }
        if folded[position][key] == nil { folded[position][key] = property.name }
      }
    }
  }

  private struct Property {
    let name: String
    let list: String
    let number: Int

    func path(_ entity: ModelPath) -> ModelPath { entity.item(list, number) }
  }

  private static func properties(of entity: EntityDefinition) -> [Property] {
    entity.attributes.enumerated().map { Property(name: $1.name, list: "attributes", number: $0) }
      + entity.relationships.enumerated().map { Property(name: $1.name, list: "relationships", number: $0) }
      + entity.fetchedProperties.enumerated().map {
        Property(name: $1.name, list: "fetchedProperties", number: $0)
      }
  }
}

/// A property named like a word of the predicate language (MDL-065).
enum PredicateWordRule: LintRule {
  static let rule = ModelRule(
    "predicate-word", "A property is named like a word of the predicate language.",
    reason: "In a predicate the plain name is read as that word.",
    remedy: "Write #NAME in predicates, or choose another name.")

  private static let words: Set<String> = [
    "and", "or", "not", "in", "any", "all", "none", "some", "between", "contains", "like", "matches",
    "beginswith", "endswith", "first", "last", "size", "true", "false", "yes", "no", "null", "nil",
    "subquery",
    "cast", "function", "truepredicate", "falsepredicate",
  ]

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      let path = model.path(position)
      var names = entity.attributes.enumerated().map { ($1.name, path.item("attributes", $0)) }
      names += entity.relationships.enumerated().map { ($1.name, path.item("relationships", $0)) }
      names += entity.fetchedProperties.enumerated().map { ($1.name, path.item("fetchedProperties", $0)) }
      for (name, place) in names where words.contains(name.lowercased()) {
        report.add(
          at: place.key("name"), "\(entity.name).\(name) is named like a word of the predicate language.",
          remedy: "Write #\(name) in predicates, or choose another name.")
      }
    }
  }
}

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

  static func check(_ model: LintedModel, report: inout LintReport) {
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
