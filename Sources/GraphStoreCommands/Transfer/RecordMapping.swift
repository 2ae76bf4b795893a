import GraphStore
import GraphStoreReports

/// Mapping of names in the input to keys of the model.
struct RecordMapping {
  /// The entity of all records; nil where each record names its own.
  var entity: EntityDescription?
  /// Keys, or `relationship.attribute`, by the names in the input.
  var names: [String: String] = [:]
  /// Attributes of destinations by which links are given, by relationship.
  var lookups: [String: String] = [:]
  /// Whether names that are no keys are left out.
  var ignoresUnknown = false
  /// The forms of values that are not the usual ones.
  var forms = FieldForms()
  /// Whether values of transformable attributes are given as JSON.
  var decodes = false

  /// Whether an option says by which attribute links of a relationship are given.
  func looksUp(_ relationship: String) -> Bool {
    lookups[relationship] != nil || names.values.contains { $0.hasPrefix(relationship + ".") }
  }

  /// The key that a name stands for: the one of `--map`, or of the entity.
  ///
  /// - Parameter isColumn: Whether people may have written the name, who do not keep to case, blanks and
  ///   signs.
  func key(of name: String, entity: EntityDescription, isColumn: Bool) -> String {
    names[name] ?? (isColumn ? entity.key(meantBy: name) : name)
  }

  /// The role of a name for an entity.
  func role(
    _ name: String, entity: EntityDescription, importer: RecordImporter, isColumn: Bool
  ) -> FieldRole {
    var key = key(of: name, entity: entity, isColumn: isColumn)
    var lookup = lookups[key]
    if let dot = key.firstIndex(of: "."), entity.property(named: key) == nil {
      lookup = String(key[key.index(after: dot)...])
      key = String(key[..<dot])
    }
    guard let property = entity.property(named: key) else {
      if entity.isIdentifierKey(key) { return .label }
      if key == "entity" { return .entity }
      return ignoresUnknown ? .ignored : .unknown(Self.unknown(key, entity))
    }
    if let problem = Self.refusal(of: property, importer) { return .unsettable(problem) }
    if let attribute = property as? AttributeDescription {
      guard let lookup else {
        return .attribute(
          FieldReader(
            attribute, number: attribute.number, importer: importer, forms: forms,
            ignoresUnknown: ignoresUnknown, decodes: decodes))
      }
      return element(lookup, of: attribute, entity, importer)
    }
    guard let relationship = property as? RelationshipDescription else {
      return .unsettable(Self.readOnly(property, "is fetched"))
    }
    return link(relationship, lookup)
  }

  /// The role of an element of a composite attribute.
  private func element(
    _ path: String, of attribute: AttributeDescription, _ entity: EntityDescription,
    _ importer: RecordImporter
  ) -> FieldRole {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let elements = attribute.elements(at: names), let element = elements.last,
      let number = importer.number(ofElement: [attribute] + elements, in: entity)
    else {
      if ignoresUnknown { return .ignored }
      let known = attribute.leafKeyPaths
      return .unknown(
        FieldProblem(
          code: "unknown-key", message: "\(entity.name) has no element \"\(attribute.name).\(path)\"",
          key: "\(attribute.name).\(path)",
          suggestions: NearestNames.names(near: "\(attribute.name).\(path)", among: known),
          hints: known.count > 1 ? ["known: \(known.joined(separator: ", "))"] : []))
    }
    if !element.hasTransformer { return .unsettable(Self.withoutTransformer(element)) }
    return .attribute(
      FieldReader(
        element, number: number, importer: importer, forms: forms, ignoresUnknown: ignoresUnknown,
        decodes: decodes)
    )
  }

  private func link(_ relationship: RelationshipDescription, _ lookup: String?) -> FieldRole {
    var attribute: AttributeDescription?
    if let lookup {
      attribute = relationship.destination.attribute(named: lookup)
      guard attribute != nil else {
        var problem = Self.unknown(lookup, relationship.destination)
        problem.key = relationship.name
        return .unsettable(problem)
      }
    }
    let role = FieldRole.LinkRole(
      number: relationship.number, name: relationship.name, destination: relationship.destination,
      lookup: attribute)
    return relationship.isToMany ? .toMany(role) : .toOne(role)
  }

  /// Why a property takes no values from records, if it takes none.
  static func refusal(of property: PropertyDescription, _ importer: RecordImporter) -> FieldProblem? {
    guard let attribute = property as? AttributeDescription else {
      return property.isTransient ? readOnly(property, "is transient, so that it is not stored,") : nil
    }
    if attribute.isDerived { return readOnly(attribute, "is computed") }
    if attribute.isTransient, attribute.isOptional {
      return readOnly(attribute, "is transient, so that it is not stored,")
    }
    guard attribute.hasTransformer else { return withoutTransformer(attribute) }
    guard !importer.holds(attribute) else { return nil }
    return FieldProblem(
      code: "not-supported",
      message:
        "\(attribute.entity.name).\(attribute.name) is \(attribute.type.rawValue), whose values are not supported",
      key: attribute.name, hints: ["leave it out, or give null"])
  }

  static func withoutTransformer(_ attribute: AttributeDescription) -> FieldProblem {
    FieldProblem(
      code: GraphStoreError.Code.transformerMissing.rawValue, message: attribute.lackOfTransformer,
      key: attribute.keyPath, hints: ["leave it out, or give null"])
  }

  private static func readOnly(_ property: PropertyDescription, _ reason: String) -> FieldProblem {
    FieldProblem(
      code: "read-only-property",
      message: "\(property.entity.name).\(property.name) \(reason) and cannot be imported",
      key: property.name)
  }

  static func unknown(_ key: String, _ entity: EntityDescription) -> FieldProblem {
    let names = entity.properties.map(\.name)
    let suggestions = NearestNames.names(near: key, among: names)
    return FieldProblem(
      code: "unknown-key", message: "\(entity.name) has no attribute or relationship \"\(key)\"", key: key,
      suggestions: suggestions,
      hints: [DiagnosticMapper.known(names.filter { !suggestions.contains($0) }, after: suggestions)])
  }
}

/// Role of a record's field for an entity.
enum FieldRole {
  case attribute(FieldReader)
  case toOne(LinkRole)
  case toMany(LinkRole)
  /// The record's own id.
  case label
  /// The name of the record's entity.
  case entity
  /// No key of the entity, which is left out.
  case ignored
  /// No key of the entity.
  case unknown(FieldProblem)
  /// A key of the entity that takes no value; a missing one passes.
  case unsettable(FieldProblem)

  /// A relationship, and the attribute of its destination by which links are given, if not by ids.
  struct LinkRole {
    let number: Int
    let name: String
    let destination: EntityDescription
    let lookup: AttributeDescription?
  }
}

/// Problem of a field that cannot be imported.
struct FieldProblem: Error {
  var code: String
  var message: String
  var key: String?
  var value: String?
  var suggestions: [String] = []
  var hints: [String] = []
  /// The place of the field in the record; nil concerns the record.
  var field: Int?
}
