import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Set-based migration: the rows of an old store are copied into the tables of a new one.
///
/// The new store is the connection's database, the old one is attached to it as `old`. How many statements it
/// takes depends on the models and not on the rows (MIG-216); keys, versions, order and external data stay
/// what they are (MIG-217, MIG-219).
struct SQLiteSetBasedMigration {
  let connection: SQLiteConnection
  let entities: MigratedEntities
  let values: MigratedValues
  let references: MigratedReferences

  private var source: SQLSchema { entities.source }
  private var destination: SQLSchema { entities.destination }

  /// - Parameters:
  ///   - hasPrefixes: Whether old values with external storage have their prefix.
  ///   - allowsInexact: Whether numbers are rounded, and of several members of a to-one the first is kept
  ///     (MIG-123).
  init(
    _ connection: SQLiteConnection, from source: SQLSchema, to destination: SQLSchema,
    pairing: any MigrationPairing,
    hasPrefixes: Bool, allowsInexact: Bool
  ) {
    self.connection = connection
    entities = MigratedEntities(source: source, destination: destination, pairing: pairing)
    values = MigratedValues(entities: entities, hasPrefixes: hasPrefixes, allowsInexact: allowsInexact)
    references = MigratedReferences(entities: entities, allowsInexact: allowsInexact)
  }

  /// Fills the tables, which are empty and have no indexes yet.
  ///
  /// - Parameter progress: Called between two statements with the part that is done; what it throws ends the
  ///   migration.
  func copyRows(_ progress: (Double) throws -> Void) throws {
    let groups = entities.groups
    let count = Double(groups.count + destination.joinTables.count + destination.ownerColumns.count + 1)
    var done = 0.0
    for group in groups {
      try progress(done / count)
      try copy(group)
      done += 1
    }
    for table in destination.joinTables {
      try progress(done / count)
      try fill(table)
      done += 1
    }
    for columns in destination.ownerColumns {
      try progress(done / count)
      try fill(columns)
      done += 1
    }
    try setKeyCounters()
    try progress(1)
  }

  // MARK: Tables

  private func copy(_ group: MigratedEntities.Group) throws {
    var text = MigrationText()
    var columns = SQLTable.leadingColumns
    let numbers = group.pairs.map { (number: $0.source.number, text: String($0.destination.number)) }
    var expressions = ["s.Z_PK", MigrationText.byEntity(numbers, among: group.numbers), "s.Z_OPT"]
    for column in group.destination.columns where !column.isOfOwner {
      let expression = expression(column, in: group, &text)
      guard expression != "NULL" else { continue }
      columns.append(column.quotedName)
      expressions.append(expression)
    }
    // The index over entities would return the rows in another order than that of the keys.
    try connection.run(
      """
      INSERT INTO main.\(group.destination.quotedName) (\(columns.joined(separator: ", ")))
      SELECT \(expressions.joined(separator: ", ")) FROM \(MigrationText.old(group.source)) AS s NOT INDEXED
      WHERE s.Z_ENT IN \(MigrationText.list(group.numbers))
      """, text)
  }

  /// The value of a column for all entities of a group that have it.
  func expression(
    _ column: SQLColumn, in group: MigratedEntities.Group, _ text: inout MigrationText
  ) -> String {
    let having = group.pairs.filter { $0.destination.entity.isKind(of: column.entity.entity) }
    let values = having.map { pair in
      (
        number: pair.source.number,
        text: column.attribute == nil
          ? references.expression(column, in: pair) : self.values.expression(column, in: pair, &text)
      )
    }
    return MigrationText.byEntity(values, among: group.numbers)
  }

  // MARK: Tables of pairs

  private func fill(_ table: SQLJoinTable) throws {
    let relationship = table.relationship
    var links = MigratedLinkQueries(entities).query(of: relationship)
    if table.form == .reflexive, let query = links {
      links =
        "SELECT w, k, o, p FROM (\(query)) UNION SELECT k, w, NULL, NULL FROM (\(query)) AS b "
        + "WHERE NOT EXISTS (SELECT 1 FROM (\(query)) AS a WHERE a.w = b.k AND a.k = b.w)"
    }
    guard let links else { return }
    var columns = [table.source, table.destination]
    var expressions = ["l.w", "l.k"]
    if let order = table.sourceOrder {
      columns.append(order)
      expressions.append(Self.place("l.p", among: "l.k", by: "l.w"))
    }
    if let order = table.destinationOrder {
      columns.append(order)
      expressions.append(Self.place("l.o", among: "l.w", by: "l.k"))
    }
    try connection.run(
      """
      INSERT OR IGNORE INTO main.\(table.quotedName) (\(columns.map(SQLName.quoted).joined(separator: ", ")))
      SELECT \(expressions.joined(separator: ", ")) FROM (\(links)) AS l ORDER BY l.w, l.k
      """, MigrationText())
  }

  /// The first of several owners that a member had keeps it; where there could be some, the relationship has
  /// a table of pairs (``MigratedEntities/pairedRelationships``).
  private func fill(_ columns: SQLOwnerColumns) throws {
    guard let links = MigratedLinkQueries(entities).query(of: columns.relationship) else { return }
    let place = Self.place("o", among: "w", by: "k")
    let order = columns.order.map { ", \($0.quotedName) = l.place" } ?? ""
    try connection.run(
      """
      UPDATE main.\(columns.key.table.quotedName) AS t SET \(columns.key.quotedName) = l.w\(order)
      FROM (SELECT w, k, \(place) AS place FROM (SELECT k, min(w) AS w, o FROM (\(links)) GROUP BY k)) AS l
      WHERE t.Z_PK = l.k
      """, MigrationText())
  }

  /// A place that is kept where one is recorded, else assigned in the order of the keys (MIG-083).
  private static func place(_ place: String, among list: String, by key: String) -> String {
    let number = "row_number() OVER (PARTITION BY \(list) ORDER BY \(place) NULLS LAST, \(key))"
    return "coalesce(\(place), \(OrderKeys.first - OrderKeys.step) + \(OrderKeys.step) * \(number))"
  }

  // MARK: Counters

  /// Continues the old store's counters, so that no key is assigned twice.
  private func setKeyCounters() throws {
    for table in destination.tables {
      let roots = entities.groups.filter { $0.destination === table }.map { $0.source.root.namingNumber }
      let counters = roots.map { "SELECT Z_MAX FROM old.Z_PRIMARYKEY WHERE Z_ENT = \($0)" }
      let greatest = (counters + ["SELECT max(Z_PK) FROM main.\(table.quotedName)"]).map {
        "coalesce((\($0)), 0)"
      }
      let value = greatest.count > 1 ? "max(\(greatest.joined(separator: ", ")))" : greatest[0]
      try connection.execute(
        "UPDATE main.Z_PRIMARYKEY SET Z_MAX = \(value) WHERE Z_ENT = \(table.root.namingNumber)")
    }
  }
}
