import GraphStoreModel

/// Builder of the state of a store from the objects of a document: it checks all that a document can get
/// wrong, so that what it has built is as if it had been saved.
struct AtomicStateBuilder: ~Copyable {
  /// Object as a document names it.
  typealias Identifier = (entity: EntityLayout, key: Int64)

  /// The members of a to-many, as listed by the document.
  private struct List {
    let relationship: RelationshipLayout
    let owner: Identifier
    let members: [Identifier]
  }

  /// Names of entities and objects in documents.
  struct Names {
    private let byName: [String: EntityLayout]
    /// The references that keys stand for; nil where documents name the keys.
    private let references: NodeReferenceTable?

    init(_ layout: ModelLayout, _ references: NodeReferenceTable?) {
      byName = Dictionary(uniqueKeysWithValues: layout.entities.map { ($0.entity.name, $0) })
      self.references = references
    }

    func isRoot(_ name: String) -> Bool { byName[name].map { $0.index == $0.rootIndex } ?? false }

    /// The layout of an entity by its name.
    func entity(named name: String) throws(AtomicDocumentFailure) -> EntityLayout {
      guard let layout = byName[name] else {
        throw AtomicDocumentFailure(message: "The model has no entity \"\(name.prefix(80))\".")
      }
      return layout
    }

    func text(_ identifier: Identifier) -> String {
      let entity = identifier.entity.entity
      let reference = references?.reference(of: identifier.key, in: entity.rootEntity.name)
      return "\(entity.name)/p\(reference ?? .integer(identifier.key))"
    }
  }

  /// Whether what a document says of types and limits, beside the values, is held against the model.
  let checksDeclarations: Bool
  private let schema: InMemorySchema
  private let entities: StoredEntities
  let names: Names
  private var state: InMemoryState
  /// By entity tree.
  private var lastKeys: [Int64]
  private var lists: [List] = []
  private var blocks = OpenRowBlocks()

  init(
    _ schema: InMemorySchema, _ metadata: StoreMetadata, holding entities: StoredEntities,
    _ references: NodeReferenceTable? = nil, checksDeclarations: Bool = false
  ) {
    self.schema = schema
    self.checksDeclarations = checksDeclarations
    self.entities = entities
    names = Names(schema.layout, references)
    state = InMemoryState(schema, metadata)
    lastKeys = [Int64](repeating: 0, count: schema.layout.entities.count)
  }

  // MARK: Names

  /// The layout of an entity by its name.
  func entity(named name: String) throws(AtomicDocumentFailure) -> EntityLayout {
    try names.entity(named: name)
  }

  /// The layouts of all entities.
  var layouts: [EntityLayout] { schema.layout.entities }

  /// An identifier in its short form, such as `Employee/p3`.
  func identifier(_ text: String) throws(AtomicDocumentFailure) -> Identifier {
    guard let slash = text.lastIndex(of: "/"), text[slash...].hasPrefix("/p"),
      let key = Int64(text[slash...].dropFirst(2)), String(key) == text[slash...].dropFirst(2)
    else {
      throw AtomicDocumentFailure(message: "\"\(text.prefix(80))\" is no identifier, such as Employee/p3.")
    }
    return (try entity(named: String(text[..<slash])), try Self.checked(key))
  }

  static func checked(_ key: Int64) throws(AtomicDocumentFailure) -> Int64 {
    guard StoredKey.keys.contains(key) else {
      let (first, last) = (StoredKey.keys.lowerBound, StoredKey.keys.upperBound)
      throw AtomicDocumentFailure(message: "\(key) is no key: keys go from \(first) to \(last).")
    }
    return key
  }

  private func text(_ identifier: Identifier) -> String { names.text(identifier) }

  // MARK: Objects

  /// Begins an object: its values are nil until they are filled in.
  mutating func begin(_ object: Identifier, version: Int64) throws(AtomicDocumentFailure) -> Row {
    let entity = object.entity
    guard !entity.entity.isAbstract, entities.contains(entity.entity) else {
      throw AtomicDocumentFailure(message: "The store holds no objects of \(entity.entity.name).")
    }
    guard StoredKey.versions.contains(version) else {
      throw AtomicDocumentFailure(
        message: "\(text(object)) has the version \(version), which no number of changes reaches.")
    }
    let block = blocks.roomyBlock(entity)
    return Row(block: block, index: block.appendRow(version: version))
  }

  /// Takes an object whose values and references are all set.
  mutating func end(_ row: Row, _ object: Identifier) throws(AtomicDocumentFailure) {
    guard state.row(object.entity.rootIndex, object.key) == nil else {
      throw AtomicDocumentFailure(message: "There are two objects with the identifier \(text(object)).")
    }
    state.put(row, object.key)
    lastKeys[object.entity.rootIndex] = max(lastKeys[object.entity.rootIndex], object.key)
  }

  // MARK: Links

  /// Sets what a to-one leads to.
  func refer(_ row: Row, by property: PropertyLayout, to destination: Identifier) {
    let reference = PackedReference(entity: destination.entity.index, key: destination.key)
    row.block.setWord(row.index, property.slot, reference.bits)
  }

  /// Takes the members of a to-many, in their order where it has one; all of them, if any are given.
  mutating func list(_ members: [Identifier], by relationship: RelationshipLayout, of owner: Identifier) {
    lists.append(List(relationship: relationship, owner: owner, members: members))
  }

  /// Takes the highest key that objects of an entity tree have had.
  mutating func setHighestKey(_ key: Int64, ofTreeNamed name: String) throws(AtomicDocumentFailure) {
    let entity = try entity(named: name)
    guard entity.index == entity.rootIndex, key == 0 || StoredKey.keys.contains(key) else {
      throw AtomicDocumentFailure(message: "The highest key of \(entity.entity.name) cannot be \(key).")
    }
    lastKeys[entity.index] = max(lastKeys[entity.index], key)
  }

  /// Takes the highest key of a document that has one counter for all entity trees.
  mutating func setHighestKey(ofAllTrees key: Int64) {
    for root in layouts where root.index == root.rootIndex {
      lastKeys[root.index] = max(lastKeys[root.index], key)
    }
  }

  // MARK: Ending

  /// The state, once all objects were taken.
  mutating func finish() throws(AtomicDocumentFailure) -> (state: InMemoryState, lastKeys: [Int64]) {
    for list in lists { try link(list) }
    for list in lists { try checkIsWhole(list) }
    for root in layouts where root.index == root.rootIndex { try checkReferences(root.index) }
    return (state, lastKeys)
  }

  private mutating func link(_ list: List) throws(AtomicDocumentFailure) {
    guard let links = schema.links(of: list.relationship.description) else { return }
    var seen: Set<Int64> = []
    var order = OrderKeys.first
    for member in list.members {
      guard seen.insert(member.key).inserted else {
        throw failure(list, "names \(text(member)) twice")
      }
      try check(member, by: list.relationship, of: list.owner)
      let table: Int
      switch links {
      case .references(let index):
        guard state.isLinked(index, owner: list.owner.key, member: member.key) else {
          throw failure(list, "names \(text(member)), which does not refer back to it")
        }
        table = index
      case .pairs(let pairs, let mirror):
        state.link(pairs, mirror, owner: list.owner.key, member: member.key)
        table = pairs
      }
      guard list.relationship.isOrdered else { continue }
      state.setOrder(order, table, owner: list.owner.key, member: member.key, keepingStored: false)
      order += OrderKeys.step
    }
  }

  /// Makes sure that no other end names a member that a list does not have.
  private func checkIsWhole(_ list: List) throws(AtomicDocumentFailure) {
    let table: Int
    switch schema.links(of: list.relationship.description) {
    case .references(let index): table = index
    case .pairs(let pairs, _): table = pairs
    case nil: return
    }
    guard state.members(table, of: list.owner.key).count != list.members.count else { return }
    throw failure(list, "lacks objects that name it at the other end")
  }

  private func failure(_ list: List, _ problem: String) -> AtomicDocumentFailure {
    failure(list.owner, list.relationship, problem)
  }

  private func failure(
    _ owner: Identifier, _ relationship: RelationshipLayout, _ problem: String
  ) -> AtomicDocumentFailure {
    let name = relationship.description.name
    return AtomicDocumentFailure(
      message: "\(text(owner)).\(name) \(problem).",
      subject: AtomicDocumentFailure.Subject(object: owner, property: name))
  }

  private func checkReferences(_ root: Int) throws(AtomicDocumentFailure) {
    var failure: AtomicDocumentFailure?
    state.scan(root) { key, row in
      for relationship in row.layout.relationships where !relationship.isToMany && relationship.isPersistent {
        guard let reference = row.reference(relationship.slot) else { continue }
        let destination = (schema.layout.entities[reference.entity], reference.key)
        do throws(AtomicDocumentFailure) {
          try check(destination, by: relationship, of: (row.layout, key))
          try checkPair(destination, relationship, of: (row.layout, key))
        } catch {
          failure = error
        }
      }
      return failure == nil
    }
    if let failure { throw failure }
  }

  /// Makes sure that what a link leads to is there, and is of an entity that it leads to.
  private func check(
    _ destination: Identifier, by relationship: RelationshipLayout, of owner: Identifier
  ) throws(AtomicDocumentFailure) {
    guard relationship.leads(to: destination.entity) else {
      throw failure(
        owner, relationship, "names \(text(destination)), to whose entity it does not lead")
    }
    let row = state.row(destination.entity.rootIndex, destination.key)
    guard row.map({ $0.layout === destination.entity }) ?? relationship.mayDangle else {
      throw failure(owner, relationship, "names \(text(destination)), which is not there")
    }
  }

  /// Makes sure that both ends of a one-to-one name each other.
  private func checkPair(
    _ destination: Identifier, _ relationship: RelationshipLayout, of owner: Identifier
  ) throws(AtomicDocumentFailure) {
    guard relationship.isOneToOne, relationship.inverse >= 0,
      let other = state.row(destination.entity.rootIndex, destination.key)
    else { return }
    let back = other.reference(other.layout.relationships[relationship.inverse].slot)
    guard back?.key != owner.key else { return }
    throw failure(
      owner, relationship, "names \(text(destination)), which does not name it in return")
  }
}

extension RelationshipLayout {
  /// Whether what a to-one leads to may be deleted without anything being done about the link.
  var mayDangle: Bool {
    !isToMany && (inverseDescription.map { $0.deleteRule == .noAction } ?? true)
  }
}
