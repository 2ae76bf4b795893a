import GraphStoreModel
import GraphStorePredicates

extension RecordImporter {
  /// The attribute by which a link finds its object.
  struct LookupKey: Hashable {
    let entity: Int
    let attribute: Int
  }

  /// Resolved target of a link.
  enum Resolution {
    /// An object, and the record of the input that it was made from.
    case found(ObjectKey, record: Int?)
    case waits
    case failed(GraphStoreError)
  }

  /// Beyond so many entries what was found before is forgotten.
  static var cacheLimit: Int { 100_000 }

  /// Turns the links of the batch into references of rows, pairs of keys, changes of objects, or links that
  /// wait.
  func resolveLinks(_ attempt: inout Attempt) throws {
    guard !links.isEmpty || hasLimitedLinks || options.conflictPolicy == .replace else { return }
    let wanted = entries.flatMap { entry in links[entry.links].map { (entry.layout, $0) } }
    try find(wanted)
    let kept = entries.indices.filter { !attempt.ignored.contains($0) }
    try createMissing(
      kept.flatMap { position in links[entries[position].links].map { (entries[position].layout, $0) } })
    let updated = Set(attempt.updates.map(\.position) + attempt.merged.map(\.position))
    for position in entries.indices
    where !entries[position].layout.relationships.isEmpty && !attempt.ignored.contains(position) {
      let isNew = !updated.contains(position)
      if !isNew, options.conflictPolicy == .replace { clearMissingLinks(of: position, &attempt) }
      try resolveLinks(of: position, isNew: isNew, &attempt)
    }
  }

  private func resolveLinks(of position: Int, isNew: Bool, _ attempt: inout Attempt) throws {
    let entry = entries[position]
    guard let owner = entry.object else { return }
    if let error = try disagreement(in: entry.links, of: entry.layout) { return rejected[position] = error }
    var start = entry.links.lowerBound
    while start < entry.links.upperBound {
      var end = start + 1
      while end < entry.links.upperBound, links[end].property == links[start].property { end += 1 }
      let number = entry.layout.properties[links[start].property].relationship
      let relationship = entry.layout.relationships[number]
      if let error = try resolve(
        start..<end, of: relationship, owner: owner, position: position, isNew: isNew, attempt: &attempt)
      {
        rejected[position] = error
        return
      }
      start = end
    }
    recordOwner(position, isNew: isNew, &attempt)
  }

  /// Why a record cannot be imported that names several objects for one to-one relationship, as two columns
  /// of a table may.
  private func disagreement(in range: Range<Int>, of layout: EntityLayout) throws -> GraphStoreError? {
    for index in range {
      let link = links[index]
      let relationship = layout.relationships[layout.properties[link.property].relationship]
      guard !relationship.isToMany, link.target != .nothing else { continue }
      for other in links[range.lowerBound..<index]
      where other.property == link.property && other.target != .nothing {
        guard try !namesSame(other.target, link.target, relationship) else { continue }
        let description = relationship.description
        let texts = [text(of: other.target), text(of: link.target)]
        return GraphStoreError(
          .wrongCardinality,
          "\(description.entity.name).\(description.name) leads to one object, and the record names two: "
            + "\"\(texts[0])\" and \"\(texts[1])\".",
          remedy: "Correct one of them, or leave it out.", entity: description.entity.name,
          property: description.name, value: .string(texts[1]))
      }
    }
    return nil
  }

  /// Whether two targets are one object, as far as that is known yet.
  private func namesSame(
    _ first: ImportTarget, _ second: ImportTarget, _ relationship: RelationshipLayout
  ) throws -> Bool {
    if first == second { return true }
    if case .lookup(let attribute, let text) = first, case .lookup(attribute, let other) = second {
      let place = LookupKey(entity: relationship.destination, attribute: attribute)
      return lookupKey(place, text)?.0 == lookupKey(place, other)?.0
    }
    guard case .found(let object, _) = try resolution(of: first, relationship, isLast: false),
      case .found(let other, _) = try resolution(of: second, relationship, isLast: false)
    else { return true }
    return object == other
  }

  /// - Returns: why the record cannot be imported.
  private func resolve(
    _ range: Range<Int>, of relationship: RelationshipLayout, owner: ObjectKey, position: Int,
    isNew: Bool, attempt: inout Attempt
  ) throws -> GraphStoreError? {
    let entry = entries[position]
    var found: [ObjectKey] = []
    var pending: [ImportTarget] = []
    for link in links[range] {
      guard link.target != .nothing else { continue }
      if let error = relationship.refusal(of: entry.layout.entity) { return error }
      switch try resolution(of: link.target, relationship, isLast: false) {
      case .found(let member, let record):
        found.append(member)
        if let record, options.skipsFailures, !options.completesBatches {
          attempt.dependencies.append(
            ImportDependency(record: entry.record, line: entry.line, target: record))
        }
      case .waits: pending.append(link.target)
      case .failed(let error): return error
      }
    }
    if !pending.isEmpty, options.completesBatches {
      waiting.insert(position)
      return nil
    }
    if relationship.isOrdered, !pending.isEmpty {
      // The order is known when all members are.
      pending = links[range].map(\.target).filter { $0 != .nothing }
      found = []
    }
    for target in pending {
      attempt.pending.append(
        ImportPendingLink(
          owner: owner, property: relationship.number, target: target, record: entry.record, line: entry.line)
      )
    }
    let row = row(position, attempt.mergedRows)
    if isNew, found.isEmpty {
      if !relationship.isToMany { row.block.setNull(row.index, relationship.slot) }
      return nil
    }
    if isNew, writesAtOnce(relationship) {
      write(found, of: relationship, owner: owner, row: row, attempt: &attempt)
    } else {
      attempt.connections.append(
        ImportConnection(
          owner: owner, property: relationship.number, members: found, isExact: !isNew, record: entry.record,
          line: entry.line))
    }
    for member in found { recordInverse(relationship, member: member, position: position, attempt: &attempt) }
    return nil
  }

  /// Whether a link of a new object is stored in one row, and no other object takes part.
  private func writesAtOnce(_ relationship: RelationshipLayout) -> Bool {
    guard let inverse = relationship.inverseDescription else { return !relationship.isOrdered }
    if relationship.isToMany { return inverse.isToMany && !relationship.isOrdered && !inverse.isOrdered }
    return inverse.isToMany && !inverse.isOrdered
  }

  private func write(
    _ members: [ObjectKey], of relationship: RelationshipLayout, owner: ObjectKey, row: Row,
    attempt: inout Attempt
  ) {
    guard relationship.isToMany else {
      let member = members[members.count - 1]
      row.block.setWord(row.index, relationship.slot, PackedReference(member).bits)
      if relationship.inverse >= 0 { attempt.owners.insert(member) }
      return
    }
    if relationship.inverse >= 0 { attempt.owners.formUnion(members) }
    guard let inverse = relationship.inverseDescription, !isStoredHere(relationship) else {
      attempt.joins.append(
        SaveRequest.LinkChange(
          relationship: relationship, owner: owner.key, added: members.map(\.key), removed: []))
      return
    }
    let other = layouts[inverse.entityIndex].relationships[relationship.inverse]
    for member in members {
      attempt.joins.append(
        SaveRequest.LinkChange(relationship: other, owner: member.key, added: [owner.key], removed: []))
    }
  }

  private func isStoredHere(_ relationship: RelationshipLayout) -> Bool {
    relationship.description.isStoredHere
  }

  /// Clears the to-one links that a record lacks whose object takes its values instead of its own.
  private func clearMissingLinks(of position: Int, _ attempt: inout Attempt) {
    let entry = entries[position]
    guard let owner = entry.object else { return }
    for relationship in entry.layout.relationships
    where !relationship.isToMany && !entry.fields.contains(relationship.number) {
      attempt.connections.append(
        ImportConnection(
          owner: owner, property: relationship.number, members: [], isExact: true, record: entry.record,
          line: entry.line))
    }
  }

  // MARK: Finding

  /// Finds what links name by attributes, and the objects that no record can be, with a statement for each
  /// attribute and tree.
  func find(_ wanted: [(EntityLayout, ImportLink)], isLast: Bool = false) throws {
    var lookups: [LookupKey: [ImportKey: Value]] = [:]
    var keys: [Int: Set<Int64>] = [:]
    for (layout, link) in wanted {
      let relationship = layout.relationships[layout.properties[link.property].relationship]
      switch link.target {
      case .nothing, .label: break
      case .reference(let entity, let number):
        let root = layouts[entity].rootIndex
        guard isLast || namesStored(root) else { continue }
        if foundReferences[PackedReference(entity: root, key: number)] == nil {
          keys[root, default: []].insert(number)
        }
      case .lookup(let attribute, let text):
        let place = LookupKey(entity: relationship.destination, attribute: attribute)
        guard let (key, value) = lookupKey(place, text), foundLookups[place]?[key] == nil else { continue }
        lookups[place, default: [:]][key] = value
      }
    }
    for (place, values) in lookups { try find(Array(values.values), at: place) }
    for (root, keys) in keys.sorted(by: { $0.key < $1.key }) {
      if foundReferences.count > Self.cacheLimit { foundReferences = [:] }
      try session.rows(layouts[root], keys: keys.sorted()) { batch in
        batch.forEach { key, row in
          foundReferences[PackedReference(entity: root, key: key)] = row.layout.index
        }
      }
    }
  }

  /// Whether a reference to an object of a tree can be to none but a stored one.
  private func namesStored(_ root: Int) -> Bool {
    options.referencesAreStored || !importedTrees.contains(root)
  }

  func lookupKey(_ place: LookupKey, _ text: String) -> (ImportKey, Value)? {
    guard let attribute = layouts[place.entity].entity.properties[place.attribute] as? AttributeDescription,
      let value = try? attribute.value(fromText: text), let key = ImportKey([value])
    else { return nil }
    return (key, value)
  }

  /// Finds the objects that have one of some values.
  func find(_ values: [Value], at place: LookupKey) throws {
    if (foundLookups[place]?.count ?? 0) > Self.cacheLimit { foundLookups[place] = nil }
    for object in try fetch(layouts[place.entity], attributes: [place.attribute], values: [values]) {
      guard let row = object.currentRow,
        let key = ImportKey([try row.value(of: object.layout.properties[place.attribute])])
      else { continue }
      let isAmbiguous = foundLookups[place]?[key].map { $0.key != object.key } ?? false
      foundLookups[place, default: [:]][key] =
        isAmbiguous
        ? .several : ObjectKey(entity: object.layout.index, key: object.key)
    }
  }

  /// The target of a link, after ``find(_:isLast:)``.
  func resolution(
    of target: ImportTarget, _ relationship: RelationshipLayout, isLast: Bool
  ) throws -> Resolution {
    switch target {
    case .nothing: return .waits
    case .lookup(let attribute, let text):
      let place = LookupKey(entity: relationship.destination, attribute: attribute)
      guard let (key, value) = lookupKey(place, text) else {
        return .failed(unresolved(target, relationship: relationship, reason: "no such value can be had"))
      }
      guard let object = foundLookups[place]?[key] else {
        let mayCome = !isLast && importedTrees.contains(layouts[relationship.destination].rootIndex)
        if mayCome { return .waits }
        return .failed(
          unresolved(
            target, relationship: relationship, because: try refusalOfCreation(place, value, relationship)))
      }
      return object == .several
        ? .failed(ambiguous(text, place: place, relationship: relationship))
        : checked(object, record: nil, relationship: relationship)
    case .label, .reference:
      if let position = batchLabels[target] {
        guard !waiting.contains(position), let object = entries[position].object else { return .waits }
        return held(object, record: entries[position].record, target: target, relationship: relationship)
      }
      switch try labels.holder(of: target) {
      case .object(let object, let record):
        return held(object, record: record, target: target, relationship: relationship)
      case .waiting: return .waits
      case nil: break
      }
      guard case .reference(let entity, let number) = target else {
        guard case .label(let tree, _) = target, !isLast, importedTrees.contains(tree) else {
          return .failed(unresolved(target, relationship: relationship))
        }
        return .waits
      }
      let root = layouts[entity].rootIndex
      guard isLast || namesStored(root) else { return .waits }
      guard let found = foundReferences[PackedReference(entity: root, key: number)],
        options.referencesAreStored || number < firstKeys[root] ?? .max,
        !options.keepsKeys || !importedTrees.contains(root)
      else { return .failed(unresolved(target, relationship: relationship)) }
      return checked(ObjectKey(entity: found, key: number), record: nil, relationship: relationship)
    }
  }

  /// The object for the id of a record.
  private func held(
    _ object: ObjectKey, record: Int, target: ImportTarget, relationship: RelationshipLayout
  ) -> Resolution {
    guard object == .several else { return checked(object, record: record, relationship: relationship) }
    let description = relationship.description
    let text = text(of: target)
    return .failed(
      GraphStoreError(
        .notUnique,
        "\(description.entity.name).\(description.name): several objects have the key of the record with the id \"\(text)\".",
        remedy: "Take attributes for the key that tell objects apart.", entity: description.entity.name,
        property: description.name, value: .string(text)))
  }

  private func checked(
    _ object: ObjectKey, record: Int?, relationship: RelationshipLayout
  ) -> Resolution {
    let destination = relationship.destinationEntity
    let entity = layouts[object.entity].entity
    if entity.isKind(of: destination) { return .found(object, record: record) }
    let description = relationship.description
    return .failed(
      GraphStoreError(
        .wrongDestination,
        "\(description.entity.name).\(description.name) leads to \(destination.name), not to \(entity.name).",
        remedy: "Name an object of that entity or of one of its sub-entities.",
        entity: description.entity.name,
        property: description.name))
  }

  /// - Parameters:
  ///   - reason: What is said in place of that there is no such object.
  ///   - cause: What is said behind it.
  private func unresolved(
    _ target: ImportTarget, relationship: RelationshipLayout, reason: String? = nil,
    because cause: String? = nil
  ) -> GraphStoreError {
    let description = relationship.description
    let text = text(of: target)
    let what: String
    if case .lookup(let attribute, _) = target {
      let name = layouts[relationship.destination].properties[attribute].name
      what = reason ?? "there is no \(description.destination.name) whose \(name) is \"\(text)\""
    } else if case .label = target {
      what =
        "there is no record of \(description.destination.name) with the id \"\(text)\" among those that are imported"
    } else {
      what = "there is no \"\(text)\" in the input, and no such object in the store"
    }
    return GraphStoreError(
      .unresolvedLink,
      "\(description.entity.name).\(description.name): \(what)\(cause.map { ", and " + $0 } ?? "").",
      remedy: "Correct the link, or import what it leads to first.", entity: description.entity.name,
      property: description.name, value: .string(text))
  }

  private func ambiguous(
    _ text: String, place: LookupKey, relationship: RelationshipLayout
  ) -> GraphStoreError {
    let description = relationship.description
    let name = layouts[place.entity].properties[place.attribute].name
    return GraphStoreError(
      .notUnique,
      "\(description.entity.name).\(description.name): several \(description.destination.name) have \(name) \"\(text)\".",
      remedy: "Link by a key that only one of them has.", entity: description.entity.name,
      property: description.name, value: .string(text))
  }

  // MARK: Limits of links

  /// Notes the record's object if its relationships have rules that hold only when all links are there.
  private func recordOwner(_ position: Int, isNew: Bool, _ attempt: inout Attempt) {
    guard hasLimitedLinks else { return }
    let entry = entries[position]
    guard let object = entry.object else { return }
    let row = row(position, attempt.mergedRows)
    for relationship in entry.layout.relationships where entry.layout.limitsLinks(of: relationship) {
      let isCounted = relationship.isToMany || relationship.hasRules
      if isNew, !isCounted, row.reference(relationship.slot) != nil { continue }
      attempt.touches.append(
        ImportTouch(
          object: object, property: relationship.number, record: entry.record, line: entry.line,
          role: isNew ? .maker : []))
    }
  }

  /// Notes the other end of a link if it has such rules.
  private func recordInverse(
    _ relationship: RelationshipLayout, member: ObjectKey, position: Int, attempt: inout Attempt
  ) {
    guard hasLimitedLinks, relationship.inverse >= 0 else { return }
    let layout = layouts[member.entity]
    let inverse = layout.relationships[relationship.inverse]
    guard layout.limitsLinks(of: inverse) else { return }
    attempt.touches.append(
      ImportTouch(
        object: member, property: inverse.number, record: entries[position].record,
        line: entries[position].line))
  }
}

extension RelationshipDescription {
  /// Whether the links of a to-many are kept in a table under this end's name: a to-one inverse holds the key
  /// itself, and of two to-many ends the one with the smaller entity and number.
  package var isStoredHere: Bool {
    guard let inverse else { return true }
    guard inverse.isToMany else { return false }
    return (entity.index, number) <= (inverse.entity.index, inverse.number)
  }
}
