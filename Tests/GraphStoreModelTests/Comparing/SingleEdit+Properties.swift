@testable import GraphStoreModel

extension SingleEdit {
  /// An edit of `Person.age`.
  private static func age(
    _ field: String, _ key: String, _ effect: String,
    edit: @escaping @Sendable (inout AttributeDefinition) -> Void
  ) -> SingleEdit {
    SingleEdit("AttributeDefinition.\(field)", "changed attribute Person.age \(key) \(effect)") {
      edit(&$0.entities[0].attributes[1])
    }
  }

  /// An edit of `Team.members`.
  private static func members(
    _ field: String, _ key: String, _ effect: String,
    edit: @escaping @Sendable (inout RelationshipDefinition) -> Void
  ) -> SingleEdit {
    SingleEdit("RelationshipDefinition.\(field)", "changed relationship Team.members \(key) \(effect)") {
      edit(&$0.entities[3].relationships[0])
    }
  }

  /// An edit of the fetched property `Person.peers`.
  private static func peers(
    _ field: String, _ key: String, edit: @escaping @Sendable (inout FetchedPropertyDefinition) -> Void
  ) -> SingleEdit {
    SingleEdit("FetchedPropertyDefinition.\(field)", "changed fetched-property Person.peers \(key) none") {
      edit(&$0.entities[0].fetchedProperties[0])
    }
  }

  /// An edit of the fetch request `all`.
  private static func request(
    _ field: String, _ key: String? = nil, edit: @escaping @Sendable (inout FetchRequestDefinition) -> Void
  ) -> SingleEdit {
    SingleEdit("FetchRequestDefinition.\(field)", "changed fetch-request all \(key ?? field) none") {
      edit(&$0.fetchRequests[0])
    }
  }

  static let attributeEdits = [
    SingleEdit(
      "AttributeDefinition.name", "added attribute Person.years - lossless",
      "removed attribute Person.data - lossy"
    ) {
      $0.entities[0].attributes[2] = .init("years", .binary)
    },
    SingleEdit("AttributeDefinition.name", "renamed attribute Team.label - lossless") {
      $0.entities[3].attributes[0] = .init("label", .string, renamingIdentifier: "title")
    },
    age("type", "type", "lossless") { $0.type = .decimal },
    age("type", "type", "lossless") { $0.type = .int64 },
    age("type", "type", "conditional") { $0.type = .int16 },
    age("type", "type", "conditional") { $0.type = .float },
    age("type", "type", "lossless") { $0.type = .double },
    SingleEdit("AttributeDefinition.type", "changed attribute Person.data type refused") {
      $0.entities[0].attributes[2].type = .date
    },
    age("isOptional", "optional", "lossless") { $0.isOptional = false },
    SingleEdit("AttributeDefinition.isOptional", "changed attribute Person.name optional lossless") {
      $0.entities[0].attributes[0].isOptional = true
    },
    SingleEdit("AttributeDefinition.isOptional", "changed attribute Person.data optional refused") {
      $0.entities[0].attributes[2].isOptional = false
    },
    SingleEdit("AttributeDefinition.isOptional", "changed attribute Person.scratch optional none") {
      $0.entities[0].attributes[6].isOptional = false
    },
    SingleEdit("AttributeDefinition.isTransient", "changed attribute Person.data transient lossy") {
      $0.entities[0].attributes[2].isTransient = true
    },
    SingleEdit("AttributeDefinition.isTransient", "changed attribute Person.scratch transient lossless") {
      $0.entities[0].attributes[6].isTransient = false
    },
    age("defaultValue", "default", "none") { $0.defaultValue = 2 },
    age("minimum", "min", "none") { $0.minimum = 0 }, age("maximum", "max", "none") { $0.maximum = 99 },
    SingleEdit("AttributeDefinition.minLength", "changed attribute Person.name minLength none") {
      $0.entities[0].attributes[0].minLength = 2
    },
    SingleEdit("AttributeDefinition.maxLength", "changed attribute Person.name maxLength none") {
      $0.entities[0].attributes[0].maxLength = 2
    },
    SingleEdit("AttributeDefinition.pattern", "changed attribute Person.name pattern none") {
      $0.entities[0].attributes[0].pattern = "a+"
    },
    SingleEdit("AttributeDefinition.transformer", "changed attribute Person.shape transformer none") {
      $0.entities[0].attributes[3].transformer = nil
    },
    SingleEdit(
      "AttributeDefinition.externalStorage", "changed attribute Person.data externalStorage lossless"
    ) {
      $0.entities[0].attributes[2].externalStorage = true
    },
    SingleEdit("AttributeDefinition.derivation", "changed attribute Person.upper derivation lossless") {
      $0.entities[0].attributes[5].derivation = "name:uppercase"
    },
    SingleEdit("AttributeDefinition.derivation", "changed attribute Person.upper derivation lossless") {
      $0.entities[0].attributes[5].derivation = nil
    },
    SingleEdit("AttributeDefinition.derivation", "changed attribute Person.created derivation lossy") {
      $0.entities[0].attributes[7].derivation = "now()"
    },
    SingleEdit("AttributeDefinition.elements", "added attribute Person.address.street - lossless") {
      $0.entities[0].attributes[4].elements.append(.init("street", .string))
    },
    SingleEdit("AttributeDefinition.elements", "removed attribute Person.address.zip - lossy") {
      $0.entities[0].attributes[4].elements.removeLast()
    },
    SingleEdit("AttributeDefinition.elements", "renamed attribute Person.address.town - lossless") {
      $0.entities[0].attributes[4].elements[0] = .init("town", .string, renamingIdentifier: "city")
    },
    SingleEdit("AttributeDefinition.elements", "changed attribute Person.address.zip type refused") {
      $0.entities[0].attributes[4].elements[1].type = .string
    },
    SingleEdit("AttributeDefinition.elements", "changed attribute Person.address attributes none") {
      $0.entities[0].attributes[4].elements.reverse()
    },
    age("preservesValueInHistory", "preservesValueInHistory", "none") { $0.preservesValueInHistory = true },
    age("validations", "validations", "none") { $0.validations = [.init("SELF > 0", message: "too young")] },
    age("renamingIdentifier", "renamingIdentifier", "none") { $0.renamingIdentifier = "none" },
    age("versionHashModifier", "versionHashModifier", "lossless") { $0.versionHashModifier = "2" },
    age("userInfo", "userInfo.k", "none") { $0.userInfo = ["k": ["x": 1]] },
    age("xcode", "xcode.k", "none") { $0.xcode = ["k": "v"] },
  ]

  static let relationshipEdits = [
    SingleEdit(
      "RelationshipDefinition.name", "added relationship Person.mate - lossless",
      "removed relationship Person.friend - lossy"
    ) {
      $0.entities[0].relationships[1].name = "mate"
    },
    SingleEdit("RelationshipDefinition.name", "renamed relationship Team.people - lossless") {
      $0.entities[3].relationships[0].name = "people"
      $0.entities[3].relationships[0].renamingIdentifier = "members"
      $0.entities[0].relationships[0].inverse = "people"
    },
    SingleEdit(
      "RelationshipDefinition.destination", "changed relationship Person.friend destination conditional"
    ) {
      $0.entities[0].relationships[1].destination = "Guest"
    },
    SingleEdit("RelationshipDefinition.destination", "changed relationship Person.friend destination refused")
    {
      $0.entities[0].relationships[1].destination = "Team"
    },
    SingleEdit("RelationshipDefinition.inverse", "changed relationship Person.friend inverse conditional") {
      $0.entities[0].relationships[1].inverse = "friend"
    },
    members("isToMany", "toMany", "conditional") {
      $0.isToMany = false
      $0.maxCount = 0
    },
    SingleEdit("RelationshipDefinition.isToMany", "changed relationship Person.friend toMany lossless") {
      $0.entities[0].relationships[1].isToMany = true
    },
    members("isOrdered", "ordered", "lossless") { $0.isOrdered = true },
    members("isOptional", "optional", "lossless") { $0.isOptional = false },
    SingleEdit("RelationshipDefinition.isTransient", "changed relationship Person.friend transient lossy") {
      $0.entities[0].relationships[1].isTransient = true
    },
    members("minCount", "minCount", "conditional") { $0.minCount = 3 },
    members("maxCount", "maxCount", "lossless") { $0.maxCount = 0 },
    members("maxCount", "maxCount", "lossless") { $0.maxCount = 10 },
    members("maxCount", "maxCount", "conditional") { $0.maxCount = 8 },
    members("deleteRule", "deleteRule", "none") { $0.deleteRule = .deny },
    members("validations", "validations", "none") { $0.validations = [.init("SELF.@count > 0")] },
    members("renamingIdentifier", "renamingIdentifier", "none") { $0.renamingIdentifier = "none" },
    members("versionHashModifier", "versionHashModifier", "lossless") { $0.versionHashModifier = "2" },
    members("userInfo", "userInfo.k", "none") { $0.userInfo = ["k": 1] },
    members("xcode", "xcode.k", "none") { $0.xcode = ["k": 1] },
  ]

  static let fetchedPropertyEdits = [
    SingleEdit(
      "FetchedPropertyDefinition.name", "added fetched-property Person.x - none",
      "removed fetched-property Person.peers - none"
    ) {
      $0.entities[0].fetchedProperties[0].name = "x"
    },
    peers("entity", "entity") { $0.entity = "Guest" }, peers("predicate", "predicate") { $0.predicate = nil },
    peers("sort", "sort") { $0.sort = ["-age"] }, peers("limit", "limit") { $0.limit = 3 },
    peers("isOptional", "optional") { $0.isOptional = false },
    peers("renamingIdentifier", "renamingIdentifier") { $0.renamingIdentifier = "age" },
    peers("versionHashModifier", "versionHashModifier") { $0.versionHashModifier = "2" },
    peers("userInfo", "userInfo.k") { $0.userInfo = ["k": 1] },
    peers("xcode", "xcode.k") { $0.xcode = ["k": 1] },
  ]

  static let indexEdits = [
    SingleEdit("IndexDefinition.name", "added index Person.i - none", "removed index Person.byAge - none") {
      $0.entities[0].indexes[0].name = "i"
    },
    SingleEdit("IndexDefinition.elements", "changed index Person.byAge elements none") {
      $0.entities[0].indexes[0].elements[0].order = .descending
    },
    SingleEdit("IndexDefinition.predicate", "changed index Person.byAge where none") {
      $0.entities[0].indexes[0].predicate = "age > 3"
    },
  ]

  static let requestEdits = [
    SingleEdit(
      "FetchRequestDefinition.name", "added fetch-request x - none", "removed fetch-request all - none"
    ) {
      $0.fetchRequests[0].name = "x"
    },
    request("entity") { $0.entity = "Guest" }, request("predicate") { $0.predicate = "age < $MAX" },
    request("sort") { $0.sort = ["name"] }, request("limit") { $0.limit = 1 },
    request("offset") { $0.offset = 1 }, request("batchSize") { $0.batchSize = 1 },
    request("resultType") { $0.resultType = .ids }, request("properties") { $0.properties = ["age"] },
    request("prefetch") { $0.prefetch = ["team"] },
    request("includesSubentities") { $0.includesSubentities = false },
  ]
}
