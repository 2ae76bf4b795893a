extension PersistentStore {
  /// The number of all objects that it holds.
  package func objectCount() throws -> Int { try read(.severalStatements) { try objectCount(in: $0) } }

  /// The number of all objects that a session finds.
  package func objectCount(in session: any ReadSession) throws -> Int {
    try layout.entities.reduce(0) { count, layout in
      guard layout.rootIndex == layout.index, entities.holds(layout.entity) else { return count }
      return count + (try session.plan(StoreRequest(entityName: layout.entity.name, .count)).count())
    }
  }
}
