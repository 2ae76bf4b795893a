import GraphStoreModel
import GraphStoreSQLite

extension StoreInspector {
  typealias Sample = CheckSample

  /// Counts the rows of a table that fulfil a condition, and names the first by key.
  ///
  /// - Parameters:
  ///   - table: The table; it is called `s` in the other texts.
  ///   - joins: Further tables.
  ///   - condition: What is wrong with a row.
  ///   - other: An expression for ``Sample/others``.
  func sample(_ table: SQLTable, joins: String = "", where condition: String, other: String = "0") throws
    -> Sample
  {
    let sql =
      "SELECT s.Z_PK, s.Z_ENT, \(other), count(*) OVER () FROM \(table.quotedName) AS s \(joins) "
      + "WHERE \(condition) ORDER BY s.Z_PK LIMIT \(StoreCheckFinding.objectLimit)"
    return try sample(sql, root: table.root)
  }

  /// As the other, for a query that returns key, entity number, another key and the count of all rows.
  func sample(_ sql: String, root: SQLEntity) throws -> Sample {
    let statement = try connection.prepare(sql)
    var sample = Sample()
    while try statement.step() {
      sample.objects.append(name(statement.int64(at: 0), number: Int(statement.int64(at: 1)), root: root))
      sample.others.append(statement.int64(at: 2))
      sample.count = Int(statement.int64(at: 3))
    }
    return sample
  }

  /// `Employee/p4`; by the root entity where the number is none of the model's.
  func name(_ key: Int64, number: Int, root: SQLEntity) -> String {
    "\((schema.entity(numbered: number) ?? root).entity.name)/p\(key)"
  }

  /// The names of the first rows of some keys.
  func names(of keys: [Int64], in table: SQLTable) throws -> [String] {
    let statement = try connection.prepare("SELECT Z_ENT FROM \(table.quotedName) WHERE Z_PK = ?1")
    return try keys.prefix(StoreCheckFinding.objectLimit).map { key in
      statement.reset()
      try statement.bind(key, at: 1)
      let number = try statement.step() ? Int(statement.int64(at: 0)) : 0
      return name(key, number: number, root: table.root)
    }
  }

  /// A test that a row belongs to an entity or one below it; nil where the table holds nothing else.
  func belongs(_ alias: String, to entity: SQLEntity) -> String? {
    entity.entity.superentity == nil ? nil : "\(alias).Z_ENT IN (\(list(entity.familyNumbers)))"
  }

  func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

  /// Conditions with AND between; missing ones are left out.
  func all(_ conditions: String?...) -> String { conditions.compactMap { $0 }.joined(separator: " AND ") }

  /// For each condition the number of rows it holds for, all in one pass over the table.
  func counts(_ table: SQLTable, _ conditions: [String]) throws -> [Int] {
    var counts: [Int] = []
    var start = 0
    while start < conditions.count {
      let part = conditions[start..<min(start + 200, conditions.count)]
      start += part.count
      let sums = part.map { "total(\($0))" }.joined(separator: ", ")
      let statement = try connection.prepare("SELECT \(sums) FROM \(table.quotedName) AS s")
      _ = try statement.step()
      counts += part.indices.map { Int(statement.int64(at: $0 - part.startIndex)) }
    }
    return counts
  }

  /// The stored relationships that entities of the schema declare.
  var declaredRelationships: [(entity: SQLEntity, relationship: RelationshipDescription)] {
    schema.entitiesInOrder.flatMap { entity in
      entity.entity.ownProperties.compactMap { property in
        (property as? RelationshipDescription).map { (entity, $0) }
      }
    }
  }
}
