#if PostgreSQL
import GraphStore

extension StoreType {
  /// One schema of a database on a PostgreSQL server, which many processes read and write at once.
  ///
  /// The type has to be registered before a store of it is opened; its location is a URL:
  ///
  /// ```swift
  /// StoreType.registerPostgreSQL()
  /// var options = StoreOptions()
  /// options.type = .postgreSQL
  /// let coordinator = PersistentStoreCoordinator(model: model)
  /// try coordinator.addStore(at: "postgresql://db.example.org/company?schema=staff", options: options)
  /// ```
  ///
  /// The user, the password and the encryption of the connection are given in libpq's own ways. A store moves
  /// there and back by ``PersistentStoreCoordinator/migratePersistentStore(_:to:options:type:)`` and by
  /// ``StoreBackup``. Migrations are not there yet, and are refused as such.
  public static let postgreSQL = StoreType(rawValue: "PostgreSQL")

  /// Makes stores of type ``postgreSQL`` known to coordinators.
  public static func registerPostgreSQL() { StoreRegistry.register(PostgreSQLStoreDriver()) }
}
#endif
