#if PostgreSQL
import Foundation

@testable import GraphStore
@testable import GraphStorePostgreSQL

extension StoreFactory {
  /// Stores in schemas of the database that `GRAPHSTORE_TEST_POSTGRESQL` names; none where it names none.
  static let servers =
    ProcessInfo.processInfo.environment["GRAPHSTORE_TEST_POSTGRESQL"].flatMap { base in
      base.isEmpty ? nil : [postgreSQL(base)]
    } ?? []

  private static func postgreSQL(_ base: String) -> StoreFactory {
    StoreType.registerPostgreSQL()
    var options = StoreOptions()
    options.type = .postgreSQL
    let opening = options
    return StoreFactory(
      description: "PostgreSQL", lacks: [.files, .statements, .ascendingKeys, .everyCharacter],
      make: { try .create(storeAt: address($0, base), model: $1, options: opening, classes: $2) },
      reopen: { try .open(storeAt: address($0.path, base), options: opening) },
      removeRow: { stack, id in
        guard let store = stack.coordinator.firstStore as? PostgreSQLStore else { return }
        let table = store.dialect.tableName(store.schema.entity(id.entity).table.name)
        try store.withConnection { connection in
          // Foreign keys are not looked at.
          connection.precede(with: "SET session_replication_role TO replica")
          try connection.run([
            .once("DELETE FROM \(table) WHERE object_id = \(id.key)"),
            .once("SET session_replication_role TO DEFAULT"),
          ])
        }
      },
      discard: { path in
        try? PostgreSQLStoreDriver().destroy(address(path, base), isForced: true, timeout: .seconds(5))
      })
  }

  /// The schema of a path that stands for a store.
  private static func address(_ path: String, _ base: String) -> String {
    let folder = path.split(separator: "/").dropLast().last.map(String.init) ?? path
    let schema = folder.replacing("graphstore-", with: "t").replacing("-", with: "").lowercased()
    return base + (base.contains("?") ? "&" : "?") + "schema=\(schema)"
  }
}
#else
extension StoreFactory {
  static let servers: [StoreFactory] = []
}
#endif
