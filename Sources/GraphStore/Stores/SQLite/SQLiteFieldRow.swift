import GraphStoreModel
import GraphStoreSQLite

/// The current row of a statement as requested fields.
///
/// It is no generic class, whose members called as a ``FieldRow`` would not be specialised.
final class SQLiteFieldRow: FieldRow {
  // Looked at in every row: a check of exclusivity would cost more than looking.
  @safe @exclusivity(unchecked) private var reader: SQLFieldReader<SQLiteStatement>

  init(
    statement: SQLiteStatement, fields: [SQLField], store: SQLiteStore, table: SQLTable, isRecord: Bool,
    connection: SQLiteConnection
  ) {
    let recordEntities = SQLiteRecordEntities(connection: connection, statements: store.statements)
    reader = SQLFieldReader(
      statement, fields, of: table, in: store.schema, store.scope, isRecord: isRecord,
      externalStorage: store.externalStorage, externalDataFolder: store.externalDataFolder
    ) {
      recordEntities.entity(of: $0, near: $1)
    }
  }

  /// Registers the row that the statement has stepped to.
  func advance() throws { try reader.advance() }

  /// Makes sure that every value that was visited is of its attribute's type.
  ///
  /// - Throws: `store-corrupt`.
  func checkVisited() throws { try reader.checkVisited() }

  var entityName: String { reader.entityName }
  var key: Int64 { reader.key }
  var objectID: ManagedObjectID {
    ManagedObjectID(scope: reader.scope, entityIndex: reader.entityIndex, key: reader.key)
  }

  func visit(_ field: Int, _ visitor: inout some FieldVisitor) { reader.visit(field, &visitor) }
}
