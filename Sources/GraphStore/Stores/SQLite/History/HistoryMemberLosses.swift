import GraphStoreModel
import GraphStoreSQLite

/// Relationships to which records of a table belong as members, with statements that find the owners of those
/// that are going to be deleted: a save may delete records of which nothing was read.
struct HistoryMemberLosses {
  /// By the number that the statements have for each.
  private(set) var relationships: [RelationshipDescription] = []
  private var selects: [String] = []

  /// So many SELECTs one statement of every build of SQLite can join.
  private static let mostSelects = 400

  init(of table: SQLTable, _ schema: SQLSchema) {
    for join in schema.joinTables {
      if join.destinationEntity.table === table {
        add(join.relationship, owner: join.source, in: join.name, member: join.destination)
      }
      if join.form == .pair, join.sourceEntity.table === table, let inverse = join.relationship.inverse {
        add(inverse, owner: join.destination, in: join.name, member: join.source)
      }
    }
    for columns in schema.ownerColumns where columns.key.table === table {
      add(
        columns.relationship, owner: columns.key.name, in: table.name, member: SQLSystemColumns.coreData.key)
    }
    for entity in schema.entities where entity.table === table {
      for case let toOne as RelationshipDescription in entity.entity.ownProperties {
        guard let inverse = toOne.inverse, inverse.isToMany,
          case .toOne(let key, _, _) = entity.storage(of: toOne)
        else { continue }
        add(inverse, owner: key.name, in: table.name, member: SQLSystemColumns.coreData.key)
      }
    }
  }

  private mutating func add(
    _ relationship: RelationshipDescription, owner: String, in table: String, member: String
  ) {
    let (owner, member) = (SQLName.quoted(owner), SQLName.quoted(member))
    selects.append(
      "SELECT DISTINCT \(relationships.count), \(owner) FROM \(SQLName.quoted(table)) "
        + "WHERE \(member) IN (SELECT value FROM json_each(?1)) AND \(owner) IS NOT NULL")
    relationships.append(relationship)
  }

  /// The statements, whose parameter is a list of keys: rows of a relationship's number and an owner's key.
  var statements: [String] {
    stride(from: 0, to: selects.count, by: Self.mostSelects).map { first in
      selects[first...].prefix(Self.mostSelects).joined(separator: " UNION ALL ")
    }
  }
}
