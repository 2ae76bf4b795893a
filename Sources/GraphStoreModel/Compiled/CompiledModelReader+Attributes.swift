import GraphStorePredicates

extension CompiledModelReader {
  /// The keys that properties of every kind have.
  static let propertyKeys: Set = [
    "NSPropertyName", "NSEntity", "NSIsOptional", "NSIsTransient", "NSIsIndexed", "NSUserInfo",
    "NSValidationPredicates", "NSValidationWarnings", "NSVersionHashModifier", "NSRenamingIdentifier", "_P",
    // Neither changes what a store holds: whether it is indexed for search, and that derived values are
    // read-only.
    "NSIndexedBySpotlight", "NSIsReadOnly",
  ]

  private static let attributeKeys = propertyKeys.union([
    "NSAttributeType", "NSAttributeValueClassName", "NSDefaultValue", "NSValueTransformerName", "NSFlagsKey",
    "NSDerivationExpression", "NSElements",
  ])

  private static let types: [Int: AttributeType] = [
    0: .undefined, 100: .int16, 200: .int32, 300: .int64, 400: .decimal, 500: .double, 600: .float,
    700: .string, 800: .boolean, 900: .date, 1000: .binary, 1100: .uuid, 1200: .uri, 1800: .transformable,
    2100: .composite,
  ]

  /// The flags of attributes that have a meaning to a store.
  private enum Flags {
    static let externalStorage = 4
    static let preservedInHistory = 16
    static let known = externalStorage | preservedInHistory
  }

  mutating func attribute(
    _ name: String, object: ArchivedObject, at place: Place, depth: Int = 0
  ) throws(KeyedArchiveError) -> AttributeDefinition? {
    let fields = object.fields
    let isTransient = try flag(fields["NSIsTransient"])
    let number = try integer(fields["NSAttributeType"])
    guard let type = object.isKind(of: "NSCompositeAttributeDescription") ? .composite : Self.types[number],
      type != .undefined || isTransient
    else {
      findings.add(
        "compiled-unknown-type", at: place,
        message: "No attribute of type \(number) can be stored; it is left out.")
      return nil
    }
    var attribute = AttributeDefinition(name, type, isOptional: try flag(fields["NSIsOptional"]))
    attribute.isTransient = isTransient
    attribute.renamingIdentifier = try renamingIdentifier(fields, of: name)
    attribute.versionHashModifier = try filledText(fields["NSVersionHashModifier"])
    attribute.userInfo = try userInfo(fields["NSUserInfo"], place)
    try readFlags(fields["NSFlagsKey"], of: &attribute, place)
    if type == .transformable {
      attribute.transformer = try filledText(fields["NSValueTransformerName"])
      if let name = try filledText(fields["NSAttributeValueClassName"]) {
        attribute.xcode["customClassName"] = .string(name)
      }
    }
    var known = Self.attributeKeys
    if type == .composite, depth < ModelValidator.maximumCompositeDepth {
      let elements = try self.elements(object, at: place, depth: depth)
      attribute.elements = elements.attributes
      if let key = elements.key { known.insert(key) }
    }
    findings.addUnknownKeys(of: object, besides: known, place)
    if object.isKind(of: "NSDerivedAttributeDescription") {
      return try derived(attribute, fields: fields, at: place)
    }
    attribute.defaultValue = try defaultValue(fields["NSDefaultValue"], of: type, place)
    for validation in try validations(fields, place) { apply(validation, to: &attribute) }
    return attribute
  }

  private mutating func readFlags(
    _ node: PropertyListNode?, of attribute: inout AttributeDefinition, _ place: Place
  ) throws(KeyedArchiveError) {
    let flags = try integer(node)
    attribute.externalStorage = flags & Flags.externalStorage != 0 && attribute.type == .binary
    attribute.preservesValueInHistory = flags & Flags.preservedInHistory != 0
    let others = flags & ~Flags.known
    if others != 0 {
      findings.add(
        "compiled-unknown-flag", at: place, message: "The meaning of the flags \(others) is not known.")
    }
  }

  /// The attribute with its derivation; nothing where that is not known, since its values could not be kept
  /// right.
  private mutating func derived(
    _ attribute: AttributeDefinition, fields: [String: PropertyListNode], at place: Place
  ) throws(KeyedArchiveError) -> AttributeDefinition? {
    let predicates = predicates
    let node = fields["NSDerivationExpression"]
    let text = try text(node)
    let expression = try known("The derivation", at: place) { () throws(KeyedArchiveError) in
      text == nil ? try predicates.expression(at: node)?.expressionFormat : text
    }
    guard let expression else {
      findings.add("compiled-no-derivation", at: place, message: "The attribute is read as an ordinary one.")
      return attribute
    }
    var attribute = attribute
    attribute.derivation = expression
    attribute.externalStorage = false
    return attribute
  }

  /// The elements of a composite: the list of attributes that it has, under any key.
  private mutating func elements(
    _ object: ArchivedObject, at place: Place, depth: Int
  ) throws(KeyedArchiveError) -> (attributes: [AttributeDefinition], key: String?) {
    for key in object.fields.keys.sorted(by: VersionHash.precedes)
    where key.hasSuffix("lements") {
      guard case .list(let nodes) = try archive.value(at: object.fields[key]) else { continue }
      var attributes: [AttributeDefinition] = []
      for node in nodes {
        guard case .object(let element) = try archive.value(at: node),
          element.isKind(of: "NSAttributeDescription"),
          let name = try text(element.fields["NSPropertyName"])
        else { continue }
        let elementPlace = Place(path: place.path, name: "\(place.name).\(name)")
        if let attribute = try attribute(name, object: element, at: elementPlace, depth: depth + 1) {
          attributes.append(attribute)
        }
      }
      if !attributes.isEmpty { return (attributes, key) }
    }
    return ([], nil)
  }
}
