import GraphStoreModel

extension MigrationStep {
  /// Something that the step leaves behind.
  struct Loss: Sendable {
    /// The entity of the source.
    let entity: String
    /// The property of the source; nil where objects are left behind.
    let property: String?
    let reason: String
    let remedy: String?

    /// Where: `Employee`, or `Employee.nickname`.
    var path: String { [entity, property].compactMap { $0 }.joined(separator: ".") }
  }

  /// What the step leaves behind, in the order of the source.
  var losses: [Loss] {
    CheckedMapping.losses(of: mappings).map { loss in
      Loss(
        entity: loss.entity, property: loss.property, reason: loss.text,
        remedy: remedy(entity: loss.entity, property: loss.property))
    }
  }

  /// How to keep what is removed, where something that was added looks like it (MIG-070).
  private func remedy(entity name: String, property: String?) -> String? {
    let entity = source.model.entitiesByName[name]
    let successor = entity.flatMap { difference.pairing.destination(of: $0)?.name } ?? name
    return difference.changes.first { change in
      change.kind == .removed && change.entity == successor && change.name == property
    }?.remedy
  }
}
