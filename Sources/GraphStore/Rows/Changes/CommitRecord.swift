import GraphStoreModel

/// Changes of one write in one store, read by the row cache, contexts and all observers of a store.
///
/// It is computed from the request that was written and the store's answer, so that it costs nothing without
/// a reader.
package struct CommitRecord {
  /// Kind of change of a record.
  package enum Change: Equatable {
    case inserted
    /// By the numbers of the properties, to-manys among them; none where the version alone rose.
    case updated(PropertySet)
    case deleted
  }

  /// A relationship of records from which the write has taken what other writers had put into it: deleted
  /// records, or others than their partners.
  package struct ClearedReferences {
    package let reference: RelationshipDescription
    package let keys: [Int64]
  }

  /// Owners that have lost members of a to-many: of a one-way one to another owner, since a row names one, or
  /// as the members were deleted, also where the save knew nothing of them.
  package struct FormerOwners {
    package let relationship: RelationshipLayout
    package let keys: [Int64]

    package init(relationship: RelationshipLayout, keys: [Int64]) {
      self.relationship = relationship
      self.keys = keys
    }
  }

  /// The transaction of the write in the history of its store.
  package struct HistoryTransaction {
    package let number: Int64
    /// In seconds since 2001-01-01 00:00:00 UTC.
    package let time: Double

    package init(number: Int64, time: Double) {
      self.number = number
      self.time = time
    }
  }

  /// The request that was written.
  package let request: SaveRequest
  /// The new versions of the records whose versions alone were to rise.
  package var versions: [RecordVersion] = []
  package var cleared: [ClearedReferences] = []
  package var formerOwners: [FormerOwners] = []
  /// Derived values that have changed, and then those of all changed records.
  package var derived: [DerivedValue] = []
  /// The number of those that have changed.
  package var derivedChangeCount = 0
  /// Those that have changed.
  package var changedDerivations: ArraySlice<DerivedValue> { derived.prefix(derivedChangeCount) }
  /// What a batch request has changed without rows of the request.
  package var sets = SetChanges()
  /// The transaction in the store's history; nil where it keeps none.
  package var historyTransaction: HistoryTransaction?

  /// The keys of the records whose rows are not in the store any more, or have other values than the row
  /// cache can know, by entity tree.
  package var withdrawn: [(root: Int, keys: [Int64])] {
    request.deletions.map { ($0.root.index, $0.keys) }
      + cleared.map { ($0.reference.entity.rootEntity.index, $0.keys) } + derived.keysByRoot
      + sets.updated.map { ($0.layout.rootIndex, $0.keys) }
  }
}

// MARK: - By record

extension CommitRecord {
  /// The kind of change of each record, in any order; one that was inserted is listed as that alone. Records
  /// that others had deleted before may be among them. That a to-many loses a deleted member follows from the
  /// deletion: its owner is listed where the save knew of the link, and not where another writer had added it
  /// to a table of pairs.
  ///
  /// It costs a walk over the request.
  package func changes(_ layout: ModelLayout) -> [RecordKey: Change] {
    var changes = updates(layout).mapValues { Change.updated($0) }
    for insertion in request.insertions {
      changes[RecordKey(root: insertion.row.layout.rootIndex, key: insertion.key)] = .inserted
    }
    for set in sets.inserted {
      for key in set.keys { changes[RecordKey(root: set.layout.rootIndex, key: key)] = .inserted }
    }
    for deletion in request.deletions {
      for key in deletion.keys { changes[RecordKey(root: deletion.root.index, key: key)] = .deleted }
    }
    return changes
  }

  /// The changed properties of each record that was neither inserted nor deleted, as ``changes(_:)`` lists
  /// them.
  package func updates(_ layout: ModelLayout) -> [RecordKey: PropertySet] {
    var consequences = consequences(layout)
    for update in request.updates {
      let record = RecordKey(root: update.row.layout.rootIndex, key: update.key)
      if !consequences.covers(record) { consequences.add(update.properties, to: record) }
    }
    for set in sets.updated {
      for key in set.keys {
        consequences.add(set.properties, to: RecordKey(root: set.layout.rootIndex, key: key))
      }
    }
    return consequences.updates
  }

  /// The changed properties of records besides those that the updates of the request have themselves.
  package func consequences(_ layout: ModelLayout) -> CommitConsequences {
    var collector = CommitConsequences(layout, self)
    for insertion in request.insertions where !insertion.row.layout.relationships.isEmpty {
      collector.add(insertion)
    }
    for update in request.updates { collector.addOtherEnds(of: update) }
    for (root, keys) in request.touched {
      for key in keys { collector.update(RecordKey(root: root, key: key), []) }
    }
    for link in request.links { collector.add(link) }
    for lost in request.lostMembers { collector.add(ownerOf: lost.relationship, lost.owner) }
    for order in request.orders { collector.add(ownerOf: order.relationship, order.owner) }
    for cleared in cleared { collector.add(cleared) }
    for former in formerOwners {
      for key in former.keys { collector.add(ownerOf: former.relationship, key) }
    }
    for value in changedDerivations {
      collector.update(RecordKey(root: value.root, key: value.key), [value.attribute.number])
    }
    for deletion in request.deletions { collector.add(deletion) }
    return collector
  }
}

extension SaveRequest.Update {
  /// The changed properties; elements of composite attributes have numbers of their own, behind those of the
  /// properties.
  package var properties: PropertySet { row.layout.properties(among: changed) }
}

/// Updates that follow from those of a commit, as at the other end of relationships.
package struct CommitConsequences {
  private let layout: ModelLayout
  private let record: CommitRecord
  package private(set) var updates: [RecordKey: PropertySet] = [:]
  /// Records that are not updated whatever happens to them; nil until one is looked for.
  private var cover: RecordCover?

  fileprivate init(_ layout: ModelLayout, _ record: CommitRecord) {
    self.layout = layout
    self.record = record
  }

  /// Whether a record is not updated whatever happens to it: a new or a deleted one.
  package mutating func covers(_ key: RecordKey) -> Bool {
    let cover = cover ?? RecordCover(record)
    self.cover = cover
    return cover.contains(key)
  }

  /// Takes out what follows for one record.
  package mutating func remove(_ record: RecordKey) -> PropertySet? {
    updates.isEmpty ? nil : updates.removeValue(forKey: record)
  }

  fileprivate mutating func add(_ properties: PropertySet, to record: RecordKey) {
    updates[record] = (updates[record] ?? PropertySet()).union(properties)
  }

  fileprivate mutating func update(_ record: RecordKey, _ properties: [Int]) {
    if covers(record) { return }
    for number in properties { updates[record, default: PropertySet()].insert(number) }
    if properties.isEmpty, updates[record] == nil { updates[record] = PropertySet() }
  }

  fileprivate mutating func add(_ insertion: SaveRequest.Insertion) {
    for relationship in insertion.row.layout.relationships { updateOtherEnd(of: relationship, insertion.row) }
  }

  fileprivate mutating func addOtherEnds(of update: SaveRequest.Update) {
    let row = update.row
    for relationship in row.layout.relationships where update.changed.contains(relationship.number) {
      updateOtherEnd(of: relationship, row)
      updateOtherEnd(of: relationship, update.committed)
    }
  }

  /// The to-many or to-one to which a stored to-one is the inverse.
  private mutating func updateOtherEnd(of relationship: RelationshipLayout, _ row: Row) {
    guard !relationship.isToMany, relationship.isPersistent, relationship.inverse >= 0,
      let destination = row.reference(relationship.slot), destination.key > 0
    else { return }
    let other = layout.entities[destination.entity]
    update(
      RecordKey(root: other.rootIndex, key: destination.key),
      [layout.entities[relationship.destination].relationships[relationship.inverse].number])
  }

  fileprivate mutating func add(_ link: SaveRequest.LinkChange) {
    let relationship = link.relationship
    add(ownerOf: relationship, link.owner)
    guard relationship.inverse >= 0 else { return }
    let destination = layout.entities[relationship.destination]
    let inverse = destination.relationships[relationship.inverse].number
    for member in link.added + link.removed {
      update(RecordKey(root: destination.rootIndex, key: member), [inverse])
    }
  }

  fileprivate mutating func add(ownerOf relationship: RelationshipLayout, _ owner: Int64) {
    let entity = layout.entities[relationship.description.entityIndex]
    update(RecordKey(root: entity.rootIndex, key: owner), [relationship.number])
  }

  fileprivate mutating func add(_ cleared: CommitRecord.ClearedReferences) {
    let root = cleared.reference.entity.rootEntity.index
    for key in cleared.keys { update(RecordKey(root: root, key: key), [cleared.reference.number]) }
  }

  /// The members of what was deleted have lost it. Its row names its own owner, where it was read; of pairs
  /// the tables alone, which have them no more.
  fileprivate mutating func add(_ deletion: SaveRequest.Deletion) {
    for fetched in deletion.committed {
      for relationship in fetched.row.layout.relationships { updateOtherEnd(of: relationship, fetched.row) }
    }
  }
}

/// Records that a write inserts or deletes.
private struct RecordCover {
  /// By entity tree.
  private var covers: [Int: KeyCover] = [:]

  init(_ record: CommitRecord) {
    for insertion in record.request.insertions {
      covers[insertion.row.layout.rootIndex, default: KeyCover()].add(insertion.key)
    }
    for set in record.sets.inserted {
      for key in set.keys { covers[set.layout.rootIndex, default: KeyCover()].add(key) }
    }
    for deletion in record.request.deletions {
      for key in deletion.keys { covers[deletion.root.index, default: KeyCover()].add(key) }
    }
  }

  func contains(_ record: RecordKey) -> Bool {
    !covers.isEmpty && covers[record.root]?.contains(record.key) == true
  }
}

/// Keys of one entity tree, most of which follow each other.
private struct KeyCover {
  private var ranges: [ClosedRange<Int64>] = []
  private var others: Set<Int64> = []

  fileprivate mutating func add(_ key: Int64) {
    guard let last = ranges.last else { return ranges.append(key...key) }
    if key == last.upperBound + 1 {
      ranges[ranges.count - 1] = last.lowerBound...key
    } else if ranges.count < 16 {
      ranges.append(key...key)
    } else {
      others.insert(key)
    }
  }

  func contains(_ key: Int64) -> Bool {
    ranges.contains { $0.contains(key) } || !others.isEmpty && others.contains(key)
  }
}
