#if PostgreSQL
import Foundation
import GraphStore
import GraphStorePostgreSQL

/// A store on a server, and beside it a table of the same form for those who work by hand.
final class ServerStore: Sendable {
  /// The table of the store, and the one beside it.
  let table: String
  let floorTable: String
  let address: String
  /// The number of the entity whose rows they hold.
  let entity: Int64
  private let storeAddress: String

  /// Makes the store in a schema of a name, without rows.
  ///
  /// - Parameter address: The address of the database.
  init(_ name: String, address: String, model: String) throws {
    StoreType.registerPostgreSQL()
    self.address = address
    table = "\(name).numbers"
    floorTable = "\(name)_floor.numbers"
    storeAddress = address + (address.contains("?") ? "&" : "?") + "schema=" + name
    let floor = try ServerFloor(address)
    try floor.run(
      "DROP SCHEMA IF EXISTS \(name) CASCADE", "DROP SCHEMA IF EXISTS \(name)_floor CASCADE",
      "CREATE SCHEMA \(name)_floor")
    var options = StoreOptions()
    options.type = .postgreSQL
    try PersistentStoreCoordinator.create(
      storeAt: storeAddress, model: try ManagedObjectModel(contentsOf: model), options: options
    ).close()
    try floor.run("CREATE TABLE \(floorTable) (LIKE \(table) INCLUDING ALL)")
    entity = try floor.integer("SELECT number FROM \(name).graphstore_entities WHERE name = 'Numbers'")
  }

  func open() throws -> PersistentStoreCoordinator {
    var options = StoreOptions()
    options.type = .postgreSQL
    return try PersistentStoreCoordinator.open(
      storeAt: storeAddress, options: options, classes: ProjectStore.classes)
  }

  func floor() throws -> ServerFloor { try ServerFloor(address) }

  /// Gives both tables the same rows, and nothing else.
  func fill(rows: Int64) throws {
    let floor = try floor()
    try floor.run("TRUNCATE \(table), \(floorTable)")
    if rows > 0 { try floor.copy(floorTable, rows: rows, entity: entity) }
    try floor.run(
      "INSERT INTO \(table) SELECT * FROM \(floorTable) ORDER BY object_id",
      "UPDATE \(table.split(separator: ".")[0]).graphstore_entities SET last_key = \(rows) WHERE number = \(entity)",
      "VACUUM ANALYZE \(table)", "VACUUM ANALYZE \(floorTable)")
  }
}
#endif
