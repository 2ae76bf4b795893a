import Foundation
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite struct StoreInspectorTests {
  /// Two departments, three employees and a manager, a contractor, two projects, two passports: nothing
  /// wrong.
  private static let sound = """
    INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZHEAD) VALUES (1, 1, 1, 'R', 4), (2, 1, 1, 'S', NULL);
    INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZHOLDER, Z3_HOLDER, ZCODE) VALUES
      (1, 2, 1, 'a', 1, 5, x'00112233445566778899AABBCCDDEEFF'), (2, 2, 1, 'b', 2, 5, NULL);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPASSPORT, ZBADGE, ZDEPARTMENT1, Z_FOK_DEPARTMENT1, ZMANAGER,
        Z3_MANAGER, ZHEADS, ZSALARY1) VALUES
      (1, 5, 1, 'Ada', 1, 10, 1, 2048, 4, 6, NULL, 12.5), (2, 5, 1, 'Bob', 2, 11, 1, 3072, 4, 6, NULL, x'31'),
      (3, 5, 1, 'Cyd', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3), (4, 6, 1, 'Dan', NULL, NULL, 2, 2048, NULL, NULL, 1, NULL);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZDEPARTMENT, ZSALARY) VALUES (5, 4, 1, 'Eve', 1, 1.5);
    INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT) VALUES (1, 7, 1), (2, 7, 1);
    INSERT INTO Z_5PROJECTS VALUES (1, 1, 2048, 2048), (1, 2, 2048, 3072), (2, 1, 3072, 2048);
    INSERT INTO Z_3FRIENDS VALUES (1, 2), (2, 1);
    INSERT INTO Z_7BLOCKEDBY VALUES (1, 2);
    UPDATE ZPERSON SET Z7WATCHERS = 1 WHERE Z_PK = 5;
    UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT IN (1, 2, 7);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_ENT = 3;
    """

  private func results(_ damage: String, isQuick: Bool = false) throws -> [StoreCheckResult] {
    let folder = try LayoutFolder()
    try folder.makeStore("s") { try $0.execute(Self.sound + damage) }
    let before = try folder.state()
    let connection = try SQLiteConnection(path: folder.file("s"), mode: .immutable)
    let metadata = try SQLiteLayout.readMetadata(connection)
    var checker = StoreInspector(
      connection: connection, path: "s", schema: SQLSchema(model: try LayoutModels.company()),
      metadata: metadata,
      isQuick: isQuick)
    let results = try checker.run()
    #expect(!connection.isInTransaction)
    connection.close()
    #expect(try folder.state() == before)
    return results
  }

  /// All findings as text, after `damage`.
  private func findings(_ damage: String) throws -> [String] {
    try results(damage).flatMap(\.findings).map { finding in
      ([finding.name, finding.subject, String(finding.count), finding.message]
        + (finding.objects.isEmpty ? [] : [finding.objects.joined(separator: " ")])).joined(separator: " | ")
    }
  }

  @Test("DGN-106: a sound store passes every check, in the order of the list")
  func sound() throws {
    let results = try results("")
    #expect(results.flatMap(\.findings) == [])
    #expect(
      results.map(\.name) == [
        "sqlite integrity", "system tables", "model hashes", "tables", "entity numbers", "key counters",
        "entity tags", "row versions", "one-to-one", "references", "join rows", "order keys",
        "required values",
        "values", "validation", "uniqueness", "external data", "derived values",
      ])
    #expect(results.allSatisfy { $0.isOK && $0.elapsed >= .zero })
  }

  @Test("DGN-107: a quick check leaves out the passes over rows")
  func quick() throws {
    let results = try results("UPDATE ZPERSON SET ZNAME = NULL", isQuick: true)
    #expect(results.count == 6)
    #expect(results.allSatisfy { $0.isOK })
  }

  @Test(
    "STO-288, STO-229: each kind of damage is found, with what it concerns and the objects",
    arguments: [
      (
        "UPDATE ZPERSON SET ZDEPARTMENT1 = 77 WHERE Z_PK = 3; UPDATE ZPERSON SET Z_FOK_DEPARTMENT1 = 1 WHERE Z_PK = 3",
        ["references | Employee.department | 1 | 1 row refers to a missing Department/p77 | Employee/p3"]
      ),
      (
        "UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = 1",
        ["one-to-one | Passport.holder / Person.passport | 1 | 1 pair disagrees | Passport/p1"]
      ),
      (
        "UPDATE ZPERSON SET ZPASSPORT = 2 WHERE Z_PK = 1; UPDATE ZPERSON SET ZPASSPORT = 1 WHERE Z_PK = 2",
        [
          "one-to-one | Passport.holder / Person.passport | 4 | 4 pairs disagree | "
            + "Passport/p1 Passport/p2 Employee/p1 Employee/p2"
        ]
      ),
      (
        "UPDATE ZDEPARTMENT SET ZHEAD = NULL",
        ["one-to-one | Department.head / Manager.heads | 1 | 1 pair disagrees | Manager/p4"]
      ),
      (
        "DELETE FROM Z_3FRIENDS WHERE REFLEXIVE = 1",
        ["one-to-one | Person.friends | 1 | 1 pair recorded in one direction only | Employee/p1"]
      ),
      (
        "INSERT INTO Z_5PROJECTS VALUES (3, 9, 1, 1), (8, 2, 5000, 1)",
        ["join rows | Employee.projects | 2 | 2 links to a missing object | Project/p2 Employee/p3"]
      ),
      (
        "UPDATE ZPERSON SET Z7WATCHERS = 9 WHERE Z_PK = 2",
        ["join rows | Project.watchers | 1 | 1 link to a missing object | Employee/p2"]
      ),
      (
        "UPDATE ZPERSON SET Z_ENT = 3 WHERE Z_PK = 3",
        ["entity tags | Person | 1 | 1 row of no entity that belongs into the table | Person/p3"]
      ),
      (
        "UPDATE ZPROJECT SET Z_ENT = NULL",
        [
          "entity tags | Project | 2 | 2 rows of no entity that belongs into the table | Project/p1 Project/p2"
        ]
      ),
      (
        "UPDATE ZPASSPORT SET Z3_HOLDER = 6 WHERE Z_PK = 2",
        [
          "entity tags | Passport.holder | 1 | 1 row with a number that is not that of the object's entity | Passport/p2"
        ]
      ),
      (
        "UPDATE ZPERSON SET ZMANAGER = 5, Z3_MANAGER = 4 WHERE Z_PK = 1",
        [
          "entity tags | Employee.manager | 1 | 1 row with an object of another entity than Employee | Employee/p1"
        ]
      ),
      (
        "INSERT INTO Z_5PROJECTS VALUES (5, 1, 9000, 1)",
        [
          "entity tags | Employee.projects | 1 | 1 row linked although not of the entity Employee | Contractor/p5"
        ]
      ),
      (
        "UPDATE ZPROJECT SET Z_OPT = NULL WHERE Z_PK = 2",
        ["row versions | Project | 1 | 1 row without a version | Project/p2"]
      ),
      (
        "UPDATE ZPERSON SET Z_FOK_DEPARTMENT1 = NULL WHERE Z_PK = 2",
        ["order keys | Department.employees | 1 | 1 member without a place | Employee/p2"]
      ),
      (
        "UPDATE ZPERSON SET Z_FOK_DEPARTMENT1 = 2048 WHERE Z_PK = 2",
        [
          "order keys | Department.employees | 2 | 2 members at the place of another | Employee/p1 Employee/p2"
        ]
      ),
      (
        "UPDATE Z_5PROJECTS SET Z_FOK_7PROJECTS = 7",
        ["order keys | Employee.projects | 2 | 2 members at the place of another | Project/p1 Project/p2"]
      ),
      (
        "UPDATE Z_5PROJECTS SET Z_FOK_5MEMBERS = NULL WHERE Z_7PROJECTS = 2",
        ["order keys | Project.members | 1 | 1 member without a place | Employee/p1"]
      ),
      (
        "UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK > 3; UPDATE ZDEPARTMENT SET ZNAME = NULL WHERE Z_PK = 2",
        [
          "required values | Department.name | 1 | 1 row without a value | Department/p2",
          "required values | Person.name | 2 | 2 rows without a value | Manager/p4 Contractor/p5",
        ]
      ),
      (
        "UPDATE ZPERSON SET ZBADGE = 3000000000 WHERE Z_PK = 1; UPDATE ZPERSON SET ZBIRTHDAY = 'soon' WHERE Z_PK = 5",
        [
          "values | Employee.badge | 1 | 1 row with a value that does not fit | Employee/p1",
          "values | Person.birthday | 1 | 1 row with a value that does not fit | Contractor/p5",
        ]
      ),
      (
        "UPDATE ZPASSPORT SET ZCODE = x'00' WHERE Z_PK = 1",
        ["values | Passport.code | 1 | 1 row with a value that does not fit | Passport/p1"]
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT IN (3, 7)",
        [
          "key counters | Person | 1 | the last key handed out is said to be 1, and there is a key 5 | Contractor/p5",
          "key counters | Project | 1 | the last key handed out is said to be 1, and there is a key 2 | Project/p2",
        ]
      ),
      (
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Manager'; UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_ENT = 5",
        [
          "entity numbers | Employee | 1 | the parent's number is 0 instead of 3",
          "entity numbers | Manager | 1 | number 6 is missing from Z_PRIMARYKEY",
        ]
      ),
      (
        "INSERT INTO Z_PRIMARYKEY VALUES (8, 'Ghost', 0, 0), (16001, 'CHANGE', 0, 0)",
        ["entity numbers | Ghost | 1 | number 8 belongs to no entity of this name in the model"]
      ),
      (
        "DROP INDEX Z_Employee_UNIQUE_badge; UPDATE ZPERSON SET ZBADGE = 10 WHERE Z_PK IN (2, 5)",
        [
          "tables | ZPERSON | 1 | the index Z_Employee_UNIQUE_badge is missing",
          "uniqueness | Employee.badge | 2 | 2 rows with values that are to be unique | Employee/p1 Employee/p2",
        ]
      ),
      (
        "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA",
        ["system tables | Z_METADATA | 2 | the table has 2 rows instead of one"]
      ),
      ("DROP TABLE Z_7BLOCKEDBY", ["tables | Z_7BLOCKEDBY | 1 | the table is missing"]),
      (
        "ALTER TABLE ZPROJECT DROP COLUMN ZTITLE; UPDATE ZPROJECT SET Z_OPT = NULL",
        ["tables | ZPROJECT | 1 | the table lacks ZTITLE"]
      ),
    ])
  func damage(sql: String, expected: [String]) throws {
    #expect(try findings(sql) == expected)
  }

  @Test("An index that is missing is a warning unless it guards uniqueness; its name does not matter")
  func indexes() throws {
    let missing = try results("DROP INDEX ZPERSON_ZMANAGER_INDEX")
    #expect(missing.flatMap(\.findings).map(\.severity) == [.warning])
    #expect(missing.allSatisfy { $0.isOK })
    let renamed = "DROP INDEX ZPERSON_ZMANAGER_INDEX; CREATE INDEX other ON ZPERSON (ZMANAGER)"
    #expect(try findings(renamed).isEmpty)
  }

  @Test("Of many objects ten are named and all are counted")
  func many() throws {
    let many = """
      WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 1005)
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZMANAGER, Z3_MANAGER) SELECT i, 5, 1, 'x', 5000 + i, 6 FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1005 WHERE Z_ENT = 3;
      """
    let found = try results(many).flatMap(\.findings)
    #expect(found.map(\.count) == [1000])
    #expect(found.first?.objects == (6...15).map { "Employee/p\($0)" })
    #expect(
      found.first?.message == "1000 rows refer to a missing Employee/p5006, Employee/p5007, Employee/p5008")
  }

  @Test("Recorded hashes that are not the model's are found, those of Core Data are let be")
  func hashes() throws {
    func found(_ change: (inout StoreMetadata) -> Void) throws -> [String] {
      let folder = try LayoutFolder()
      let connection = try folder.openStore("s")
      var metadata = try SQLiteLayout.readMetadata(connection)
      change(&metadata)
      var checker = StoreInspector(
        connection: connection, path: "s", schema: SQLSchema(model: try LayoutModels.company()),
        metadata: metadata)
      return try checker.run().flatMap(\.findings).map { "\($0.name) \($0.subject)" }
    }
    let other = Value.dictionary(["Ghost": .data(Data(count: 32))])
    let names = try found { metadata in
      metadata.values[StoreMetadata.Key.hashes] = other
      metadata.values[StoreMetadata.Key.digest] = nil
      metadata.values[StoreMetadata.Key.checksum] = nil
    }
    #expect(
      names.count == 8 && names.allSatisfy { $0.hasPrefix("model hashes ") }
        && names.last == "model hashes Ghost")
    #expect(
      try found { metadata in
        metadata.values[StoreMetadata.Key.hashes] = other
        metadata.values[StoreMetadata.Key.format] = nil
      } == [
        "model hashes NSStoreModelVersionHashesDigest", "model hashes NSStoreModelVersionChecksumKey",
      ])
  }

  @Test(
    "DGN-108: in a store of Core Data a pair with one empty end is a warning, one whose ends contradict each other is not",
    arguments: [("NULL", StoreCheckFinding.Severity.warning), ("2", .failure)])
  func foreignPairs(holder: String, severity: StoreCheckFinding.Severity) throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") {
      try $0.execute(Self.sound + "UPDATE ZPASSPORT SET ZHOLDER = \(holder), Z3_HOLDER = 5 WHERE Z_PK = 1")
    }
    let connection = try SQLiteConnection(path: folder.file("s"), mode: .immutable)
    for isOurs in [true, false] {
      var metadata = try SQLiteLayout.readMetadata(connection)
      if !isOurs { metadata.values[StoreMetadata.Key.format] = nil }
      var checker = StoreInspector(
        connection: connection, path: "s", schema: SQLSchema(model: try LayoutModels.company()),
        metadata: metadata)
      let findings = try checker.run().flatMap(\.findings).filter { $0.damage == .disagreeingPair }
      #expect(findings.first?.severity == (isOurs ? .failure : severity), "\(findings)")
    }
  }

  @Test("A damaged page fails the checks that meet it, and the others still run")
  func damagedPages() throws {
    let folder = try LayoutFolder()
    let names = (1...2000).map { "(\($0), 1, 1, 'department number \($0)')" }.joined(separator: ", ")
    try folder.makeStore("s") { connection in
      try connection.execute("INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES \(names)")
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2000 WHERE Z_ENT = 1")
    }
    var bytes = try #require(FileManager.default.contents(atPath: folder.file("s")))
    let end = bytes.count - 3 * 4096
    for index in (end - 4096)..<end { bytes[index] = 0xff }
    try bytes.write(to: URL(fileURLWithPath: folder.file("s")))
    let connection = try SQLiteConnection(path: folder.file("s"), mode: .immutable)
    var checker = StoreInspector(
      connection: connection, path: "s", schema: SQLSchema(model: try LayoutModels.company()),
      metadata: try SQLiteLayout.readMetadata(connection))
    let results = try checker.run()
    #expect(results.count == 18)
    #expect(results.first?.isOK == false)
    #expect(results.contains { $0.isOK })
  }

  @Test("DGN-235: a check runs a number of statements that does not grow with the rows")
  func statements() throws {
    func count(_ extra: String) throws -> Int {
      let folder = try LayoutFolder()
      try folder.makeStore("s") { try $0.execute(Self.sound + extra) }
      let connection = try SQLiteConnection(path: folder.file("s"), mode: .immutable)
      var checker = StoreInspector(
        connection: connection, path: "s", schema: SQLSchema(model: try LayoutModels.company()),
        metadata: try SQLiteLayout.readMetadata(connection))
      let before = connection.statementCount
      _ = try checker.run()
      return connection.statementCount - before
    }
    let many = """
      WITH RECURSIVE n(i) AS (SELECT 6 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 5, 1, 'x' FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 5000 WHERE Z_ENT = 3;
      """
    let few = try count("")
    #expect(try count(many) == few)
  }

  @Test(
    "DGN-106: what reading would show wrongly or not at all is found",
    arguments: [
      ("UPDATE ZPERSON SET ZSALARY1 = CAST('12x' AS BLOB) WHERE Z_PK = 1", "values | Employee.salary | 1"),
      ("UPDATE ZPERSON SET ZSALARY1 = CAST('1e400' AS BLOB) WHERE Z_PK = 1", "values | Employee.salary | 1"),
      ("UPDATE ZPERSON SET ZSALARY1 = 1e200 WHERE Z_PK = 1", "values | Employee.salary | 1"),
      ("UPDATE ZPERSON SET ZSALARY1 = 9e999 WHERE Z_PK = 1", "values | Employee.salary | 1"),
      ("UPDATE ZPERSON SET ZNAME = CAST(x'61FF62' AS TEXT) WHERE Z_PK = 1", "values | Person.name | 1"),
      ("UPDATE ZPASSPORT SET ZISSUER = CAST(x'C328' AS TEXT) WHERE Z_PK = 1", "values | Passport.issuer | 1"),
      ("UPDATE ZPERSON SET ZSCORE = 1e300 WHERE Z_PK = 1", "values | Employee.score | 1"),
      ("UPDATE ZPERSON SET ZBIRTHDAY = 9e999 WHERE Z_PK = 1", "values | Person.birthday | 1"),
      ("UPDATE ZPERSON SET Z_OPT = 9223372036854775807 WHERE Z_PK = 1", "row versions | Person | 1"),
      ("UPDATE ZPROJECT SET Z_PK = -7 WHERE Z_PK = 2", "key counters | Project | 1"),
      ("UPDATE ZPROJECT SET Z_PK = 9223372036854775807 WHERE Z_PK = 2", "key counters | Project | 1"),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Project'",
        "key counters | Project | 1"
      ),
      (
        "UPDATE ZPERSON SET Z_FOK_DEPARTMENT1 = 9223372036854775807 WHERE Z_PK = 2",
        "order keys | Department.employees | 1"
      ),
      (
        "UPDATE Z_5PROJECTS SET Z_FOK_7PROJECTS = -9223372036854775808 WHERE Z_5MEMBERS = 2",
        "order keys | Employee.projects | 1"
      ),
    ])
  func shownWrongly(_ damage: String, _ finding: String) throws {
    let found = try findings(damage)
    #expect(found.contains { $0.hasPrefix(finding) }, "\(found)")
  }

  @Test("Tables without their key are found")
  func missingKeys() throws {
    func remake(_ table: String, _ text: String, _ other: String) -> String {
      """
      CREATE TABLE copy AS SELECT * FROM \(table); DROP TABLE \(table);
      CREATE TABLE \(table) (\(text)); INSERT INTO \(table) SELECT * FROM copy; DROP TABLE copy;
      """ + other
    }
    let project = remake("ZPROJECT", "Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR", "")
    #expect(try findings(project).contains { $0.hasPrefix("tables | ZPROJECT | 1 | Z_PK is not") })
    let unique = remake("ZPROJECT", "Z_PK INTEGER UNIQUE, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR", "")
    #expect(try findings(unique).contains { $0.hasPrefix("tables | ZPROJECT | 1 | Z_PK is not") })
    let pairs = remake("Z_3FRIENDS", "Z_3FRIENDS INTEGER, REFLEXIVE INTEGER", "")
    #expect(try findings(pairs).contains { $0.hasPrefix("tables | Z_3FRIENDS | 1 | the table has no key") })
  }

  @Test("STO-284, STO-285: virtual tables and triggers on tables of the store are told as warnings")
  func foreignParts() throws {
    let damage = """
      CREATE TABLE mine (a); CREATE TRIGGER own AFTER INSERT ON mine BEGIN SELECT 1; END;
      CREATE TRIGGER theirs AFTER INSERT ON ZPROJECT BEGIN SELECT 1; END;
      CREATE VIRTUAL TABLE words USING fts5(word);
      """
    let results = try results(damage)
    #expect(results.allSatisfy { $0.isOK })
    #expect(results.flatMap(\.findings).map(\.subject) == ["words", "ZPROJECT"])
  }
}
