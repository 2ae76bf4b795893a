#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel

/// The repair of a store on a server within one transaction, one kind of damage after another.
///
/// No other session writes to the store's tables meanwhile. What is changed of a record raises its version,
/// so that contexts which have read it before do not write over it.
final class PostgreSQLRepair {
  let session: PostgreSQLWriteSession
  private(set) var inspector: PostgreSQLInspector
  private(set) var steps: [StoreRepair.Step] = []

  init(_ session: PostgreSQLWriteSession) throws {
    self.session = session
    inspector = try PostgreSQLInspector(session)
    let names = inspector.schema.tables.map(\.name) + inspector.schema.joinTables.map(\.name)
    let present = names.filter { inspector.catalog.columns[$0] != nil }.map(inspector.table)
    if !present.isEmpty {
      try session.run("LOCK TABLE \(present.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE", [])
    }
  }

  /// Mends what can be mended, and says what is left.
  func run() throws -> (steps: [StoreRepair.Step], unrepaired: [StoreRepair.Unrepaired]) {
    for pair in inspector.oneToOnePairs() {
      try mendEnds(pair.back, claimedBy: pair.key, subject: pair.subject)
      if !pair.isOwnInverse { try mendEnds(pair.key, claimedBy: pair.back, subject: pair.subject) }
    }
    try mendReferences()
    try mendReferenceTags()
    try mendLinks()
    try mendOneSidedPairs()
    for order in inspector.orders() { try mendPlaces(order) }
    try mendVersions()
    try mendKeyCounters()
    try mendDerivedValues()
    try mendIndexesAndReferences()
    try beginHistoryAnew()
    let left = try PostgreSQLInspector(session).run(isQuick: false).flatMap(\.findings)
    return (steps, left.map { StoreRepair.Unrepaired($0, $0.damage.advice) })
  }

  // MARK: Steps

  private func note(
    _ check: String, _ subject: String, count: Int, objects: [String] = [], _ message: String
  ) {
    guard count > 0 else { return }
    steps.append(
      StoreRepair.Step(check: check, subject: subject, count: count, objects: objects, message: message))
  }

  /// `1 row`, `2 rows`.
  private static func number(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Sets columns of the rows that fulfil a condition, and raises their versions.
  ///
  /// - Parameters:
  ///   - rows: The table; it is called `s` in the condition.
  ///   - message: What is done, by the number of rows.
  private func update(
    _ rows: SQLTable, check: String, subject: String, where condition: String, set assignments: [String],
    raisesVersions: Bool = true, message: (Int) -> String
  ) throws {
    let sample = try inspector.sample(rows, where: condition)
    guard sample.count > 0 else { return }
    let version = inspector.version
    let raised = raisesVersions ? ["\(version) = s.\(version) + 1"] : []
    try session.run(
      "UPDATE \(inspector.table(rows.name)) AS s SET \((assignments + raised).joined(separator: ", ")) "
        + "WHERE \(condition)", [])
    note(check, subject, count: sample.count, objects: sample.objects, message(sample.count))
  }

  // MARK: Links

  /// Sets missing ends of one-to-one relationships: where a single object refers to the one that lacks its
  /// end, and no other refers to that object in turn.
  private func mendEnds(
    _ end: PostgreSQLInspector.PairEnd, claimedBy other: PostgreSQLInspector.PairEnd, subject: String
  ) throws {
    let (own, key) = (inspector.name(end.column.name), inspector.name(other.column.name))
    let (objects, claimants) = (
      inspector.table(end.column.table.name), inspector.table(other.column.table.name)
    )
    let id = inspector.key
    let claims = "FROM \(claimants) AS c WHERE c.\(key) = s.\(id)"
    let isMissing =
      "(s.\(own) IS NULL OR NOT EXISTS (SELECT 1 FROM \(claimants) AS x WHERE x.\(id) = s.\(own)))"
    let isWanted = inspector.all(
      "1 = (SELECT count(*) \(claims))", inspector.belongs("s", to: end.column.entity))
    let fits = "EXISTS (SELECT 1 \(inspector.all(claims, inspector.belongs("c", to: other.column.entity))))"
    let isContested =
      "EXISTS (SELECT 1 FROM \(claimants) AS c JOIN \(objects) AS o ON o.\(own) = c.\(id) "
      + "WHERE c.\(key) = s.\(id) AND o.\(id) <> s.\(id))"
    var assignments = ["\(own) = (SELECT c.\(id) \(claims))"]
    if let tag = end.tag {
      assignments.append("\(inspector.name(tag.name)) = (SELECT c.\(inspector.entity) \(claims))")
    }
    try update(
      end.column.table, check: "one-to-one", subject: subject,
      where: "\(isMissing) AND \(isWanted) AND \(fits) AND NOT \(isContested)", set: assignments
    ) { "set the other end of \(Self.number($0, "reference"))" }
  }

  /// Sets optional references to objects that are gone to nil, with or without an inverse (REL-306).
  private func mendReferences() throws {
    for (entity, relationship) in inspector.declaredRelationships where relationship.isOptional {
      guard case .toOne(let key, let tag, let order) = entity.storage(of: relationship),
        let condition = inspector.isDangling(key, relationship)
      else { continue }
      try update(
        key.table, check: "references", subject: "\(relationship)", where: condition,
        set: [key, tag, order].compactMap(\.self).map { "\(inspector.name($0.name)) = NULL" }
      ) { "set \(Self.number($0, "reference")) to nil" }
    }
  }

  /// Sets numbers beside references to those of the objects' entities.
  private func mendReferenceTags() throws {
    for (entity, relationship) in inspector.declaredRelationships {
      guard case .toOne(let key, let tag?, _) = entity.storage(of: relationship),
        inspector.isSound(key.table),
        inspector.isSound(inspector.schema.entity(relationship.destination).table)
      else { continue }
      let destination = inspector.schema.entity(relationship.destination)
      let (column, number) = (inspector.name(key.name), inspector.name(tag.name))
      let own =
        "(SELECT d.\(inspector.entity) FROM \(inspector.table(destination.table.name)) AS d "
        + "WHERE d.\(inspector.key) = s.\(column)"
      let fitting = inspector.belongs("d", to: destination).map { " AND \($0)" } ?? ""
      try update(
        key.table, check: "entity tags", subject: "\(relationship)",
        where: "EXISTS \(own)\(fitting) AND d.\(inspector.entity) IS DISTINCT FROM s.\(number))",
        set: ["\(number) = \(own))"]
      ) { "set the entity of \(Self.number($0, "reference"))" }
    }
  }

  /// Removes links to objects that are gone, as the deletion of an object removes its links.
  private func mendLinks() throws {
    for pairs in inspector.schema.joinTables where inspector.isSound(pairs) {
      let sample = try inspector.danglingLinks(of: pairs)
      guard sample.count > 0 else { continue }
      let ends = [(pairs.source, pairs.sourceEntity), (pairs.destination, pairs.destinationEntity)]
      let isGone = ends.filter { inspector.isSound($0.1.table) }.map {
        "(\(inspector.isAbsent($0.1.table, "s.\(inspector.name($0.0))")))"
      }
      let removed = try session.run(
        "DELETE FROM \(inspector.table(pairs.name)) AS s WHERE \(isGone.joined(separator: " OR "))", []
      ).changes
      note(
        "join rows", "\(pairs.relationship)", count: removed, objects: sample.objects,
        "remove \(Self.number(removed, "link"))")
    }
    for columns in inspector.schema.ownerColumns {
      guard let condition = inspector.isOwnerless(columns) else { continue }
      try update(
        columns.key.table, check: "join rows", subject: "\(columns.relationship)", where: condition,
        set: columns.columns.map { "\(inspector.name($0.name)) = NULL" }
      ) { "remove \(Self.number($0, "link"))" }
    }
  }

  /// Adds the second direction to links of relationships that are their own inverse; reading shows it
  /// already.
  private func mendOneSidedPairs() throws {
    for pairs in inspector.schema.joinTables
    where pairs.form == .reflexive && inspector.isSound(pairs)
      && inspector.isSound(pairs.sourceEntity.table)
    {
      let sample = try inspector.oneSidedPairs(of: pairs)
      guard sample.count > 0 else { continue }
      let (source, destination) = (inspector.name(pairs.source), inspector.name(pairs.destination))
      try session.run(
        "INSERT INTO \(inspector.table(pairs.name)) (\(source), \(destination)) "
          + "SELECT j.\(destination), j.\(source) FROM \(inspector.table(pairs.name)) AS j "
          + "JOIN \(inspector.table(pairs.sourceEntity.table.name)) AS s "
          + "ON s.\(inspector.key) = j.\(source) WHERE \(inspector.isOneSided(pairs))", [])
      note(
        "one-to-one", "\(pairs.relationship)", count: sample.count, objects: sample.objects,
        "record \(Self.number(sample.count, "pair")) in the other direction")
    }
  }

  /// Assigns members of an ordered relationship places of their own, in the order in which reading shows
  /// them: by place, those without one first, and by key among equals.
  private func mendPlaces(_ order: PostgreSQLInspector.OrderColumns) throws {
    let (owner, place, member) = (order.owner, order.place, order.member)
    let owners = try session.run(
      "SELECT \(owner) FROM \(order.table) WHERE \(owner) IS NOT NULL "
        + "AND (\(place) IS NULL OR \(inspector.isBeyond(place))) UNION SELECT \(owner) FROM \(order.table) "
        + "WHERE \(owner) IS NOT NULL GROUP BY \(owner), \(place) HAVING count(*) > 1 ORDER BY 1", [])
    var changed: [Int64] = []
    while try owners.step() {
      let key = PostgreSQLParameter(owners.int64(at: 0))
      let cursor = try session.run(
        "SELECT \(member), \(place) FROM \(order.table) WHERE \(owner) = $1 "
          + "ORDER BY \(place) NULLS FIRST, \(member)", [key])
      var (members, places): ([Int64], [Int64?]) = ([], [])
      var last = StoredKey.orders.lowerBound - 1
      while try cursor.step() {
        members.append(cursor.int64(at: 0))
        let found = cursor.int64(at: 1)
        let stays = !cursor.isNull(at: 1) && found > last && StoredKey.orders.contains(found)
        places.append(stays ? found : nil)
        if stays { last = found }
      }
      let mended = zip(members, zip(places, OrderKeys.assign(places))).filter { $1.0 != $1.1 }
      try session.run(
        "UPDATE \(order.table) AS s SET \(place) = given.p FROM unnest($1::bigint[], $2::bigint[]) "
          + "AS given(m, p) WHERE s.\(member) = given.m AND s.\(owner) = $3",
        [
          PostgreSQLParameter(keys: mended.map(\.0)), PostgreSQLParameter(keys: mended.map(\.1.1)), key,
        ])
      changed += mended.map(\.0)
    }
    guard !changed.isEmpty else { return }
    let names = changed.sorted().prefix(StoreCheckFinding.objectLimit).map(String.init)
    let sample = try inspector.sample(
      order.members, where: "s.\(inspector.key) IN (\(names.joined(separator: ", ")))")
    note(
      "order keys", "\(order.relationship)", count: changed.count, objects: sample.objects,
      "give \(Self.number(changed.count, "member")) a place in the order that reading shows")
  }

  // MARK: Numbers and values

  private func mendVersions() throws {
    for rows in inspector.schema.tables where inspector.isSound(rows) {
      try update(
        rows, check: "row versions", subject: rows.root.entity.name, where: inspector.isWithoutVersion,
        set: ["\(inspector.version) = 1"], raisesVersions: false
      ) { "give \(Self.number($0, "row")) the version 1" }
    }
  }

  /// Brings counters to the greatest key of a row.
  private func mendKeyCounters() throws {
    let counter = inspector.schema.keyCounter
    for rows in inspector.schema.tables where inspector.isSound(rows) {
      let (last, greatest) = try inspector.keys(of: rows)
      guard greatest > last || last > StoredKey.keys.upperBound, StoredKey.keys.contains(greatest) else {
        continue
      }
      try session.run(
        "UPDATE \(inspector.table(counter.table)) SET \(inspector.name(counter.last)) = $1 "
          + "WHERE \(inspector.name(counter.entity)) = $2",
        [PostgreSQLParameter(greatest), PostgreSQLParameter(Int64(rows.root.namingNumber))])
      note("key counters", rows.root.entity.name, count: 1, "count on from the key \(greatest)")
    }
  }

  private func mendDerivedValues() throws {
    for (derived, values) in inspector.derivedValues() {
      let changes = try values.changes(keys: nil)
      guard !changes.isEmpty else { continue }
      try values.write(changes)
      note(
        "derived values", "\(derived.attribute)", count: changes.count,
        objects: changes.prefix(StoreCheckFinding.objectLimit).map { "\(derived.entity.name)/p\($0.key)" },
        "compute \(Self.number(changes.count, "value")) anew")
    }
  }

  // MARK: History

  /// Has the history of a store in which something was mended begin anew: it does not say what was, so that
  /// who follows it has to look at the store again.
  private func beginHistoryAnew() throws {
    guard !steps.isEmpty, session.keepsHistory else { return }
    let history = session.store.history
    for statement in history.end + [history.begin] { try session.run(statement, []) }
    note(
      "history", PostgreSQLHistoryTables.names[1], count: 1,
      "the history begins anew: its readers have to look at the store again")
  }

  // MARK: Tables

  /// Makes indexes and foreign keys that are missing, unless rows are against them.
  private func mendIndexesAndReferences() throws {
    for index in try inspector.missingIndexes() {
      try attempt(session.store.dialect.createStatement(index)) {
        note("tables", index.table, count: 1, "make the index \(index.name)")
      }
    }
    for reference in inspector.missingReferences() {
      try attempt(
        "ALTER TABLE \(inspector.table(reference.table)) DROP CONSTRAINT IF EXISTS "
          + inspector.name(reference.name), reference.statement(session.store.dialect)
      ) {
        note("tables", reference.table, count: 1, "make the foreign key \(reference.name)")
      }
    }
  }

  private func attempt(_ statements: String..., note: () -> Void) throws {
    do {
      try session.withinSavepoint { for statement in statements { try session.run(statement, []) } }
      note()
    } catch let error as GraphStoreError {
      guard let failure = error.underlying as? PostgreSQLError, !failure.isConnectionLost else { throw error }
    }
  }
}
#endif
