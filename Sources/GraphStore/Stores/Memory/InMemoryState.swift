import Foundation
import GraphStoreModel

/// Everything that an in-memory store holds, as a value: a snapshot is a copy, which costs nothing, and a
/// writer copies the pages that change (``SortedPages``).
struct InMemoryState: Sendable {
  /// A link, in the order in which those of one owner are found.
  struct Link: Hashable, Comparable, Sendable {
    let owner: Int64
    let member: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.owner, left.member) < (right.owner, right.member)
    }
  }

  let schema: InMemorySchema
  /// By entity tree.
  private var rows: [SortedPages<Int64, Row>]
  /// The order values of links, by link table.
  private var links: [SortedPages<Link, Int64?>]
  /// By constraint.
  private(set) var claims: [SortedPages<Claim, Bool>]
  var metadata: StoreMetadata {
    didSet { if metadata != oldValue { changeCount += 1 } }
  }
  /// How often something was changed, by which a state is told from the one it was copied from.
  private(set) var changeCount = 0

  init(_ schema: InMemorySchema, _ metadata: StoreMetadata) {
    self.schema = schema
    self.metadata = metadata
    rows = schema.layout.entities.map { _ in SortedPages() }
    links = (0..<schema.linkTableCount).map { _ in SortedPages() }
    claims = (0..<schema.constraintTableCount).map { _ in SortedPages() }
  }

  // MARK: Rows

  func row(_ root: Int, _ key: Int64) -> Row? { rows[root][key] }

  /// The keys of an entity tree, ascending.
  func keys(_ root: Int) -> [Int64] {
    var keys: [Int64] = []
    rows[root].scan { key, _ in
      keys.append(key)
      return true
    }
    return keys
  }

  func rowCount(_ root: Int) -> Int { rows[root].count }

  /// Shows the rows of an entity tree by ascending key, until the body says false.
  func scan(_ root: Int, _ body: (Int64, Row) throws -> Bool) rethrows { try rows[root].scan(body) }

  /// Stores a row, replacing the one that the record had.
  mutating func put(_ row: Row, _ key: Int64) {
    changeCount += 1
    let root = row.layout.rootIndex
    let former = rows[root][key]
    rows[root].put(row, for: key)
    for reference in schema.references[row.layout.index] {
      let (old, new) = (former?.reference(reference.slot)?.key, row.reference(reference.slot)?.key)
      guard old != new else { continue }
      if let old { links[reference.table].remove(Link(owner: old, member: key)) }
      if let new { links[reference.table].put(nil, for: Link(owner: new, member: key)) }
    }
    for constraint in schema.constraints[row.layout.index] {
      let (old, new) = (former?.claim(constraint.properties), row.claim(constraint.properties))
      guard old != new else { continue }
      if let old { claims[constraint.table].remove(Claim(values: old, key: key)) }
      if let new { claims[constraint.table].put(true, for: Claim(values: new, key: key)) }
    }
  }

  /// Takes a row out; links to it stay.
  mutating func remove(_ root: Int, _ key: Int64) {
    guard let row = rows[root].remove(key) else { return }
    changeCount += 1
    for reference in schema.references[row.layout.index] {
      guard let owner = row.reference(reference.slot)?.key else { continue }
      links[reference.table].remove(Link(owner: owner, member: key))
    }
    for constraint in schema.constraints[row.layout.index] {
      guard let values = row.claim(constraint.properties) else { continue }
      claims[constraint.table].remove(Claim(values: values, key: key))
    }
  }

  // MARK: Links

  /// The members of an owner by key, with their order values.
  func members(_ table: Int, of owner: Int64) -> [(member: Int64, order: Int64?)] {
    var found: [(member: Int64, order: Int64?)] = []
    links[table].scan(from: Link(owner: owner, member: .min)) { link, order in
      guard link.owner == owner else { return false }
      found.append((link.member, order))
      return true
    }
    return found
  }

  /// The order value of a link; nil where there is none.
  func order(_ table: Int, owner: Int64, member: Int64) -> Int64? {
    links[table][Link(owner: owner, member: member)] ?? nil
  }

  /// Sets the order value of a link; without a link nothing happens.
  mutating func setOrder(_ order: Int64, _ table: Int, owner: Int64, member: Int64, keepingStored: Bool) {
    let link = Link(owner: owner, member: member)
    guard let stored = links[table][link], stored == nil || !keepingStored else { return }
    changeCount += 1
    links[table].put(order, for: link)
  }

  /// The links of a table, with their order values.
  func allLinks(_ table: Int) -> [Link: Int64?] {
    var found: [Link: Int64?] = [:]
    found.reserveCapacity(links[table].count)
    links[table].scan { link, order in
      found.updateValue(order, forKey: link)
      return true
    }
    return found
  }

  /// Whether there is a link.
  func isLinked(_ table: Int, owner: Int64, member: Int64) -> Bool {
    links[table][Link(owner: owner, member: member)] != nil
  }

  /// Adds a link in both directions, unless it is there.
  mutating func link(_ table: Int, _ mirror: Int, owner: Int64, member: Int64) {
    let link = Link(owner: owner, member: member)
    guard links[table][link] == nil else { return }
    changeCount += 1
    links[table].put(nil, for: link)
    if table != mirror || owner != member { links[mirror].put(nil, for: Link(owner: member, member: owner)) }
  }

  mutating func unlink(_ table: Int, _ mirror: Int, owner: Int64, member: Int64) {
    changeCount += 1
    links[table].remove(Link(owner: owner, member: member))
    links[mirror].remove(Link(owner: member, member: owner))
  }

  /// Removes the links in pairs of a record, from either side.
  mutating func unlinkAll(_ root: Int, _ key: Int64) {
    for pairs in schema.pairs {
      if pairs.ownerRoot == root {
        for (member, _) in members(pairs.table, of: key) {
          unlink(pairs.table, pairs.mirror, owner: key, member: member)
        }
      }
      if pairs.memberRoot == root {
        for (owner, _) in members(pairs.mirror, of: key) {
          unlink(pairs.mirror, pairs.table, owner: key, member: owner)
        }
      }
    }
  }
}
