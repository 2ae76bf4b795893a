import GraphStoreModel
import GraphStorePredicates

extension ManagedObject {
  /// Calls a handler after each tracked change of a key path, in the call that makes it.
  ///
  /// ```swift
  /// let token = try employee.observe("department.name") { change in print(change.newValue ?? "none") }
  /// ```
  ///
  /// The path leads through to-ones and ends at any property, or at a key of the class. A change of the other
  /// end of a relationship is reported as well, and so is one of what the key depends on
  /// (``keyPathsForValuesAffectingValue(forKey:)``). Primitive writes are not. An object that becomes a
  /// fault, or is realised, reports all observed keys as faulting.
  ///
  /// - Returns: The token that ends the observation when it is released.
  /// - Throws: `unknown-key`; `wrong-property-kind` for a path that leads through a to-many;
  ///   `to-many-in-dependent-key` where the key depends on such a path; `object-detached` and
  ///   `object-invalidated`.
  public final func observe(
    _ keyPath: String, options: KeyObservation.Options = [], handler: @escaping (KeyChange) -> Void
  ) throws -> KeyObservation {
    checkQueue()
    try checkChangeable()
    guard let context else { throw contextless }
    let own = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var paths = ObservedPaths(context.coordinator)
    try paths.add(own, from: layout, dependent: nil)
    let observation = KeyObservation(self, context, keyPath, options, paths: paths.all, handler)
    if context.delivery.keyObservers == nil { context.delivery.keyObservers = KeyObservers() }
    context.delivery.keyObservers?.add(observation)
    observation.reportInitial()
    return observation
  }

  private var contextless: GraphStoreError {
    GraphStoreError(
      .objectDetached, "\(objectID.shortForm) has left its context.", remedy: "Fetch it again.",
      entity: entity.name, objectID: objectID)
  }
}

/// The paths that an observation watches: the observed one, and those that its keys depend on.
private struct ObservedPaths {
  private let coordinator: PersistentStoreCoordinator
  private(set) var all: [[String]] = []

  init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

  /// Adds a path from an entity.
  ///
  /// - Parameter dependent: The class and key that depend on the path; nil for the observed one.
  mutating func add(
    _ path: [String], from layout: EntityLayout, after prefix: [String] = [],
    dependent: (class: String, key: String)?
  ) throws {
    let whole = prefix + path
    if all.contains(whole) { return }
    all.append(whole)
    var layout = layout
    for (index, key) in path.enumerated() {
      let type = coordinator.objectClass(layout)
      for affecting in type.keyPathsForValuesAffectingValue(forKey: key).sorted() {
        try add(
          affecting.split(separator: ".").map(String.init), from: layout, after: prefix + path[..<index],
          dependent: ("\(type)", key))
      }
      let property = layout.property(named: key)
      guard index < path.count - 1 else {
        if property == nil, coordinator.classes.declarations(of: layout.index)?.accessors[key] == nil {
          throw unknown(key, layout)
        }
        return
      }
      guard let property else { throw unknown(key, layout) }
      guard property.relationship >= 0 else { return }
      let relationship = layout.relationships[property.relationship]
      guard !relationship.isToMany else { throw toMany(key, of: layout, in: whole, dependent: dependent) }
      layout = coordinator.layout.entities[relationship.destination]
    }
  }

  private func unknown(_ key: String, _ layout: EntityLayout) -> GraphStoreError {
    var error = GraphStoreError(
      .unknownKey, "\(layout.entity.name) has no property \"\(key)\".",
      remedy: "Name a property of the entity, or a key that its class declares.", entity: layout.entity.name,
      property: key)
    error.suggestions = NearestNames.names(near: key, among: layout.properties.map(\.name))
    return error
  }

  private func toMany(
    _ key: String, of layout: EntityLayout, in path: [String], dependent: (class: String, key: String)?
  ) -> GraphStoreError {
    let text = path.joined(separator: ".")
    guard let dependent else {
      return GraphStoreError(
        .wrongPropertyKind,
        "The observed path \(text) leads through the to-many \(layout.entity.name).\(key).",
        remedy: "Observe each member, or the context's changes.", entity: layout.entity.name, property: key)
    }
    return GraphStoreError(
      .toManyInDependentKey,
      "\(dependent.class).\(dependent.key) is said to depend on \(text), which leads through the to-many \(key).",
      remedy: "Observe each member, or the context's changes.", entity: layout.entity.name,
      property: dependent.key)
  }
}
