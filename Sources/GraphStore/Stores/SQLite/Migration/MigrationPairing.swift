import GraphStoreModel
import GraphStorePredicates

/// Correspondence of what a new store holds with what an old one held, by which statements over sets fill the new one.
protocol MigrationPairing: Sendable {
  /// The old entity that a new one continues; nil for one without objects so far.
  func source(of entity: EntityDescription) -> EntityDescription?
  /// The new entities that an old one became.
  func destinations(of entity: EntityDescription) -> [EntityDescription]
  /// The old property whose values or members a new one takes over.
  func source(of property: PropertyDescription, in entity: EntityDescription) -> PropertyDescription?
  /// The path of the element of an old composite attribute that an element of a new one continues.
  func source(
    ofElements path: [AttributeDescription], of new: AttributeDescription, in old: AttributeDescription
  ) -> [AttributeDescription]?
  /// What a new attribute is in every object.
  func constant(of attribute: AttributeDescription, in entity: EntityDescription) -> Value?
  /// Whether a missing value of an old attribute becomes the default of the new one, which is mandatory.
  func putsDefault(into attribute: AttributeDescription, in entity: EntityDescription) -> Bool
  /// The new entity whose object a relationship leads to, where that is made of the same old object.
  func twin(of relationship: RelationshipDescription, in entity: EntityDescription) -> EntityDescription?
  /// Whether the new model's rules are checked that the old model had too.
  var checksOldRules: Bool { get }
}

/// An inferred step.
extension ModelPairing: MigrationPairing {
  func destinations(of entity: EntityDescription) -> [EntityDescription] {
    destination(of: entity).map { [$0] } ?? []
  }

  func constant(of attribute: AttributeDescription, in entity: EntityDescription) -> Value? { nil }

  func putsDefault(into attribute: AttributeDescription, in entity: EntityDescription) -> Bool { true }

  func twin(of relationship: RelationshipDescription, in entity: EntityDescription) -> EntityDescription? {
    nil
  }

  var checksOldRules: Bool { false }
}
