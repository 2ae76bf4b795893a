import GraphStorePredicates

/// A row with the key of its record.
struct KeyedRow {
  let key: Int64
  let row: Row
}

/// State that the records of one search of a store share, and what was read together for them.
final class StoreReading {
  let context: ManagedObjectContext
  let storeIndex: Int32
  let session: any ReadSession
  private let reader: RequestReader
  /// The destinations of the records whose relationships were prefetched last: nothing else may hold them.
  private var destinations: [ManagedObject] = []
  /// The number of these destinations.
  var destinationCount: Int { destinations.count }
  /// The members of to-manys of these records, by owner.
  private var members: [ObjectIdentifier: [Int64: [ManagedObject]]] = [:]

  init(_ context: ManagedObjectContext, _ storeIndex: Int32, _ reader: RequestReader) throws {
    self.context = context
    self.storeIndex = storeIndex
    self.reader = reader
    session = try reader.session(storeIndex)
  }

  /// The members of a to-many of a record: as the registered object has them, else as the store, without
  /// those that are deleted.
  func members(of relationship: RelationshipLayout, owner: KeyedRow) throws -> [ManagedObject] {
    // Of one that a path of another record has led to since an object was made, in which nothing has changed.
    if let prefetched = members[ObjectIdentifier(relationship.description)]?[owner.key] {
      return prefetched.filter { !$0.isDeleted }
    }
    if let known = registeredObject(of: owner) { return try known.members(of: relationship) }
    let stored = try context.storedMembers(of: relationship, owners: [owner.key], storeIndex, in: session)
    return stored[owner.key, default: []].filter { !$0.isDeleted }
  }

  /// The object that the context has of a record, as the members of its to-manys are asked for.
  private func registeredObject(of record: KeyedRow) -> ManagedObject? {
    let layout = record.row.layout
    let known = context.registry.object(layout, key: record.key, store: storeIndex)
    return known?.layout === layout ? known : nil
  }

  // MARK: Prefetching

  /// Reads what paths from records lead to, each relationship by one statement for all of them, in place of
  /// what was read for others before.
  func prefetch(_ paths: RelationshipPaths, of records: [KeyedRow]) throws {
    // What both have in common is held until the end, and not read again.
    let former = (destinations, members)
    (destinations, members) = ([], [:])
    try withExtendedLifetime(former) {
      for step in paths.steps {
        var found = try toOneDestinations(of: step, of: records)
        found += try toManyMembers(of: step, of: records)
        destinations += found
        try context.prefetch(step.rest, behind: step.name + ".", of: found, with: reader)
      }
    }
  }

  /// The destinations of a to-one, with their rows.
  private func toOneDestinations(
    of step: RelationshipPaths.Step, of records: [KeyedRow]
  ) throws -> [ManagedObject] {
    // Which it is says the row of the record.
    guard step.readsRows else { return [] }
    // Sub-entities may have declared one each of the name.
    var tables: [ObjectIdentifier: DestinationTable] = [:]
    for record in records {
      let layout = record.row.layout
      guard let property = layout.property(named: step.name), property.kind == .toOne,
        let reference = record.row.reference(property.slot)
      else { continue }
      let relationship = layout.relationships[property.relationship]
      tables[
        ObjectIdentifier(relationship.description),
        default: DestinationTable(context, relationship, storeIndex: storeIndex)
      ].add(reference)
    }
    var found = ObjectSet()
    for var table in tables.values {
      table.resolve()
      for object in table.objects { found.append(object) }
    }
    try context.loadRows(of: found.elements, with: reader)
    return found.elements
  }

  /// The members of a to-many: of records that are registered objects as these have them, of others as the
  /// store has.
  private func toManyMembers(
    of step: RelationshipPaths.Step, of records: [KeyedRow]
  ) throws -> [ManagedObject] {
    var owners: [ObjectIdentifier: (relationship: RelationshipLayout, keys: [Int64])] = [:]
    var registered: [ManagedObject] = []
    for record in records {
      let layout = record.row.layout
      guard let property = layout.property(named: step.name), property.kind == .toMany else { continue }
      if let known = registeredObject(of: record) {
        registered.append(known)
      } else {
        let relationship = layout.relationships[property.relationship]
        let identity = ObjectIdentifier(relationship.description)
        owners[identity, default: (relationship, [])].keys.append(record.key)
      }
    }
    // Some may be there only since others lead to them.
    destinations += registered
    var found = ObjectSet(try context.prefetch(step, of: registered, with: reader))
    for (identity, (relationship, keys)) in owners {
      let stored = try context.storedMembers(of: relationship, owners: keys, storeIndex, in: session)
      members[identity] = stored
      for object in stored.values.joined() { found.append(object) }
    }
    if step.readsRows { try context.loadRows(of: found.elements, with: reader) }
    return found.elements
  }
}
