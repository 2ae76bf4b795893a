extension ModelComparison {
  // MARK: Fetched properties

  mutating func compareFetchedProperties(_ old: EntityDefinition, _ new: EntityDefinition) {
    let before = Dictionary(
      old.fetchedProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for property in new.fetchedProperties {
      if let former = before[property.name] {
        recordFields(
          .fetchedProperty, of: new.name, named: property.name, old: fields(of: former),
          new: property.comparedFields)
      } else {
        record(
          .added, subject: .fetchedProperty, of: new.name, name: property.name,
          new: "fetched \(property.entity)", effect: .none)
      }
    }
    let names = Set(new.fetchedProperties.map(\.name))
    for property in old.fetchedProperties where !names.contains(property.name) {
      record(
        .removed, subject: .fetchedProperty, of: new.name, name: property.name,
        old: "fetched \(property.entity)", effect: .none)
    }
  }

  /// The fields of an old fetched property, its entity under the name it has now.
  private func fields(of property: FetchedPropertyDefinition) -> [ComparedField] {
    var property = property
    property.entity = presentName(property.entity)
    return property.comparedFields
  }

  /// The name in the new model of an entity of the old one.
  func presentName(_ name: String) -> String {
    old.entitiesByName[name].flatMap { pairing.destination(of: $0)?.name } ?? name
  }

  // MARK: Constraints

  /// A constraint with its properties under the names they have now.
  private struct Constraint {
    var names: [String]
    var members: Set<String>
    /// Its words, in the names of its own model.
    var text: String
  }

  mutating func compareConstraints(_ source: EntityDescription, _ entity: EntityDescription) {
    let before = source.ownUniquenessConstraints.map { constraint(of: $0, in: source) }
    let after = entity.ownUniquenessConstraints.map {
      let names = $0.map(\.name)
      return Constraint(names: names, members: Set(names), text: names.joined(separator: ", "))
    }
    let inForce = source.uniquenessConstraints.map { constraint(of: $0, in: source).members }
    var unmatched = before
    for constraint in after {
      if let match = unmatched.firstIndex(where: { $0.members == constraint.members }) {
        let former = unmatched.remove(at: match)
        if former.names != constraint.names {
          record(
            .changed, subject: .uniquenessConstraint, of: entity.name, name: constraint.text, key: "order",
            old: former.names.joined(separator: ", "), new: constraint.text, effect: .none)
        }
        continue
      }
      let isKnown = before.contains { $0.members == constraint.members }
      let isImplied = inForce.contains { $0.isSubset(of: constraint.members) }
      record(
        .added, subject: .uniquenessConstraint, of: entity.name, name: constraint.text, new: constraint.text,
        effect: isKnown ? .none : isImplied ? .lossless : .conditional("no two objects may have equal values")
      )
    }
    for constraint in unmatched {
      let isKept = after.contains { $0.members == constraint.members }
      record(
        .removed, subject: .uniquenessConstraint, of: entity.name, name: constraint.text,
        old: constraint.text,
        effect: isKept ? .none : .lossless)
    }
  }

  private func constraint(
    of properties: [PropertyDescription], in source: EntityDescription
  ) -> Constraint {
    let names = properties.map { pairing.destination(of: $0, in: source)?.name ?? "\u{0}" + $0.name }
    return Constraint(
      names: names, members: Set(names), text: properties.map(\.name).joined(separator: ", "))
  }

  // MARK: Indexes

  mutating func compareIndexes(_ source: EntityDescription, _ entity: EntityDescription) {
    let old = source.definition.indexes
    let new = entity.definition.indexes
    for index in new {
      if let former = old.first(where: { $0.name == index.name }) {
        recordFields(
          .index, of: entity.name, named: index.name, old: fields(of: former, in: source),
          new: index.comparedFields)
      } else {
        record(
          .added, subject: .index, of: entity.name, name: index.name, new: Self.text(index), effect: .none)
      }
    }
    for index in old where !new.contains(where: { $0.name == index.name }) {
      record(
        .removed, subject: .index, of: entity.name, name: index.name, old: Self.text(index), effect: .none)
    }
  }

  /// The fields of an old index, its attributes under the names they have now.
  private func fields(of index: IndexDefinition, in source: EntityDescription) -> [ComparedField] {
    var index = index
    for position in index.elements.indices {
      guard let path = index.elements[position].property else { continue }
      let name = path.prefix { $0 != "." }
      guard let property = source.property(named: String(name)),
        let successor = pairing.destination(of: property, in: source)
      else { continue }
      index.elements[position].property = successor.name + path.dropFirst(name.count)
    }
    return index.comparedFields
  }

  private static func text(_ index: IndexDefinition) -> String {
    index.elements.map(\.text).joined(separator: ", ") + (index.predicate.map { " where \($0)" } ?? "")
  }

  // MARK: Fetch requests and configurations

  mutating func compareFetchRequests() {
    for template in new.fetchRequestTemplates {
      let request = template.definition
      if var former = old.fetchRequestTemplatesByName[request.name]?.definition {
        former.entity = presentName(former.entity)
        recordFields(
          .fetchRequest, named: request.name, old: former.comparedFields, new: request.comparedFields)
      } else {
        record(.added, subject: .fetchRequest, name: request.name, new: Self.text(request), effect: .none)
      }
    }
    for template in old.fetchRequestTemplates where new.fetchRequestTemplatesByName[template.name] == nil {
      record(
        .removed, subject: .fetchRequest, name: template.name, old: Self.text(template.definition),
        effect: .none)
    }
  }

  private static func text(_ request: FetchRequestDefinition) -> String {
    request.entity + (request.predicate.map { " where \($0)" } ?? "")
  }

  mutating func compareConfigurations() {
    let before = old.definition.configurations
    let after = new.definition.configurations
    for configuration in after {
      guard let former = before.first(where: { $0.name == configuration.name }) else {
        record(
          .added, subject: .configuration, name: configuration.name,
          new: configuration.entities.joined(separator: ", "),
          effect: .none)
        continue
      }
      let names = former.entities.map(presentName)
      guard Set(names) != Set(configuration.entities) else { continue }
      record(
        .changed, subject: .configuration, name: configuration.name, key: "entities",
        old: names.joined(separator: ", "),
        new: configuration.entities.joined(separator: ", "), effect: .none)
    }
    for configuration in before where !after.contains(where: { $0.name == configuration.name }) {
      record(
        .removed, subject: .configuration, name: configuration.name,
        old: configuration.entities.joined(separator: ", "),
        effect: .none)
    }
  }
}
