import GraphStoreModel

/// What an atomic store writes: objects by entity and key, their links, and the highest keys.
struct AtomicContent {
  let state: InMemoryState
  let entities: StoredEntities
  /// By entity tree.
  let lastKeys: [Int64]

  init(state: InMemoryState, entities: StoredEntities, lastKeys: [Int64]) {
    (self.state, self.entities, self.lastKeys) = (state, entities, lastKeys)
  }

  /// What a database holds.
  ///
  /// - Parameter state: A state of it; nil for the committed one.
  init(_ database: InMemoryDatabase, of entities: StoredEntities, in state: InMemoryState? = nil) throws {
    self.init(
      state: try state ?? database.snapshot(), entities: entities,
      lastKeys: database.schema.layout.entities.map { database.lastKey($0.index) })
  }

  var metadata: StoreMetadata { state.metadata }
  var layout: ModelLayout { state.schema.layout }

  /// The highest key of each entity tree, by the name of its root.
  var highestKeys: [(root: String, key: Int64)] {
    layout.entities.filter { $0.index == $0.rootIndex && entities.holds($0.entity) }
      .map { ($0.entity.name, lastKeys[$0.index]) }
  }

  /// Shows each object, in the order of entities in the model, then of keys (STO-060).
  func forEachObject(_ body: (_ key: Int64, Row) throws -> Void) rethrows {
    var rows = [[(key: Int64, row: Row)]](repeating: [], count: layout.entities.count)
    for root in layout.entities where root.index == root.rootIndex {
      state.scan(root.index) { key, row in
        rows[row.layout.index].append((key, row))
        return true
      }
    }
    for entity in rows { for (key, row) in entity { try body(key, row) } }
  }

  /// The entity and the key of what a to-one leads to; nil for nothing.
  func destination(_ property: PropertyLayout, of row: Row) -> (entity: EntityDescription, key: Int64)? {
    row.reference(property.slot).map { reference in
      let named = layout.entities[reference.entity]
      let layout = state.row(named.rootIndex, reference.key)?.layout ?? named
      return (layout.entity, reference.key)
    }
  }

  /// The members of a to-many: in their order, else by key.
  func members(
    _ relationship: RelationshipLayout, of owner: Int64
  ) -> [(entity: EntityDescription, key: Int64)] {
    state.members(of: relationship, owner: owner).map { ($0.row.layout.entity, $0.key) }
  }

  /// The relationship of a property; nil for an attribute.
  static func relationship(_ property: PropertyLayout, of layout: EntityLayout) -> RelationshipLayout? {
    property.relationship < 0 ? nil : layout.relationships[property.relationship]
  }

  /// Whether the links of a to-many are written at this end by formats that write each link once: where the
  /// members do not refer to their owner, and at one of two to-many ends; but the order is of its own end.
  static func isWritten(_ relationship: RelationshipLayout) -> Bool {
    guard !relationship.isOrdered, let inverse = relationship.inverseDescription else { return true }
    let own = relationship.description
    guard inverse.isToMany, inverse !== own else { return inverse === own }
    return (own.entity.index, own.name) < (inverse.entity.index, inverse.name)
  }
}
