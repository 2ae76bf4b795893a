import GraphStoreModel

/// Chooses the stores of new objects that are not assigned (OBJ-461, STO-139).
///
/// An object whose entity one writable store holds is assigned to that. The others are kept together if they
/// are related to each other: to the store of the objects that they are related to, else to the first store
/// that holds them all.
struct StorePlacement {
  private let coordinator: PersistentStoreCoordinator
  private let mounts: [Mount]
  /// By entity: the stores that take its objects.
  private var candidates: [Int: [Mount]] = [:]
  /// The errors of objects that no store accepts, by object.
  private(set) var failures: [ObjectIdentifier: GraphStoreError] = [:]
  /// The failure of the first such object.
  private(set) var firstFailure: GraphStoreError?

  /// Sets the stores of new objects.
  ///
  /// - Parameters:
  ///   - updated: Saved objects, whose changed links may lead to new ones.
  init(
    of inserted: [ManagedObject], updated: [ManagedObject], _ coordinator: PersistentStoreCoordinator,
    _ mounts: [Mount]
  ) {
    self.coordinator = coordinator
    self.mounts = mounts
    let undecided = inserted.filter { !decide($0) }
    if undecided.isEmpty { return }
    for group in groups(undecided, sources: inserted + updated) { place(group) }
  }

  /// Sets the store of an object for which there is one; false where there are several.
  private mutating func decide(_ object: ManagedObject) -> Bool {
    if object.state.contains(.assigned) {
      if mounts.contains(where: { $0.index == object.storeIndex }) { return true }
      fail(object, coordinator.removedStore(of: object))
      return true
    }
    let candidates = candidates(of: object.layout)
    if candidates.count > 1 { return false }
    if let only = candidates.first {
      object.storeIndex = only.index
    } else {
      fail(object, coordinator.noStore(for: object.entity, object.objectID))
    }
    return true
  }

  private mutating func candidates(of layout: EntityLayout) -> [Mount] {
    if let known = candidates[layout.index] { return known }
    let found = mounts.filter { !$0.store.isReadOnly && $0.store.entities.contains(layout.entity) }
    candidates[layout.index] = found
    return found
  }

  private mutating func fail(_ object: ManagedObject, _ error: GraphStoreError) {
    failures[ObjectIdentifier(object)] = error
    firstFailure = firstFailure ?? error
  }

  // MARK: Groups

  /// New objects that belong in one store, and the stores of the stored objects to which they are related.
  private struct Group {
    var objects: [ManagedObject] = []
    var stores: Set<Int32> = []
  }

  private func groups(_ undecided: [ManagedObject], sources: [ManagedObject]) -> [Group] {
    var positions: [ObjectIdentifier: Int] = [:]
    for (position, object) in undecided.enumerated() { positions[ObjectIdentifier(object)] = position }
    var parents = Array(undecided.indices)
    func root(_ position: Int) -> Int {
      var position = position
      while parents[position] != position {
        parents[position] = parents[parents[position]]
        position = parents[position]
      }
      return position
    }
    var neighbours: [(position: Int, store: Int32)] = []
    for source in sources {
      source.forEachChangedLink { _, destination in
        let ends = (positions[ObjectIdentifier(source)], positions[ObjectIdentifier(destination)])
        switch ends {
        case (let first?, let second?):
          // The first inserted represents all.
          let roots = (root(first), root(second))
          parents[max(roots.0, roots.1)] = min(roots.0, roots.1)
        case (let new?, nil): if isPlaced(destination) { neighbours.append((new, destination.storeIndex)) }
        case (nil, let new?): if isPlaced(source) { neighbours.append((new, source.storeIndex)) }
        case (nil, nil): break
        }
      }
    }
    var groups: [Int: Group] = [:]
    for (position, object) in undecided.enumerated() {
      groups[root(position), default: Group()].objects.append(object)
    }
    for (position, store) in neighbours { groups[root(position)]?.stores.insert(store) }
    return groups.sorted { $0.key < $1.key }.map(\.value)
  }

  private func isPlaced(_ object: ManagedObject) -> Bool { failures[ObjectIdentifier(object)] == nil }

  private mutating func place(_ group: Group) {
    guard let first = group.objects.first else { return }
    let common = mounts.filter { mount in
      !mount.store.isReadOnly && group.objects.allSatisfy { mount.store.entities.contains($0.entity) }
    }
    let fitting = group.stores.isEmpty ? common : common.filter { group.stores.contains($0.index) }
    // Where relations lead to several stores, they are refused as such.
    if let mount = fitting.first ?? (group.stores.count > 1 ? candidates(of: first.layout).first : nil) {
      for object in group.objects { object.storeIndex = mount.index }
      return
    }
    let cause =
      group.stores.isEmpty
      ? "does not hold all new objects that are related to it"
      : "does not have the objects that it is related to"
    for object in group.objects {
      fail(object, coordinator.noStore(for: object.entity, object.objectID, otherwise: cause))
    }
  }
}

extension PersistentStoreCoordinator {
  /// The failure of a new object whose store was removed after it had been assigned to it.
  func removedStore(of object: ManagedObject) -> GraphStoreError {
    var error = noStore(
      for: object.entity, object.objectID, otherwise: "is not the one that it is assigned to")
    error.message = "The store to which \(object.objectID.shortForm) is assigned was removed."
    error.remedy = "Assign it to another store, or add that one again. Nothing was written."
    return error
  }
}
