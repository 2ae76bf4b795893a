import GraphStore

/// A model in lines for people: entities as a tree of inheritance, each with what it declares.
///
/// A model may come from anywhere, so that no line has control characters.
package struct ModelOutline {
  private let model: ManagedObjectModel

  /// The outline of a model.
  package init(_ model: ManagedObjectModel) { self.model = model }

  /// Everything the model has.
  package var lines: [String] {
    var lines = title
    for root in model.entities where root.superentity == nil {
      lines.append("")
      lines += tree(root, depth: 0)
    }
    lines += section("fetch requests", model.fetchRequestTemplates.map(ModelWords.describe))
    lines += section("configurations", model.definition.configurations.map(ModelWords.describe))
    return lines.map { VisibleText.escape($0) }
  }

  /// The names of the entities as a tree of inheritance: all, or an entity with its ancestors and all below
  /// it.
  package func inheritance(of entity: EntityDescription? = nil) -> [String] {
    guard let entity else {
      return model.entities.filter { $0.superentity == nil }.flatMap { names($0, depth: 0) }
        .map { VisibleText.escape($0) }
    }
    var ancestors: [EntityDescription] = []
    while let parent = (ancestors.last ?? entity).superentity { ancestors.append(parent) }
    let above = ancestors.reversed().enumerated().map {
      Self.indent($0) + $1.name + ModelWords.mark(of: $1)
    }
    return (above + names(entity, depth: ancestors.count)).map { VisibleText.escape($0) }
  }

  /// One entity with everything it has, inherited properties included.
  package func lines(of entity: EntityDescription) -> [String] {
    (Self.head(entity) + Self.properties(Array(entity.properties)) + rules(entity, isOwn: false))
      .map { VisibleText.escape($0) }
  }

  private var title: [String] {
    let notes = ModelWords.userInfo(model.userInfo).map { ["  \($0)"] } ?? []
    let count = model.definition.localization.count
    let texts = count == 0 ? [] : ["  \(count) localized text\(count == 1 ? "" : "s")"]
    return ["model \(ModelWords.title(of: model))"] + notes + texts
  }

  private func names(_ entity: EntityDescription, depth: Int) -> [String] {
    [Self.indent(depth) + entity.name + ModelWords.mark(of: entity)]
      + entity.subentities.flatMap { names($0, depth: depth + 1) }
  }

  private func tree(_ entity: EntityDescription, depth: Int) -> [String] {
    let own =
      Self.head(entity) + Self.properties(Array(entity.ownProperties)) + rules(entity, isOwn: true)
    return own.map { Self.indent(depth) + $0 } + entity.subentities.flatMap { tree($0, depth: depth + 1) }
  }

  private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  private static func head(_ entity: EntityDescription) -> [String] {
    var text = entity.name
    if let parent = entity.superentity { text += " < \(parent.name)" }
    let details = ModelWords.details(of: entity)
    return [text + ModelWords.mark(of: entity)] + details.map { "  \($0)" }
  }

  private static func properties(_ properties: [PropertyDescription], depth: Int = 1) -> [String] {
    let width = properties.map(\.name.count).max() ?? 0
    return properties.flatMap { property in
      let line =
        indent(depth) + property.name + String(repeating: " ", count: width - property.name.count + 2)
        + describe(property)
      let elements = (property as? AttributeDescription)?.elements ?? []
      return [line] + Self.properties(elements, depth: depth + 1)
    }
  }

  /// What a property holds, in words.
  static func describe(_ property: PropertyDescription) -> String { ModelWords.describe(property) }

  private func rules(_ entity: EntityDescription, isOwn: Bool) -> [String] {
    let constraints = isOwn ? entity.ownUniquenessConstraints : entity.uniquenessConstraints
    return constraints.map { "  unique: \($0.map(\.name).joined(separator: ", "))" }
      + model.definition.entities[entity.index].indexes.map { "  index: \(ModelWords.describe($0))" }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title] + lines.map { "  \($0)" }
  }
}
