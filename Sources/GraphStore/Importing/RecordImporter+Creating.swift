import GraphStoreModel
import GraphStorePredicates

extension RecordImporter {
  /// Object that is made because a link names it by a value that none has.
  struct CreatedObject {
    let place: LookupKey
    let key: ImportKey
    let object: ObjectKey
  }

  /// The value by which a link names an object that there is not.
  private struct MissingObject {
    let key: ImportKey
    let value: Value
    let relationship: RelationshipLayout
  }

  /// Makes the objects that links name by values which none has, each with that value and the model's
  /// defaults; after ``find(_:isLast:)``. What could not be such an object is left to
  /// ``resolution(of:_:isLast:)``, which says why.
  ///
  /// - Parameter isLast: Whether no record can come any more that has the value.
  func createMissing(_ wanted: [(EntityLayout, ImportLink)], isLast: Bool = false) throws {
    guard options.createsLinks else { return }
    var missing: [LookupKey: [MissingObject]] = [:]
    for (layout, link) in wanted {
      guard case .lookup(let attribute, let text) = link.target else { continue }
      let relationship = layout.relationships[layout.properties[link.property].relationship]
      let place = LookupKey(entity: relationship.destination, attribute: attribute)
      guard isLast || !importedTrees.contains(layouts[place.entity].rootIndex),
        let (key, value) = lookupKey(place, text), foundLookups[place]?[key] == nil
      else { continue }
      missing[place, default: []].append(MissingObject(key: key, value: value, relationship: relationship))
    }
    // An object of a sub-entity is one for links to its parent too.
    let places = missing.keys.sorted { one, other in
      (depth(one.entity), other.entity, other.attribute) > (depth(other.entity), one.entity, one.attribute)
    }
    for (position, place) in places.enumerated() {
      let objects = missing[place] ?? []
      if position > 0 { try find(objects.map(\.value), at: place) }
      try create(objects, at: place)
    }
  }

  private func depth(_ entity: Int) -> Int {
    sequence(first: layouts[entity].entity) { $0.superentity }.reduce(0) { count, _ in count + 1 }
  }

  private func create(_ objects: [MissingObject], at place: LookupKey) throws {
    let layout = layouts[place.entity]
    var rows: [(key: ImportKey, row: Row)] = []
    var seen: Set<ImportKey> = []
    for object in objects where foundLookups[place]?[object.key] == nil && seen.insert(object.key).inserted {
      guard try obstacle(to: object.relationship, place, object.value) == nil else { continue }
      rows.append((object.key, row(of: layout, place, object.value)))
    }
    guard !rows.isEmpty else { return }
    var counts = [Int](repeating: 0, count: layouts.count)
    counts[layout.rootIndex] = rows.count
    var keys = try KeyReservation(layouts, counts: counts, session)
    if firstKeys[layout.rootIndex] == nil { firstKeys[layout.rootIndex] = keys[layout.rootIndex] }
    var request = context.makeSaveRequest()
    for (key, row) in rows {
      let object = ObjectKey(entity: layout.index, key: keys.consume(layout.rootIndex))
      request.insertions.append(SaveRequest.Insertion(row: row, key: object.key))
      foundLookups[place, default: [:]][key] = object
      created.append(CreatedObject(place: place, key: key, object: object))
    }
    try session.writeRows(request)
  }

  /// A new row with the model's defaults and a value.
  private func row(of layout: EntityLayout, _ place: LookupKey, _ value: Value) -> Row {
    let block = RowBlock(layout: layout, capacity: 1)
    let row = Row(block: block, index: block.appendDefaults())
    block.setValue(value, of: layout.properties[place.attribute], inRow: row.index)
    return row
  }

  /// Why no object can be made of a value alone, as the rest of a sentence; nil where one can.
  private func obstacle(
    to relationship: RelationshipLayout, _ place: LookupKey, _ value: Value
  ) throws -> String? {
    let layout = layouts[place.entity]
    let entity = layout.entity
    if entity.isAbstract { return "\(entity.name) is abstract" }
    guard store.entities.contains(entity) else { return "the store does not hold \(entity.name)" }
    let failures = try layout.attributeFailures(row(of: layout, place, value), context.validationEvaluators)
    let own = layout.properties[place.attribute].name
    let lacking =
      failures.flatMap(\.parts).compactMap(\.property).filter { $0 != own }
      + layout.relationships.filter { needsLinks($0, besides: relationship, of: entity) }.map(
        \.description.name)
    guard lacking.isEmpty else {
      return "\(entity.name) needs a value for \(lacking.listed(first: 10)) too"
    }
    return failures.first.map { String($0.message.prefix { $0 != "\n" }) }
  }

  /// Whether an object needs links by another relationship than that which links to it.
  private func needsLinks(
    _ relationship: RelationshipLayout, besides link: RelationshipLayout, of entity: EntityDescription
  ) -> Bool {
    guard relationship.isPersistent, relationship.description !== link.inverseDescription else {
      return false
    }
    return !relationship.description.validate(count: 0, in: entity).isEmpty
  }

  /// Why a link cannot lead to a new object, where links make those that are not there; nil where they do
  /// not.
  func refusalOfCreation(
    _ place: LookupKey, _ value: Value, _ relationship: RelationshipLayout
  ) throws -> String? {
    guard options.createsLinks, let reason = try obstacle(to: relationship, place, value) else { return nil }
    return "none can be made of that alone: \(reason)"
  }

  /// Forgets what was made by an attempt that is taken back.
  func forgetCreated() {
    for object in created { foundLookups[object.place]?[object.key] = nil }
    created = []
  }

  /// Counts what was made, which is in the transaction now.
  func countCreated() {
    for object in created { counts.created[layouts[object.object.entity].entity.name, default: 0] += 1 }
    created = []
  }
}
