#if PostgreSQL
import GraphStore
import GraphStoreModel

/// Looks for everything in a store on a server that the library would never have written, as others who write
/// into its tables may have left it.
///
/// Each check is a fixed number of statements over whole tables, all of one snapshot, and none of them
/// writes. One that the server cannot finish is a failure of its own; the others still run.
struct PostgreSQLInspector {
  let session: any PostgreSQLSession & ReadSession
  /// What the database has of the store's tables.
  let catalog: PostgreSQLCatalog
  /// The tables that are there, with all of their columns.
  private let sound: Set<String>

  init(_ session: any PostgreSQLSession & ReadSession) throws {
    self.session = session
    let catalog = try PostgreSQLCatalog(session)
    self.catalog = catalog
    let (schema, system) = (session.schema, session.schema.systemColumns.all)
    let tables = schema.tables.map { ($0.name, system + $0.columns.map(\.name)) }
    let pairs = schema.joinTables.map { ($0.name, $0.columns) }
    sound = Set((tables + pairs).filter { catalog.missing($0.1, in: $0.0)?.isEmpty == true }.map(\.0))
  }

  var store: PostgreSQLStore { session.store }
  var schema: SQLSchema { session.schema }
  var system: SQLSystemColumns { schema.systemColumns }
  func name(_ name: String) -> String { store.dialect.name(name) }
  func table(_ name: String) -> String { store.dialect.tableName(name) }

  func isSound(_ table: SQLTable) -> Bool { sound.contains(table.name) }
  func isSound(_ table: SQLJoinTable) -> Bool { sound.contains(table.name) }

  /// Runs all checks; a quick one leaves out those of rows.
  func run(isQuick: Bool) -> [StoreCheckResult] {
    let results = [
      check("system tables", systemTables), check("model hashes", modelHashes), check("tables", tables),
      check("entity numbers", entityNumbers), check("key counters", keyCounters),
    ]
    guard !isQuick else { return results }
    return results + [
      check("entity tags", entityTags), check("row versions", rowVersions), check("one-to-one", oneToOne),
      check("references", references), check("join rows", joinRows), check("order keys", orderKeys),
      check("required values", requiredValues), check("validation", validation),
      check("uniqueness", uniqueness), check("derived values", derivedValues),
    ]
  }

  private func check(_ name: String, _ body: (String) throws -> [StoreCheckFinding]) -> StoreCheckResult {
    let start = ContinuousClock.now
    var findings: [StoreCheckFinding]
    do { findings = try session.withinCheck { try body(name) } } catch {
      findings = [
        StoreCheckFinding(
          .unfinished, name: name, subject: "the store", count: 1,
          message: "the check cannot be finished: \((error as? GraphStoreError)?.message ?? "\(error)")")
      ]
    }
    return StoreCheckResult(name: name, findings: findings, elapsed: .now - start)
  }

  // MARK: Rows that are found

  /// Counts the rows of a table that fulfil a condition, and names the first by key.
  ///
  /// - Parameters:
  ///   - rows: The table; it is called `s` in the other texts.
  ///   - joins: Further tables.
  ///   - condition: What is wrong with a row.
  ///   - other: An expression for ``CheckSample/others``.
  func sample(_ rows: SQLTable, joins: String = "", where condition: String, other: String = "0") throws
    -> CheckSample
  {
    try sample(
      "SELECT s.\(key), s.\(entity), \(other)::bigint, count(*) OVER () FROM \(table(rows.name)) AS s \(joins) "
        + "WHERE \(condition) ORDER BY s.\(key) LIMIT \(StoreCheckFinding.objectLimit)", root: rows.root)
  }

  /// As the other, for a query that returns key, entity number, another key and the count of all rows.
  func sample(_ sql: String, root: SQLEntity) throws -> CheckSample {
    let cursor = try session.run(sql, [])
    var sample = CheckSample()
    while try cursor.step() {
      let number = Int(cursor.int64(at: 1))
      let entity = schema.entity(numbered: number) ?? root
      sample.objects.append("\(entity.entity.name)/p\(cursor.int64(at: 0))")
      sample.others.append(cursor.int64(at: 2))
      sample.count = Int(cursor.int64(at: 3))
    }
    return sample
  }

  /// The columns of key, entity and version as written in statements.
  var key: String { name(system.key) }
  var entity: String { name(system.entity) }
  var version: String { name(system.version) }

  /// A test that a row belongs to an entity or one below it; nil where the table holds nothing else.
  func belongs(_ alias: String, to entity: SQLEntity) -> String? {
    entity.entity.superentity == nil ? nil : "\(alias).\(self.entity) IN (\(list(entity.familyNumbers)))"
  }

  func list(_ numbers: [Int]) -> String {
    numbers.isEmpty ? "NULL" : numbers.map(String.init).joined(separator: ", ")
  }

  /// Conditions with AND between; missing ones are left out.
  func all(_ conditions: String?...) -> String { conditions.compactMap { $0 }.joined(separator: " AND ") }

  /// The first whole number of a query; 0 where there is none.
  func number(_ sql: String) throws -> Int64 {
    let cursor = try session.run(sql, [])
    return try cursor.step() ? cursor.int64(at: 0) : 0
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

extension PostgreSQLSession {
  /// Runs a body whose failure is taken back, so that what follows it can run.
  func withinCheck<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    connection.precede(with: "SAVEPOINT check_step")
    do { result = try body() } catch {
      if connection.isInTransaction { _ = try? connection.run([.once("ROLLBACK TO SAVEPOINT check_step")]) }
      throw error
    }
    connection.precede(with: "RELEASE SAVEPOINT check_step")
    return result
  }
}
#endif
