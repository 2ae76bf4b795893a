/// Keys of other model languages, which are often written in a model file for those that it has.
enum ModelKeySlip {
  /// The key to write instead of a misspelt one; nil where no key resembles it.
  ///
  /// - Parameter keys: The keys of the object that it is in.
  static func remedy(for key: String, among keys: [String]) -> String? {
    let word = key.lowercased()
    switch keys {
    case ModelKeys.attribute: return ofAttributes[word] ?? ofProperties[word]
    case ModelKeys.relationship: return ofRelationships[word] ?? ofProperties[word]
    case ModelKeys.entity: return ofEntities[word]
    default: return nil
    }
  }

  private static let ofProperties = [
    "required": "Write \"optional\": false for what must have a value; without it nothing must.",
    "nullable": "Write \"optional\", which is true where it is left out.",
    "notnull": "Write \"optional\": false.",
  ]

  private static let ofAttributes = [
    "unique": "List the attribute in the entity's \"uniquenessConstraints\": [[\"NAME\"]].",
    "primarykey":
      "Leave it out: every object has an id; what must be unique stands in \"uniquenessConstraints\".",
    "indexed": "List the attribute in an entry of the entity's \"indexes\".",
    "index": "List the attribute in an entry of the entity's \"indexes\".",
    "minimum": "Write \"min\".", "maximum": "Write \"max\".",
    "regex": "Write \"pattern\".", "format": "Write \"pattern\".",
  ]

  private static let ofRelationships = [
    "target": "Write \"destination\".", "entity": "Write \"destination\".", "to": "Write \"destination\".",
    "type": "Write \"destination\" for the entity, and \"toMany\": true for several objects.",
    "many": "Write \"toMany\".", "cardinality": "Write \"toMany\", \"minCount\" and \"maxCount\".",
    "ondelete": "Write \"deleteRule\".", "inverseof": "Write \"inverse\".",
    "min": "Write \"minCount\".", "max": "Write \"maxCount\".",
    "unique": "Write \"toMany\": false at the other end.",
  ]

  private static let ofEntities = [
    "fields": "Write \"attributes\", and \"relationships\" for what leads to other entities.",
    "properties": "Write \"attributes\", and \"relationships\" for what leads to other entities.",
    "columns": "Write \"attributes\".",
    "unique": "Write \"uniquenessConstraints\": [[\"NAME\"]].",
    "extends": "Write \"parent\".", "inherits": "Write \"parent\".", "superentity": "Write \"parent\".",
    "class": "Write \"className\".",
  ]
}
