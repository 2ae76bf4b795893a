extension ModelReader {
  /// Other spellings of types that people try.
  private static let otherTypes: [String: AttributeType] = [
    "integer": .int64, "int": .int64, "long": .int64, "bigint": .int64, "short": .int16, "smallint": .int16,
    "integer 16": .int16, "integer 32": .int32, "integer 64": .int64, "integer16": .int16,
    "integer32": .int32, "integer64": .int64, "bool": .boolean, "data": .binary, "blob": .binary,
    "bytes": .binary, "binary data": .binary, "url": .uri, "text": .string, "varchar": .string,
    "real": .double, "number": .double, "numeric": .decimal, "datetime": .date, "timestamp": .date,
    "time": .date, "guid": .uuid,
  ]

  mutating func readAttribute(_ node: JSONNode, at path: ModelPath) -> AttributeDefinition {
    var attribute = AttributeDefinition("", .undefined)
    guard let fields = object(node, at: path, keys: ModelKeys.attribute, required: ["name", "type"]) else {
      problemPaths.formUnion([path.key("name"), path.key("type")])
      return attribute
    }
    attribute.name = name(in: fields)
    attribute.type = word("type", in: fields, default: .undefined, otherSpellings: Self.otherTypes)
    attribute.isOptional = bool("optional", in: fields, default: true)
    attribute.isTransient = bool("transient", in: fields, default: false)
    attribute.defaultValue = fields["default"]?.value
    attribute.minimum = fields["min"]?.value
    attribute.maximum = fields["max"]?.value
    attribute.minLength = integer("minLength", in: fields)
    attribute.maxLength = integer("maxLength", in: fields)
    attribute.pattern = string("pattern", in: fields)
    attribute.transformer = string("transformer", in: fields)
    attribute.externalStorage = bool("externalStorage", in: fields, default: false)
    attribute.derivation = string("derivation", in: fields)
    attribute.elements = list("attributes", in: fields) { $0.readAttribute($1, at: $2) }
    attribute.preservesValueInHistory = bool("preservesValueInHistory", in: fields, default: false)
    attribute.validations = list("validations", in: fields) { $0.readValidation($1, at: $2) }
    attribute.renamingIdentifier = string("renamingIdentifier", in: fields)
    attribute.versionHashModifier = string("versionHashModifier", in: fields)
    attribute.userInfo = anyObject("userInfo", in: fields)
    attribute.xcode = anyObject("xcode", in: fields)
    return attribute
  }

  mutating func readRelationship(_ node: JSONNode, at path: ModelPath) -> RelationshipDefinition {
    var relationship = RelationshipDefinition("", to: "")
    guard
      let fields = object(
        node, at: path, keys: ModelKeys.relationship, required: ["name", "destination"])
    else {
      problemPaths.formUnion([path.key("name"), path.key("destination")])
      return relationship
    }
    relationship.name = name(in: fields)
    relationship.destination = string("destination", in: fields) ?? ""
    relationship.inverse = string("inverse", in: fields)
    relationship.isToMany = bool("toMany", in: fields, default: false)
    relationship.isOrdered = bool("ordered", in: fields, default: false)
    relationship.isOptional = bool("optional", in: fields, default: true)
    relationship.isTransient = bool("transient", in: fields, default: false)
    relationship.minCount = integer("minCount", in: fields) ?? 0
    relationship.maxCount = integer("maxCount", in: fields) ?? 0
    relationship.deleteRule = word("deleteRule", in: fields, default: .nullify)
    relationship.validations = list("validations", in: fields) { $0.readValidation($1, at: $2) }
    relationship.renamingIdentifier = string("renamingIdentifier", in: fields)
    relationship.versionHashModifier = string("versionHashModifier", in: fields)
    relationship.userInfo = anyObject("userInfo", in: fields)
    relationship.xcode = anyObject("xcode", in: fields)
    return relationship
  }

  mutating func readFetchedProperty(_ node: JSONNode, at path: ModelPath) -> FetchedPropertyDefinition {
    var property = FetchedPropertyDefinition("", entity: "")
    guard
      let fields = object(node, at: path, keys: ModelKeys.fetchedProperty, required: ["name", "entity"])
    else {
      problemPaths.formUnion([path.key("name"), path.key("entity")])
      return property
    }
    property.name = name(in: fields)
    property.entity = string("entity", in: fields) ?? ""
    property.predicate = string("predicate", in: fields)
    property.sort = strings("sort", in: fields)
    property.limit = integer("limit", in: fields) ?? 0
    property.isOptional = bool("optional", in: fields, default: true)
    property.renamingIdentifier = string("renamingIdentifier", in: fields)
    property.versionHashModifier = string("versionHashModifier", in: fields)
    property.userInfo = anyObject("userInfo", in: fields)
    property.xcode = anyObject("xcode", in: fields)
    if bool("transient", in: fields, default: false) {
      report(.notApplicable, at: path.key("transient"), "A fetched property is never stored anyway.")
    }
    let validations = list("validations", in: fields) { $0.readValidation($1, at: $2) }
    if !validations.isEmpty {
      report(.notApplicable, at: path.key("validations"), "A fetched property has no validations.")
    }
    return property
  }

  mutating func readValidation(_ node: JSONNode, at path: ModelPath) -> ValidationDefinition {
    guard let fields = object(node, at: path, keys: ModelKeys.validation, required: ["predicate"]) else {
      problemPaths.insert(path.key("predicate"))
      return ValidationDefinition("")
    }
    return ValidationDefinition(
      string("predicate", in: fields) ?? "", message: string("message", in: fields))
  }
}
