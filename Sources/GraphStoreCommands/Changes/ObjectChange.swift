import GraphStore

/// One change of an object's property, with everything that it needs found and of the right type.
enum ObjectChange {
  case attribute(AttributeDescription, Value)
  /// Adds a number to what is there.
  case increment(AttributeDescription, Value)
  case toOne(RelationshipDescription, ObjectTarget?)
  case toMany(RelationshipDescription, [ObjectTarget])
  case addMembers(RelationshipDescription, [ObjectTarget])

  var property: PropertyDescription {
    switch self {
    case .attribute(let attribute, _), .increment(let attribute, _): attribute
    case .toOne(let relationship, _), .toMany(let relationship, _), .addMembers(let relationship, _):
      relationship
    }
  }
}

/// An object that a relationship is to lead to.
enum ObjectTarget {
  case existing(ManagedObject)
  /// One that has yet to be made.
  case new(ObjectDraft)
}

/// An object that is to be made, and what it is to hold.
struct ObjectDraft {
  var entity: EntityDescription
  var changes: [ObjectChange]
}
