import GraphStore

/// A model in lines for people: entities as a tree of inheritance, each with what it declares.
struct ModelOutline {
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  var lines: [String] {
    var lines = ["model \(InitCommand.title(model))"]
    for root in model.entities where root.superentity == nil {
      lines.append("")
      lines += tree(root, depth: 0)
    }
    return lines
  }

  /// One entity with everything it has, inherited properties included.
  func lines(of entity: EntityDescription) -> [String] {
    [Self.title(entity)] + Self.properties(Array(entity.properties), entity)
      + Self.rules(entity, isOwn: false)
  }

  private func tree(_ entity: EntityDescription, depth: Int) -> [String] {
    let own =
      [Self.title(entity)] + Self.properties(Array(entity.ownProperties), entity)
      + Self.rules(entity, isOwn: true)
    let indent = String(repeating: "  ", count: depth)
    return own.map { indent + $0 } + entity.subentities.flatMap { tree($0, depth: depth + 1) }
  }

  private static func title(_ entity: EntityDescription) -> String {
    var text = entity.name
    if let parent = entity.superentity { text += " < \(parent.name)" }
    if entity.isAbstract { text += "  (abstract)" }
    return text
  }

  private static func properties(_ properties: [PropertyDescription], _ entity: EntityDescription) -> [String]
  {
    let width = properties.map(\.name.count).max() ?? 0
    return properties.map { property in
      "  " + property.name + String(repeating: " ", count: width - property.name.count + 2)
        + describe(property)
    }
  }

  /// What a property holds, in words.
  static func describe(_ property: PropertyDescription) -> String {
    switch property {
    case let attribute as AttributeDescription: describe(attribute)
    case let relationship as RelationshipDescription: describe(relationship)
    default: "fetched"
    }
  }

  private static func describe(_ attribute: AttributeDescription) -> String {
    var parts = [attribute.type.rawValue]
    if !attribute.isOptional { parts.append("required") }
    if attribute.isTransient { parts.append("transient") }
    if !attribute.defaultValue.isNull { parts.append("default \(text(attribute.defaultValue))") }
    if let minimum = attribute.minimum { parts.append("min \(text(minimum))") }
    if let maximum = attribute.maximum { parts.append("max \(text(maximum))") }
    if let length = attribute.minLength { parts.append("min length \(length)") }
    if let length = attribute.maxLength { parts.append("max length \(length)") }
    if let pattern = attribute.pattern { parts.append("pattern \(pattern)") }
    if let derivation = attribute.derivation { parts.append("derived \(derivation)") }
    return parts.joined(separator: ", ")
  }

  private static func describe(_ relationship: RelationshipDescription) -> String {
    var parts = [(relationship.isToMany ? "→→ " : "→ ") + relationship.destination.name]
    if let inverse = relationship.inverse { parts.append("inverse \(inverse.name)") }
    parts.append(relationship.deleteRule.rawValue)
    if !relationship.isOptional { parts.append("required") }
    if relationship.isOrdered { parts.append("ordered") }
    if relationship.minCount > 0, relationship.isToMany { parts.append("at least \(relationship.minCount)") }
    if relationship.maxCount > 0, relationship.isToMany { parts.append("at most \(relationship.maxCount)") }
    return parts.joined(separator: ", ")
  }

  private static func rules(_ entity: EntityDescription, isOwn: Bool) -> [String] {
    let constraints = isOwn ? entity.ownUniquenessConstraints : entity.uniquenessConstraints
    return constraints.map { "  unique: \($0.map(\.name).joined(separator: ", "))" }
      + entity.indexes.map { "  index: \($0.name)" }
  }

  private static func text(_ value: Value) -> String {
    if case .decimal(let number) = value { return number.description }
    let output = OutputBuffer.memory()
    var visitor = CellVisitor(JSONResultWriter(output, ResultOptions(), isArray: false), EntityLabels())
    visitor.show(value)
    return output.takeString()
  }
}
