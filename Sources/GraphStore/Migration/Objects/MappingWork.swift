import GraphStoreModel

/// Work of a step on one entity mapping: its policy, how values are transferred, and which objects it has
/// made.
final class MappingWork {
  let mapping: CheckedEntityMapping
  let policy: EntityMigrationPolicy
  let source: EntityLayout?
  let destination: EntityLayout?
  let scope: MappingScope
  /// The destination objects by source objects.
  var associations = AssociationTable()
  /// The transfer of attributes; nil where no objects are made.
  var attributes: AttributeTransfer?
  /// The transfers of relationships that are stored and have a known source.
  var relationships: [RelationshipTransfer] = []
  /// The number of source objects.
  var sourceCount = 0

  init(_ mapping: CheckedEntityMapping, _ source: MigrationSide, _ destination: MigrationSide) throws {
    self.mapping = mapping
    policy = try EntityMigrationPolicy.make(for: mapping)
    self.source = try source.layout(of: mapping.source)
    self.destination = try destination.layout(of: mapping.destination)
    scope = MappingScope(mapping)
  }

  /// Whether no policy takes part, so that objects can be made and linked by their rows.
  var isPlain: Bool { mapping.policyName == nil }

  /// Whether source objects are read.
  var takesObjects: Bool { source != nil && (destination != nil || !isPlain) }

  /// Whether the mapping states a relationship, which then is not what anything else says.
  func states(_ relationship: RelationshipDescription?) -> Bool {
    guard let relationship else { return false }
    return relationships.contains { $0.isStated && $0.relationship.description === relationship }
  }
}
