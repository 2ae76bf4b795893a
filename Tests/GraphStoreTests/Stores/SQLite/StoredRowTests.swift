import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// What saves leave in the tables, and what is read from tables that others have filled.
@Suite("Rows in the file")
struct StoredRowTests {
  /// Reads the file as another program does.
  private func text(_ stack: TestStack, _ sql: String) throws -> String {
    let raw = try SQLiteConnection(path: stack.path, mode: .readOnly)
    defer { raw.close() }
    return try raw.string(sql) ?? "NULL"
  }

  private func change(_ stack: TestStack, _ sql: String) throws {
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    defer { raw.close() }
    try raw.execute(sql)
  }

  private func things(_ values: [String: Any]) throws -> (TestStack, ManagedObject) {
    let stack = try TestStack(TestModels.types)
    let thing = try stack.context.insert("Thing", values)
    try stack.context.save()
    return (stack, thing)
  }

  // MARK: Columns

  @Test("STO-235: columns in another order, and columns nobody knows, are read past and kept")
  func columnOrder() throws {
    let (stack, _) = try things([
      "text": "a", "small": 7, "moment": Date(timeIntervalSinceReferenceDate: 1.5),
    ])
    stack.coordinator.close()
    let known = try text(stack, "SELECT group_concat(name) FROM pragma_table_info('ZTHING')").split(
      separator: ",")
    let columns = known.reversed().map { $0 == "Z_PK" ? "Z_PK INTEGER PRIMARY KEY" : "\($0) NUMERIC" }
    try change(
      stack,
      """
      ALTER TABLE ZTHING RENAME TO OLD;
      CREATE TABLE ZTHING (ZEXTRA BLOB, \(columns.joined(separator: ", ")));
      INSERT INTO ZTHING (\(known.joined(separator: ", "))) SELECT \(known.joined(separator: ", ")) FROM OLD;
      DROP TABLE OLD; UPDATE ZTHING SET ZEXTRA = 'kept'
      """)
    let context = try stack.otherProcess()
    let thing = try context.all("Thing")[0]
    #expect(try thing.string("text") == "a")
    #expect(try thing.value(forKey: "small") as? Int16 == 7)
    #expect(try thing.value(forKey: "moment") as? Date == Date(timeIntervalSinceReferenceDate: 1.5))
    try thing.setValue("b", forKey: "text")
    try context.insert("Thing", ["text": "new", "small": 8])
    try context.save()
    #expect(
      try text(stack, "SELECT group_concat(ZTEXT || ZSMALL || ifnull(ZEXTRA, '-')) FROM ZTHING")
        == "b7kept,new8-")
  }

  @Test("STO-238: both sides of a one-to-one are written in one transaction")
  func oneToOne() throws {
    let stack = try TestStack(TestModels.company())
    let ada = try stack.context.insert("Employee", ["name": "Ada"])
    let desk = try stack.context.insert("Desk", ["name": "D"])
    try ada.setValue(desk, forKey: "desk")
    let statements = try stack.recordedStatements { try stack.context.save() }
    #expect(statements.filter { $0.hasPrefix("BEGIN") || $0 == "COMMIT" }.count == 2)
    #expect(
      try text(stack, "SELECT ZDESK || ' ' || ZOWNER FROM ZEMPLOYEE, ZDESK") == "1 1")
    let other = try stack.context.insert("Desk", ["name": "E"])
    try ada.setValue(other, forKey: "desk")
    try stack.context.save()
    #expect(
      try text(stack, "SELECT group_concat(Z_PK || ':' || ifnull(ZOWNER, '-')) FROM ZDESK") == "1:-,2:1")
    #expect(try text(stack, "SELECT ZDESK FROM ZEMPLOYEE") == "2")
  }

  // MARK: Values

  @Test("STO-239: booleans are 0 and 1, and any other whole number is read as true")
  func booleans() throws {
    let (stack, thing) = try things(["flag": true])
    #expect(try text(stack, "SELECT typeof(ZFLAG) || ZFLAG FROM ZTHING") == "integer1")
    try thing.setValue(false, forKey: "flag")
    try stack.context.save()
    #expect(try text(stack, "SELECT ZFLAG FROM ZTHING") == "0")
    for number in [2, -1, 255] {
      try change(stack, "UPDATE ZTHING SET ZFLAG = \(number)")
      let context = try stack.otherProcess()
      #expect(try context.all("Thing")[0].value(forKey: "flag") as? Bool == true)
    }
  }

  @Test("STO-242: UUIDs are 16 bytes, URIs their text, and single floats come back the same")
  func forms() throws {
    let uuid = UUID()
    let uri = try #require(URL(string: "https://example.org/a%20b?c#d"))
    let numbers: [Float] = [0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 16_777_215, -0.1]
    let (stack, _) = try things(["tag": uuid, "link": uri, "single": numbers[0]])
    #expect(
      try text(stack, "SELECT typeof(ZTAG) || length(ZTAG) || hex(ZTAG) FROM ZTHING")
        == "blob16" + uuid.uuidString.replacing("-", with: ""))
    #expect(try text(stack, "SELECT typeof(ZLINK) || ZLINK FROM ZTHING") == "text" + uri.absoluteString)
    for number in numbers {
      let thing = try stack.context.all("Thing")[0]
      try thing.setValue(number, forKey: "single")
      try stack.context.save()
      let read = try stack.otherProcess().all("Thing")[0].value(forKey: "single") as? Float
      #expect(read?.bitPattern == number.bitPattern)
    }
  }

  @Test(
    "OBJ-143: a negative zero is zero from the set on, whichever way it is set, as a column of numbers keeps no sign of it"
  )
  func negativeZero() throws {
    let (stack, thing) = try things(["text": "a"])
    let ways: [(ManagedObject) throws -> Void] = [
      { for key in ["single", "ratio"] { try $0.setQueryValue(.double(-0.0), forKey: key) } },
      {
        try $0.setValue(-Float.zero, forKey: "single")
        try $0.setValue(-0.0, forKey: "ratio")
      },
      {
        $0[AttributeKey<ManagedObject, Float>("single")] = -0.0
        $0[AttributeKey<ManagedObject, Double>("ratio")] = -0.0
      },
      {
        for key in ["single", "ratio"] {
          try $0.setDouble(-0.0, ofProperty: $0.entity.properties.firstIndex { $0.name == key } ?? 0)
        }
      },
    ]
    for (number, set) in ways.enumerated() {
      for key in ["single", "ratio"] { try thing.setQueryValue(.double(1), forKey: key) }
      try set(thing)
      for key in ["single", "ratio"] {
        #expect(try thing.queryValue(forKey: key) == .double(0), "\(number) \(key)")
      }
      try stack.context.save()
      let other = try stack.otherProcess().all("Thing")[0]
      for key in ["single", "ratio"] {
        #expect(try other.queryValue(forKey: key) == .double(0), "\(number) \(key)")
      }
    }
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return (error as? GraphStoreError)?.code.rawValue }
  }

  @Test("STO-244: NaN and dates that are not finite reach no store; infinite doubles do")
  func notANumber() throws {
    let (stack, thing) = try things(["text": "a"])
    for (key, value) in [
      ("ratio", Double.nan as Any), ("single", Float.nan),
      ("moment", Date(timeIntervalSinceReferenceDate: .nan)),
      ("moment", Date(timeIntervalSinceReferenceDate: .infinity)),
    ] {
      // No error goes into an expectation: describing a date that is none ends the process.
      #expect(refusal { try thing.setValue(value, forKey: key) } == "value-type", "\(key)")
    }
    try stack.context.save()
    #expect(try text(stack, "SELECT Z_OPT FROM ZTHING") == "1")
    for value in [Double.infinity, -.infinity] {
      try thing.setValue(value, forKey: "ratio")
      try stack.context.save()
      #expect(try stack.otherProcess().all("Thing")[0].value(forKey: "ratio") as? Double == value)
    }
  }

  @Test(
    "STO-245: a whole number that its attribute cannot hold is told, not cut, and check lists it",
    arguments: [("small", "70000"), ("small", "-32769"), ("medium", "2147483648")])
  func width(_ key: String, _ number: String) throws {
    let (stack, _) = try things(["text": "a", key: 1])
    try change(stack, "UPDATE ZTHING SET Z\(key.uppercased()) = \(number)")
    let context = try stack.otherProcess()
    let error = #expect(throws: GraphStoreError.self) {
      _ = try context.all("Thing").map { try $0.value(forKey: key) }
    }
    #expect(error?.code == .valueOutOfRange && error?.message.contains(number) == true, "\(error as Any)")
    #expect(error?.property == key)
    let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
    #expect(findings.contains { "\($0)".contains(key) })
  }

  // MARK: Order

  private func orders(_ stack: TestStack) throws -> String {
    try text(
      stack,
      "SELECT group_concat(ZNAME || Z_FOK_DEPARTMENT, ' ') FROM (SELECT * FROM ZEMPLOYEE ORDER BY Z_FOK_DEPARTMENT)"
    )
  }

  @Test("STO-259: new members get 2048, 3072, 4096; one that moves gets a value between its neighbours")
  func orderKeys() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let department = try stack.context.insert("Department", ["name": "D"])
    var members = try "ABC".map { try stack.context.insert("Employee", ["name": String($0)]) }
    try department.setValue(members, forKey: "employees")
    try stack.context.save()
    #expect(try orders(stack) == "A2048 B3072 C4096")
    members.append(try stack.context.insert("Employee", ["name": "D"]))
    try department.setValue(members, forKey: "employees")
    try stack.context.save()
    #expect(try orders(stack) == "A2048 B3072 C4096 D5120")
    members.swapAt(1, 2)
    try department.setValue(members, forKey: "employees")
    try stack.context.save()
    let moved = try orders(stack).split(separator: " ").map { Int($0.dropFirst()) ?? 0 }
    #expect(try orders(stack).split(separator: " ").map { String($0.prefix(1)) } == ["A", "C", "B", "D"])
    #expect(Set(moved).subtracting([2048, 3072, 4096, 5120]).count <= 1 && moved == moved.sorted())
  }

  @Test("STO-259: where no room is left one owner's members are given steps of 1024; those of others stay")
  func renumbering() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    var departments: [ManagedObject] = []
    for names in ["ABC", "XY"] {
      let department = try stack.context.insert("Department", ["name": names])
      let members = try names.map { try stack.context.insert("Employee", ["name": String($0)]) }
      try department.setValue(members, forKey: "employees")
      departments.append(department)
    }
    try stack.context.save()
    try change(stack, "UPDATE ZEMPLOYEE SET Z_FOK_DEPARTMENT = 5 WHERE ZNAME = 'A'")
    try change(stack, "UPDATE ZEMPLOYEE SET Z_FOK_DEPARTMENT = 6 WHERE ZNAME = 'B'")
    try change(stack, "UPDATE ZEMPLOYEE SET Z_FOK_DEPARTMENT = 7 WHERE ZNAME = 'X'")
    let context = try stack.otherProcess()
    let department = try context.all("Department", "name == 'ABC'")[0]
    var members = try department.objects(forKey: "employees")
    #expect(try members.map { try $0.string("name") } == ["A", "B", "C"])
    members.insert(try context.insert("Employee", ["name": "N"]), at: 1)
    try department.setValue(members, forKey: "employees")
    try context.save()
    let own = try orders(stack).split(separator: " ").filter { !"XY".contains($0.prefix(1)) }
    #expect(own == ["A2048", "N3072", "B4096", "C5120"])
    #expect(try text(stack, "SELECT Z_FOK_DEPARTMENT FROM ZEMPLOYEE WHERE ZNAME = 'X'") == "7")
  }

  @Test(
    "STO-260: inserting a member into an ordered relationship of 10,000 updates a handful of rows on average")
  func manyMembers() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let department = try stack.context.insert("Department", ["name": "D"])
    var members = try (0..<10_000).map { try stack.context.insert("Employee", ["salary": $0]) }
    try department.setValue(members, forKey: "employees")
    try stack.context.save()
    var random = SystemRandomNumberGenerator()
    let rounds = 20
    var updates = 0
    for round in 0..<rounds {
      members.insert(
        try stack.context.insert("Employee", ["salary": -round]),
        at: .random(in: 0...members.count, using: &random))
      try department.setValue(members, forKey: "employees")
      updates += try stack.recordedStatements { try stack.context.save() }
        .count { $0.hasPrefix("UPDATE ZEMPLOYEE") }
    }
    #expect(updates <= 5 * rounds)
  }
}
