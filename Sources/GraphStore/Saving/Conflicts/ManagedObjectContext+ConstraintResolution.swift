import GraphStoreModel
import OrderedCollections

extension ManagedObjectContext {
  /// Resolves conflicts of uniqueness by a predefined policy (CTX-235 to CTX-243).
  func resolve(_ conflicts: [ConstraintConflict], by type: MergePolicyType) throws {
    var orders = MemberOrders()
    for conflict in conflicts where conflict.databaseObject == nil {
      try keepFirst(of: conflict.conflictingObjects, by: type, &orders)
    }
    let stored = OrderedDictionary(grouping: conflicts.filter { $0.databaseObject != nil }) {
      $0.conflictingObjects[0]
    }
    for (object, conflicts) in stored where object.isPresent {
      let holders = Array(OrderedSet(conflicts.compactMap(\.databaseObject)))
      if type == .mergeByPropertyObjectTrump, holders.count > 1, object.isInserted {
        throw ConstraintConflict.error(conflicts)
      }
      try resolve(object, against: holders, by: type, &orders)
    }
    try orders.restore { replacement(of: $0) }
  }

  /// The object that has replaced one which the last save has removed for a uniqueness conflict; nil for
  /// others.
  package func replacement(of object: ManagedObject) -> ManagedObject? {
    var last = saving.replacements[object]
    while let next = last.flatMap({ saving.replacements[$0] }) { last = next }
    return last
  }

  /// Within the context one object stays, the first; new ones leave, and those that are stored lose their
  /// changes.
  private func keepFirst(
    of objects: [ManagedObject], by type: MergePolicyType, _ orders: inout MemberOrders
  ) throws {
    let present = objects.filter(\.isPresent)
    guard let survivor = present.first else { return }
    for other in present.dropFirst() {
      let takesValues = type == .mergeByPropertyObjectTrump || type == .overwrite
      if takesValues { try survivor.takeAttributes(setOn: other) }
      try giveWay(other, to: survivor, keepsToOnes: !takesValues, &orders)
    }
  }

  private func resolve(
    _ object: ManagedObject, against holders: [ManagedObject], by type: MergePolicyType,
    _ orders: inout MemberOrders
  ) throws {
    switch type {
    case .error: return
    case .overwrite:
      for holder in holders {
        try passUnmanagedLinks(from: holder, to: object, &orders)
        try delete(holder)
      }
    case .mergeByPropertyObjectTrump:
      let holder = holders[0]
      try holder.takeAttributes(setOn: object)
      try giveWay(object, to: holder, keepsToOnes: false, &orders)
    case .mergeByPropertyStoreTrump, .rollback:
      try giveWay(object, to: holders[0], keepsToOnes: true, &orders)
    }
  }

  /// A new object leaves, one that was saved loses its changes.
  private func giveWay(
    _ object: ManagedObject, to holder: ManagedObject, keepsToOnes: Bool, _ orders: inout MemberOrders
  ) throws {
    guard object.isInserted else {
      if !keepsToOnes { try holder.takeDestinations(setOn: object) }
      return try refresh(object, mergeChanges: false)
    }
    try replace(object, by: holder, keepsToOnes: keepsToOnes, &orders)
  }

  /// Removes an object; its links, and those to it, pass to the one that stays (CTX-241).
  private func replace(
    _ leaving: ManagedObject, by staying: ManagedObject, keepsToOnes: Bool, _ orders: inout MemberOrders
  ) throws {
    try orders.keep(ofOwnersOf: leaving)
    if !keepsToOnes { try staying.takeDestinations(setOn: leaving) }
    for relationship in leaving.layout.relationships where relationship.isPersistent {
      if relationship.isToMany {
        let members = try leaving.members(of: relationship).filter { $0 !== staying }
        if members.isEmpty { continue }
        try leaving.remove(members, from: relationship)
        if let own = staying.relationship(named: relationship.description.name) {
          try staying.add(members.filter(\.isPresent), to: own)
        }
      } else if try leaving.object(of: relationship) != nil {
        try leaving.setObject(nil, of: relationship)
      }
    }
    try passUnmanagedLinks(from: leaving, to: staying, &orders)
    saving.replacements[leaving] = staying
    try delete(leaving)
  }

  /// Passes to-ones and to-manys without an inverse, of objects with unsaved changes.
  private func passUnmanagedLinks(
    from leaving: ManagedObject, to staying: ManagedObject, _ orders: inout MemberOrders
  ) throws {
    for object in unsaved.objects where object !== leaving && object.isPresent {
      for relationship in object.layout.relationships
      where relationship.inverse < 0 && relationship.isPersistent {
        switch object.relationshipIfTouched(relationship.ordinal) {
        case let destination as ManagedObject where destination === leaving:
          try object.setObject(staying, of: relationship)
        case let state as ToManyRelationship where state.added.contains(leaving):
          try orders.keep(of: relationship, object)
          try object.remove([leaving], from: relationship)
          try object.add([staying], to: relationship)
        default: break
        }
      }
    }
  }
}

extension ManagedObject {
  fileprivate final func relationship(named name: String) -> RelationshipLayout? {
    layout.relationships.first { $0.description.name == name && $0.isPersistent }
  }

  /// The stored properties that differ from what the object was when it was inserted or last saved (CTX-240).
  private final var setProperties: [PropertyLayout] {
    changedProperties.filter { $0.isInRow && !$0.isDerived }
  }

  /// Adopts the attributes that were set on another object.
  fileprivate final func takeAttributes(setOn other: ManagedObject) throws {
    try realize()
    guard let row = other.currentRow else { return }
    for property in other.setProperties where property.kind != .toOne {
      guard let own = layout.property(named: property.name), own.kind == property.kind else { continue }
      try setAttribute(own, to: other.value(of: property, in: row))
    }
  }

  /// Adopts the destinations of to-ones that were set on another object.
  fileprivate final func takeDestinations(setOn other: ManagedObject) throws {
    try realize()
    for property in other.setProperties where property.kind == .toOne {
      guard let own = relationship(named: property.name) else { continue }
      let destination = try other.object(of: other.layout.relationships[property.relationship])
      try setObject(destination === other ? self : destination, of: own)
    }
  }
}
