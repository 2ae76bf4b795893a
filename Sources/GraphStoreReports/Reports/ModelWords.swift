import GraphStore

/// The parts of a model in words.
package enum ModelWords {
  /// `HR v1`
  package static func title(of model: ManagedObjectModel) -> String {
    ([model.name] + model.versionIdentifiers.map { "v\($0)" }).joined(separator: " ")
  }

  // MARK: Entities

  /// `  (abstract)`, or nothing.
  static func mark(of entity: EntityDescription) -> String {
    entity.isAbstract ? "  (abstract)" : ""
  }

  /// What an entity has besides properties, a line each.
  static func details(of entity: EntityDescription) -> [String] {
    var notes: [String] = []
    if let name = entity.className { notes.append("class \(name)") }
    if entity.renamingIdentifier != entity.name { notes.append("was \(entity.renamingIdentifier)") }
    if let modifier = entity.versionHashModifier { notes.append("hash modifier \(modifier)") }
    return notes + (userInfo(entity.userInfo).map { [$0] } ?? [])
  }

  /// `user info {"unit":"KiB"}`; nil for an empty one.
  static func userInfo(_ userInfo: [String: JSONValue]) -> String? {
    userInfo.isEmpty ? nil : "user info \(JSONValue.object(userInfo).compactText)"
  }

  // MARK: Properties

  /// What a property holds.
  static func describe(_ property: PropertyDescription) -> String {
    var parts: [String] =
      switch property {
      case let attribute as AttributeDescription: describe(attribute)
      case let relationship as RelationshipDescription: describe(relationship)
      case let fetched as FetchedPropertyDescription: describe(fetched)
      default: []
      }
    parts += property.validations.map { "valid if \($0.text)" }
    if property.renamingIdentifier != property.name { parts.append("was \(property.renamingIdentifier)") }
    if let modifier = property.versionHashModifier { parts.append("hash modifier \(modifier)") }
    if let info = userInfo(property.userInfo) { parts.append(info) }
    return parts.joined(separator: ", ")
  }

  private static func describe(_ attribute: AttributeDescription) -> [String] {
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
    if let name = attribute.transformerName { parts.append("transformer \(name)") }
    if attribute.allowsExternalStorage { parts.append("external storage") }
    if attribute.preservesValueInHistory { parts.append("kept in history") }
    return parts
  }

  private static func describe(_ relationship: RelationshipDescription) -> [String] {
    var parts = [(relationship.isToMany ? "→→ " : "→ ") + relationship.destination.name]
    if let inverse = relationship.inverse { parts.append("inverse \(inverse.name)") }
    parts.append(relationship.deleteRule.rawValue)
    if !relationship.isOptional { parts.append("required") }
    if relationship.isTransient { parts.append("transient") }
    if relationship.isOrdered { parts.append("ordered") }
    if relationship.minCount > 0, relationship.isToMany { parts.append("at least \(relationship.minCount)") }
    if relationship.maxCount > 0, relationship.isToMany { parts.append("at most \(relationship.maxCount)") }
    return parts
  }

  private static func describe(_ property: FetchedPropertyDescription) -> [String] {
    var text = "fetched \(property.destination.name)"
    if let predicate = property.predicate { text += " where \(predicate.predicateFormat)" }
    var parts = [text]
    if !property.sortDescriptors.isEmpty { parts.append("sorted by \(order(property.sortDescriptors))") }
    if property.limit > 0 { parts.append("at most \(property.limit)") }
    return parts
  }

  private static func order(_ descriptors: [QuerySortDescriptor]) -> String {
    descriptors.map(\.description).joined(separator: ", ")
  }

  private static func text(_ value: Value) -> String {
    if case .decimal(let number) = value { return number.description }
    let output = OutputBuffer.memory()
    var visitor = CellVisitor(JSONResultWriter(output, WriterOptions(), isArray: false), EntityLabels())
    visitor.show(value)
    return output.consumeString()
  }

  // MARK: Indexes, requests, configurations

  /// `bySalary (salary descending) where active == TRUE`
  static func describe(_ index: IndexDefinition) -> String {
    let elements = index.elements.map { element in
      var text = element.property ?? element.expression ?? ""
      if element.order == .descending { text += " descending" }
      if element.kind == .rtree { text += " rtree" }
      return text
    }
    let condition = index.predicate.map { " where \($0)" } ?? ""
    return "\(index.name) (\(elements.joined(separator: ", ")))\(condition)"
  }

  /// `wellPaid: Employee where salary > $MIN, sorted by -salary, name, at most 10`
  static func describe(_ template: FetchRequestTemplate) -> String {
    let request = template.definition
    var text = "\(request.name): \(request.entity)"
    if let predicate = request.predicate { text += " where \(predicate)" }
    var parts = [text]
    if !request.sort.isEmpty { parts.append("sorted by \(request.sort.joined(separator: ", "))") }
    if request.limit > 0 { parts.append("at most \(request.limit)") }
    if request.offset > 0 { parts.append("from result \(request.offset + 1) on") }
    if request.resultType != .objects { parts.append("as \(request.resultType.rawValue)") }
    if !request.properties.isEmpty {
      parts.append("of \(request.properties.map(\.description).joined(separator: ", "))")
    }
    if !request.groupBy.isEmpty { parts.append("grouped by \(request.groupBy.joined(separator: ", "))") }
    if let having = request.having { parts.append("having \(having)") }
    if request.distinct { parts.append("distinct") }
    if !request.includesSubentities { parts.append("without sub-entities") }
    if request.batchSize > 0 { parts.append("in batches of \(request.batchSize)") }
    if !request.prefetch.isEmpty { parts.append("with \(request.prefetch.joined(separator: ", "))") }
    return parts.joined(separator: ", ")
  }

  /// `Staff: Employee, Department`
  static func describe(_ configuration: ConfigurationDefinition) -> String {
    "\(configuration.name): \(configuration.entities.joined(separator: ", "))"
  }
}
