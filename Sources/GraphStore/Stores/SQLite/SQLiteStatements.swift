import GraphStoreModel
import Synchronization

/// The texts of the statements by which a store reads rows by key, members, and writes.
final class SQLiteStatements: Sendable {
  private let schema: SQLSchema
  private let layout: ModelLayout
  private let texts = Mutex<[String: String]>([:])

  init(schema: SQLSchema, layout: ModelLayout) {
    self.schema = schema
    self.layout = layout
  }

  private func text(_ name: String, _ make: () -> String) -> String {
    texts.withLock { texts in
      if let text = texts[name] { return text }
      let text = make()
      texts[name] = text
      return text
    }
  }

  // MARK: Rows

  func rowByKey(_ root: EntityLayout) -> String {
    text("row \(root.index)") { select(root) + " WHERE Z_PK = ?1" }
  }

  func rowsByKeys(_ root: EntityLayout) -> String {
    text("rows \(root.index)") { select(root) + " WHERE Z_PK IN (SELECT value FROM json_each(?1))" }
  }

  private func select(_ root: EntityLayout) -> String {
    let columns = rowColumns(root).joined(separator: ", ")
    return "SELECT \(columns) FROM \(schema.entities[root.index].table.quotedName)"
  }

  private func rowColumns(_ root: EntityLayout) -> [String] {
    ["Z_PK", "Z_ENT", "Z_OPT"]
      + schema.entities[root.index].columns(includingSubentities: true).map(\.quotedName)
  }

  // MARK: Members

  /// Owner, key, entity number and order value of the members of a to-many; nil where it is not stored.
  func members(_ relationship: RelationshipLayout, isSingle: Bool) -> String? {
    let storage = schema.entity(relationship.description.entity).storage(of: relationship.description)
    let test = isSingle ? "= ?1" : "IN (SELECT value FROM json_each(?1))"
    switch storage {
    case .toManyInverse(let key, let order):
      // Without a column that only the row has, the index on the owner's key answers alone.
      let entity = soleMemberEntity(relationship) == nil ? "Z_ENT" : "0"
      let sort = ([key.quotedName] + (order.map { [$0.quotedName] } ?? []) + ["Z_PK"]).joined(separator: ", ")
      return "SELECT \(key.quotedName), Z_PK, \(entity), \(order?.quotedName ?? "0")"
        + " FROM \(key.table.quotedName) WHERE \(key.quotedName) \(test) ORDER BY \(sort)"
    case .joinTable(let table, let source, let destination, let order):
      let members = schema.entities[relationship.destination].table.quotedName
      let order = order.map { "j." + SQLName.quoted($0) }
      let (source, destination) = (SQLName.quoted(source), SQLName.quoted(destination))
      let sort = (["j.\(source)"] + (order.map { [$0] } ?? []) + ["d.Z_PK"]).joined(separator: ", ")
      return "SELECT j.\(source), d.Z_PK, d.Z_ENT, \(order ?? "0") FROM \(table.quotedName) AS j"
        + " JOIN \(members) AS d ON d.Z_PK = j.\(destination)"
        + " WHERE j.\(source) \(test) ORDER BY \(sort)"
    case .none, .attribute, .toOne: return nil
    }
  }

  /// The entity of all members of a to-many, by its position in the model; nil where their rows have to tell
  /// theirs.
  func soleMemberEntity(_ relationship: RelationshipLayout) -> Int? {
    let owner = schema.entity(relationship.description.entity)
    guard case .toManyInverse = owner.storage(of: relationship.description) else { return nil }
    let member = schema.entities[relationship.destination]
    return member.sharesTable ? nil : schema.entity(numbered: member.namingNumber)?.entity.index
  }

  /// The rows of the members of a to-many, with two columns behind them: the owner's key and the order value;
  /// nil where the relationship is not stored.
  ///
  /// They come in no order, since links are sorted at a fraction of what rows would cost. A member of several
  /// owners comes once for each.
  func memberRows(_ relationship: RelationshipLayout, _ root: EntityLayout, isSingle: Bool) -> String? {
    let entity = schema.entity(relationship.description.entity)
    let test = isSingle ? "= ?1" : "IN (SELECT value FROM json_each(?1))"
    func select(owner: String, order: String?) -> String {
      let columns = rowColumns(root).map { "d." + $0 } + [owner, order ?? "0"]
      return "SELECT " + columns.joined(separator: ", ")
    }
    switch entity.storage(of: relationship.description) {
    case .toManyInverse(let key, let order):
      let owner = "d." + key.quotedName
      return select(owner: owner, order: order.map { "d." + $0.quotedName })
        + " FROM \(key.table.quotedName) AS d WHERE \(owner) \(test)"
    case .joinTable(let table, let source, let destination, let order):
      let owner = "j." + SQLName.quoted(source)
      return select(owner: owner, order: order.map { "j." + SQLName.quoted($0) })
        + " FROM \(table.quotedName) AS j JOIN \(schema.entities[root.index].table.quotedName) AS d"
        + " ON d.Z_PK = j.\(SQLName.quoted(destination)) WHERE \(owner) \(test)"
    case .none, .attribute, .toOne: return nil
    }
  }

  // MARK: Writing

  /// Inserts rows of an entity; the parameters of each are key, then the columns of ``writtenColumns(_:)``.
  ///
  /// Of several rows those before one that fails stay, so that it can be told which one it was; whoever runs
  /// it takes back the transaction.
  func insert(_ entity: SQLEntity, rows: Int) -> String {
    text("insert \(entity.number) \(rows)") {
      let columns = writtenColumns(entity).map(\.quotedName)
      let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ")
      let values = (["?", "\(entity.number)", "1"] + columns.map { _ in "?" }).joined(separator: ", ")
      let list = [String](repeating: "(\(values))", count: rows).joined(separator: ", ")
      return "INSERT \(rows > 1 ? "OR FAIL " : "")INTO \(entity.table.quotedName) (\(names)) VALUES \(list)"
    }
  }

  /// The columns that a row of an entity has values for: order values are written by themselves, and what
  /// objects do not hold is left alone.
  func writtenColumns(_ entity: SQLEntity) -> [SQLColumn] {
    let layout = layout.entities[entity.entity.index]
    return entity.columns(includingSubentities: false).filter { column in
      column.kind != .orderKey && layout.leaf(of: column).map { $0.slot >= 0 && !$0.isDerived } == true
    }
  }

  /// The versions of rows, by ascending key.
  func versions(_ table: SQLTable) -> String {
    "SELECT Z_PK, Z_OPT FROM \(table.quotedName) WHERE Z_PK IN (SELECT value FROM json_each(?1)) ORDER BY Z_PK"
  }

  /// Raises the versions of rows by one and gives them.
  static func raiseVersions(_ table: SQLTable) -> String {
    "UPDATE \(table.quotedName) SET Z_OPT = Z_OPT + 1 WHERE Z_PK IN (SELECT value FROM json_each(?1))"
      + " RETURNING Z_PK, Z_OPT"
  }

  /// The keys of a list that no row has.
  func missing(_ table: SQLTable) -> String {
    "SELECT value FROM json_each(?1) WHERE value NOT IN (SELECT Z_PK FROM \(table.quotedName))"
  }

  static let reserveKeys = "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ?1 WHERE Z_ENT = ?2 RETURNING Z_MAX"
}

extension EntityLayout {
  /// What has its values in a column.
  func leaf(of column: SQLColumn) -> PropertyLayout? {
    let property = properties[column.property.number]
    guard !column.elements.isEmpty, let composite = property.attribute else { return property }
    return element(at: [composite] + column.elements)
  }
}

/// Keys as ranges of consecutive ones, where those are long, and a list of the others.
///
/// The number of ranges has a limit, so that the statements do not grow with the keys.
struct KeyListRanges {
  static let shortest = 64
  static let most = 64

  private(set) var ranges: [ClosedRange<Int64>] = []
  private(set) var others: [Int64] = []

  /// Takes keys in ascending order.
  init(sorted keys: [Int64]) {
    var start = 0
    while start < keys.count {
      var end = start + 1
      while end < keys.count, keys[end] == keys[end - 1] + 1 { end += 1 }
      if end - start >= Self.shortest, ranges.count < Self.most {
        ranges.append(keys[start]...keys[end - 1])
      } else {
        others += keys[start..<end]
      }
      start = end
    }
  }
}
