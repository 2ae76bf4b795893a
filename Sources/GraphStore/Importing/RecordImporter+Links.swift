import GraphStoreModel
import GraphStorePredicates

extension RecordImporter {
  /// The attribute by which a link finds its object.
  struct LookupPlace: Hashable {
    let entity: Int
    let attribute: Int
  }

  /// What a link turned out to name.
  enum Resolution {
    case found(RecordReference)
    case waits
    case failed(GraphStoreError)
  }

  /// Beyond so many entries what was found before is forgotten.
  static var cacheLimit: Int { 100_000 }

  /// Turns the links of the batch into references of rows, pairs of keys, changes of objects, or links that wait.
  func resolveLinks(_ attempt: inout Attempt) throws {
    try find(links.isEmpty ? [] : entries.flatMap { entry in links[entry.links].map { (entry.plan, $0) } })
    let updated = Set(attempt.updates.map(\.position) + attempt.merged.map(\.position))
    for position in entries.indices
    where !entries[position].plan.relationships.isEmpty && !attempt.ignored.contains(position) {
      try resolveLinks(of: position, isNew: !updated.contains(position), &attempt)
    }
    for (first, position) in attempt.merged where options.conflictPolicy == .replace {
      try clearMissingLinks(of: first, position, &attempt)
    }
  }

  private func resolveLinks(of position: Int, isNew: Bool, _ attempt: inout Attempt) throws {
    let entry = entries[position]
    guard let owner = entry.object else { return }
    var start = entry.links.lowerBound
    while start < entry.links.upperBound {
      var end = start + 1
      while end < entry.links.upperBound, links[end].property == links[start].property { end += 1 }
      let number = entry.plan.properties[links[start].property].relationship
      let relationship = entry.plan.relationships[number]
      if let error = try resolve(start..<end, of: relationship, owner, position, isNew, &attempt) {
        rejected[position] = error
        return
      }
      start = end
    }
    try noteChecks(position, isNew: isNew, &attempt)
  }

  /// - Returns: why the record cannot be imported.
  private func resolve(
    _ range: Range<Int>, of relationship: RelationshipPlan, _ owner: RecordReference, _ position: Int,
    _ isNew: Bool, _ attempt: inout Attempt
  ) throws -> GraphStoreError? {
    let entry = entries[position]
    var found: [RecordReference] = []
    var waiting: [ImportTarget] = []
    for link in links[range] {
      guard link.target != .nothing else { continue }
      if let error = relationship.description.refusal(of: entry.plan.entity) { return error }
      switch try resolution(of: link.target, relationship, attempt.labels, isLast: false) {
      case .found(let member): found.append(member)
      case .waits: waiting.append(link.target)
      case .failed(let error): return error
      }
    }
    if relationship.isOrdered, !waiting.isEmpty {
      // The order is known when all members are.
      waiting = links[range].map(\.target)
      found = []
    }
    for target in waiting {
      attempt.pending.append(
        ImportPendingLink(
          owner: owner, property: relationship.number, target: target, record: entry.record, line: entry.line)
      )
    }
    if isNew, found.isEmpty {
      if !relationship.isToMany { entry.row.block.setNull(entry.row.index, relationship.slot) }
      return nil
    }
    if isNew, writesAtOnce(relationship) {
      write(found, of: relationship, owner, entry.row, &attempt)
    } else {
      attempt.connections.append(
        ImportConnection(
          owner: owner, property: relationship.number, members: found, isExact: !isNew, record: entry.record,
          line: entry.line))
    }
    for member in found { try noteInverse(relationship, member, position, &attempt) }
    return nil
  }

  /// Whether a link of a new object is stored in one place, and no other object takes part.
  private func writesAtOnce(_ relationship: RelationshipPlan) -> Bool {
    guard let inverse = relationship.description.inverse else { return !relationship.isOrdered }
    if relationship.isToMany { return inverse.isToMany && !relationship.isOrdered && !inverse.isOrdered }
    return inverse.isToMany && !inverse.isOrdered
  }

  private func write(
    _ members: [RecordReference], of relationship: RelationshipPlan, _ owner: RecordReference, _ row: Row,
    _ attempt: inout Attempt
  ) {
    guard relationship.isToMany else {
      row.block.setWord(row.index, relationship.slot, ObjectReferenceWord(members[members.count - 1]).bits)
      return
    }
    guard let inverse = relationship.description.inverse, !isStoredHere(relationship) else {
      attempt.joins.append(
        SaveRequest.LinkChange(
          relationship: relationship, owner: owner.key, added: members.map(\.key), removed: []))
      return
    }
    let other = plans[inverse.entity.index].relationships[relationship.inverse]
    for member in members {
      attempt.joins.append(
        SaveRequest.LinkChange(relationship: other, owner: member.key, added: [owner.key], removed: []))
    }
  }

  private func isStoredHere(_ relationship: RelationshipPlan) -> Bool {
    relationship.description.isStoredHere
  }

  private func clearMissingLinks(of first: Int, _ position: Int, _ attempt: inout Attempt) throws {
    guard let owner = entries[first].object else { return }
    let entry = entries[position]
    for relationship in entry.plan.relationships
    where !relationship.isToMany && !entry.fields.contains(relationship.number) {
      attempt.connections.append(
        ImportConnection(
          owner: owner, property: relationship.number, members: [], isExact: true, record: entry.record,
          line: entry.line))
    }
  }

  // MARK: Finding

  /// Finds what links name by attributes, and the objects that no record can be, with a statement for each attribute
  /// and tree.
  func find(_ wanted: [(EntityPlan, ImportLink)], isLast: Bool = false) throws {
    var lookups: [LookupPlace: [ImportKey: Value]] = [:]
    var keys: [Int: Set<Int64>] = [:]
    for (plan, link) in wanted {
      let relationship = plan.relationships[plan.properties[link.property].relationship]
      switch link.target {
      case .nothing, .label: break
      case .reference(let entity, let number):
        let root = plans[entity].rootIndex
        guard isLast || !importedTrees.contains(root) else { continue }
        if foundReferences[ObjectReferenceWord(entity: root, key: number)] == nil {
          keys[root, default: []].insert(number)
        }
      case .lookup(let attribute, let text):
        let place = LookupPlace(entity: relationship.destination, attribute: attribute)
        guard let (key, value) = lookupKey(place, text), foundLookups[place]?[key] == nil else { continue }
        lookups[place, default: [:]][key] = value
      }
    }
    for (place, values) in lookups { try find(Array(values.values), at: place) }
    for (root, keys) in keys.sorted(by: { $0.key < $1.key }) {
      if foundReferences.count > Self.cacheLimit { foundReferences = [:] }
      try store.rows(plans[root], keys: keys.sorted()) { batch in
        batch.forEach { key, row in
          foundReferences[ObjectReferenceWord(entity: root, key: key)] = row.plan.index
        }
      }
    }
  }

  private func lookupKey(_ place: LookupPlace, _ text: String) -> (ImportKey, Value)? {
    guard let attribute = plans[place.entity].entity.properties[place.attribute] as? AttributeDescription,
      let value = try? attribute.value(fromText: text), let key = ImportKey([value])
    else { return nil }
    return (key, value)
  }

  private func find(_ values: [Value], at place: LookupPlace) throws {
    if (foundLookups[place]?.count ?? 0) > Self.cacheLimit { foundLookups[place] = nil }
    for object in try fetch(plans[place.entity], [place.attribute], [values]) {
      guard let row = object.currentRow,
        let key = ImportKey([row.value(of: object.plan.properties[place.attribute])])
      else { continue }
      let isAmbiguous = foundLookups[place]?[key].map { $0.key != object.key } ?? false
      foundLookups[place, default: [:]][key] =
        isAmbiguous
        ? RecordReference(entity: -1, key: 0) : RecordReference(entity: object.plan.index, key: object.key)
    }
  }

  /// What a link names, after ``find(_:isLast:)``.
  func resolution(
    of target: ImportTarget, _ relationship: RelationshipPlan, _ batch: [ImportTarget: Int], isLast: Bool
  ) throws -> Resolution {
    switch target {
    case .nothing: return .waits
    case .lookup(let attribute, let text):
      let place = LookupPlace(entity: relationship.destination, attribute: attribute)
      guard let (key, _) = lookupKey(place, text) else {
        return .failed(unresolved(target, relationship, "no such value can be had"))
      }
      guard let object = foundLookups[place]?[key] else {
        return isLast ? .failed(unresolved(target, relationship)) : .waits
      }
      return object.entity < 0 ? .failed(ambiguous(text, place, relationship)) : .found(object)
    case .label, .reference:
      if let position = batch[canonical(target)] {
        guard let object = entries[position].object else { return .waits }
        return checked(object, relationship)
      }
      if let object = try labels.object(target) { return checked(object, relationship) }
      guard case .reference(let entity, let number) = target else {
        return isLast ? .failed(unresolved(target, relationship)) : .waits
      }
      let root = plans[entity].rootIndex
      guard isLast || !importedTrees.contains(root) else { return .waits }
      guard let found = foundReferences[ObjectReferenceWord(entity: root, key: number)],
        number < firstKeys[root] ?? .max, !options.keepsKeys || !importedTrees.contains(root)
      else { return .failed(unresolved(target, relationship)) }
      return checked(RecordReference(entity: found, key: number), relationship)
    }
  }

  private func checked(_ object: RecordReference, _ relationship: RelationshipPlan) -> Resolution {
    let destination = relationship.description.destination
    let entity = plans[object.entity].entity
    if entity.isKind(of: destination) { return .found(object) }
    let description = relationship.description
    return .failed(
      GraphStoreError(
        .wrongDestination,
        "\(description.entity.name).\(description.name) leads to \(destination.name), not to \(entity.name).",
        remedy: "Name an object of that entity or of one of its sub-entities.",
        entity: description.entity.name,
        property: description.name))
  }

  private func unresolved(
    _ target: ImportTarget, _ relationship: RelationshipPlan, _ reason: String? = nil
  ) -> GraphStoreError {
    let description = relationship.description
    let text = text(of: target)
    let what: String
    if case .lookup(let attribute, _) = target {
      let name = plans[relationship.destination].properties[attribute].name
      what = reason ?? "there is no \(description.destination.name) whose \(name) is \"\(text)\""
    } else {
      what = "there is no \"\(text)\" in the input, and no such object in the store"
    }
    return GraphStoreError(
      .unresolvedLink, "\(description.entity.name).\(description.name): \(what).",
      remedy: "Correct the link, or import what it leads to first.", entity: description.entity.name,
      property: description.name, value: .string(text))
  }

  private func ambiguous(
    _ text: String, _ place: LookupPlace, _ relationship: RelationshipPlan
  ) -> GraphStoreError {
    let description = relationship.description
    let name = plans[place.entity].properties[place.attribute].name
    return GraphStoreError(
      .notUnique,
      "\(description.entity.name).\(description.name): several \(description.destination.name) have \(name) \"\(text)\".",
      remedy: "Link by a key that only one of them has.", entity: description.entity.name,
      property: description.name, value: .string(text))
  }

  // MARK: Counting

  /// Notes the record's object if its relationships have rules that hold only when all links are there.
  private func noteChecks(_ position: Int, isNew: Bool, _ attempt: inout Attempt) throws {
    let entry = entries[position]
    guard let object = entry.object else { return }
    for relationship in entry.plan.relationships where entry.plan.constrainsCount(of: relationship) {
      if isNew, !relationship.isToMany, entry.row.reference(relationship.slot) != nil { continue }
      attempt.checks.append((object, position))
      return
    }
  }

  /// Notes the other end of a link if it has such rules.
  private func noteInverse(
    _ relationship: RelationshipPlan, _ member: RecordReference, _ position: Int, _ attempt: inout Attempt
  ) throws {
    guard relationship.inverse >= 0 else { return }
    let plan = plans[member.entity]
    if plan.constrainsCount(of: plan.relationships[relationship.inverse]) {
      attempt.checks.append((member, position))
    }
  }
}

extension RelationshipDescription {
  /// Whether the links of a to-many are kept in a table under this end's name: a to-one inverse holds the key itself, and
  /// of two to-many ends the one with the smaller entity and number.
  package var isStoredHere: Bool {
    guard let inverse else { return true }
    guard inverse.isToMany else { return false }
    return (entity.index, number) <= (inverse.entity.index, inverse.number)
  }
}
