import Foundation
import GraphStoreModel
import GraphStoreSQLite
import GraphStoreTestSupport

@testable import GraphStore

/// A store of the workshop, made through the library, in a folder of its own, and what statements did to it
/// since.
final class RepairStore {
  let folder: TemporaryFolder
  var path: String { folder.file("s.db") }

  /// - Parameter damage: Statements that are run behind the library's back.
  init(_ damage: String = "") throws {
    folder = try TemporaryFolder()
    let coordinator = try PersistentStoreCoordinator.create(
      storeAt: path, model: ManagedObjectModel(RepairModel.definition))
    try Self.fill(ManagedObjectContext(coordinator: coordinator))
    coordinator.close()
    try execute(damage)
  }

  /// Two departments with three employees, one of them a manager, and a contractor, with links of every kind.
  private static func fill(_ context: ManagedObjectContext) throws {
    var objects: [String: ManagedObject] = [:]
    // One save an object, so that keys go by the order in which they are made.
    func make(_ name: String, _ entity: String, _ values: [String: Any]) throws {
      objects[name] = try context.insert(entity, values)
      try context.save()
    }
    func set(_ name: String, _ key: String, _ other: String) throws {
      try objects[name]?.setValue(objects[other], forKey: key)
    }
    func add(_ name: String, _ key: String, _ others: String...) throws {
      for other in others {
        if let other = objects[other] { try objects[name]?.addObjects([other], forKey: key) }
      }
    }
    try make("R", "Department", ["name": "Research"])
    try make("S", "Department", ["name": "Sales"])
    try make("Ada", "Employee", ["name": "Ada", "badge": 1])
    try make("Bob", "Employee", ["name": "Bob", "badge": 2])
    try make("Cyd", "Employee", ["name": "Cyd", "badge": 3])
    try make("Dan", "Manager", ["name": "Dan", "badge": 4])
    try make("Eve", "Contractor", ["name": "Eve", "rate": 1.5])
    try make("a", "Passport", ["number": "PASSPORT-OF-ADA"])
    try make("b", "Passport", ["number": "PASSPORT-OF-BOB"])
    for project in ["P", "Q"] { try make(project, "Project", ["title": project]) }
    try make("K", "Contract", ["year": 2020, "employee": objects["Ada"]!])
    for photo in ["x", "y", "z"] { try make(photo, "Photo", ["name": photo, "image": Data(photo.utf8)]) }
    for desk in ["1", "2"] { try make(desk, "Desk", ["place": desk]) }
    try add("R", "desks", "1", "2")
    try add("R", "employees", "Ada", "Bob", "Cyd")
    try set("S", "head", "Dan")
    try set("Ada", "passport", "a")
    try set("Bob", "passport", "b")
    try set("Ada", "spouse", "Bob")
    try set("Ada", "mentor", "Dan")
    try add("Ada", "projects", "P", "Q")
    try add("Bob", "projects", "P")
    try add("Ada", "friends", "Eve")
    try add("Ada", "route", "Bob", "Eve")
    try add("P", "watchers", "Ada", "Eve")
    try add("P", "reviewers", "Bob")
    try context.save()
  }

  func execute(_ sql: String) throws {
    let raw = try SQLiteConnection(path: path, mode: .readWrite)
    defer { raw.close() }
    try SQLiteDialect.install(on: raw)
    try raw.execute(sql)
  }

  func changeMetadata(_ change: (inout StoreMetadata) -> Void) throws {
    let raw = try SQLiteConnection(path: path, mode: .readWrite)
    defer { raw.close() }
    var metadata = try SQLiteLayout.readMetadata(raw)
    change(&metadata)
    try SQLiteLayout.writeMetadata(raw, metadata)
  }

  /// What the metadata say: their bytes may be in another order.
  func metadata() throws -> StoreMetadata {
    let raw = try SQLiteConnection(path: path, mode: .readWrite)
    defer { raw.close() }
    return try SQLiteLayout.readMetadata(raw)
  }

  func findings() throws -> [StoreCheckFinding] { try StoreCheck.run(path: path).flatMap(\.findings) }

  /// Every cell of every table, by table, key and column; of tables without a key by the whole row.
  func cells(_ file: String? = nil) throws -> [String: String] {
    let raw = try SQLiteConnection(path: file ?? path, mode: .readWrite)
    defer { raw.close() }
    var cells: [String: String] = [:]
    let tables = try Self.texts(
      raw, "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    for table in tables {
      let columns = try Self.texts(raw, "SELECT name FROM pragma_table_info('\(table)')")
      let list = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
      let isPairs =
        columns.first?.hasPrefix("Z_PK") == false && !table.hasPrefix("Z_P") && !table.hasPrefix("Z_M")
      let rows = try raw.prepare("SELECT \(list) FROM \"\(table)\"")
      while try rows.step() {
        let values = columns.indices.map { rows.string(at: $0) ?? "" }
        let key = isPairs ? values.prefix(2).joined(separator: "-") : values.first ?? ""
        for (column, value) in zip(columns, values) { cells["\(table).\(column)#\(key)"] = value }
      }
    }
    return cells
  }

  /// The statements of all tables and indexes, whatever the order in which they were made.
  func schema() throws -> [String] {
    let raw = try SQLiteConnection(path: path, mode: .readWrite)
    defer { raw.close() }
    return try Self.texts(raw, "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY sql")
  }

  private static func texts(_ raw: SQLiteConnection, _ sql: String) throws -> [String] {
    let statement = try raw.prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.string(at: 0) ?? "") }
    return texts
  }

  /// The cells that differ.
  static func difference(_ left: [String: String], _ right: [String: String]) -> Set<String> {
    Set(Set(left.keys).union(right.keys).filter { left[$0] != right[$0] })
  }
}
