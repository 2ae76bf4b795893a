import GraphStoreModel
import GraphStorePredicates

/// The properties that a predicate and an order read: those of the objects that are asked for, and those of
/// objects that paths lead to. Unsaved changes of others cannot alter an answer (FET-062, FET-070).
struct RequestDependencies {
  /// The names of properties of the objects that are asked for.
  private(set) var own: Set<String> = []
  /// The names of properties of objects that paths lead to, by the root entities of their trees.
  private(set) var others: [Int: Set<String>] = [:]
  /// The root entities of the trees that relationships lead to. Who merges a deletion by others is not told
  /// of the owners whose members the deleted objects were.
  private(set) var destinations: Set<Int> = []
  /// Whether anything may be read: a closure or a function of the program is part of the predicate.
  private(set) var isUnbounded = false

  private let entity: EntityDescription

  init(_ entity: EntityDescription, _ predicate: QueryPredicate?, _ order: [QuerySortDescriptor] = []) {
    self.entity = entity
    if let predicate { visit(predicate, [:]) }
    for descriptor in order {
      if descriptor.isComputed {
        visit(descriptor.expression, [:])
      } else {
        visit(QueryKeyPath(steps: descriptor.keyPath.steps), from: entity, isOwn: true, isOrder: true)
      }
    }
  }

  /// - Parameter shown: The fields of the objects, which the answer consists of.
  init(
    _ request: FetchRequest<ManagedObject>, of entity: EntityDescription, shown: [QueryExpression] = []
  ) {
    self.init(entity, request.predicate, request.sortDescriptors)
    for expression in shown { visit(expression, [:]) }
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

  private typealias Variables = [String: EntityDescription]

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
      case nil, .evaluatedObject: visit(path, from: entity, isOwn: true)
      case .variable(let name):
        guard let start = variables[name] else { return isUnbounded = true }
        visit(path, from: start, isOwn: false)
      case let base?:
        visit(QueryExpression(base), variables)
        // The value of a count has no properties.
        if path.steps != [.collectionOperator("count")] { isUnbounded = true }
      }
    case .subquery(let collection, let variable, let predicate):
      guard let member = memberEntity(of: collection, variables) else { return isUnbounded = true }
      visit(collection, variables)
      visit(predicate, variables.merging([variable: member]) { _, inner in inner })
    case .call, .fetch, .block: isUnbounded = true
    default:
      for child in expression.children { visit(child, variables) }
      for predicate in expression.childPredicates { visit(predicate, variables) }
    }
  }

  /// The entity of the members of a collection that a path leads to.
  private func memberEntity(of collection: QueryExpression, _ variables: Variables) -> EntityDescription? {
    guard case .keyPath(let path) = collection.kind else { return nil }
    var start = entity
    if case .variable(let name)? = path.base?.kind {
      guard let known = variables[name] else { return nil }
      start = known
    } else if path.base != nil {
      return nil
    }
    let resolved = try? PredicateTypeChecker(entity: start).resolve(QueryKeyPath(steps: path.steps))
    guard case .relationship(let found)? = resolved?.steps.last, resolved?.collectionOperator == nil
    else { return nil }
    return found.first?.destination
  }

  // MARK: Paths

  private mutating func visit(
    _ path: QueryKeyPath, from start: EntityDescription, isOwn: Bool, isOrder: Bool = false
  ) {
    let bare = QueryKeyPath(steps: path.steps)
    guard let resolved = try? PredicateTypeChecker(entity: start).resolve(bare) else {
      return isUnbounded = true
    }
    var place = (entity: start, isOwn: isOwn)
    for step in resolved.steps + resolved.operand { follow(step, &place) }
    guard isOrder, resolved.collectionOperator == nil, case .relationship(let last)? = resolved.steps.last
    else { return }
    // The order may depend on its place in the inverse.
    for inverse in last.compactMap(\.inverse) { note(inverse.name, of: inverse.entity, isOwn: false) }
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

extension ManagedObject {
  /// Whether one of some properties was written since the last save.
  final func hasChanged(_ names: Set<String>) -> Bool {
    guard let written = extra?.written, !names.isEmpty else { return false }
    var found = false
    written.forEach { found = found || names.contains(layout.properties[$0].name) }
    return found
  }
}
