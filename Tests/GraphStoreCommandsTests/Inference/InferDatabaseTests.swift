import Foundation
import Testing

/// Models of databases that other programs have made, and the stores of what is in them.
@Suite("graphstore model infer, of databases")
struct InferDatabaseTests {
  /// A database and the model that it makes.
  struct Sample: CustomTestStringConvertible {
    var title: String
    var sql: String
    var lines: [String]
    var testDescription: String { title }

    init(_ title: String, _ sql: String, _ lines: [String]) {
      (self.title, self.sql, self.lines) = (title, sql, lines)
    }
  }

  static let samples: [Sample] = [
    Sample(
      "declared types",
      """
      CREATE TABLE items (a INTEGER, b SMALLINT, c BOOLEAN, d DECIMAL(9,2), e REAL, f VARCHAR(9) NOT NULL, g BLOB,
        h DATE, i UUID, j, k MEDIUMINT, l TEXT, m DATETIME);
      INSERT INTO items VALUES (1, 2, 1, 1.5, 2, 'x', x'00', '2020-01-01',
        '6F9619FF-8B86-D011-B42D-00C04FC964FF', 1.25, 3, '2020-01-01T10:00:00Z', 1600000000);
      """,
      [
        "Item.a int64?", "Item.b int16?", "Item.c boolean?", "Item.d decimal?", "Item.e double?",
        "Item.f string",
        "Item.g binary?", "Item.h date?", "Item.i uuid?", "Item.j decimal?", "Item.k int32?", "Item.l date?",
        "Item.m int64?",
      ]),
    Sample(
      "values that are not of the declared type",
      """
      CREATE TABLE t (a INTEGER, b BOOLEAN, c SMALLINT, d DATE);
      INSERT INTO t VALUES ('n/a', 2, 40000, 'soon'), (1, 1, 1, NULL);
      """, ["T.a string?", "T.b int64?", "T.c int64?", "T.d string?"]),
    Sample(
      "a table without rows", "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, n INT);",
      ["Person.id int64", "Person.name string", "Person.n int64?", "Person unique id"]),
    Sample(
      "foreign keys, UNIQUE and what a deletion does",
      """
      CREATE TABLE departments (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE employees (id INTEGER PRIMARY KEY, dept_id INTEGER NOT NULL REFERENCES departments(id) ON DELETE
        CASCADE, manager_id INTEGER REFERENCES employees ON DELETE SET NULL);
      INSERT INTO departments VALUES (5, 'a');
      INSERT INTO employees VALUES (1, 5, NULL), (2, 5, 1);
      """,
      [
        "Department.id int64", "Department.name string?", "Department.employees many Employee cascade (dept)",
        "Department unique id", "Department unique name", "Employee.id int64",
        "Employee.dept one Department mandatory (employees)",
        "Employee.manager one Employee (employeesAsManager)",
        "Employee.employeesAsManager many Employee (manager)", "Employee unique id",
      ]),
    Sample(
      "composite keys",
      """
      CREATE TABLE courses (year INTEGER, code TEXT, title TEXT, PRIMARY KEY (year, code)) WITHOUT ROWID;
      CREATE TABLE exams (y INTEGER, c TEXT, room TEXT, FOREIGN KEY (y, c) REFERENCES courses (year, code));
      INSERT INTO courses VALUES (2020, 'a', 't'), (2021, 'a', 'u');
      INSERT INTO exams VALUES (2021, 'a', 'r'), (NULL, NULL, 's');
      """,
      [
        "Course.year int64", "Course.code string", "Course.title string?",
        "Course.exams many Exam deny (course)",
        "Course unique year,code", "Exam.room string?", "Exam.course one Course (exams)",
      ]),
    Sample(
      "a table of links is a many-to-many relationship",
      """
      CREATE TABLE posts (id INTEGER PRIMARY KEY);
      CREATE TABLE tags (code TEXT PRIMARY KEY);
      CREATE TABLE post_tags (post_id INTEGER REFERENCES posts, tag_code TEXT REFERENCES tags,
        PRIMARY KEY (post_id, tag_code));
      INSERT INTO posts VALUES (1), (2);
      INSERT INTO tags VALUES ('x'), ('y');
      INSERT INTO post_tags VALUES (1, 'x'), (1, 'y'), (2, 'x');
      """,
      [
        "Post.id int64", "Post.tags many Tag (posts)", "Post unique id", "Tag.code string",
        "Tag.posts many Post (tags)", "Tag unique code",
      ]),
    Sample(
      "links of one table to itself",
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY);
      CREATE TABLE friends (person_id INTEGER REFERENCES people, friend_id INTEGER REFERENCES people);
      INSERT INTO people VALUES (1), (2);
      INSERT INTO friends VALUES (1, 2), (2, 1);
      """,
      [
        "Person.id int64", "Person.friends many Person (people)", "Person.people many Person (friends)",
        "Person unique id",
      ]),
    Sample(
      "links with more to say stay an entity",
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY);
      CREATE TABLE b (id INTEGER PRIMARY KEY);
      CREATE TABLE ab (a_id INTEGER REFERENCES a, b_id INTEGER REFERENCES b, since DATE, PRIMARY KEY (a_id, b_id));
      INSERT INTO a VALUES (1);
      INSERT INTO b VALUES (1);
      INSERT INTO ab VALUES (1, 1, '2020-01-01');
      """,
      [
        "A.id int64", "A.abs many Ab deny (a)", "A unique id", "B.id int64", "B.abs many Ab deny (b)",
        "B unique id",
        "Ab.since date?", "Ab.a one A mandatory (abs)", "Ab.b one B mandatory (abs)", "Ab unique a,b",
      ]),
    Sample(
      "links that come twice stay an entity",
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY);
      CREATE TABLE aa (x_id INTEGER REFERENCES a, y_id INTEGER REFERENCES a);
      INSERT INTO a VALUES (1);
      INSERT INTO aa VALUES (1, 1), (1, 1);
      """,
      [
        "A.id int64", "A.aasAsX many Aa deny (x)", "A.aasAsY many Aa deny (y)", "A unique id",
        "Aa.x one A (aasAsX)",
        "Aa.y one A (aasAsY)",
      ]),
    Sample(
      "a key that is a foreign key is one to one",
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY);
      CREATE TABLE passports (person_id INTEGER PRIMARY KEY REFERENCES people, number TEXT);
      INSERT INTO people VALUES (7), (8);
      INSERT INTO passports VALUES (8, 'x');
      """,
      [
        "Person.id int64", "Person.passport one Passport deny (person)", "Person unique id",
        "Passport.number string?", "Passport.person one Person mandatory (passport)",
      ]),
    Sample(
      "foreign keys that lead to nothing",
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY);
      CREATE TABLE cars (owner_id INTEGER NOT NULL REFERENCES people, maker_id INTEGER REFERENCES makers);
      INSERT INTO people VALUES (1);
      INSERT INTO cars VALUES (1, 4), (99, 5);
      """,
      [
        "Person.id int64", "Person.cars many Car deny (owner)", "Person unique id", "Car.owner_id int64",
        "Car.maker_id int64?", "Car.owner one Person (cars)",
      ]),
    Sample(
      "strange names",
      """
      CREATE TABLE "my orders" ("order" INTEGER, "rowid" TEXT, "a""b" TEXT, "self" TEXT);
      INSERT INTO "my orders" VALUES (1, 'x', 'y', 'z');
      """,
      ["MyOrder.order int64?", "MyOrder.rowid string?", "MyOrder.aB string?", "MyOrder.selfValue string?"]),
  ]

  @Test("MDL-412, MDL-413: keys, foreign keys and types", arguments: samples)
  func sample(_ sample: Sample) throws {
    let folder = try InferenceFolder()
    try folder.makeDatabase("old.db", sample.sql)
    let (lines, told) = try folder.infer("old.db")
    #expect(lines == sample.lines, "\(told)")
    _ = try folder.makeStore("old.db")
  }

  @Test("MDL-414: rows and their links are in the store", arguments: ["sqlite", "json", "xml", "binary"])
  func rows(_ type: String) throws {
    let folder = try InferenceFolder()
    try folder.makeDatabase(
      "old.db",
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER REFERENCES people, photo BLOB);
      CREATE TABLE clubs (code TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE members (club TEXT REFERENCES clubs(code), person INTEGER REFERENCES people(id));
      INSERT INTO people VALUES (10, 'Ada', NULL, x'010203'), (20, 'Bob', 10, NULL), (30, 'Cy', 20, x'');
      INSERT INTO clubs VALUES ('a/p1'), ('b');
      INSERT INTO members VALUES ('a/p1', 10), ('a/p1', 20), ('b', 30);
      """)
    _ = try folder.makeStore("old.db", arguments: ["--type", type])
    #expect(
      Set(try folder.values("Person", "id, name, boss.name, photo"))
        == ["10,Ada,,AQID", "20,Bob,Ada,", "30,Cy,Bob,\"\""])
    #expect(Set(try folder.values("Club", "code, people.@count")) == ["a/p1,2", "b,1"])
    #expect(Set(try folder.values("Person", "id, clubs.@count")) == ["10,1", "20,1", "30,1"])
  }

  @Test("MDL-412: what is no table is told, and what is a store has a model")
  func others() throws {
    let folder = try InferenceFolder()
    try folder.makeDatabase("old.db", "CREATE TABLE t (a INT); CREATE VIEW v AS SELECT 1;")
    #expect(try folder.infer("old.db").told.contains("left out; the view v"))
    try folder.makeDatabase("empty.db", "VACUUM; CREATE VIEW v AS SELECT 1")
    #expect(try folder.failure("empty.db").code == 65)
    _ = try folder.makeStore("old.db")
    let store = try folder.failure("new.db")
    #expect(
      store.code == 64 && store.errors.contains("graphstore model from-store new.db"), "\(store.errors)")
    let from = try folder.failure("old.db", "--from", "csv")
    #expect(from.code == 64, "\(from.errors)")
  }

  @Test("MDL-411: a damaged database is told")
  func damage() throws {
    let folder = try InferenceFolder()
    try folder.makeDatabase("old.db", "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (hex(zeroblob(9000)))")
    let url = folder.tool.folder.appendingPathComponent("old.db")
    var bytes = try Data(contentsOf: url)
    for place in 4096..<4196 { bytes[place] = 0xFF }
    try bytes.write(to: url)
    let made = try folder.failure("old.db")
    #expect(made.code == 65 && made.errors.contains("[database-damaged]"), "\(made.errors)")
  }
}
