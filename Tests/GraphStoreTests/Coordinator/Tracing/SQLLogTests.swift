import Foundation
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// The lines of the SQL log over a small model, word for word (DGN-014).
@Suite("SQL log")
struct SQLLogTests {
  private static let model = ModelDefinition(
    name: "Log",
    entities: [
      EntityDefinition(
        "Team", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("members", to: "Person", inverse: "team", isToMany: true)
        ]),
      EntityDefinition(
        "Person",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("joined", .date),
          AttributeDefinition("photo", .binary),
        ],
        relationships: [RelationshipDefinition("team", to: "Team", inverse: "members")],
        uniquenessConstraints: [["name"]]),
    ])

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  /// Six persons in two teams.
  init() throws {
    stack = try TestStack(Self.model)
    let teams = try ["A", "B"].map { try stack.context.insert("Team", ["name": $0]) }
    for number in 0..<6 {
      _ = try stack.context.insert("Person", ["name": "P\(number)", "team": teams[number % 2]])
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func persons(_ predicate: String? = nil) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Person", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
  }

  private func log(level: Int = 1, _ body: () throws -> Void) throws -> [String] {
    try stack.sqlLog(level: level, body)
  }

  private static let columns = "ZTEAM, ZJOINED, ZNAME, ZPHOTO"

  private func times(_ rows: Int) -> [String] {
    [
      "annotation: sql connection fetch time: T",
      "annotation: total fetch execution time: T for \(rows) rows.",
    ]
  }

  // MARK: Fetching

  @Test(
    "DGN-018, DGN-019, DGN-020 to DGN-022, DGN-024, DGN-025, FET-252: a fetch is its statement and both times"
  )
  func fetch() throws {
    let request = try persons("joined == nil AND photo == nil AND team.name == 'A' AND name > 'P1'")
    let lines = try log { _ = try context.fetch(request) }
    #expect(
      lines == [
        "sql: SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZTEAM, t0.ZJOINED, t0.ZNAME, t0.ZPHOTO FROM ZPERSON AS t0 "
          + "LEFT JOIN ZTEAM AS t1 ON t1.Z_PK = t0.ZTEAM WHERE (t0.ZJOINED IS NULL) AND (t0.ZPHOTO IS NULL) "
          + "AND (t1.ZNAME = ?1) AND (t0.ZNAME > ?2) ORDER BY t0.ZNAME, t0.Z_PK"
      ] + times(2))
    let none = try log { _ = try context.fetch(persons("joined != nil")) }
    #expect(none.count == 3 && none[0].contains("t0.ZJOINED IS NOT NULL"))
    #expect(none.dropFirst() == times(0)[...])
  }

  @Test("DGN-018: the text is the one that SQLite is given")
  func exactText() throws {
    let given = Mutex<[String]>([])
    for store in stack.coordinator.mounts.compactMap({ $0.store as? SQLiteStore }) {
      store.pool.onStatement = { text in given.withLock { $0.append("sql: \(text)") } }
    }
    let lines = try log {
      _ = try context.fetch(persons("name LIKE 'P*'"))
      _ = try context.count(for: persons())
      _ = try context.insert("Team", ["name": "C"])
      try context.save()
    }
    let statements = lines.filter { $0.hasPrefix("sql: ") }
    let texts = given.withLock(\.self)
    #expect(statements == texts && statements.count > 4)
    #expect(StatementText.line("SELECT  a,\n\tb FROM \"x  y\" \n") == "SELECT a, b FROM \"x  y\"")
  }

  @Test("DGN-015: a statement of the log can be asked for its plan by anybody")
  func pasted() throws {
    let lines = try log { _ = try context.fetch(persons("joined == nil AND team.name == 'A'")) }
    let connection = try SQLiteConnection(path: stack.path, mode: .readOnly)
    defer { connection.close() }
    let plan = try connection.string("EXPLAIN QUERY PLAN " + lines[0].dropFirst("sql: ".count))
    #expect(plan != nil)
  }

  @Test("DGN-021: times have four decimals, and the total is never less than that of statements")
  func order() throws {
    let lines = try DiagnosticsTurn.sqlLines(level: 1) { _ = try context.fetch(persons()) }
    let times = try lines.suffix(2).map { line in
      try #require(line.text.firstMatch(of: /time: (\d+\.\d{4})s/).flatMap { Double($0.1) })
    }
    #expect(times.count == 2 && times[0] <= times[1])
  }

  @Test("DGN-023: a count is its statement and one time")
  func count() throws {
    let lines = try log { _ = try context.count(for: persons("name > 'P1'")) }
    #expect(
      lines == [
        "sql: SELECT COUNT(*) FROM ZPERSON AS t0 WHERE t0.ZNAME > ?1",
        "annotation: total count request execution time: T for count of 4.",
      ])
  }

  @Test("DGN-026: a batched fetch is a select of keys, then one select and two times for each batch touched")
  func batches() throws {
    var request = try persons()
    request.fetchBatchSize = 4
    let lines = try log {
      let batched = try context.fetchBatched(request)
      _ = try batched[0].string("name")
      _ = try batched[5].string("name")
    }
    let batch =
      "sql: SELECT Z_PK, Z_ENT, Z_OPT, \(Self.columns) FROM ZPERSON WHERE Z_PK IN (SELECT value FROM json_each(?1))"
    #expect(
      lines == ["sql: SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON AS t0 ORDER BY t0.ZNAME, t0.Z_PK"] + times(6) + [
        batch
      ]
        + times(4) + [batch] + times(2))
  }

  @Test(
    "DGN-028: prefetching is its statement and the key path with its rows; a path has a line for each step")
  func prefetching() throws {
    var request = try persons()
    request.relationshipKeyPathsForPrefetching = ["team.members"]
    let lines = try log { _ = try context.fetch(request) }
    #expect(
      lines == [
        "sql: SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZTEAM, t0.ZJOINED, t0.ZNAME, t0.ZPHOTO FROM ZPERSON AS t0 "
          + "ORDER BY t0.ZNAME, t0.Z_PK",
        "sql: SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZTEAM WHERE Z_PK IN (SELECT value FROM json_each(?1))",
        "annotation: Prefetching with key 'team'.  Got 2 rows.",
        "sql: SELECT Z_PK, Z_ENT, Z_OPT, \(Self.columns), ZTEAM, 0 FROM ZPERSON WHERE ZTEAM IN (SELECT value FROM "
          + "json_each(?1))",
        "annotation: Prefetching with key 'team.members'.  Got 6 rows.",
      ] + times(6))
  }

  // MARK: Faults

  @Test(
    "DGN-029, DGN-030, DGN-032, FLT-174: a fault that reads says so with its object; one that is cached says nothing"
  )
  func objectFault() throws {
    let id = try #require(context.fetchIdentifiers(persons()).first)
    let person = try context.object(with: id)
    let lines = try log { _ = try person.string("name") }
    #expect(
      lines == ["sql: SELECT Z_PK, Z_ENT, Z_OPT, \(Self.columns) FROM ZPERSON WHERE Z_PK = ?1"] + times(1) + [
        "annotation: fault fulfilled from database for : 0x1 <URI/Person/p1>"
      ])
    let cached = try log(level: 4) {
      try context.refresh(person, mergeChanges: false)
      _ = try person.string("name")
      let other = stack.newContext()
      _ = try other.object(with: id).string("name")
    }
    #expect(cached.isEmpty)
    context.reset()
    let existing = try log { _ = try context.existingObject(with: id) }
    #expect(existing == lines)
  }

  @Test("DGN-031, FLT-174: a to-many fault says so with its owner and members")
  func toManyFault() throws {
    let team = try context.fetch(FetchRequest(entityName: "Team"))[0]
    let lines = try log { _ = try team.objects(forKey: "members") }
    #expect(
      lines == ["sql: SELECT ZTEAM, Z_PK, 0, 0 FROM ZPERSON WHERE ZTEAM = ?1 ORDER BY ZTEAM, Z_PK"] + times(3)
        + [
          "annotation: to-many relationship fault \"members\" for objectID 0x1 <URI/Team/p1> fulfilled from database.  "
            + "Got 3 rows"
        ])
    let again = try log { _ = try team.objects(forKey: "members") }
    #expect(again.isEmpty)
  }

  // MARK: What runs elsewhere, and failures

  @Test("DGN-033: what memory evaluates is said once, behind the statement")
  func inMemory() throws {
    let request = try persons("name MATCHES name AND name > 'P0'")
    let lines = try log { _ = try context.fetch(request) }
    #expect(lines.count == 4 && lines[0].contains("WHERE t0.ZNAME > ?1"))
    #expect(lines[1] == "annotation: evaluating in memory: name MATCHES name")
    #expect(lines.suffix(2) == times(5)[...])
  }

  @Test("DGN-034, DGN-039: a statement that fails has SQLite's words behind it, and the save is rolled back")
  func failure() throws {
    _ = try context.insert("Person", ["name": "P0"])
    let lines = try log {
      var failure: (any Error)?
      do { try context.save() } catch { failure = error }
      #expect(failure is GraphStoreError)
    }
    let insert = try #require(lines.firstIndex { $0.hasPrefix("sql: INSERT") })
    #expect(lines[insert + 1] == "error: (2067) UNIQUE constraint failed: ZPERSON.ZNAME")
    #expect(lines.contains("sql: ROLLBACK") && !lines.contains("sql: COMMIT"))
  }

  // MARK: Saving

  @Test(
    "DGN-035, DGN-036, DGN-037, DGN-038, DGN-040, DGN-041: a save from BEGIN to COMMIT, statements that are repeated once"
  )
  func save() throws {
    let people = try context.fetch(persons())
    let team = try context.insert("Team", ["name": "C"])
    for number in 6..<40 { _ = try context.insert("Person", ["name": "P\(number)", "team": team]) }
    for person in people[1...2] { try person.setValue(nil, forKey: "team") }
    try context.delete(people[5])
    let lines = try log(level: 2) { try context.save() }.filter { !$0.hasPrefix("details") }
    let many = (0..<32).map { row in
      "(\((1...5).map { $0 == 1 ? "?\(row * 5 + 1), 1, 1" : "?\(row * 5 + $0)" }.joined(separator: ", ")))"
    }
    let insert = "sql: INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, \(Self.columns)) VALUES "
    #expect(
      lines == [
        "sql: BEGIN IMMEDIATE",
        "sql: UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ?1 WHERE Z_ENT = ?2 RETURNING Z_MAX",
        "annotation: repeated for 2 rows",
        "sql: SELECT Z_PK, Z_OPT FROM ZPERSON WHERE Z_PK IN (SELECT value FROM json_each(?1)) ORDER BY Z_PK",
        "sql: DELETE FROM ZPERSON WHERE Z_PK IN (SELECT value FROM json_each(?1))",
        "sql: UPDATE ZPERSON SET Z_OPT = Z_OPT + 1, ZTEAM = ?1 WHERE (Z_PK = ?2) AND (Z_OPT = ?3)",
        "annotation: repeated for 2 rows",
        "sql: INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?1, 2, 1, ?2)",
        insert.replacing("INSERT INTO", with: "INSERT OR FAIL INTO") + many.joined(separator: ", "),
        "annotation: repeated for 32 rows",
        insert + "(?1, 1, 1, ?2, ?3, ?4, ?5)",
        "annotation: repeated for 2 rows",
        "sql: UPDATE ZTEAM SET Z_OPT = Z_OPT + 1 WHERE Z_PK IN (SELECT value FROM json_each(?1)) "
          + "RETURNING Z_PK, Z_OPT", "annotation: repeated for 2 rows", "sql: COMMIT",
        "annotation: save execution time: T for 35 inserted, 4 updated, 1 deleted.",
      ])
    let nothing = try log(level: 4) { try context.save() }
    #expect(nothing.isEmpty)
    try people[0].setValue("P", forKey: "name")
    let untimed = try log { try context.save() }
    #expect(!untimed.isEmpty && !untimed.contains { $0.contains("save execution time") })
  }

  @Test("DGN-042: a batch request says how many records it has written")
  func batchRequests() throws {
    let insertion = try log {
      try context.execute(
        BatchInsertRequest(entityName: "Person", objects: [["name": "X"], ["name": "Y"]]))
    }
    #expect(insertion.last == "annotation: batch insert of Person affected 2 rows.")
    let update = try log {
      try context.execute(
        BatchUpdateRequest(
          entityName: "Person", propertiesToUpdate: ["photo": Data([1])],
          predicate: QueryPredicate(parsing: "name > 'W'")))
    }
    #expect(update.last == "annotation: batch update of Person affected 2 rows.")
    #expect(!update.contains { $0.contains("repeated") })
    let deletion = try log {
      try context.execute(BatchDeleteRequest(persons("name > 'W'")))
    }
    #expect(deletion.last == "annotation: batch delete of Person affected 2 rows.")
    for lines in [insertion, update, deletion] {
      #expect(lines.contains("sql: BEGIN IMMEDIATE") && lines.contains("sql: COMMIT"), "\(lines)")
    }
  }

  // MARK: Levels

  @Test("DGN-013, DGN-043, DGN-044, DGN-045: from level 2 on the bound values, by their types")
  func values() throws {
    let person = try context.insert("Person", ["name": String(repeating: "a", count: 250) + "\n'"])
    try person.setValue(Data(count: 16), forKey: "photo")
    try person.setValue(Date(timeIntervalSinceReferenceDate: 86_400), forKey: "joined")
    let save = try log(level: 2) { try context.save() }
    let insert = try #require(save.firstIndex { $0.hasPrefix("sql: INSERT") })
    #expect(
      save[(insert + 1)...(insert + 5)] == [
        "details: SQLite bind[0] = (int64)7", "details: SQLite bind[1] = (null)NULL",
        "details: SQLite bind[2] = (timestamp)86400.0 (2001-01-02T00:00:00Z)",
        "details: SQLite bind[3] = (text)'\(String(repeating: "a", count: 200))'… (252 characters)",
        "details: SQLite bind[4] = (blob)16 bytes",
      ])
    let list = try log(level: 2) {
      _ = try context.existingObjects(with: context.fetchIdentifiers(persons()))
    }
    #expect(list.contains("details: SQLite bind[0] = (list)6 values"), "\(list)")
  }

  @Test("DGN-044: a line break in a text is written as its escape, and a quote doubled")
  func escapes() throws {
    let lines = try log(level: 2) { _ = try context.count(for: persons("name == \"it's\\na\"")) }
    #expect(lines[1] == "details: SQLite bind[0] = (text)'it''s\\na'", "\(lines)")
  }

  @Test("DGN-045, DGN-046: from level 3 on the first members of lists, and rows with their objects")
  func rows() throws {
    let joined = Date(timeIntervalSinceReferenceDate: 0.5)
    let person = try #require(context.fetch(persons()).first)
    try person.setValue(joined, forKey: "joined")
    try context.save()
    let lines = try log(level: 3) { _ = try context.fetch(persons("name < 'P1'")) }
    #expect(
      lines[1...2] == [
        "details: SQLite bind[0] = (text)'P1'",
        "details: row[0] = Person/p1 {Z_OPT: 2, ZTEAM: 1, ZJOINED: 0.5 (2001-01-01T00:00:00Z), ZNAME: 'P0', "
          + "ZPHOTO: NULL}",
      ])
    for number in 6..<110 { _ = try context.insert("Person", ["name": "P\(number)"]) }
    try context.save()
    context.reset()
    let many = try log(level: 3) {
      let ids = try context.fetchIdentifiers(persons())
      _ = try context.existingObjects(with: ids)
    }
    #expect(many.count { $0.hasPrefix("details: row[") } == 200)
    #expect(many.count { $0 == "details: 10 more rows" } == 2)
    let list = try #require(many.first { $0.contains("(list)") })
    #expect(list.hasPrefix("details: SQLite bind[0] = (list)110 values: 1, 2, ") && list.hasSuffix(", …"))
    #expect(list.count { $0 == "," } == 20)
  }

  @Test("DGN-047: from level 4 on the plan of each SELECT, which is no statement")
  func plans() throws {
    let before = stack.coordinator.statementCount
    let lines = try log(level: 4) { _ = try context.fetch(persons("name > 'P1' AND team.name == 'A'")) }
    #expect(stack.coordinator.statementCount == before + 1)
    let plan = lines.filter { $0.hasPrefix("details: plan: ") }
    #expect(plan.count >= 2 && lines.prefix(4).contains(plan[0]), "\(lines)")
    #expect(lines.count { $0.hasPrefix("sql: ") } == 1 && !lines.contains { $0.contains("EXPLAIN") })
  }

  @Test("DGN-047: steps below others are indented")
  func indentation() throws {
    let lines = try log(level: 4) {
      _ = try context.fetch(
        FetchRequest(entityName: "Team", predicate: QueryPredicate(parsing: "ANY members.name == 'P1'")))
    }
    #expect(lines.contains { $0.hasPrefix("details: plan:   ") }, "\(lines)")
  }

  @Test(
    "DGN-048, DGN-066, DGN-237: each level adds lines to the one below; results and statements stay the same")
  func levels() throws {
    var logs: [[String]] = []
    var counts: [Int] = []
    for level in 0...4 {
      context.reset()
      let before = stack.coordinator.statementCount
      logs.append(
        try log(level: level) {
          let people = try context.fetch(persons())
          #expect(people.count == 6)
          let name = try people[0].object(forKey: "team")?.string("name")
          #expect(name == "A")
          try people[0].setValue(Data([UInt8(level)]), forKey: "photo")
          try context.save()
        })
      counts.append(stack.coordinator.statementCount - before)
    }
    #expect(logs[0].isEmpty && Set(counts).count == 1, "\(counts)")
    for (lower, higher) in zip(logs, logs.dropFirst()) {
      var rest = higher[...]
      for line in lower.filter({ !$0.contains("bind[") && !$0.contains("row[") }) {
        let found = try #require(rest.firstIndex(of: line), "\(line) in \(higher)")
        rest = rest[(found + 1)...]
      }
      #expect(higher.count > lower.count)
    }
  }

  // MARK: Stores and threads

  @Test("DGN-016, DGN-017: the first connection, others and the end of a store are told with its path")
  func connections() throws {
    let path = stack.path
    let lines = try DiagnosticsTurn.sqlLines(level: 1) {
      let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
      let context = ManagedObjectContext(coordinator: coordinator)
      try context.enumerateFields(persons(), keyPaths: ["name"]) { _ in
        _ = try context.count(for: persons())
      }
      coordinator.close()
      coordinator.close()
    }.map { TestStack.plain($0) }
    #expect(lines.first == "annotation: Connecting to sqlite database file at \"\(path)\"")
    #expect(lines.last == "annotation: Disconnecting from sqlite database at \"\(path)\"")
    #expect(lines.count { $0.contains("onnect") && $0.contains("sqlite database") } == 2)
    #expect(lines.count { $0 == "annotation: Opening connection 2 to \"\(path)\"" } == 1, "\(lines)")
  }

  @Test("DGN-009: lines have their level and their store")
  func parts() throws {
    let lines = try DiagnosticsTurn.sqlLines(level: 4) { _ = try context.count(for: persons("name > 'A'")) }
    #expect(lines.map(\.category) == [.sql, .details, .details, .details, .annotation])
    #expect(lines.map(\.level) == [1, 2, 4, 3, 1])
    let identifier = stack.coordinator.persistentStores[0].identifier.uuidString
    #expect(lines.allSatisfy { $0.storeIdentifier == identifier })
    #expect("\(lines[0])".hasPrefix("GraphStore: sql: SELECT COUNT(*)"))
  }

  @Test("DGN-010, DGN-011: lines of one request stand together, while several threads log")
  func threads() throws {
    let path = stack.folder.appending(path: "log").path
    // Stores of other tests write to the file too: the tables of this one have names that no other has.
    let names = ["Woodwind", "Percussion"]
    let own = try TestStack(
      ModelDefinition.of(
        EntityDefinition(names[0], attributes: []), EntityDefinition(names[1], attributes: [])),
      factory: .sqlite)
    for name in names + names { try own.context.insert(name, [:]) }
    try own.context.save()
    DiagnosticsTurn.alone {
      Diagnostics.file = path
      Diagnostics.sqlLevel = 1
      DispatchQueue.concurrentPerform(iterations: 4) { [coordinator = own.coordinator] number in
        let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
        for _ in 0..<50 {
          context.performAndWait { _ = try? context.count(for: FetchRequest(entityName: names[number % 2])) }
        }
      }
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    try checkTogether(lines, "FROM ZWOODWIND AS t0")
    try checkTogether(lines, "FROM ZPERCUSSION AS t0")
  }

  private func checkTogether(_ lines: [Substring], _ end: String) throws {
    let own = lines.indices.filter { lines[$0].hasSuffix(end) }
    #expect(own.count == 100)
    for index in own {
      #expect(lines[index + 1].hasSuffix("for count of 2."), "\(lines[index...(index + 1)])")
    }
  }

  @Test("DGN-011: a request that takes longer than a second has its first lines written meanwhile")
  func slowRequest() throws {
    let isWritten = try DiagnosticsTurn.alone {
      let written = DispatchSemaphore(value: 0)
      let identifier = stack.coordinator.persistentStores[0].identifier.uuidString
      Diagnostics.sink = { if $0.storeIdentifier == identifier { written.signal() } }
      Diagnostics.sqlLevel = 1
      let request = SQLLogRequest.begin()
      defer { request?.end() }
      _ = try context.count(for: persons())
      return written.wait(timeout: .now() + 30) == .success
    }
    #expect(isWritten)
  }

  @Test("DGN-001, DGN-002: at level 0 nothing is told; levels beyond are cut to the nearest")
  func off() throws {
    let nothing = try log(level: 0) { _ = try context.fetch(persons()) }
    #expect(nothing.isEmpty)
    DiagnosticsTurn.alone {
      Diagnostics.sqlLevel = 9
      #expect(Diagnostics.sqlLevel == 4)
      Diagnostics.sqlLevel = -1
      #expect(Diagnostics.sqlLevel == 0 && SQLLogRequest.begin() == nil)
    }
  }
}
