import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Writes records into a store, batch by batch, without an object for each.
///
/// The caller opens a record, sets its values by property number, adds its id and links, and ends or discards
/// it. Every so many records it flushes them into a transaction; after the last it finishes. New records
/// become rows at once: model rules are checked as in a save, but no hooks of Swift classes run. Objects that
/// exist already, and links that move other objects, are handled by a context. Memory depends on the batch,
/// not on the input. It belongs to one thread.
///
/// A record is in or out as a whole, and nothing is ever rolled back piece by piece. A record that fails in a
/// flush leaves its batch, which is then written anew without it. One that fails at the end was written long
/// before, so the caller rolls the transaction back and imports the input again without those records. The
/// store then is as if they had never been there, and no delete rule runs.
package final class RecordImporter {
  /// One record of the batch.
  struct Entry {
    let layout: EntityLayout
    var row: Row
    let record: Int
    let line: Int
    var label: ImportTarget?
    /// The positions of its links in `links`.
    var links: Range<Int>
    var fields: PropertySet
    /// The object that it became.
    var object: ObjectKey?
  }

  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext
  /// The store that the records are written to.
  let mount: Mount
  /// The transaction that the records become a part of, and what is written with besides the context; nil
  /// between them.
  var writing: (transaction: StoreTransaction, session: any WriteSession)?
  let options: ImportOptions
  let layouts: [EntityLayout]
  let scratch = ImportScratch()
  let labels: ImportLabels
  /// The importer that wrote the other records of the input.
  let earlier: RecordImporter?
  /// The counts of the import so far.
  package internal(set) var counts = ImportCounts()
  /// The id of a record that became a new object although a stored object has that id; looked for in the
  /// first batch.
  package internal(set) var storedLabel: String?
  var hasLookedForStoredLabels = false

  var entries: [Entry] = []
  /// The reasons why records are left out, by their position in the batch.
  var rejected: [Int: GraphStoreError] = [:]
  /// Positions in the batch by the ids of its records.
  var batchLabels: LabelTable<Int>
  /// Positions of records that refer to what is not there yet.
  var waiting: Set<Int> = []
  var links: [ImportLink] = []
  /// The entity trees whose records may have the ids that references name.
  let importedTrees: Set<Int>
  /// By tree: the first key that this import has assigned.
  var firstKeys: [Int: Int64] = [:]
  /// By tree: the greatest key that an id asked for.
  var greatestKeys: [Int: Int64] = [:]
  /// By tree: the key that the counter is behind.
  var raisedKeys: [Int: Int64] = [:]
  /// By entity: the attributes of the key, by number; nil where the entity lacks one.
  var keyNumbers: [Int: [Int]?] = [:]
  /// The transaction in which the targets of links were found.
  private var lastTransaction: StoreTransaction?
  var foundReferences: [PackedReference: Int] = [:]
  var foundLookups: [LookupKey: [ImportKey: ObjectKey]] = [:]
  /// What links have made in the attempt that is under way.
  var created: [CreatedObject] = []
  /// By entity: whether records can be in conflict with one of it.
  let hasKeys: [Bool]
  /// Whether the model limits how many links objects have, or where they lead.
  let hasLimitedLinks: Bool
  /// Text in messages for the position of a record, by its number and line.
  package var placeText: (Int, Int) -> String = { "line \($1)" }
  private var references: ReferenceText
  private let tracksFields: Bool

  // The record that is open.
  private var layout: EntityLayout
  private var block: RowBlock
  private var blocks: [RowBlock?]
  private var row = 0
  private var record = 0
  private var line = 0
  private var label: ImportTarget?
  private var firstLink = 0
  private var fields = PropertySet()

  /// - Parameter earlier: the importer that wrote the other records of the input, whose ids can be referred
  ///   to.
  /// - Throws: `no-store`, `read-only-store`.
  package init(
    _ coordinator: PersistentStoreCoordinator, _ options: ImportOptions, earlier: RecordImporter? = nil
  ) throws {
    self.coordinator = coordinator
    self.options = options
    mount = try options.store.map(coordinator.mounted) ?? coordinator.writableStore()
    layouts = coordinator.layout.entities
    context = ManagedObjectContext(coordinator: coordinator)
    context.validation.postponesRelationshipRules = true
    context.transactionAuthor = options.author
    self.earlier = earlier
    let roots = layouts.map(\.rootIndex)
    labels = ImportLabels(roots: roots, scratch, earlier: earlier?.labels)
    batchLabels = LabelTable(roots: roots)
    firstKeys = earlier?.firstKeys ?? [:]
    hasKeys = layouts.map { !options.key.isEmpty || !$0.entity.uniquenessConstraints.isEmpty }
    hasLimitedLinks = layouts.contains { layout in
      layout.relationships.contains { layout.limitsLinks(of: $0) }
    }
    references = ReferenceText(coordinator)
    tracksFields = options.conflictPolicy == .update || options.conflictPolicy == .replace
    importedTrees = Set(options.entities.map { [layouts] in layouts[$0].rootIndex })
    layout = layouts[0]
    block = RowBlock(layout: layout, capacity: 1)
    blocks = [RowBlock?](repeating: nil, count: layouts.count)
  }

  var store: any PersistentStore { mount.store }
  var storeIndex: Int32 { mount.index }

  /// Whether each batch is whole when it is flushed.
  package var completesBatches: Bool { options.completesBatches }

  /// The number of records that wait for the next flush.
  package var count: Int { entries.count }

  /// Writes into a transaction, of which the importer's context becomes a part.
  func writing<Result>(in transaction: StoreTransaction, _ body: () throws -> Result) throws -> Result {
    try transaction.join(context)
    guard let session = transaction.session(storeIndex) else { throw coordinator.noStore() }
    // Between two transactions others may have renamed or deleted what was found.
    if lastTransaction !== transaction { (foundReferences, foundLookups) = ([:], [:]) }
    lastTransaction = transaction
    writing = (transaction, session)
    defer { writing = nil }
    return try body()
  }

  /// - Throws: `no-store` outside a transaction.
  var session: any WriteSession {
    get throws {
      guard let writing else { throw coordinator.noStore() }
      return writing.session
    }
  }

  // MARK: One record

  /// Opens a record of a concrete entity, with the model's defaults.
  package func begin(entityAt index: Int, record: Int, line: Int) {
    layout = layouts[index]
    if let current = blocks[index], current.hasRoom {
      block = current
    } else {
      block = RowBlock(layout: layout, capacity: RowBlock.capacity)
      blocks[index] = block
    }
    row = block.appendDefaults()
    self.record = record
    self.line = line
    label = nil
    firstLink = links.count
    if tracksFields { fields = PropertySet() }
  }

  /// Keeps the record for the next flush.
  package func end() {
    entries.append(
      Entry(
        layout: layout, row: Row(block: block, index: row), record: record, line: line, label: label,
        links: firstLink..<links.count, fields: fields))
    firstLink = links.count
  }

  /// Forgets the record that is open; does nothing where none is.
  package func discard() {
    links.removeSubrange(firstLink...)
  }

  /// The violations of the model's rules by the attributes of the open record.
  package func brokenRules() throws -> [GraphStoreError] {
    try layout.attributeFailures(Row(block: block, index: row), context.validationEvaluators)
  }

  /// Whether objects hold the values of an attribute.
  package func holds(_ attribute: AttributeDescription) -> Bool { context.coordinator.holds(attribute) }

  @inline(__always)
  private func slot(_ number: Int) -> Int {
    if tracksFields { fields.insert(number) }
    return layout.fields[number].slot
  }

  /// The number of an element of a composite attribute, behind those of the properties.
  ///
  /// - Parameter path: The composite attribute, and the elements on the way.
  package func number(ofElement path: [AttributeDescription], in entity: EntityDescription) -> Int? {
    let layout = layouts[entity.index]
    return layout.fields.firstIndex { !$0.path.isEmpty && $0.path.elementsEqual(path, by: ===) }
  }

  /// Sets an integer or Boolean attribute to a number that its width holds.
  package func setInteger(_ value: Int64, _ number: Int) {
    block.setWord(row, slot(number), UInt64(bitPattern: value))
  }

  /// Sets a floating-point or date attribute to a number that it can hold; a negative zero is zero (OBJ-143).
  package func setDouble(_ value: Double, _ number: Int) {
    block.setWord(row, slot(number), (value + 0).bitPattern)
  }

  /// Sets a string attribute to text that is valid UTF-8.
  package func setText(_ utf8: UnsafeBufferPointer<UInt8>, _ number: Int) {
    unsafe block.setBytes(row, slot(number), utf8)
  }

  /// Sets a decimal attribute to a whole number.
  package func setDecimal(whole: Int64, _ number: Int) {
    block.setDecimal(row, slot(number), whole: whole)
  }

  /// Sets a decimal attribute to the decimal of at most 15 digits that is the shortest text of a double.
  package func setDecimal(double: Double, _ number: Int) {
    block.setDecimal(row, slot(number), double: double)
  }

  /// Sets an attribute to a value of its own type, or to nil.
  ///
  /// Nothing is written of an attribute that objects do not hold.
  package func setValue(_ value: Value, _ number: Int) {
    let field = layout.fields[number]
    if field.kind == .composite {
      if tracksFields { fields.insert(number) }
      return setElements(of: field, to: value)
    }
    guard slot(number) >= 0 else { return }
    block.setValue(value, of: field, inRow: row)
  }

  /// Sets the elements of a composite attribute to those of a dictionary; the others have no value then.
  private func setElements(of composite: PropertyLayout, to value: Value) {
    let members: [String: Value] = if case .dictionary(let members) = value { members } else { [:] }
    for element in composite.elements {
      let member = element.path.last.flatMap { members[$0.name] } ?? .null
      if element.kind == .composite {
        setElements(of: element, to: member)
      } else {
        block.setValue(member, of: element, inRow: row)
      }
    }
  }

  /// Assigns the record the id by which other records name it.
  ///
  /// - Returns: the position of the entity that the id names, or nil for an id of another form.
  @discardableResult
  package func setLabel(_ utf8: UnsafeBufferPointer<UInt8>) -> Int? {
    let target = unsafe references.target(utf8, in: layout, numbersAreKeys: options.keepsKeys)
    label = target
    if case .reference(let entity, _) = target { return entity }
    return nil
  }

  /// Says which stored object the record is to change, where ids identify.
  func setLabel(_ id: ManagedObjectID) {
    label = .reference(entity: id.entityIndex, number: id.key)
  }

  /// The position of the entity that an id names, or nil for an id of another form.
  package func entity(ofLabel utf8: UnsafeBufferPointer<UInt8>) -> Int? {
    unsafe references.reference(utf8)?.entity
  }

  /// Links the record to what a reference names.
  package func addLink(_ number: Int, to utf8: UnsafeBufferPointer<UInt8>) {
    if tracksFields { fields.insert(number) }
    let destination = layouts[layout.relationships[layout.properties[number].relationship].destination]
    let target = unsafe references.target(utf8, in: destination, numbersAreKeys: options.keepsKeys)
    links.append(ImportLink(property: number, target: target))
  }

  /// Links the record to a stored object.
  func addLink(_ number: Int, to id: ManagedObjectID) {
    if tracksFields { fields.insert(number) }
    links.append(
      ImportLink(property: number, target: .reference(entity: id.entityIndex, number: id.key)))
  }

  /// Links the record to the object whose attribute has a value, passed as its text.
  package func addLookup(_ number: Int, attribute: Int, text: String) {
    if tracksFields { fields.insert(number) }
    links.append(ImportLink(property: number, target: .lookup(attribute: attribute, text: text)))
  }

  /// Says that the record has no link of a relationship, so that an object that exists loses its own.
  package func clearLinks(_ number: Int) {
    if tracksFields { fields.insert(number) }
    links.append(ImportLink(property: number, target: .nothing))
  }

  /// Forgets the records that wait.
  func removeEntries() {
    entries.removeAll(keepingCapacity: true)
    rejected = [:]
    waiting = []
    batchLabels.removeAll()
    links.removeAll(keepingCapacity: true)
    firstLink = 0
    for index in blocks.indices { blocks[index] = nil }
  }
}
