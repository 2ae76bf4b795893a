import GraphStoreModel
import GraphStoreSQLite

extension SQLiteWriteSession {
  func reserveKeys(_ root: EntityLayout, count: Int) throws -> Int64 {
    var last: Int64 = 0
    let number = schema.entities[root.index].namingNumber
    try run(statements.reserveKeys, [.integer(Int64(count)), .integer(Int64(number))]) { statement in
      while try statement.step() { last = statement.int64(at: 0) }
    }
    guard last >= Int64(count), PackedReference.keyRange.contains(last) else {
      throw GraphStoreError(
        .storeCorrupt, "\(path) has no usable key counter for \(root.entity.name).",
        remedy: "Check the store, and restore a backup.", entity: root.entity.name)
    }
    return last - Int64(count) + 1
  }

  func performingSteps<Result>(_ body: () throws -> Result) throws -> Result {
    let logged = SQLLogRequest.begin()
    defer { logged?.end() }
    return try reporting(body)
  }

  func prepare(_ save: SaveRequest) throws {
    externalData?.copies = save.isCopy
    try prepareExternalData(save)
    try history?.prepare(save)
  }

  func recordHistory(of record: CommitRecord) throws -> CommitRecord.HistoryTransaction? {
    try reporting { try history?.record(record) }
  }

  var keepsHistory: Bool { history != nil }

  func deleter(_ deletion: SaveRequest.Deletion) -> SQLiteDeleteWriter { SQLiteDeleteWriter(self, deletion) }

  func update(_ save: SaveRequest) throws -> [RowConflict] { try SQLiteUpdateWriter(self, save).run() }

  /// The unique indexes have said it already.
  func checkConstraints(ofUpdatesIn save: SaveRequest) {}

  func insert(_ save: SaveRequest) throws { try SQLiteInsertWriter(self, save).run() }

  func write(_ change: SaveRequest.OrderChange) throws {
    guard
      let storage = SQLiteOrderStorage(self, change.relationship.description, owner: change.owner)
    else { return }
    try OrderWriter(storage, change).run()
  }

  /// One statement.
  func raiseVersions(_ root: Int, _ keys: [Int64]) throws -> [RecordVersion] {
    var versions: [RecordVersion] = []
    let sql = statements.raiseVersions(schema.entities[root].table)
    try run(sql, [.text(Self.list(keys))]) { statement in
      while try statement.step() {
        versions.append(
          RecordVersion(root: root, key: statement.int64(at: 0), version: statement.int64(at: 1)))
      }
    }
    return versions
  }

  // MARK: Links

  /// One statement.
  func missingRecord(_ root: Int, among keys: Set<Int64>) throws -> Int64? {
    var missing: Int64?
    try run(statements.missing(schema.entities[root].table), [.text(Self.list(keys))]) { statement in
      if try statement.step() { missing = statement.int64(at: 0) }
    }
    return missing
  }

  func write(_ links: [SaveRequest.LinkChange]) throws {
    for link in links {
      switch storage(of: link.relationship.description) {
      case .joinTable(let table, let source, let destination, _):
        let isReflexive = link.relationship.inverseDescription === link.relationship.description
        try eachLink(
          statements.deletePair(from: table.name, source, destination), owner: link.owner,
          members: link.removed, isReflexive: isReflexive)
        try eachLink(
          statements.insertPair(into: table.name, source, destination), owner: link.owner,
          members: link.added, isReflexive: isReflexive)
      case .toManyInverse(let key, let order): try writeOwner(link, key: key, order: order)
      case .none, .attribute, .toOne: continue
      }
    }
  }

  /// Writes whose members rows are (STO-255): a new member leaves the owner that it had, and one that has
  /// another owner already stays there.
  private func writeOwner(_ link: SaveRequest.LinkChange, key: SQLColumn, order: SQLColumn?) throws {
    if let history, !link.added.isEmpty {
      let parameters: [SQLBinding] = [.integer(link.owner), .text(Self.list(link.added))]
      var owners: [Int64] = []
      try run(statements.formerOwners(key), parameters) { statement in
        while try statement.step() { owners.append(statement.int64(at: 0)) }
      }
      history.noteFormerOwners(owners, of: link.relationship)
    }
    try eachLink(
      statements.removeMember(owner: key, order: order), owner: link.owner, members: link.removed,
      isReflexive: false)
    try eachLink(
      statements.addMember(owner: key, order: order), owner: link.owner, members: link.added,
      isReflexive: false)
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
