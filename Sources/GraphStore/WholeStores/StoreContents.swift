import GraphStoreModel
import GraphStorePredicates

/// Contents of one store as a whole, in the state of one instant: its form, and its objects, by entity tree
/// and key.
///
/// No object is made of a record, and nothing enters the row cache. It belongs to one thread, and is closed
/// by whoever made it.
package final class StoreContents {
  /// The path of the store, for people.
  package let path: String
  /// What is to be known besides the objects.
  package let form: StoreForm
  /// By the entity's position in the model.
  package let shapes: [StoredShape]
  /// The root entities of the trees that the store holds, in the order of the model.
  package let roots: [EntityDescription]
  let store: any PersistentStore
  let names: [String]
  private let session: any ReadSession
  /// What leaves out what cannot be read; nil where that is an error.
  private let salvage: SalvageReader?

  /// The contents of the first store of a coordinator.
  ///
  /// - Parameter isSalvage: Whether what cannot be read of a damaged store is left out.
  /// - Throws: `no-store`, `store-timeout`, `store-corrupt`.
  package init(_ coordinator: PersistentStoreCoordinator, isSalvage: Bool = false) throws {
    guard let store = coordinator.mounts.first?.store else { throw coordinator.noStore() }
    self.store = store
    path = store.path
    // Within a transaction of several saves, what they have written so far.
    session =
      try coordinator.currentTransaction?.session(coordinator.mounts[0].index)
      ?? store.beginReading([.severalStatements, .runsCallbacks, .wholeStore])
    let layouts = store.layout.entities
    salvage = isSalvage ? SalvageReader(session, layouts) : nil
    do { form = try StoreForm(store, session, isSalvage: isSalvage) } catch {
      session.endReading()
      throw error
    }
    shapes = layouts.map(StoredShape.init)
    names = layouts.map(\.entity.name)
    roots = layouts.filter { $0.rootIndex == $0.index && store.entities.holds($0.entity) }.map(\.entity)
  }

  /// Ends the reading.
  package func close() { session.endReading() }

  /// Hands over the objects of an entity tree, in the order of their keys.
  package func forEachObject(
    ofTree root: EntityDescription, _ receive: (StoredObject) throws -> Void
  ) throws {
    try forEachBatch(ofTree: root) { objects in
      for object in objects { try receive(object) }
    }
  }

  /// Hands over the objects of an entity tree with keys in a range, a few dozen at a time, in the order of
  /// their keys.
  func forEachBatch(
    ofTree root: EntityDescription, keys: ClosedRange<Int64> = .min ... .max,
    _ receive: ([StoredObject]) throws -> Void
  ) throws {
    if let salvage {
      let layout = store.layout.entities[root.index]
      let greatest = form.greatestKeys[root.name] ?? SalvageReader.assumedGreatestKey
      return try salvage.forEachBatch(ofTree: layout, keys: keys, greatest: greatest) {
        try receive(objects($0))
      }
    }
    var request = StoreRequest(entityName: root.name, .rows)
    request.keys = keys
    request.inMemoryEvaluation = .refused
    try session.plan(request).rows { batch in try receive(objects(batch)) }
  }

  // MARK: Salvage

  /// Whether what cannot be read is left out.
  package var isSalvage: Bool { salvage != nil }

  /// What could not be read so far; nil where that is an error.
  package var losses: SalvageLosses? { salvage?.losses }

  /// Records that a column of an object cannot be read.
  package func addLoss(of column: Int, in object: StoredObject) {
    salvage?.add(object.shape.columns[column].name, object.key, object.shape.layout)
  }

  /// Hands over the objects of an entity tree, several batches at a time.
  func forEachChunk(
    ofTree root: EntityDescription, _ size: Int, _ receive: ([StoredObject]) throws -> Void
  ) throws {
    var chunk: [StoredObject] = []
    try forEachBatch(ofTree: root) { objects in
      chunk += objects
      guard chunk.count >= size else { return }
      try receive(chunk)
      chunk.removeAll(keepingCapacity: true)
    }
    if !chunk.isEmpty { try receive(chunk) }
  }

  /// The objects of an entity tree with keys in a range, in the order of their keys.
  func objects(ofTree root: EntityDescription, keys: ClosedRange<Int64>) throws -> [StoredObject] {
    var found: [StoredObject] = []
    try forEachBatch(ofTree: root, keys: keys) { found += $0 }
    return found
  }

  /// The objects of an entity tree with some keys.
  func objects(ofTree root: EntityDescription, keys: [Int64]) throws -> [StoredObject] {
    guard !keys.isEmpty else { return [] }
    var found: [StoredObject] = []
    try session.rows(store.layout.entities[root.index], keys: keys) { found += try objects($0) }
    return found
  }

  private func objects(_ batch: RowBatch) throws -> [StoredObject] {
    var found: [(key: Int64, row: Row)] = []
    found.reserveCapacity(batch.count)
    batch.forEach { found.append(($0, $1)) }
    return try objects(found)
  }

  private func objects(_ found: [(key: Int64, row: Row)]) throws -> [StoredObject] {
    let members = try BatchMembers(found, shapes) { relationship, owners in
      try salvage?.members(relationship, owners: owners) ?? session.members(relationship, owners: owners)
    }
    return found.map { key, row in
      let shape = shapes[row.layout.index]
      return StoredObject(
        shape: shape, key: key, row: row, members: members.members(of: key, shape), names: names)
    }
  }
}

/// Members of the told to-many relationships of a few dozen objects: a statement for each relationship.
private struct BatchMembers {
  /// By relationship, the links by owner; sorted.
  private var links: [ObjectIdentifier: [LinkRow]] = [:]

  init(
    _ objects: [(key: Int64, row: Row)], _ shapes: [StoredShape],
    _ read: (RelationshipLayout, _ owners: [Int64]) throws -> [LinkRow]
  ) throws {
    var owners: [(relationship: RelationshipLayout, keys: [Int64])] = []
    for (key, row) in objects {
      for relationship in shapes[row.layout.index].toMany {
        let place = owners.firstIndex { $0.relationship.description === relationship.description }
        if let place { owners[place].keys.append(key) } else { owners.append((relationship, [key])) }
      }
    }
    for (relationship, keys) in owners {
      links[ObjectIdentifier(relationship.description)] = try read(relationship, keys).sorted()
    }
  }

  func members(of key: Int64, _ shape: StoredShape) -> [ArraySlice<LinkRow>] {
    if shape.toMany.isEmpty { return [] }
    return shape.toMany.map { relationship in
      let all = links[ObjectIdentifier(relationship.description)] ?? []
      let first = all.partitioningIndex { $0.owner >= key }
      let end = all[first...].firstIndex { $0.owner != key } ?? all.endIndex
      return all[first..<end]
    }
  }
}

extension Array {
  /// The first position whose element, and every one behind it, meets a condition.
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
