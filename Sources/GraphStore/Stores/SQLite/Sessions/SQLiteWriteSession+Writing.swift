import GraphStoreModel
import GraphStoreSQLite

extension SQLiteWriteSession {
  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64 {
    var last: Int64 = 0
    let number = schema.entities[root.index].namingNumber
    try run(SQLiteStatements.reserveKeys, [.integer(Int64(count)), .integer(Int64(number))]) { statement in
      while try statement.step() { last = statement.int64(at: 0) }
    }
    guard last >= Int64(count), PackedReference.keyRange.contains(last) else {
      throw GraphStoreError(
        .storeCorrupt, "\(path) has no usable key counter for \(root.entity.name).",
        remedy: "Run graphstore check, and restore a backup.", entity: root.entity.name)
    }
    return last - Int64(count) + 1
  }

  /// Deletions come first, so that what they free can be used; links and order follow the rows that they
  /// name.
  ///
  /// Phantoms are looked for once all rows are written: whatever then still refers to a deleted record was
  /// added by another writer. Tables of pairs are cleared after that, since they tell which links there are.
  func write(
    _ save: SaveRequest, phantoms: (SaveRequest.PhantomCheck, [LinkRow]) throws -> Void
  ) throws -> WrittenValues {
    try reporting {
      let tracker = DerivedValueTracker(save, layout)
      try tracker?.recordOwners(self)
      try prepareExternalData(save)
      let deletions = save.deletions.map { SQLiteDeleteWriter(self, $0) }
      var conflicts = try conflicts(ofLocked: save.locked)
      for deletion in deletions { conflicts += try deletion.deleteRows() }
      conflicts += try SQLiteUpdateWriter(self, save).run()
      if !conflicts.isEmpty { throw RowConflicts(conflicts: conflicts) }
      try SQLiteInsertWriter(self, save).run()
      try checkDestinations(save)
      for check in save.phantomChecks { try resolvePhantoms(of: check, tracker: tracker, phantoms) }
      for deletion in deletions { try deletion.deleteLinks() }
      try writeLinks(save.links)
      for change in save.orders { try writeOrder(change) }
      let versions = try raiseVersions(save.touched)
      return try WrittenValues(versions: versions, derived: computeDerivedValues(tracker))
    }
  }

  private func writeOrder(_ change: SaveRequest.OrderChange) throws {
    let relationship = change.relationship.description
    guard let storage = SQLiteOrderStorage(self, relationship, owner: change.owner) else { return }
    try OrderWriter(storage, change).run()
  }

  /// Raises the versions of records of which nothing else changes, with one statement an entity tree.
  private func raiseVersions(_ touched: [Int: [Int64]]) throws -> [RecordVersion] {
    var versions: [RecordVersion] = []
    for (root, keys) in touched.sorted(by: { $0.key < $1.key }) {
      let sql = SQLiteStatements.raiseVersions(schema.entities[root].table)
      try run(sql, [.text(Self.list(keys))]) { statement in
        while try statement.step() {
          versions.append(
            RecordVersion(root: root, key: statement.int64(at: 0), version: statement.int64(at: 1)))
        }
      }
    }
    return versions
  }

  // MARK: Links

  /// A link from or to a record that another writer has deleted is refused; one statement an entity tree
  /// (REL-320).
  private func checkDestinations(_ save: SaveRequest) throws {
    for (root, keys) in save.linkedRecords(layout) {
      let table = schema.entities[root].table
      try run(statements.missing(table), [.text(Self.list(keys))]) { statement in
        if try statement.step() { throw missingDestination(root: root, key: statement.int64(at: 0)) }
      }
    }
  }

  private func writeLinks(_ links: [SaveRequest.LinkChange]) throws {
    for link in links {
      switch storage(of: link.relationship.description) {
      case .joinTable(let table, let source, let destination, _):
        let (first, second) = (SQLName.quoted(source), SQLName.quoted(destination))
        let name = table.quotedName
        let isReflexive = link.relationship.inverseDescription === link.relationship.description
        try eachLink(
          "DELETE FROM \(name) WHERE \(first) = ?1 AND \(second) = ?2", owner: link.owner,
          members: link.removed, isReflexive: isReflexive)
        try eachLink(
          "INSERT OR IGNORE INTO \(name) (\(first), \(second)) VALUES (?1, ?2)", owner: link.owner,
          members: link.added, isReflexive: isReflexive)
      case .toManyInverse(let key, let order): try writeOwner(link, key: key, order: order)
      case .none, .attribute, .toOne: continue
      }
    }
  }

  /// Writes whose members rows are (STO-255): a new member leaves the owner that it had, and one that has
  /// another owner already stays there.
  private func writeOwner(_ link: SaveRequest.LinkChange, key: SQLColumn, order: SQLColumn?) throws {
    let (table, owner) = (key.table.quotedName, key.quotedName)
    let place = order.map { ", \($0.quotedName) = NULL" } ?? ""
    try eachLink(
      "UPDATE \(table) SET \(owner) = NULL\(place) WHERE Z_PK = ?2 AND \(owner) = ?1", owner: link.owner,
      members: link.removed, isReflexive: false)
    try eachLink(
      "UPDATE \(table) SET \(owner) = ?1\(place) WHERE Z_PK = ?2 AND \(owner) IS NOT ?1", owner: link.owner,
      members: link.added, isReflexive: false)
  }

  private func eachLink(_ sql: String, owner: Int64, members: [Int64], isReflexive: Bool) throws {
    guard !members.isEmpty else { return }
    try connection.withStatement(sql) { statement in
      for member in members {
        try statement.bind(owner, at: 1)
        try statement.bind(member, at: 2)
        try statement.run()
        guard isReflexive, member != owner else { continue }
        try statement.bind(member, at: 1)
        try statement.bind(owner, at: 2)
        try statement.run()
      }
    }
  }
}
