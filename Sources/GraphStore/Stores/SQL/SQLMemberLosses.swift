import GraphStoreModel

/// Relationships to which records of a table belong as members, with statements that find the owners of those
/// that are going to be deleted: a save may delete records of which nothing was read.
package struct SQLMemberLosses {
  /// By the number that the statements have for each.
  package private(set) var relationships: [RelationshipDescription] = []
  private var selects: [String] = []
  private let texts: SQLStatements

  /// So many SELECTs every engine joins in one statement.
  private static let mostSelects = 400

  package init(of table: SQLTable, _ texts: SQLStatements) {
    self.texts = texts
    let schema = texts.schema
    for join in schema.joinTables {
      if join.destinationEntity.table === table {
        add(join.relationship, owner: join.source, in: join.name, member: join.destination)
      }
      if join.form == .pair, join.sourceEntity.table === table, let inverse = join.relationship.inverse {
        add(inverse, owner: join.destination, in: join.name, member: join.source)
      }
    }
    for columns in schema.ownerColumns where columns.key.table === table {
      add(columns.relationship, owner: columns.key.name, in: table.name, member: schema.systemColumns.key)
    }
    for entity in schema.entities where entity.table === table {
      for case let toOne as RelationshipDescription in entity.entity.ownProperties {
        guard let inverse = toOne.inverse, inverse.isToMany,
          case .toOne(let key, _, _) = entity.storage(of: toOne)
        else { continue }
        add(inverse, owner: key.name, in: table.name, member: schema.systemColumns.key)
      }
    }
  }

  private mutating func add(
    _ relationship: RelationshipDescription, owner: String, in table: String, member: String
  ) {
    var select = texts.select(
      [.number(Int64(relationships.count)), .column(owner)], from: table, where: member, .list)
    select.isDistinct = true
    select.conditions.append(.isNotNull(.column(owner)))
    selects.append(texts.text(select))
    relationships.append(relationship)
  }

  /// The statements, whose parameter is a list of keys: rows of a relationship's number and an owner's key.
  package var statements: [String] {
    stride(from: 0, to: selects.count, by: Self.mostSelects).map { first in
      selects[first...].prefix(Self.mostSelects).joined(separator: " UNION ALL ")
    }
  }

  /// Owners that lose members, of which the statements have found the keys by the number of a relationship.
  package func formerOwners(
    _ keys: [[Int64]], _ layout: ModelLayout
  ) -> [CommitRecord.FormerOwners] {
    zip(relationships, keys).compactMap { description, keys in
      let owner = layout.entities[description.entity.index]
      guard !keys.isEmpty,
        let relationship = owner.relationships.first(where: { $0.description === description })
      else { return nil }
      return CommitRecord.FormerOwners(relationship: relationship, keys: keys)
    }
  }
}
