import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// Resolves relationships and reads their destinations' rows, with at most two statements a step (FLT-143).
  ///
  /// - Throws: `unknown-key` for a path whose steps are not all relationships.
  func prefetch(_ keyPaths: [String], of objects: [ManagedObject], _ entity: EntityPlan) throws {
    for keyPath in keyPaths {
      var sources = objects
      for step in keyPath.split(separator: ".") {
        guard !sources.isEmpty else { break }
        sources = try prefetchStep(String(step), of: sources)
      }
    }
  }

  private func prefetchStep(_ name: String, of sources: [ManagedObject]) throws -> [ManagedObject] {
    try loadRows(of: sources)
    let relationship = try sources[0].relationship(forKey: name)
    var destinations = ObjectSet()
    if relationship.isToMany {
      try resolve(relationship, of: sources)
      for source in sources {
        for object in try source.members(of: relationship) { destinations.append(object) }
      }
    } else {
      for source in sources {
        if let object = try source.object(of: relationship) { destinations.append(object) }
      }
    }
    let found = destinations.elements
    try loadRows(of: found)
    return found
  }
}
