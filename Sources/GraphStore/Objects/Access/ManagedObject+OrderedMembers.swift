import GraphStorePredicates
import OrderedCollections

/// Changes of places in an ordered to-many, whose members have to be known for that (REL-106).
extension ManagedObject {
  /// Inserts objects; those that are members already keep their places (REL-111).
  final func insert(
    _ objects: some Sequence<ManagedObject>, into relationship: RelationshipLayout, at index: Int
  ) throws {
    try changeMembers(of: relationship) { members in
      guard index >= 0, index <= members.count else {
        throw indexOutOfRange(index, count: members.count, of: relationship)
      }
      var index = index
      for object in objects where members.insert(object, at: index).inserted { index += 1 }
    }
  }

  final func remove(at index: Int, from relationship: RelationshipLayout) throws {
    try changeMembers(of: relationship) { members in
      try checkIndex(index, in: members, of: relationship)
      members.remove(at: index)
    }
  }

  /// Replaces a member by an object; one that is a member already moves there.
  final func replace(at index: Int, in relationship: RelationshipLayout, with object: ManagedObject) throws {
    try changeMembers(of: relationship) { members in
      try checkIndex(index, in: members, of: relationship)
      if members[index] === object { return }
      members.remove(at: index)
      if let place = members.firstIndex(of: object) { members.remove(at: place) }
      members.insert(object, at: min(index, members.count))
    }
  }

  final func move(from index: Int, to destination: Int, in relationship: RelationshipLayout) throws {
    try changeMembers(of: relationship) { members in
      try checkIndex(index, in: members, of: relationship)
      try checkIndex(destination, in: members, of: relationship)
      members.insert(members.remove(at: index), at: destination)
    }
  }

  /// Moves members so that they follow each other from an index on; objects that are not members are ignored.
  final func move(
    _ objects: some Sequence<ManagedObject>, to destination: Int, in relationship: RelationshipLayout
  ) throws {
    try changeMembers(of: relationship) { members in
      let moved = Set(objects)
      let (together, others) = (members.filter(moved.contains), members.filter { !moved.contains($0) })
      guard destination >= 0, destination <= others.count else {
        throw indexOutOfRange(destination, count: others.count + 1, of: relationship)
      }
      members = OrderedSet(
        uncheckedUniqueElements: others.elements[..<destination] + together.elements
          + others.elements[destination...])
    }
  }

  final func sort(
    _ relationship: RelationshipLayout, by order: ([ManagedObject]) throws -> [ManagedObject]
  ) throws {
    try changeMembers(of: relationship) { members in
      members = OrderedSet(uncheckedUniqueElements: try order(members.elements))
    }
  }

  final func sort(_ relationship: RelationshipLayout, using descriptors: [QuerySortDescriptor]) throws {
    let checker = PredicateTypeChecker(entity: relationship.description.destination)
    let checked = try checker.check(descriptors)
    guard let context else { return try checkUsable() }
    let options = EvaluationOptions(
      logic: .threeValued, locale: context.locale, functions: context.functions)
    try context.realizeFaults(in: members(of: relationship))
    try sort(relationship) {
      try $0.sorted(
        using: SortEvaluator(checked, options: options), checking: context.checkInterruption)
    }
  }

  private func changeMembers(
    of relationship: RelationshipLayout, _ change: (inout OrderedSet<ManagedObject>) throws -> Void
  ) throws {
    checkQueue()
    try checkChangeable()
    var changed = OrderedSet(uncheckedUniqueElements: try members(of: relationship))
    try change(&changed)
    try setMembers(changed.elements, of: relationship)
  }

  // MARK: Errors

  private func checkIndex(
    _ index: Int, in members: OrderedSet<ManagedObject>, of relationship: RelationshipLayout
  ) throws {
    guard members.indices.contains(index) else {
      throw indexOutOfRange(index, count: members.count, of: relationship)
    }
  }

  final func indexOutOfRange(_ index: Int, count: Int, of relationship: RelationshipLayout) -> GraphStoreError
  {
    let name = relationship.description.name
    return GraphStoreError(
      .indexOutOfRange, "\(entity.name).\(name) has \(count) members, so none at \(index).",
      remedy: "Ask for the number of members first.", entity: entity.name, property: name, objectID: objectID)
  }
}
