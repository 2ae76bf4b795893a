import GraphStoreModel
import OrderedCollections

extension ManagedObjectContext {
  /// Has both ends of an object's one-to-one relationships agree again, where this save changes one end and
  /// another writer has changed the other (CTX-210). The object has what is stored, with the own changes on
  /// top.
  func resolvePartners(of object: ManagedObject) throws {
    for relationship in object.layout.oneToOnes {
      try leavePartnerOfAnother(object, relationship)
      for owner in ownersNaming(object, relationship) { try resolve(owner, naming: object, relationship) }
    }
  }

  /// Sets a to-one to nil whose partner has another partner by this save: that is the inverse of a change
  /// that is kept.
  private func leavePartnerOfAnother(_ object: ManagedObject, _ relationship: RelationshipLayout) throws {
    guard let partner = try object.object(of: relationship), partner.isPresent else { return }
    // The values of a partner without changes may be stale.
    try refreshFromStores(CollectionOfOne(partner))
    let inverse = partner.layout.relationships[relationship.inverse]
    guard try partner.object(of: inverse) !== object else { return }
    try object.setObject(nil, of: relationship)
  }

  /// The changed objects whose partner is to be an object that leads elsewhere.
  private func ownersNaming(
    _ object: ManagedObject, _ relationship: RelationshipLayout
  ) -> [ManagedObject] {
    unsaved.objects.filter { owner in
      guard owner.isPresent, owner.entity.isKind(of: relationship.destinationEntity) else { return false }
      let inverse = owner.layout.relationships[relationship.inverse]
      guard let named = owner.currentRow?.reference(inverse.slot) else { return false }
      return named.key == object.key && named.entity == object.layout.index
    }
  }

  /// Decides between an owner's partner by this save and the one that another writer has assigned to it.
  private func resolve(
    _ owner: ManagedObject, naming object: ManagedObject, _ relationship: RelationshipLayout
  ) throws {
    guard try object.object(of: relationship) !== owner else { return }
    if mergePolicy.type.prefersObject { return try object.setObject(owner, of: relationship) }
    if mergePolicy.type == .rollback, !owner.isInserted { return try refresh(owner, mergeChanges: false) }
    let inverse = owner.layout.relationships[relationship.inverse]
    try revertDestination(of: owner, inverse)
    if owner.isInserted { try owner.setObject(nil, of: inverse) }
    forgetToOneChange(owner, inverse)
  }
}
