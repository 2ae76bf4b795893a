import GraphStoreModel
import GraphStorePredicates
import OrderedCollections

/// What decides whether an object belongs to a list, where in it, and in which section.
struct ListJudge {
  let order: ListOrder
  let naming: SectionNaming?
  private let context: ManagedObjectContext
  private let prepared: ManagedObjectContext.PreparedFetch
  private let predicate: PredicateEvaluator?
  /// What predicate, order and sections read.
  private let dependencies: RequestDependencies
  /// What the order and the sections read.
  private let orderDependencies: RequestDependencies
  /// What the predicate reads.
  private let predicateDependencies: RequestDependencies
  /// Whether the predicate may read derived attributes of the objects themselves.
  private let selectsByDerivedValues: Bool

  init(
    _ prepared: ManagedObjectContext.PreparedFetch, _ naming: SectionNaming?, in context: ManagedObjectContext
  ) throws {
    self.prepared = prepared
    self.naming = naming
    self.context = context
    let request = prepared.request
    order = try ListOrder(request)
    predicate = try request.predicate.map { try PredicateEvaluator($0, options: request.evaluation) }
    let sections =
      try naming.map { [QuerySortDescriptor(keyPath: try QueryKeyPath(parsing: $0.keyPath))] } ?? []
    let entity = prepared.entity.entity
    dependencies = RequestDependencies(entity, request.predicate, request.sortDescriptors + sections)
    orderDependencies = RequestDependencies(entity, nil, request.sortDescriptors + sections)
    let selecting = RequestDependencies(entity, request.predicate)
    predicateDependencies = selecting
    selectsByDerivedValues =
      selecting.isUnbounded
      || context.coordinator.layout.derivedAttributes.contains {
        $0.entity.rootEntity === entity.rootEntity && selecting.own.contains($0.attribute.name)
      }
  }

  private var request: FetchRequest<ManagedObject> { prepared.request }
  /// Whether the list may lack objects that match.
  var hasWindow: Bool { request.fetchLimit > 0 || request.fetchOffset > 0 }

  func sectionName(of object: ManagedObject) throws -> String { try naming?.name(of: object) ?? "" }

  /// Whether one object precedes another by the values that they have now.
  func isInOrder(_ left: ManagedObject, _ right: ManagedObject) throws -> Bool {
    try !order.precedes(order.keys(of: right), order.keys(of: left))
  }

  /// Objects in the order of the values that they have now.
  func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
    let keyed = try objects.map { (object: $0, keys: try order.keys(of: $0)) }
    return keyed.sorted { order.precedes($0.keys, $1.keys) }.map(\.object)
  }

  // MARK: Candidates

  /// Whether an object is of the entity and the stores that the request asks for, whatever its values.
  private func selects(_ object: ManagedObject) -> Bool {
    let entity = prepared.entity
    guard request.includesSubentities ? object.entity.isKind(of: entity.entity) : object.layout === entity
    else {
      return false
    }
    guard let stores = request.affectedStores, object.key > 0 else { return true }
    return stores.contains { $0.mount.index == object.storeIndex }
  }

  /// Whether some records may be of objects that the request asks for.
  func selectsAny(of groups: [RecordGroup]) -> Bool {
    groups.contains { $0.layout.rootIndex == prepared.entity.rootIndex }
  }

  /// Whether objects that the context does not have may begin to match by derived values that an event tells
  /// of; in a window also by their order.
  func mayMiss(_ changes: ContextChanges) -> Bool {
    guard changes.derivedTrees.contains(prepared.entity.rootIndex) else { return false }
    return hasWindow || selectsByDerivedValues
  }

  /// Whether an object belongs to the list.
  func accepts(_ object: ManagedObject) throws -> Bool {
    guard object.context === context, object.isPresent, selects(object) else { return false }
    guard let predicate else { return true }
    // Reading its values may have found that its record is gone.
    return try context.readingStoredValues { try predicate.evaluate(object) } && object.isPresent
  }

  /// The objects of an event that belong to the list, or may.
  func candidates(in changes: ContextChanges, of list: SectionedList) throws -> ListCandidates {
    var found = ListCandidates()
    // What they were before is not known.
    let renewed: ListCandidates.Flags = predicate == nil ? [.changed, .replaced] : .all
    for object in changes.inserted where selects(object) {
      // A merge tells of what is there already.
      found.add(object, list.slot(of: object) == nil ? .all : .replaced)
    }
    for change in changes.updated where selects(change.object) { found.add(change.object, flags(of: change)) }
    for object in changes.refreshed where selects(object) {
      let mayBeKept = list.isSettled(object) && changes.formerRow(of: object) != nil
      found.add(object, mayBeKept ? renewed.subtracting(.replaced).union(.kept) : renewed)
    }
    for change in changes.deleted where selects(change.object) { found.add(change.object, []) }
    for object in changes.invalidated where selects(object) { found.add(object, []) }
    let faults = found.objects.filter { $0.isPresent && $0.context === context && $0.isFault }
    let known = found
    let isNew: (ManagedObject) -> Bool = { !known.contains($0) && selects($0) }
    for object in try context.objects(of: changes.mergedRecords, selects: isNew) {
      // One that the context has had has its present values already, by a fault that has fired since.
      found.add(object, list.slot(of: object) == nil ? renewed.union(.entering) : .replaced)
    }
    try context.loadRows(of: faults)
    for (object, flags) in found.all where flags.contains(.kept) {
      guard let former = changes.formerRow(of: object) else { continue }
      if try !hasOrderValues(object, of: former) { found.add(object, .replaced) }
    }
    found.placed = placed(among: found.objects)
    return found
  }

  /// Whether an object has the values of a row in everything that its position and section follow from.
  private func hasOrderValues(_ object: ManagedObject, of former: Row) throws -> Bool {
    guard !orderDependencies.isUnbounded, object.isPresent else { return false }
    try object.realize()
    guard let row = object.currentRow, row.layout === former.layout else { return false }
    return orderDependencies.own.allSatisfy { name in
      guard let property = object.layout.property(named: name), property.isInRow, property.isPersistent,
        object.declarations?.accessors[name] == nil
      else { return false }
      return row.hasEqualValue(former, property)
    }
  }

  /// The unsaved objects that a save would put into the stores that the request asks for (FET-067); nil where
  /// it asks for all.
  private func placed(among objects: [ManagedObject]) -> Set<ObjectIdentifier>? {
    guard request.affectedStores != nil, objects.contains(where: { $0.key < 0 }) else { return nil }
    return Set(context.insertedObjects(for: prepared).map(ObjectIdentifier.init))
  }

  private func flags(of change: ContextChanges.Change) -> ListCandidates.Flags {
    var flags: ListCandidates.Flags = []
    if change.object.hasChangedValue(since: change) { flags.insert(.changed) }
    if predicateDependencies.isUnbounded || change.concerns(predicateDependencies.own) {
      flags.insert(.entering)
    }
    if orderDependencies.isUnbounded || change.concerns(orderDependencies.own) { flags.insert(.replaced) }
    return flags
  }

  // MARK: Reach

  /// Whether changes of other objects than those that belong, or may, can alter the list.
  func isReached(by changes: ContextChanges) -> Bool {
    if dependencies.isUnbounded { return true }
    if !changes.mergedDeletionTrees.isDisjoint(with: dependencies.destinations) { return true }
    if dependencies.others.isEmpty { return false }
    func names(_ object: ManagedObject) -> Set<String>? { dependencies.others[object.layout.rootIndex] }
    return changes.updated.contains { change in names(change.object).map(change.concerns) ?? false }
      // Objects that a new object is linked to have changed too; one that is back was linked before.
      || changes.inserted.contains { $0.key > 0 && names($0) != nil }
      || changes.deleted.contains { names($0.object) != nil }
      || (changes.refreshed + changes.invalidated).contains { names($0) != nil }
      || changes.mergedRecords.contains { dependencies.others[$0.layout.rootIndex] != nil }
      || changes.derivedTrees.contains { dependencies.others[$0] != nil }
      || reachesNames(changes)
  }

  /// Whether an object has changed that a class may name sections by.
  private func reachesNames(_ changes: ContextChanges) -> Bool {
    guard let naming, !naming.isStored, !naming.isOfOwnValue else { return false }
    func isOfPath(_ object: ManagedObject) -> Bool { dependencies.others[object.layout.rootIndex] != nil }
    return changes.updated.contains { isOfPath($0.object) }
  }
}

/// Objects that an event concerns, each once, with what is known of their changes.
struct ListCandidates {
  struct Flags: OptionSet {
    let rawValue: Int
    /// Some value differs.
    static let changed = Flags(rawValue: 1)
    /// The position or the section may be another.
    static let replaced = Flags(rawValue: 2)
    /// It may have begun to match.
    static let entering = Flags(rawValue: 4)
    /// It has the values by which it was placed, unless the position may be another nevertheless.
    static let kept = Flags(rawValue: 8)
    static let all: Flags = [.changed, .replaced, .entering]
  }

  private var table: OrderedDictionary<ObjectIdentifier, (object: ManagedObject, flags: Flags)> = [:]
  /// The unsaved ones that are in the stores that are asked for; nil where that does not matter.
  var placed: Set<ObjectIdentifier>?

  var isEmpty: Bool { table.isEmpty }
  var count: Int { table.count }
  var objects: [ManagedObject] { table.values.map(\.object) }
  var all: OrderedDictionary<ObjectIdentifier, (object: ManagedObject, flags: Flags)>.Values { table.values }

  mutating func add(_ object: ManagedObject, _ flags: Flags) {
    table[ObjectIdentifier(object), default: (object, [])].flags.formUnion(flags)
  }

  /// Adds objects that have not changed, but whose positions may be others.
  mutating func add(_ objects: [ManagedObject]) {
    for object in objects { add(object, .replaced) }
  }

  /// Has objects that were to keep their places be judged after all, since they may have changed again.
  mutating func doubtKept() {
    for (object, flags) in table.values where flags.contains(.kept) { add(object, .replaced) }
  }

  /// Whether the stores that are asked for are going to have an object.
  func isPlaced(_ object: ManagedObject) -> Bool {
    object.key > 0 || placed.map { $0.contains(ObjectIdentifier(object)) } ?? true
  }

  func contains(_ object: ManagedObject) -> Bool { table[ObjectIdentifier(object)] != nil }

  func isUpdated(_ object: ManagedObject) -> Bool {
    table[ObjectIdentifier(object)]?.flags.contains(.changed) ?? false
  }
}

extension ContextChanges.Change {
  /// Whether one of some properties was set to another value in the event.
  func concerns(_ names: Set<String>) -> Bool {
    if names.isEmpty { return false }
    let layout = object.layout
    return names.contains { name in
      guard let property = layout.property(named: name) else { return false }
      return object.hasChangedValue(of: property, since: self)
    }
  }
}
