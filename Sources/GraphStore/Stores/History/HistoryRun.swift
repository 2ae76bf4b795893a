import GraphStoreModel

/// Changes of one kind, of records of one entity whose keys follow each other, as a history lists them.
package struct HistoryRun {
  package let type: PersistentHistoryChangeType
  /// The position of the entity in the model.
  package let entity: Int
  package private(set) var keys: Range<Int64>
  /// What updates have changed.
  package let properties: PropertySet

  package init(
    _ type: PersistentHistoryChangeType, entity: Int, keys: Range<Int64>,
    properties: PropertySet = PropertySet()
  ) {
    self.type = type
    self.entity = entity
    self.keys = keys
    self.properties = properties
  }

  /// Takes in a change whose key follows.
  ///
  /// - Returns: False for another change, which is left out.
  fileprivate mutating func extend(by key: Int64, _ entity: Int, _ properties: PropertySet) -> Bool {
    guard key == keys.upperBound, entity == self.entity, properties == self.properties else { return false }
    keys = keys.lowerBound..<key + 1
    return true
  }
}

extension CommitRecord {
  /// The insertions, those of sets last.
  package var insertedRuns: [HistoryRun] {
    var runs: [HistoryRun] = []
    for insertion in request.insertions {
      runs.add(.insert, insertion.row.layout.index, insertion.key, PropertySet())
    }
    return runs + sets.inserted.map { HistoryRun(.insert, entity: $0.layout.index, keys: $0.keys) }
  }

  /// The updates: first those whose rows were written, in that order.
  ///
  /// - Parameter findEntities: Hands over the positions of the entities of records of a tree, by ascending
  ///   key; of those that are not there, none.
  package func updatedRuns(
    _ layout: ModelLayout,
    _ findEntities: (_ root: Int, _ keys: [Int64], _ receive: (_ key: Int64, _ entity: Int) -> Void) throws ->
      Void
  ) rethrows -> [HistoryRun] {
    var consequences = consequences(layout)
    var runs: [HistoryRun] = []
    for update in request.updates {
      let entity = update.row.layout
      let key = RecordKey(root: entity.rootIndex, key: update.key)
      if consequences.covers(key) { continue }
      var properties = update.properties
      if let besides = consequences.remove(key) { properties = properties.union(besides) }
      // A version that rose alone is no change of content.
      if !properties.isEmpty { runs.add(.update, entity.index, update.key, properties) }
    }
    for set in sets.updated {
      for key in set.keys {
        let besides = consequences.remove(RecordKey(root: set.layout.rootIndex, key: key))
        runs.add(.update, set.layout.index, key, besides.map { set.properties.union($0) } ?? set.properties)
      }
    }
    let changed = consequences.updates.filter { !$0.value.isEmpty }
    for (root, records) in Dictionary(grouping: changed, by: \.key.root).sorted(by: { $0.key < $1.key }) {
      let properties = Dictionary(uniqueKeysWithValues: records.map { ($0.key.key, $0.value) })
      try findEntities(root, properties.keys.sorted()) { key, entity in
        if let changed = properties[key] { runs.add(.update, entity, key, changed) }
      }
    }
    return runs
  }
}

extension [HistoryRun] {
  fileprivate mutating func add(
    _ type: PersistentHistoryChangeType, _ entity: Int, _ key: Int64, _ properties: PropertySet
  ) {
    if !isEmpty, self[count - 1].extend(by: key, entity, properties) { return }
    append(HistoryRun(type, entity: entity, keys: key..<key + 1, properties: properties))
  }
}
