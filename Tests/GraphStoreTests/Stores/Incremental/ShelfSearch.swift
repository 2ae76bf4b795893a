import GraphStore

/// A search of a shelf: predicates and sort descriptors are evaluated over its records.
struct ShelfSearch {
  private let state: ShelfState
  private let model: ManagedObjectModel
  private let identify: ((NodeIdentifier) -> ManagedObjectID?)?

  init(
    _ state: ShelfState, _ model: ManagedObjectModel, _ identify: ((NodeIdentifier) -> ManagedObjectID?)?
  ) {
    (self.state, self.model, self.identify) = (state, model, identify)
  }

  func matches(_ query: IncrementalStoreQuery) throws -> [IncrementalStoreNode] {
    var found = state.inOrder.filter { node in
      let entity = model.entitiesByName[node.identifier.entity]
      return entity === query.entity || query.includesSubentities && entity?.isKind(of: query.entity) == true
    }.map(record)
    if let predicate = query.predicate {
      let evaluator = try PredicateEvaluator(predicate, options: query.evaluation)
      found = try found.filter { try evaluator.evaluate($0) }
    }
    if let last = query.sortDescriptors.last {
      if !last.ascending { found.reverse() }
      let evaluator = try SortEvaluator(query.sortDescriptors, options: query.evaluation)
      found = try evaluator.sortedPositions(of: found.map { .source($0) }, checking: {}).map { found[$0] }
    }
    let rest = found.dropFirst(query.fetchOffset)
    return (query.fetchLimit > 0 ? rest.prefix(query.fetchLimit) : rest).compactMap(\.node)
  }

  private func record(_ node: IncrementalStoreNode) -> Record { Record(self, node.identifier, node) }

  fileprivate func place(_ identifier: NodeIdentifier) -> ShelfState.Place {
    let root = model.entitiesByName[identifier.entity]?.rootEntity.name ?? identifier.entity
    return ShelfState.Place(root: root, reference: identifier.reference)
  }

  /// A record as predicates read it.
  private final class Record: _PropertySource {
    private let search: ShelfSearch
    private let identifier: NodeIdentifier
    /// Nil where the record is gone that something refers to.
    let node: IncrementalStoreNode?
    private let entity: EntityDescription?

    init(_ search: ShelfSearch, _ identifier: NodeIdentifier, _ node: IncrementalStoreNode?) {
      (self.search, self.identifier, self.node) = (search, identifier, node)
      entity = search.model.entitiesByName[node?.identifier.entity ?? identifier.entity]
    }

    var _objectReference: ObjectReference? {
      search.identify?(node?.identifier ?? identifier).map { ObjectReference($0) }
    }

    private func record(_ identifier: NodeIdentifier) -> QueryOperand {
      .source(Record(search, identifier, search.state.node(search.place(identifier))))
    }

    func _operand(forKey key: _PropertyKey) throws -> QueryOperand {
      if let relationship = entity?.relationship(named: key.name) {
        guard relationship.isToMany else {
          return node?.destinations[key.name].map(record) ?? .null
        }
        let members = search.state.members(of: relationship, owner: search.place(identifier))
          .compactMap(search.state.node)
        return .collection(members.map { record($0.identifier) }, isOrdered: relationship.isOrdered)
      }
      if key.name == "entity" { return .value(.string(node?.identifier.entity ?? identifier.entity)) }
      if ["objectID", "self", "SELF"].contains(key.name), let reference = _objectReference {
        return .value(.object(reference))
      }
      return .value(node?.values[key.name] ?? .null)
    }

    func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool {
      var entity = entity
      for (place, key) in (path + keys).enumerated() {
        guard let relationship = entity?.relationship(named: key) else { return false }
        if place >= path.count, relationship.isToMany { return true }
        entity = relationship.destination
      }
      return false
    }

    /// Of a to-one with an ordered inverse the place in that.
    func _sortOperand(forKey key: _PropertyKey) throws -> QueryOperand {
      guard let relationship = entity?.relationship(named: key.name), !relationship.isToMany,
        let inverse = relationship.inverse, inverse.isOrdered, let owner = node?.destinations[key.name]
      else { return try _operand(forKey: key) }
      let members = search.state.members(of: inverse, owner: search.place(owner))
      return members.firstIndex(of: search.place(identifier)).map { .value(.int(Int64($0))) } ?? .null
    }
  }
}
