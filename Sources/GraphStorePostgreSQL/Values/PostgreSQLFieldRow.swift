#if PostgreSQL
import GraphStore
import GraphStoreModel

/// The current row of a statement as requested fields.
final class PostgreSQLFieldRow: FieldRow {
  @safe @exclusivity(unchecked) private var reader: SQLFieldReader<PostgreSQLCursor>

  init(_ reader: SQLFieldReader<PostgreSQLCursor>) { self.reader = reader }

  /// Registers the row that the cursor has stepped to.
  func advance() throws { try reader.advance() }

  var entityName: String { reader.entityName }
  var key: Int64 { reader.key }
  var objectID: ManagedObjectID {
    ManagedObjectID(scope: reader.scope, entityIndex: reader.entityIndex, key: reader.key)
  }

  func visit(_ field: Int, _ visitor: inout some FieldVisitor) { reader.visit(field, &visitor) }
}
#endif
