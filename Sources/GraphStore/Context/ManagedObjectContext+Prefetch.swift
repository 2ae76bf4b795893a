import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// Makes sure that the key paths to prefetch are chains of relationships.
  ///
  /// - Throws: `unknown-key` for a step that the entity before it does not have, `wrong-property-kind` for a key path
  ///   with a step that is no relationship.
  func checkPrefetching(_ request: FetchRequest<ManagedObject>, _ entity: EntityDescription) throws {
    let checker = PredicateTypeChecker(entity: entity)
    for keyPath in request.relationshipKeyPathsForPrefetching {
      let steps = try checker.resolve(keyPath: keyPath).steps
      let isOfRelationships = steps.allSatisfy { $0.relationship != nil } && !keyPath.contains("@")
      guard !isOfRelationships else { continue }
      throw GraphStoreError(
        .wrongPropertyKind,
        "\(entity.name).\(keyPath) cannot be prefetched: not every step of it is a relationship.",
        remedy: "Name relationships alone; their objects' attributes are read with them.",
        entity: entity.name,
        property: keyPath)
    }
  }

  /// Resolves relationships and reads their destinations' rows, with at most two statements a step (FLT-143).
  ///
  /// The key paths have been checked by ``checkPrefetching(_:_:)``; objects of entities that do not have a key are left
  /// as they are.
  func prefetch(_ keyPaths: [String], of objects: [ManagedObject], with reader: RequestReader) throws {
    for keyPath in keyPaths {
      var sources = objects
      for step in keyPath.split(separator: ".") {
        guard !sources.isEmpty else { break }
        sources = try prefetchStep(String(step), of: sources, with: reader)
      }
    }
  }

  private func prefetchStep(
    _ name: String, of sources: [ManagedObject], with reader: RequestReader
  ) throws -> [ManagedObject] {
    let sources = sources.filter { $0.layout.property(named: name) != nil }
    activity.countPrefetch()
    guard let first = sources.first else { return [] }
    try loadRows(of: sources, with: reader)
    let relationship = try first.relationship(forKey: name)
    let destinations =
      try relationship.isToMany
      ? members(relationship, of: sources, with: reader) : destinations(of: sources, relationship)
    try loadRows(of: destinations, with: reader)
    return destinations
  }

  private func members(
    _ relationship: RelationshipLayout, of sources: [ManagedObject], with reader: RequestReader
  ) throws -> [ManagedObject] {
    try resolve(relationship, of: sources, with: reader)
    var members = ObjectSet()
    for source in sources {
      for object in try source.members(of: relationship) { members.append(object) }
    }
    return members.elements
  }

  /// The destinations of a to-one, each once; the sources hold them, and stay faults if they are (FLT-144, FLT-145).
  ///
  /// What a new object leads to is known, and need not be in the store that the object is going to be in.
  private func destinations(of sources: [ManagedObject], _ relationship: RelationshipLayout)
    -> [ManagedObject]
  {
    let new = sources.filter { !isSaved($0) }
    if !new.isEmpty {
      let known = new.compactMap { source in
        source.isCut(relationship) ? nil : source.knownDestination(relationship.ordinal)
      }
      let stored = destinations(of: sources.filter { isSaved($0) }, relationship)
      return ObjectSet(stored + known).elements
    }
    guard let first = sources.first else { return [] }
    var found = DestinationTable(self, storeIndex: first.storeIndex)
    for source in sources where source.storeIndex == first.storeIndex {
      if let reference = source.liveReference(relationship) { found.add(reference) }
    }
    found.resolve()
    for source in sources where source.storeIndex == first.storeIndex {
      guard let reference = source.liveReference(relationship) else { continue }
      source.setDestination(relationship.ordinal, found[reference])
    }
    let others = sources.filter { $0.storeIndex != first.storeIndex }
    return found.objects + destinations(of: others, relationship)
  }
}

extension ManagedObject {
  /// What the row names as the destination of a to-one that the object's deletion has not emptied.
  fileprivate final func liveReference(_ relationship: RelationshipLayout) -> PackedReference? {
    isCut(relationship) ? nil : currentRow?.reference(relationship.slot)
  }
}
