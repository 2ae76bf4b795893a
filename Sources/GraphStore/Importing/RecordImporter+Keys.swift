import GraphStoreModel
import GraphStorePredicates

extension RecordImporter {
  /// Decides of each record whether it is new, with one fetch for all keys of an entity (STO-303).
  func resolveKeys(_ attempt: inout Attempt) throws {
    attempt.insertions.reserveCapacity(entries.count)
    if options.identifiesByLabel { return try resolveIdentifiers(&attempt) }
    guard !options.key.isEmpty else {
      attempt.insertions.append(contentsOf: entries.indices)
      return
    }
    var keys: [Int: ImportKey] = [:]
    var positions: [Int: [Int]] = [:]
    for position in entries.indices {
      guard let key = key(of: position) else { continue }
      let owner = keyOwner(entries[position].layout).index
      if try scratch.isWaiting(key, entity: owner) { waiting.insert(position) }
      keys[position] = key
      positions[owner, default: []].append(position)
    }
    guard waiting.isEmpty else { return }
    var existing: [Int: KeyHolders] = [:]
    for (entity, group) in positions.sorted(by: { $0.key < $1.key }) {
      existing[entity] = try objects(layouts[entity], of: group)
    }
    var firsts: [Int: [ImportKey: Int]] = [:]
    for position in entries.indices {
      guard let key = keys[position] else {
        attempt.insertions.append(position)
        continue
      }
      let owner = keyOwner(entries[position].layout).index
      if let objects = existing[owner]?.several[key] {
        meet(objects, position: position, attempt: &attempt)
      } else if let object = existing[owner]?.one[key] {
        try meet(object, position: position, attempt: &attempt)
      } else if let first = firsts[owner]?[key] {
        meet(first, position: position, attempt: &attempt)
      } else {
        firsts[owner, default: [:]][key] = position
        attempt.insertions.append(position)
      }
    }
  }

  /// The values by which a record is found again; nil where it has none.
  func key(of position: Int) -> ImportKey? {
    guard !options.key.isEmpty, let numbers = numbers(ofKeyIn: entries[position].layout) else { return nil }
    let row = entries[position].row
    // The data of a row that was just made are in memory, so that none are missing.
    return ImportKey(numbers.map { (try? row.value(of: row.layout.properties[$0])) ?? .null })
  }

  /// The entity that declares the key: objects of all entities below it may have the same one.
  func keyOwner(_ layout: EntityLayout) -> EntityLayout {
    let numbers = numbers(ofKeyIn: layout) ?? []
    var owner = layout
    while let parent = owner.entity.superentity, numbers.allSatisfy({ $0 < parent.properties.count }) {
      owner = layouts[parent.index]
    }
    return owner
  }

  private func numbers(ofKeyIn layout: EntityLayout) -> [Int]? {
    if let known = keyNumbers[layout.index] { return known }
    let numbers = options.key.compactMap { layout.entity.attribute(named: $0)?.number }
    let result = numbers.count == options.key.count ? numbers : nil
    keyNumbers[layout.index] = .some(result)
    return result
  }

  /// The stored objects that have the keys of a batch.
  private struct KeyHolders {
    var one: [ImportKey: ManagedObject] = [:]
    /// All that have a key, where there is more than one.
    var several: [ImportKey: [ManagedObject]] = [:]
  }

  private func objects(_ layout: EntityLayout, of group: [Int]) throws -> KeyHolders {
    let numbers = numbers(ofKeyIn: layout) ?? []
    var values: [[Value]] = []
    for number in numbers {
      values.append(try group.map { try entries[$0].row.value(of: entries[$0].layout.properties[number]) })
    }
    var found = KeyHolders()
    for object in try fetch(layout, attributes: numbers, values: values) {
      guard let row = object.currentRow,
        let key = ImportKey(try numbers.map { try row.value(of: object.layout.properties[$0]) })
      else { continue }
      if let other = found.one.updateValue(object, forKey: key) {
        found.several[key, default: [other]].append(object)
      }
    }
    return found
  }

  /// The stored objects each of whose attributes has one of its values; one statement.
  func fetch(_ layout: EntityLayout, attributes: [Int], values: [[Value]]) throws -> [ManagedObject] {
    let tests = zip(attributes, values).map { number, list in
      QueryPredicate.comparison(
        QueryComparison(
          left: .key(layout.properties[number].name), comparator: .in,
          right: QueryExpression(.constant(.list(list)))))
    }
    var request = FetchRequest(entityName: layout.entity.name, predicate: .and(tests))
    request.includesPendingChanges = false
    if coordinator.mounts.count > 1 { request.affectedStores = [coordinator.reference(mount)] }
    let objects = try context.fetch(request)
    try context.loadRows(of: objects)
    return objects
  }

  /// A record whose object exists.
  func meet(_ object: ManagedObject, position: Int, attempt: inout Attempt) throws {
    let reference = ObjectKey(entity: object.layout.index, key: object.key)
    switch options.conflictPolicy {
    case .error:
      let record = try recordText(of: reference).map { "the record of \($0)" }
      rejected[position] = taken(position, "\(record ?? object.objectID.shortForm) has it")
    case .ignore:
      attempt.ignored.insert(position)
      attempt.kept.append((position, reference))
    case .update, .replace:
      guard object.entity.isKind(of: entries[position].layout.entity) else {
        rejected[position] = foreign(position, holder: object.objectID.shortForm, entity: object.entity)
        return
      }
      attempt.updates.append((position, object))
    }
  }

  /// A record whose key several objects have, so that it is open which of them it is.
  private func meet(_ objects: [ManagedObject], position: Int, attempt: inout Attempt) {
    let names = objects.sorted { $0.key < $1.key }.map(\.objectID.shortForm)
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    let list = names.prefix(5).joined(separator: ", ") + more
    switch options.conflictPolicy {
    case .error: rejected[position] = taken(position, "\(list) have it")
    case .ignore:
      attempt.ignored.insert(position)
      attempt.manifold.append(position)
    case .update, .replace:
      let name = entries[position].layout.entity.name
      var error = GraphStoreError(
        .notUnique,
        "\(name): \(names.count) objects have \(keyText(position)), so that it is open which of them the record is.",
        remedy: "Take attributes for the key that tell objects apart, or change all of them but one.",
        entity: name, property: options.key.first)
      error.details = ["\(list) have it"]
      rejected[position] = error
    }
  }

  /// A record whose object is made by an earlier record of the batch.
  private func meet(_ first: Int, position: Int, attempt: inout Attempt) {
    let place = "the record of \(placeText(entries[first].record, entries[first].line))"
    switch options.conflictPolicy {
    case .error: rejected[position] = taken(position, "\(place) has it")
    case .ignore:
      attempt.ignored.insert(position)
      attempt.twins.append((first, position))
    case .update, .replace:
      guard entries[first].layout.entity.isKind(of: entries[position].layout.entity) else {
        rejected[position] = foreign(position, holder: place, entity: entries[first].layout.entity)
        return
      }
      attempt.merged.append((first, position))
      attempt.twins.append((first, position))
    }
  }

  /// - Parameter detail: says which object has the record's key.
  private func taken(_ position: Int, _ detail: String) -> GraphStoreError {
    let layout = entries[position].layout
    var error = GraphStoreError(
      .constraintConflict,
      "\(layout.entity.name): there is another object with \(keyText(position)).",
      remedy: "Change one of the two, or choose to ignore, update or replace.",
      entity: layout.entity.name,
      property: options.key.first)
    error.details = [detail]
    return error
  }

  /// A record cannot change an object that lacks what records of its entity have.
  private func foreign(_ position: Int, holder: String, entity: EntityDescription) -> GraphStoreError {
    let layout = entries[position].layout
    var error = GraphStoreError(
      .constraintConflict,
      "\(layout.entity.name): the object with \(keyText(position)) is of \(entity.name).",
      remedy: "Give the record that entity, or another key.", entity: layout.entity.name,
      property: options.key.first)
    error.details = ["\(holder) has it"]
    return error
  }

  private func keyText(_ position: Int) -> String {
    if options.identifiesByLabel, let label = entries[position].label { return "the id \(text(of: label))" }
    let layout = entries[position].layout
    return (numbers(ofKeyIn: layout) ?? []).map {
      "\(layout.properties[$0].name) \(entries[position].row.text(of: layout.properties[$0]))"
    }.joined(separator: ", ")
  }

  /// Lets a later record of the batch change what an earlier one makes.
  func merge(_ source: Entry, into row: Row) {
    for property in given(by: source) { row.block.copyValue(of: property, from: source.row, to: row.index) }
  }

  /// Sets the values of a record in an existing object, but for those that it has: one that nothing changes
  /// is no part of the save.
  func apply(_ entry: Entry, to object: ManagedObject) throws {
    for property in given(by: entry) where property.isPersistent && !property.isDerived {
      let value = try entry.row.value(of: property)
      if try object.attribute(property) != value { try object.setAttribute(property, to: value) }
    }
  }

  /// The leaves that a record sets or clears: attributes, and elements of composite ones by themselves.
  private func given(by entry: Entry) -> [PropertyLayout] {
    let fields = entry.layout.fields
    let isWhole = options.conflictPolicy == .replace
    return fields.indices.filter { number in
      guard fields[number].isInRow, fields[number].kind != .toOne else { return false }
      return isWhole ? fields[number].path.isEmpty : entry.fields.contains(number)
    }.map { fields[$0] }
  }
}

extension RecordImporter {
  /// Decides of each record by its id: one that has the id of a stored object changes it, one without an id
  /// is new.
  func resolveIdentifiers(_ attempt: inout Attempt) throws {
    var named: [(position: Int, id: ManagedObjectID)] = []
    for position in entries.indices {
      guard let label = entries[position].label else {
        attempt.insertions.append(position)
        continue
      }
      guard let id = identifier(label, of: entries[position].layout) else {
        rejected[position] = absent(position, text(of: label))
        continue
      }
      named.append((position, id))
    }
    let objects = try context.existingObjects(with: named.map(\.id))
    let found = Dictionary(objects.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    for (position, id) in named {
      guard let object = found[id] else {
        rejected[position] = absent(position, id.shortForm)
        continue
      }
      try meet(object, position: position, attempt: &attempt)
    }
  }

  /// The identifier that a label is, in an entity's tree.
  private func identifier(_ label: ImportTarget, of layout: EntityLayout) -> ManagedObjectID? {
    guard case .reference(let entity, let key) = label, layouts[entity].rootIndex == layout.rootIndex else {
      return nil
    }
    return ManagedObjectID(scope: store.scope, entityIndex: entity, key: key)
  }

  private func absent(_ position: Int, _ text: String) -> GraphStoreError {
    let entity = entries[position].layout.entity.name
    return GraphStoreError(
      .unresolvedLink, "\(entity): no object has the id \(text).",
      remedy: "Leave the id out to make a new object, or give that of one that is stored.", entity: entity,
      property: "id")
  }

  /// Looks in the first batch for a record that became a new object although its id is that of an object that
  /// was stored before: most often that object was meant.
  func lookForStoredLabels(_ attempt: Attempt) throws {
    guard !hasLookedForStoredLabels, !options.keepsKeys, !attempt.insertions.isEmpty else { return }
    hasLookedForStoredLabels = true
    for position in attempt.insertions {
      guard let label = entries[position].label, case .reference(let entity, let number) = label,
        number < firstKeys[layouts[entity].rootIndex] ?? 0,
        let id = identifier(label, of: entries[position].layout)
      else { continue }
      if try !context.existingObjects(with: [id]).isEmpty { storedLabel = id.shortForm }
      return
    }
  }
}
