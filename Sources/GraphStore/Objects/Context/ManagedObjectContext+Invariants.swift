extension ManagedObjectContext {
  /// Checks that the lists of changes, the registry, the row caches and every registered object agree.
  ///
  /// It fires no fault and runs no statement. Costs a walk of all objects and cached rows.
  func checkInvariants() throws(InvariantViolation) {
    try registry.checkInvariants()
    for object in registry.all() {
      try object.checkInvariants()
      try InvariantViolation.check(
        object.context === self, "\(object.objectID.shortForm) has another context")
    }
    try checkChanges()
  }

  private func checkChanges() throws(InvariantViolation) {
    let listed = Set(unsaved.objects)
    try InvariantViolation.check(listed.count == unsaved.objects.count, "an object is listed twice")
    for object in unsaved.objects {
      try object.checkInvariants()
      try InvariantViolation.check(
        object.state.contains(.listed), "\(object.objectID.shortForm) does not know that it is listed")
    }
    for object in registry.all() where object.state.contains(.listed) {
      try InvariantViolation.check(listed.contains(object), "\(object.objectID.shortForm) is not listed")
    }
    try InvariantViolation.check(
      Set(deletions.order).count == deletions.order.count, "an object is deleted twice")
    for object in deletions.order {
      try InvariantViolation.check(
        object.state.contains(.listed), "\(object.objectID.shortForm) is deleted and not listed")
    }
    for object in deletions.order + deletions.pending {
      try InvariantViolation.check(
        object.state.contains(.deleted), "\(object.objectID.shortForm) does not know that it is deleted")
    }
  }
}

extension ObjectRegistry {
  /// Checks that each object is registered under its own key, and is counted where it says that it holds a
  /// row.
  func checkInvariants() throws(InvariantViolation) {
    for cache in caches { try cache.checkInvariants() }
    for index in unsafe tables.indices { try unsafe tables[index].checkInvariants() }
    for object in all() {
      let name = object.objectID.shortForm
      try InvariantViolation.check(
        object.state.contains(.registered), "\(name) does not know that it is registered")
      try InvariantViolation.check(
        !object.state.contains(.holdsRow) || hasHolder(of: object), "\(name) is not counted among the holders"
      )
    }
  }

  private func hasHolder(of object: ManagedObject) -> Bool {
    let cache = caches[Int(object.storeIndex)]
    return cache.lock.withLock { cache.lockedTable(object.layout.rootIndex).hasHolder(object.key) }
  }
}
