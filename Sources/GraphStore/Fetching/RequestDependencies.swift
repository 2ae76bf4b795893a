import GraphStoreModel
import GraphStorePredicates

/// The properties that a predicate and an order read: those of the objects that are asked for, and those of
/// objects that paths lead to. Unsaved changes of others cannot alter an answer (FET-062, FET-070).
package struct RequestDependencies {
  /// The names of properties of the objects that are asked for.
  private(set) var own: Set<String> = []
  /// The names of properties of objects that paths lead to, by the root entities of their trees.
  private(set) var others: [Int: Set<String>] = [:]
  /// The root entities of the trees that relationships lead to. Who merges a deletion by others is not told
  /// of the owners whose members the deleted objects were.
  private(set) var destinations: Set<Int> = []
  /// The relationships that are followed from the objects that are asked for.
  package private(set) var paths = RelationshipPaths()
  /// Whether anything may be read: a closure or a function of the program is part of the predicate.
  private(set) var isUnbounded = false

  private let entity: EntityDescription

  /// - Parameters:
  ///   - shown: Further expressions over the objects.
  ///   - expansions: The to-manys whose members these name by variables.
  package init(
    _ entity: EntityDescription, _ predicate: QueryPredicate?, _ order: [QuerySortDescriptor] = [],
    shown: [QueryExpression] = [], over expansions: [ResultQuery.Expansion] = []
  ) {
    self.entity = entity
    if let predicate { visit(predicate, [:]) }
    var variables: Variables = [:]
    for expansion in expansions {
      let owner = expansion.owner.flatMap { variables[$0] } ?? Start(entity)
      visit(QueryKeyPath(steps: expansion.keys), from: owner)
      variables[expansion.variable] = members(at: expansion.keys, from: owner)
    }
    for expression in shown { visit(expression, variables) }
    for descriptor in order {
      if descriptor.isComputed {
        visit(descriptor.expression, [:])
      } else {
        visit(QueryKeyPath(steps: descriptor.keyPath.steps), from: Start(entity), isOrder: true)
      }
    }
  }

  /// - Parameter shown: The fields of the objects, which the answer consists of.
  init(
    _ request: FetchRequest<ManagedObject>, of entity: EntityDescription, shown: [QueryExpression] = []
  ) {
    self.init(entity, request.predicate, request.sortDescriptors, shown: shown)
  }

  /// Whether a change of an object that is not asked for itself can alter the answer.
  func includes(_ object: ManagedObject) -> Bool {
    if isUnbounded { return true }
    guard let names = others[object.layout.rootIndex] else { return false }
    // Objects that a new object is linked to have changed too.
    if object.isInserted { return false }
    return object.isDeleted || object.hasChanged(names)
  }

  // MARK: Predicates

  /// The object that a path begins at: one that is asked for, or one behind relationships of it.
  private struct Start {
    let entity: EntityDescription
    var names: [String] = []

    var isOwn: Bool { names.isEmpty }

    init(_ entity: EntityDescription, behind names: [String] = []) {
      self.entity = entity
      self.names = names
    }
  }

  private typealias Variables = [String: Start]

  private mutating func visit(_ predicate: QueryPredicate, _ variables: Variables) {
    switch predicate {
    case .constant: break
    case .comparison(let comparison):
      visit(comparison.left, variables)
      visit(comparison.right, variables)
    case .and(let parts), .or(let parts): for part in parts { visit(part, variables) }
    case .not(let operand): visit(operand, variables)
    case .block: isUnbounded = true
    }
  }

  private mutating func visit(_ expression: QueryExpression, _ variables: Variables) {
    switch expression.kind {
    case .constant, .evaluatedObject, .variable: break
    case .keyPath(let path):
      switch path.base?.kind {
      case nil, .evaluatedObject: visit(path, from: Start(entity))
      case .variable(let name):
        guard let start = variables[name] else { return isUnbounded = true }
        visit(path, from: start)
      case let base?:
        visit(QueryExpression(base), variables)
        // The value of a count has no properties.
        if path.steps != [.collectionOperator("count")] { isUnbounded = true }
      }
    case .subquery(let collection, let variable, let predicate):
      guard let member = members(of: collection, variables) else { return isUnbounded = true }
      visit(collection, variables)
      visit(predicate, variables.merging([variable: member]) { _, inner in inner })
    case .fetch, .block: isUnbounded = true
    default:
      if case .call = expression.kind { isUnbounded = true }
      for child in expression.children { visit(child, variables) }
      for predicate in expression.childPredicates { visit(predicate, variables) }
    }
  }

  /// The members of a collection that a path leads to.
  private func members(of collection: QueryExpression, _ variables: Variables) -> Start? {
    guard case .keyPath(let path) = collection.kind else { return nil }
    if case .variable(let name)? = path.base?.kind {
      return variables[name].flatMap { members(at: path.steps, from: $0) }
    }
    return path.base == nil ? members(at: path.steps, from: Start(entity)) : nil
  }

  private func members(at steps: [QueryKeyPath.Step], from start: Start) -> Start? {
    let resolved = try? PredicateTypeChecker(entity: start.entity).resolve(QueryKeyPath(steps: steps))
    guard let resolved, case .relationship(let found)? = resolved.steps.last, let first = found.first,
      resolved.collectionOperator == nil
    else { return nil }
    return Start(first.destination, behind: start.names + resolved.steps.compactMap(\.followed))
  }

  // MARK: Paths

  private mutating func visit(_ path: QueryKeyPath, from start: Start, isOrder: Bool = false) {
    let bare = QueryKeyPath(steps: path.steps)
    guard let resolved = try? PredicateTypeChecker(entity: start.entity).resolve(bare) else {
      return isUnbounded = true
    }
    let steps = resolved.steps + resolved.operand
    addPath(start.names, steps)
    var place = (entity: start.entity, isOwn: start.isOwn)
    for step in steps { follow(step, &place) }
    guard isOrder, resolved.collectionOperator == nil, case .relationship(let last)? = resolved.steps.last
    else { return }
    // The order may depend on its place in the inverse.
    for inverse in last.compactMap(\.inverse) {
      note(inverse.name, of: inverse.entity, isOwn: false)
      guard inverse.isOrdered else { continue }
      paths.insert((start.names + steps.compactMap(\.followed) + [inverse.name])[...], readsRows: false)
    }
  }

  /// Adds the relationships that a path follows.
  private mutating func addPath(_ start: [String], _ steps: [ResolvedKeyPath.Step]) {
    let names = start + steps.compactMap(\.followed)
    switch steps.last {
    case .relationship?, .objectID?, .entity?, nil: paths.insert(names[...], readsRows: false)
    case .attribute?, .element?, .length?, .fetchedProperty?: paths.insert(names[...], readsRows: true)
    }
  }

  private mutating func follow(
    _ step: ResolvedKeyPath.Step, _ place: inout (entity: EntityDescription, isOwn: Bool)
  ) {
    switch step {
    case .attribute(let found):
      if let name = found.first?.name { note(name, of: place.entity, isOwn: place.isOwn) }
    case .relationship(let found):
      guard let first = found.first else { return }
      note(first.name, of: place.entity, isOwn: place.isOwn)
      destinations.insert(first.destination.rootEntity.index)
      place = (first.destination, false)
      // An owner without an inverse is not notified when its destination is deleted.
      if found.contains(where: { $0.inverse == nil }) {
        others[first.destination.rootEntity.index, default: []].formUnion([])
      }
    case .fetchedProperty: isUnbounded = true
    case .element, .objectID, .entity, .length: break
    }
  }

  private mutating func note(_ name: String, of entity: EntityDescription, isOwn: Bool) {
    if isOwn { own.insert(name) } else { others[entity.rootEntity.index, default: []].insert(name) }
  }
}

extension ResolvedKeyPath.Step {
  /// The name of the relationship that the step follows.
  fileprivate var followed: String? {
    if case .relationship(let found) = self { found.first?.name } else { nil }
  }
}

extension ManagedObject {
  /// Whether one of some properties was written since the last save.
  final func hasChanged(_ names: Set<String>) -> Bool {
    guard let written = extra?.written, !names.isEmpty else { return false }
    var found = false
    written.forEach { found = found || names.contains(layout.properties[$0].name) }
    return found
  }
}
