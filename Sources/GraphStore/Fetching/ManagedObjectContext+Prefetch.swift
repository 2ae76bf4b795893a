import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// Makes sure that the key paths to prefetch are chains of relationships.
  ///
  /// - Throws: `unknown-key` for a step that the entity before it does not have, `wrong-property-kind` for a
  ///   key path with a step that is no relationship.
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

  /// Follows key paths from objects and brings the rows of what they lead to into memory, by one statement a
  /// step and store (FLT-143); a step with which several paths begin runs once (FET-112).
  ///
  /// Rows that are in memory are not read again where a to-one leads to them. Members that unsaved changes
  /// have added, and whose rows have not been read, cost a statement more. The key paths have been checked by
  /// ``checkPrefetching(_:_:)``; objects of entities that do not have a key are left as they are.
  func prefetch(_ keyPaths: [String], of objects: [ManagedObject], with reader: RequestReader) throws {
    if keyPaths.isEmpty { return }
    var paths = RelationshipPaths()
    for keyPath in keyPaths {
      paths.insert(keyPath.split(separator: ".").map(String.init)[...], readsRows: true)
    }
    try prefetch(paths, of: objects, with: reader)
  }

  /// - Parameter prefix: The steps that have led to the objects, with a dot behind.
  func prefetch(
    _ paths: RelationshipPaths, behind prefix: String = "", of sources: [ManagedObject],
    with reader: RequestReader
  ) throws {
    if sources.isEmpty { return }
    for step in paths.steps {
      let logged = SQLLogRequest.begin()
      defer { logged?.end() }
      let destinations = try prefetch(step, of: sources, with: reader)
      logged?.add(
        annotation: "Prefetching with key '\(prefix + step.name)'.  Got \(destinations.count) rows.")
      try prefetch(step.rest, behind: "\(prefix)\(step.name).", of: destinations, with: reader)
    }
  }

  /// - Returns: The destinations whose records are there, each once; none where their rows are not read.
  func prefetch(
    _ step: RelationshipPaths.Step, of sources: [ManagedObject], with reader: RequestReader
  ) throws -> [ManagedObject] {
    let groups = Self.sources(having: step.name, among: sources)
    if groups.isEmpty { return [] }
    activity.countPrefetch()
    var all = ObjectSet()
    for (relationship, sources) in groups {
      let found: [ManagedObject]
      guard step.readsRows else {
        if relationship.isToMany { try resolve(relationship, of: sources, with: reader) }
        continue
      }
      if relationship.isToMany {
        found = try members(relationship, of: sources, with: reader)
      } else {
        try loadRows(of: sources, with: reader)
        found = destinations(of: sources, relationship)
      }
      try loadRows(of: found, with: reader)
      let present = found.filter { $0.block != nil }
      if groups.count == 1 { return present }
      for object in present { all.append(object) }
    }
    return all.elements
  }

  /// The objects whose entities have a relationship of a name, by the relationship: sub-entities may have
  /// declared one each. One look-up for a run of objects of one entity.
  private static func sources(
    having name: String, among sources: [ManagedObject]
  ) -> [(relationship: RelationshipLayout, sources: [ManagedObject])] {
    var groups: [(relationship: RelationshipLayout, sources: [ManagedObject])] = []
    var last: (layout: EntityLayout, group: Int?)?
    func group(of source: ManagedObject) -> Int? {
      if let last, last.layout === source.layout { return last.group }
      var group: Int?
      if let property = source.layout.property(named: name), [.toOne, .toMany].contains(property.kind) {
        let relationship = source.layout.relationships[property.relationship]
        group = groups.firstIndex { $0.relationship.description === relationship.description } ?? groups.count
        if group == groups.count { groups.append((relationship, [])) }
      }
      last = (source.layout, group)
      return group
    }
    for source in sources {
      if let group = group(of: source) { groups[group].sources.append(source) }
    }
    return groups
  }

  private func members(
    _ relationship: RelationshipLayout, of sources: [ManagedObject], with reader: RequestReader
  ) throws -> [ManagedObject] {
    let read = try resolveWithRows(relationship, of: sources, with: reader)
    return try withExtendedLifetime(read) {
      var members = ObjectSet()
      for source in sources {
        for object in try source.members(of: relationship) { members.append(object) }
      }
      return members.elements
    }
  }

  /// The destinations of a to-one, each once; the sources hold them, and stay faults if they are (FLT-144,
  /// FLT-145).
  ///
  /// The destinations of a new object are known, and need not be in the store that the object is going to be
  /// in.
  private func destinations(of sources: [ManagedObject], _ relationship: RelationshipLayout)
    -> [ManagedObject]
  {
    if sources.contains(where: { !isSaved($0) }) {
      let known = sources.filter { !isSaved($0) }.compactMap { source in
        source.isCut(relationship) ? nil : source.knownDestination(relationship.ordinal)
      }
      let stored = destinations(of: sources.filter { isSaved($0) }, relationship)
      return ObjectSet(stored + known).elements
    }
    guard let first = sources.first else { return [] }
    var found = DestinationTable(self, relationship, storeIndex: first.storeIndex)
    let references = sources.map { source in
      source.storeIndex == first.storeIndex ? source.liveReference(relationship) : nil
    }
    for case let reference? in references { found.add(reference) }
    found.resolve()
    for (source, reference) in zip(sources, references) {
      if let reference { source.setDestination(relationship.ordinal, found[reference]) }
    }
    guard sources.contains(where: { $0.storeIndex != first.storeIndex }) else { return found.objects }
    let others = sources.filter { $0.storeIndex != first.storeIndex }
    return found.objects + destinations(of: others, relationship)
  }
}

extension ManagedObject {
  /// The destination in the row of a to-one that the object's deletion has not emptied.
  fileprivate final func liveReference(_ relationship: RelationshipLayout) -> PackedReference? {
    isCut(relationship) ? nil : currentRow?.reference(relationship.slot)
  }
}
