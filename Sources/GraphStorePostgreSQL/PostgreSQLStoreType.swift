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
  /// ``StoreBackup``. It is migrated as one in a file is: the new store is made in a schema beside the old
  /// one, and takes its place in one transaction, during which others read and wait to write.
  public static let postgreSQL = StoreType(rawValue: "PostgreSQL")

  /// Makes stores of type ``postgreSQL`` known to coordinators.
  public static func registerPostgreSQL() { StoreRegistry.register(PostgreSQLStoreDriver()) }
}
#endif
