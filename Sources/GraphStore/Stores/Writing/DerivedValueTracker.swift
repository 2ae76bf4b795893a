import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Tracker of the records whose derived values a save may change (MDL-174).
///
/// It reads the save, and asks the store for the rest: whose members deleted records were, and which records
/// lead to changed ones. Members are searched before the write, the rest after it.
package final class DerivedValueTracker {
  private let attributes: [DerivedAttribute]
  private let layouts: [EntityLayout]
  private let save: SaveRequest
  /// The insertions of the save, by the entity's index: each attribute reads its own entities alone.
  private let insertions: [Int: [SaveRequest.Insertion]]
  private let updates: [Int: [SaveRequest.Update]]
  /// By attribute: the keys of records whose value is to be computed anew.
  private var keys: [Set<Int64>]
  /// By attribute: whether that is so of all records.
  private var concernsAll: [Bool]

  /// Nil where the model derives nothing.
  package init?(_ save: SaveRequest, _ layout: ModelLayout) {
    guard !layout.derivedAttributes.isEmpty, !save.isEmpty else { return nil }
    attributes = layout.derivedAttributes
    layouts = layout.entities
    self.save = save
    insertions = Dictionary(grouping: save.insertions) { $0.row.layout.index }
    updates = Dictionary(grouping: save.updates) { $0.row.layout.index }
    keys = [Set<Int64>](repeating: [], count: attributes.count)
    concernsAll = [Bool](repeating: false, count: attributes.count)
  }

  // MARK: Before the write

  /// Finds whose members the records are that are to be deleted.
  package func recordOwners(_ session: some RecordWriting) throws {
    var known: [ObjectIdentifier: Owners] = [:]
    for (place, derived) in attributes.enumerated() {
      guard case .members(let relationship, _) = derived.source else { continue }
      let owners = try known[ObjectIdentifier(relationship)] ?? ownersOfDeleted(relationship, session)
      known[ObjectIdentifier(relationship)] = owners
      switch owners {
      case .all: concernsAll[place] = true
      case .these(let found): keys[place].formUnion(found)
      }
    }
  }

  private enum Owners {
    /// All there are: a relationship without an inverse does not say whose a member is.
    case all
    case these(Set<Int64>)
  }

  private func ownersOfDeleted(
    _ relationship: RelationshipDescription, _ session: some RecordWriting
  ) throws -> Owners {
    let root = relationship.destination.rootEntity.index
    var found: Set<Int64> = []
    for deletion in save.deletions where deletion.root.index == root && !deletion.keys.isEmpty {
      guard let inverse = relationship.inverse else { return .all }
      if inverse.isToMany {
        found.formUnion(try owners(ofMembers: deletion.keys, inverse, session))
      } else {
        try session.rows(deletion.root, keys: deletion.keys) { batch in
          batch.forEach { row in
            if let owner = owner(of: row, by: inverse) { found.insert(owner) }
          }
        }
      }
    }
    return .these(found)
  }

  // MARK: During the write

  /// Registers records whose to-one the session has emptied.
  package func recordCleared(
    _ reference: RelationshipDescription, of cleared: [Int64], _ session: some RecordWriting
  ) throws {
    for (place, derived) in attributes.enumerated() {
      guard case .attribute(let steps, _) = derived.source else { continue }
      for depth in steps.indices where steps[depth] === reference {
        keys[place].formUnion(try trace(cleared, back: steps[..<depth], session))
      }
    }
  }

  // MARK: After the write

  /// Finds all other records, and has their values computed.
  package func computeValues(_ session: some RecordWriting) throws -> [DerivedValue] {
    var values: [DerivedValue] = []
    for (place, derived) in attributes.enumerated() {
      keys[place].formUnion(insertions(of: derived.entity).map(\.key))
      try record(derived, at: place, session)
      let found = concernsAll[place] ? nil : keys[place].subtracting(deletedKeys(of: derived.entity))
      if found?.isEmpty == true { continue }
      values += try session.storeDerivedValues(of: derived, keys: found?.sorted(), date: save.date)
    }
    return values
  }

  /// The stored values of the changed records whose rows the saving context is to publish, by one statement
  /// an entity tree: another writer may have changed some since the rows were read, which raises no versions
  /// (MDL-177).
  package func storedValues(_ session: some RecordWriting) throws -> [DerivedValue] {
    var changed = save.touched.mapValues(Set.init)
    for update in save.updates { changed[update.row.layout.rootIndex, default: []].insert(update.key) }
    let derivingRoots = Set(attributes.map(\.entity.rootEntity.index))
    var values: [DerivedValue] = []
    for (root, keys) in changed.sorted(by: { $0.key < $1.key }) where derivingRoots.contains(root) {
      try session.rows(layouts[root], keys: keys.sorted()) { batch in
        try batch.forEach { key, row in values += try row.derivedValues(key: key) }
      }
    }
    return values
  }

  private func deletedKeys(of entity: EntityDescription) -> [Int64] {
    save.deletions.first { $0.root.index == entity.rootEntity.index }?.keys ?? []
  }

  /// The new records of an entity and its sub-entities.
  private func insertions(of entity: EntityDescription) -> some Sequence<SaveRequest.Insertion> {
    insertions.lazy.filter { [layouts] in layouts[$0.key].entity.isKind(of: entity) }.flatMap(\.value)
  }

  /// The changed records of an entity and its sub-entities.
  private func updates(of entity: EntityDescription) -> some Sequence<SaveRequest.Update> {
    updates.lazy.filter { [layouts] in layouts[$0.key].entity.isKind(of: entity) }.flatMap(\.value)
  }

  private func record(_ derived: DerivedAttribute, at place: Int, _ session: some RecordWriting) throws {
    switch derived.source {
    case .save:
      keys[place].formUnion(updates(of: derived.entity).map(\.key))
      keys[place].formUnion(try touched(of: derived.entity, session))
    case .attribute(let steps, let end):
      for depth in 0...steps.count {
        let entity = depth == 0 ? derived.entity : steps[depth - 1].destination
        var changed = changedKeys(of: depth < steps.count ? steps[depth] : end, entity)
        if depth > 0 { changed += deletedKeys(of: entity) }
        keys[place].formUnion(try trace(changed, back: steps[..<depth], session))
      }
    case .members(let relationship, let summed):
      recordMembers(of: relationship, at: place)
      if let summed { try recordSummands(summed, of: relationship, at: place, session) }
    }
  }

  /// The records of an entity and its sub-entities of which links alone have changed. The save has them by
  /// their entity tree.
  private func touched(of entity: EntityDescription, _ session: some RecordWriting) throws -> [Int64] {
    let root = entity.rootEntity
    let touched = save.touched[root.index] ?? []
    if touched.isEmpty || entity === root { return touched }
    var found: [Int64] = []
    try session.rows(layouts[root.index], keys: touched) { batch in
      batch.forEach { key, row in
        if row.layout.entity.isKind(of: entity) { found.append(key) }
      }
    }
    return found
  }

  /// The keys of records of an entity whose value of a property is another one now.
  private func changedKeys(of property: PropertyDescription, _ entity: EntityDescription) -> [Int64] {
    updates(of: entity).filter { $0.changed.contains(property.number) }.map(\.key)
  }

  /// The records from which to-one steps lead to others.
  private func trace(
    _ reached: [Int64], back steps: ArraySlice<RelationshipDescription>, _ session: some RecordWriting
  ) throws -> [Int64] {
    var reached = reached
    for step in steps.reversed() where !reached.isEmpty {
      reached = try session.referring(to: reached, by: step).map(\.member.key)
    }
    return reached
  }

  /// The owners of a to-many that get members, or lose some.
  private func recordMembers(of relationship: RelationshipDescription, at place: Int) {
    for link in save.links {
      if link.relationship.description === relationship {
        keys[place].insert(link.owner)
        // Without an inverse it is not known whose member an older record was (STO-255).
        if relationship.inverse == nil, !areNew(link.added, relationship.destination) {
          concernsAll[place] = true
        }
        // Both ends of a relationship that is its own inverse have members.
        if relationship.inverse === relationship { keys[place].formUnion(link.added + link.removed) }
      } else if link.relationship.description === relationship.inverse {
        keys[place].formUnion(link.added + link.removed)
      }
    }
    guard let inverse = relationship.inverse, !inverse.isToMany else { return }
    for insertion in insertions(of: inverse.entity) {
      if let owner = owner(of: insertion.row, by: inverse) { keys[place].insert(owner) }
    }
    for update in updates(of: inverse.entity) where update.changed.contains(inverse.number) {
      for row in [update.row, update.committed] {
        if let owner = owner(of: row, by: inverse) { keys[place].insert(owner) }
      }
    }
  }

  /// Whether the save inserts all of some records.
  private func areNew(_ keys: [Int64], _ entity: EntityDescription) -> Bool {
    keys.isEmpty || Set(keys).isSubset(of: insertions(of: entity).map(\.key))
  }

  /// The owners of members whose summed attribute is another one now.
  private func recordSummands(
    _ summed: AttributeDescription, of relationship: RelationshipDescription, at place: Int,
    _ session: some RecordWriting
  ) throws {
    let changed = updates(of: relationship.destination).filter { $0.changed.contains(summed.number) }
    if changed.isEmpty { return }
    guard let inverse = relationship.inverse else {
      concernsAll[place] = true
      return
    }
    keys[place].formUnion(
      try inverse.isToMany
        ? owners(ofMembers: changed.map(\.key), inverse, session)
        : changed.compactMap { owner(of: $0.row, by: inverse) })
  }

  private func owners(
    ofMembers members: [Int64], _ inverse: RelationshipDescription, _ session: some RecordWriting
  ) throws -> [Int64] {
    try session.members(layout(of: inverse), owners: members).map(\.member.key)
  }

  /// The stored record that a row refers to by a to-one.
  private func owner(of row: Row, by inverse: RelationshipDescription) -> Int64? {
    guard row.layout.entity.isKind(of: inverse.entity),
      let slot = row.layout.property(named: inverse.name)?.slot, let reference = row.reference(slot)
    else { return nil }
    let key = save.permanentKeys[reference.key]
    return key > 0 ? key : nil
  }

  private func layout(of relationship: RelationshipDescription) -> RelationshipLayout {
    let layout = layouts[relationship.entity.index]
    return layout.relationships[layout.properties[relationship.number].relationship]
  }
}

extension Row {
  /// The derived values in the row of a record.
  fileprivate func derivedValues(key: Int64) throws -> [DerivedValue] {
    try layout.properties.compactMap { property in
      guard property.isDerived, !property.kind.needsObject, let attribute = property.attribute else {
        return nil
      }
      return DerivedValue(
        root: layout.rootIndex, key: key, attribute: attribute, value: try value(of: property))
    }
  }
}

extension RowBatch {
  fileprivate func forEach(_ body: (Row) -> Void) {
    for run in runs {
      for offset in 0..<run.count { body(Row(block: run.block, index: run.firstRow + offset)) }
    }
  }
}
