extension ManagedObjectContext {
  /// Has the other ends of a to-one follow that was set here, and that others have pointed elsewhere: here it
  /// leads to neither their destination nor the former one. Where they have stored what was set here, it is
  /// no change of either end any more.
  func keepLink(_ link: ContextMerge.KeptLink) throws {
    let (object, relationship) = (link.object, link.relationship)
    guard object.isPresent else { return }
    if let former = link.former.flatMap({ registered($0, object.storeIndex) }), former.isPresent,
      relationship.leads(to: former.layout)
    {
      forgetChange(former, relationship, about: object)
    }
    if link.isStored {
      let stored = link.stored.flatMap { registered($0, object.storeIndex) }
      guard let stored, relationship.leads(to: stored.layout) else { return }
      return forgetChange(stored, relationship, about: object)
    }
    guard
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
