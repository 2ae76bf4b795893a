import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Makes a store of a form and objects that are known, with their keys, and puts it at a path when it is
/// whole.
///
/// The caller opens an object, sets the values of its columns, and ends it; in the end it finishes the store,
/// which then appears at its path. Until then, and where anything fails, nothing is there; what a process
/// leaves that is killed is removed by the next one that makes a store at the path. No rule of the model is
/// checked but uniqueness, which indexes keep: values may be older than rules. Memory depends on a batch, and
/// not on the number of objects. It belongs to one thread.
package final class StoreFilling {
  /// Objects that are written at a time.
  private static let batchSize = 1024
  /// Beyond so many bytes of values a batch is written, however few objects it has.
  private static let batchBytes = 8 << 20

  /// By the entity's position in the model.
  package let shapes: [StoredShape]
  /// The number of objects that were ended.
  package private(set) var count = 0
  let form: StoreForm
  private let place: FilledPlace
  private let temporary: TemporaryStore
  private let store: SQLiteStore
  private let session: SQLiteWriteSession
  private let names: [String: Int]

  private var insertions: [SaveRequest.Insertion] = []
  /// The lines of the input of the objects of the batch.
  private var lines: [Int] = []
  private var bytes = 0
  private var blocks: [RowBlock?]
  private let spool = LinkSpool()
  /// The to-many relationships whose members were told, by their numbers in the spool.
  private var relationships: [RelationshipLayout] = []
  private var relationshipNumbers: [ObjectIdentifier: Int] = [:]
  /// By root entity: the greatest key of an object.
  private var greatestKeys: [Int64]
  private var isEnded = false

  // The object that is open.
  private var shape: StoredShape
  private var block: RowBlock
  private var row = 0
  private var key: Int64 = 0
  private var line = 0

  /// Makes the tables of a new store.
  ///
  /// - Parameters:
  ///   - path: Where the store is going to be: a path that is free, or holds an empty file, or an address on
  ///   a server where there is no store.
  ///   - timeout: How long it waits for locks.
  /// - Throws: `store-exists`, `store-permission`, `disk-full`, `store-open`, `unknown-configuration`,
  ///   `model-too-wide`.
  package init(
    _ form: StoreForm, at path: String, timeout: Duration = StoreOptions.defaultTimeout
  ) throws {
    self.form = form
    place = try FilledPlace(path, timeout: timeout)
    temporary = try place.makeTemporary()
    let stored = try StoredEntities(form.storedModel, configuration: form.configuration)
    try Self.makeTables(of: stored, form, at: temporary.path)
    let options = StoreOptions(timeout: timeout, configuration: form.configuration)
    store = try SQLiteStore.open(temporary.path, options, holding: stored)
    session = try SQLiteWriteSession(store, isShared: false)
    let layouts = store.layout.entities
    shapes = layouts.map(StoredShape.init)
    names = Dictionary(uniqueKeysWithValues: layouts.map { ($0.entity.name, $0.index) })
    blocks = [RowBlock?](repeating: nil, count: layouts.count)
    greatestKeys = [Int64](repeating: 0, count: layouts.count)
    shape = shapes[0]
    block = RowBlock(layout: layouts[0], capacity: 1)
  }

  deinit { end() }

  /// Lets go of the file, with what was written in vain.
  private func end() {
    guard !isEnded else { return }
    isEnded = true
    try? session.rollback()
    store.close()
  }

  // MARK: One object

  /// The position of an entity that the store can have objects of; nil for any other name.
  package func entity(named name: String) -> Int? {
    guard let index = names[name], !shapes[index].entity.isAbstract,
      store.entities.contains(shapes[index].entity)
    else { return nil }
    return index
  }

  /// Opens an object of an entity; it has no values.
  ///
  /// - Parameter line: Where it stands in the input, for messages.
  package func begin(entityAt index: Int, key: Int64, line: Int) {
    shape = shapes[index]
    if let current = blocks[index], current.hasRoom {
      block = current
    } else {
      block = RowBlock(layout: shape.layout, capacity: RowBlock.capacity)
      blocks[index] = block
    }
    row = block.appendRow(version: 1)
    (self.key, self.line) = (key, line)
  }

  /// Keeps the object for the next batch, which it writes where it is full.
  ///
  /// - Throws: as ``flush()``.
  package func endObject() throws {
    insertions.append(SaveRequest.Insertion(row: Row(block: block, index: row), key: key))
    lines.append(line)
    count += 1
    let root = shape.layout.rootIndex
    greatestKeys[root] = max(greatestKeys[root], key)
    if insertions.count >= Self.batchSize || bytes >= Self.batchBytes { try flush() }
  }

  @inline(__always)
  private func slot(_ column: Int) -> Int { shape.places[column].slot }

  /// Sets a column of whole numbers or truth values.
  package func setInteger(_ value: Int64, _ column: Int) {
    block.setWord(row, slot(column), UInt64(bitPattern: value))
  }

  /// Sets a column of floating-point numbers, or of dates to their seconds since 2001.
  package func setDouble(_ value: Double, _ column: Int) {
    block.setWord(row, slot(column), value.bitPattern)
  }

  /// Sets a column of texts, URIs, UUIDs, bytes or archives to the bytes that a store keeps of it.
  package func setBytes(_ value: UnsafeBufferPointer<UInt8>, _ column: Int) {
    bytes += value.count
    let place = shape.places[column]
    guard place.kind == .external else { return unsafe block.setBytes(row, place.slot, value) }
    unsafe block.setExternalData(Data(value), row, place.slot)
  }

  /// Sets a column of decimals to a whole number.
  package func setDecimal(whole: Int64, _ column: Int) {
    block.setDecimal(row, slot(column), whole: whole)
  }

  /// Sets a column of decimals to the decimal of at most 15 digits that is the shortest text of a double.
  package func setDecimal(double: Double, _ column: Int) {
    block.setDecimal(row, slot(column), double: double)
  }

  /// Sets a column to a value of its own type.
  package func setValue(_ value: Value, _ column: Int) {
    block.setValue(value, of: shape.columns[column].property, inRow: row)
  }

  /// Sets a to-one, whose object may come later or not at all.
  ///
  /// - Throws: `wrong-destination` for an entity whose objects cannot be there.
  package func setReference(entityAt index: Int, key: Int64, _ column: Int) throws {
    try check(index, column)
    block.setWord(row, slot(column), PackedReference(entity: index, key: key).bits)
  }

  /// Sets the members of a to-many, in their order.
  ///
  /// - Throws: `wrong-destination`, `disk-full`; `not-unique` for a member that comes twice.
  package func setMembers(_ members: [(entity: Int, key: Int64)], _ column: Int) throws {
    guard !members.isEmpty, let relationship = shape.columns[column].relationship else { return }
    for member in members { try check(member.entity, column) }
    try checkOnce(members, relationship)
    let identity = ObjectIdentifier(relationship.description)
    let number = relationshipNumbers[identity] ?? relationships.count
    if number == relationships.count {
      relationships.append(relationship)
      relationshipNumbers[identity] = number
    }
    try spool.add(LinkSpool.Members(relationship: number, owner: key, keys: members.map(\.key)))
  }

  private func checkOnce(
    _ members: [(entity: Int, key: Int64)], _ relationship: RelationshipLayout
  ) throws {
    var seen: Set<Int64> = []
    for member in members where !seen.insert(member.key).inserted {
      throw GraphStoreError(
        .notUnique,
        "\(relationship.description) names \(shapes[member.entity].entity.name)/p\(member.key) twice.",
        remedy: "Name each member once.", entity: shape.entity.name, property: relationship.description.name)
    }
  }

  private func check(_ entity: Int, _ column: Int) throws {
    guard let relationship = shape.columns[column].relationship else { return }
    let layout = shapes[entity].layout
    guard !relationship.leads(to: layout) else { return }
    let (name, wanted) = (layout.entity.name, relationship.destinationEntity.name)
    throw GraphStoreError(
      .wrongDestination, "\(relationship.description) leads to \(wanted), and \(name) is none.",
      remedy: "Name an object of \(wanted), or of one of its sub-entities.", entity: shape.entity.name,
      property: relationship.description.name)
  }

  // MARK: Writing

  /// Writes the objects that wait.
  ///
  /// - Throws: ``FillingError`` for a key that two objects of a tree have; what the store throws.
  package func flush() throws {
    guard !insertions.isEmpty else { return }
    var request = SaveRequest()
    request.isCopy = true
    request.insertions = insertions
    do { try session.writeCopies(request) } catch let error as GraphStoreError
      where [.constraintConflict, .storeCorrupt].contains(error.code)
    {
      throw duplicate(error)
    }
    insertions.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
    bytes = 0
    for index in blocks.indices { blocks[index] = nil }
  }

  /// There are no unique indexes yet, so that it is the key which another object has.
  private func duplicate(_ error: GraphStoreError) -> any Error {
    guard let id = error.objectID,
      let place = insertions.lastIndex(where: {
        $0.key == id.key && $0.row.layout.rootIndex == shapes[id.entityIndex].layout.rootIndex
      })
    else { return error }
    return FillingError(
      line: lines[place],
      error: GraphStoreError(
        .notUnique, "\(id.shortForm) comes twice: its number was that of another object before.",
        remedy: "Take one of the two out, or give it another number.", entity: id.entity.name))
  }

  // MARK: The end

  /// Writes what is left, and puts the store at its path.
  ///
  /// - Parameter prunes: Whether links to objects that are not there are left out; else they stay.
  /// - Returns: What leads to objects that are not there.
  /// - Throws: ``FillingError``; `constraint-conflict` for values that have to be unique and are not;
  ///   `store-exists`, `disk-full`, `store-save-failed`.
  package func finish(prunes: Bool) throws -> FilledStore {
    try flush()
    try writeMembers()
    var links = FilledLinks(session, path: temporary.path)
    let dangling = try links.find()
    if prunes, !dangling.isEmpty { try links.cut() }
    try raiseCounters()
    try makeIndexes()
    try session.commit()
    isEnded = true
    store.close()
    try Self.useLog(temporary.path)
    try temporary.finish()
    try place.take(temporary)
    return FilledStore(count: count, dangling: dangling)
  }

  private func writeMembers() throws {
    var request = SaveRequest()
    request.isCopy = true
    var members = 0
    try spool.forEach { links in
      add(links, to: &request)
      members += links.keys.count
      guard members >= Self.batchSize * 8 else { return }
      try session.writeCopies(request)
      request.links.removeAll(keepingCapacity: true)
      request.orders.removeAll(keepingCapacity: true)
      members = 0
    }
    if !request.isEmpty { try session.writeCopies(request) }
  }

  private func add(_ links: LinkSpool.Members, to request: inout SaveRequest) {
    let relationship = relationships[links.relationship]
    // Members with a to-one to their owner have it in their rows.
    if relationship.inverseDescription?.isToMany != false, StoredShape.linksAreWritten(of: relationship) {
      request.links.append(
        SaveRequest.LinkChange(
          relationship: relationship, owner: links.owner, added: links.keys, removed: []))
    }
    guard relationship.isOrdered else { return }
    request.orders.append(.copied(links.keys, of: relationship, owner: links.owner))
  }

  private func raiseCounters() throws {
    for layout in store.layout.entities where layout.rootIndex == layout.index {
      guard store.entities.holds(layout.entity) else { continue }
      let wanted = max(form.greatestKeys[layout.entity.name] ?? 0, greatestKeys[layout.index])
      if wanted > 0 { _ = try session.reserveKeys(layout, count: Int(wanted)) }
    }
  }

  /// Once the tables are filled, which is faster.
  private func makeIndexes() throws {
    for index in try store.schema.indexes() {
      do { try session.reporting { try session.connection.execute(index.sql) } } catch let error
        as GraphStoreError where error.code == .constraintConflict || error.code == .sqlite
      {
        guard index.isUnique else { throw error }
        throw Self.repeated(index, error)
      }
    }
  }

  private static func repeated(_ index: SQLIndex, _ error: GraphStoreError) -> GraphStoreError {
    GraphStoreError(
      .constraintConflict,
      "Several objects have the same values where the model asks for different ones (\(index.name)).",
      remedy: "Change the values, or take the objects out.", underlying: error)
  }
}

/// Problem with the object at one line of the input of a store that is being filled.
package struct FillingError: Error {
  package let line: Int
  package let error: GraphStoreError
}

/// A store that was filled.
package struct FilledStore {
  /// The number of its objects.
  package let count: Int
  /// References and links to objects that are not there.
  package let dangling: [StoreCheckFinding]
}
