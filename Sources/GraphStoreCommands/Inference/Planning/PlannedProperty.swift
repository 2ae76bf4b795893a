import GraphStore

/// Why a property is as it is, in words for people.
struct Choice {
  var entity: String
  /// Nil for the entity itself.
  var property: String?
  /// The name in the input, where there is one.
  var field: String?
  /// Type, or what a relationship leads to.
  var type: String
  var isOptional: Bool?
  /// How many values were seen, of how many records; nil of a schema, which has none.
  var values: Int?
  var records: Int?
  var reason: String
  /// What did not fit, and what it means for the data.
  var remarks: [String] = []
}

/// What becomes of one field of the input.
struct PlannedField {
  /// Conversion of the field's value into that of a property.
  enum Content {
    case attribute(AttributeDefinition)
    /// An object whose members become elements, by their names in the input.
    case composite(AttributeDefinition, elements: [PlannedField])
    /// The key of another record, or a list of keys.
    case reference(isList: Bool)
    /// An object, or a list of objects, that become objects of their own.
    case nested(PlannedEntity, isList: Bool)
    /// Its value is told in another way.
    case omitted
  }

  /// The name in the input.
  var field: String
  /// The name of the property.
  var property: String
  var content: Content
}

/// An entity that is made of records.
final class PlannedEntity {
  var name: String
  var parent: String?
  var attributes: [AttributeDefinition] = []
  var relationships: [RelationshipDefinition] = []
  var uniquenessConstraints: [[String]] = []
  var indexes: [IndexDefinition] = []
  var fields: [PlannedField] = []
  /// The member whose text records are referred to by; nil where none is.
  var key: String?
  /// Many-to-many relationships whose links are kept aside, by their numbers.
  var keptLinks: [(property: String, number: Int)] = []
  var names = PropertyNames()
  var choices: [Choice] = []
  private(set) lazy var fieldsByName = Dictionary(
    fields.map { ($0.field, $0) }, uniquingKeysWith: { first, _ in first })

  init(_ name: String) { self.name = name }

  var definition: EntityDefinition {
    EntityDefinition(
      name, parent: parent, attributes: attributes, relationships: relationships, indexes: indexes,
      uniquenessConstraints: uniquenessConstraints)
  }
}
