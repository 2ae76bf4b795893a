import GraphStoreModel
import GraphStoreSQLite

/// Counts of objects that lose something, by one statement each; the store is only read.
final class SQLiteLossCounter {
  private let path: String
  private let stored: StoredVersion
  private let model: ManagedObjectModel
  private let timeout: Duration
  private var opened: (connection: SQLiteConnection, schema: SQLSchema)?

  init(path: String, stored: StoredVersion, model: ManagedObjectModel, timeout: Duration) throws {
    self.path = path
    self.stored = stored
    self.model = model
    self.timeout = timeout
  }

  /// Closes the file.
  func close() {
    opened?.connection.close()
    opened = nil
  }

  /// The number of objects of an entity, or with a value or a member; nil for what the store does not keep.
  func count(entity name: String, property: String?) throws -> Int? {
    guard let entity = model.entitiesByName[name] else { return nil }
    do {
      let (connection, schema) = try open()
      guard let query = query(entity, property, schema) else { return nil }
      return Int(try connection.int64(query) ?? 0)
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  /// The number of objects: the rows of each entity tree's table, which SQLite counts by the smallest of its
  /// trees.
  func countAll() throws -> Int {
    do {
      let (connection, schema) = try open()
      var count = 0
      for entity in model.entities where entity.superentity == nil {
        let held = schema.entity(entity)
        guard held.isHeld else { continue }
        count += Int(try connection.int64("SELECT count(*) FROM \(held.table.quotedName)") ?? 0)
      }
      return count
    } catch let failure as SQLiteError {
      throw GraphStoreError(failure, path: path)
    }
  }

  private func open() throws -> (connection: SQLiteConnection, schema: SQLSchema) {
    if let opened { return opened }
    let connection = try SQLiteConnection(
      path: path, mode: .reading(path), busyTimeout: timeout)
    let header = try StoreHeader.read(connection).get()
    let schema = try SQLSchema(
      stored.entities(of: model), entityNumbers: header.entityNumbers, existingTables: header.existingTables)
    opened = (connection, schema)
    return (connection, schema)
  }

  private func query(_ entity: EntityDescription, _ name: String?, _ schema: SQLSchema) -> String? {
    let held = schema.entity(entity)
    guard held.isHeld else { return nil }
    let rows = "SELECT count(*) FROM \(held.table.quotedName) WHERE"
    guard let name else { return held.number > 0 ? "\(rows) Z_ENT = \(held.number)" : nil }
    let belongs = "Z_ENT IN \(MigrationText.list(held.familyNumbers))"
    // An element of a composite is reported with its composite.
    guard let property = entity.property(named: String(name.prefix { $0 != "." })) else { return nil }
    switch held.storage(of: property) {
    case .attribute(let column), .toOne(let column, _, _):
      return "\(rows) \(belongs) AND \(column.quotedName) IS NOT NULL"
    case .toManyInverse(let key, _):
      return "SELECT count(DISTINCT \(key.quotedName)) FROM \(key.table.quotedName)"
    case .joinTable(let table, let owner, _, _):
      return "SELECT count(DISTINCT \(SQLName.quoted(owner))) FROM \(table.quotedName)"
    case .none:
      let path = name.split(separator: ".").map(String.init)
      let columns = held.table.columns.filter { column in
        !column.elements.isEmpty && column.property === property
          && column.elements.map(\.name).starts(with: path.dropFirst())
      }
      guard !columns.isEmpty else { return nil }
      let present = columns.map { "\($0.quotedName) IS NOT NULL" }.joined(separator: " OR ")
      return "\(rows) \(belongs) AND (\(present))"
    }
  }
}
