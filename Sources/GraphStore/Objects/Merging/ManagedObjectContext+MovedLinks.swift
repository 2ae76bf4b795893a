extension ManagedObjectContext {
  /// Has the other ends of a to-one follow that others have pointed elsewhere.
  ///
  /// Neither their destination nor the former one has unsaved changes about it any more, which were made upon
  /// what was stored before; where the to-one keeps what was set here, their destination loses it.
  func adjustEnds(of link: ContextMerge.MovedLink) throws {
    let (object, relationship) = (link.object, link.relationship)
    guard object.isPresent else { return }
    for case let reference? in [link.former, link.stored] {
      // Of objects that are to be deleted as well: delete rules are applied once more by what they know.
      if let end = registered(reference, object.storeIndex), relationship.leads(to: end.layout) {
        forgetChange(end, relationship, about: object)
      }
    }
    guard link.isKept,
      let stored = link.stored.flatMap({ destination($0, of: relationship, storeIndex: object.storeIndex) }),
      stored.isPresent
    else { return }
    let inverse = stored.layout.relationships[relationship.inverse]
    if inverse.isToMany {
      stored.recordMembership(of: inverse) { $0.remove(object) }
    } else if try stored.object(of: inverse) === object {
      try stored.prepareChange(of: stored.layout.properties[inverse.number])
      stored.writeReference(nil, of: inverse)
    }
  }

  /// The registered object that a row's reference names.
  func registered(_ reference: PackedReference, _ storeIndex: Int32) -> ManagedObject? {
    registry.object(coordinator.layout.entities[reference.entity], key: reference.key, store: storeIndex)
  }
}
