import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Indexes over expressions and of parts of a table")
struct IndexedExpressionTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(Self.model)
    for number in 0..<40 {
      let entity = number % 4 == 0 ? "Boss" : "Person"
      try stack.context.insert(
        entity,
        [
          "name": ["Ada", "ada", "Bob", "Éa", "éa", "x'y"][number % 6], "age": number,
          "active": number % 2 == 0, "score": Double(number) / 2,
        ])
    }
    try stack.context.save()
  }

  private static func index(_ name: String, _ expression: String, where condition: String? = nil)
    -> IndexDefinition
  {
    IndexDefinition(name, elements: [.init(expression: expression)], predicate: condition)
  }

  private static let indexes = [
    index("lower", "lowercase:(name)"), index("loose", "canonical:(name)"), index("length", "length:(name)"),
    index("double", "age * 2 + 1"), index("half", "score / 4.5"),
    IndexDefinition("present", elements: [.init("name")], predicate: "active == YES AND score != nil"),
    IndexDefinition("quoted", elements: [.init("age")], predicate: "name == \"x'y\""),
    IndexDefinition("early", elements: [.init("score")], predicate: "name BEGINSWITH 'A'"),
  ]

  private static let model = definition(indexes)

  private static func definition(_ indexes: [IndexDefinition]) -> ModelDefinition {
    ModelDefinition(
      name: "People",
      entities: [
        EntityDefinition(
          "Person",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("age", .int32),
            AttributeDefinition("active", .boolean), AttributeDefinition("score", .double),
            AttributeDefinition("born", .date), AttributeDefinition("passing", .string, isTransient: true),
          ],
          relationships: [
            RelationshipDefinition("boss", to: "Boss", inverse: "staff"),
            RelationshipDefinition("friends", to: "Person", inverse: "friends", isToMany: true),
          ], indexes: indexes),
        EntityDefinition(
          "Boss", parent: "Person",
          relationships: [RelationshipDefinition("staff", to: "Person", inverse: "boss", isToMany: true)]),
      ])
  }

  private func request(_ predicate: String, _ entity: String = "Person", sort: String = "") throws
    -> FetchRequest<ManagedObject>
  {
    var request = FetchRequest(entityName: entity)
    if !predicate.isEmpty { request.predicate = try QueryPredicate(parsing: predicate) }
    if !sort.isEmpty { request.sortDescriptors = try QuerySortDescriptor.list(parsing: sort) }
    return request
  }

  private func plan(_ request: FetchRequest<ManagedObject>) throws -> String {
    try stack.context.explain(request).statements.flatMap { $0.plan.map(\.text) }.joined(separator: "\n")
  }

  @Test(
    "PRD-247, MDL-284: a predicate with the expression of an index uses it",
    arguments: [
      ("lowercase:(name) == 'ada'", "Z_Person_lower"), ("lowercase:(name) BEGINSWITH 'a'", "Z_Person_lower"),
      ("lowercase:(name) IN {'ada', 'bob'}", "Z_Person_lower"),
      ("FUNCTION(name, 'lowercaseString') == 'ada'", "Z_Person_lower"),
      ("canonical:(name) == 'ea'", "Z_Person_loose"), ("name ==[cd] 'ÉA'", "Z_Person_loose"),
      ("length:(name) > 5", "Z_Person_length"), ("name.length == 2", "Z_Person_length"),
      ("age * 2 + 1 == 41", "Z_Person_double"), ("score / 4.5 > 3", "Z_Person_half"),
    ])
  func expressions(text: String, index: String) throws {
    let request = try request(text)
    let steps = try plan(request)
    #expect(steps.contains("USING INDEX \(index) "), "\(steps)")
  }

  @Test("PRD-247: a sort by the expression of an index uses it")
  func sorts() throws {
    let request = try request("", sort: "name.length")
    #expect(try stack.context.explain(request).sort == .index("Z_Person_length"))
  }

  @Test(
    "PRD-248, MDL-286: an index with a condition is used where the predicate has the condition, in any order",
    arguments: [
      ("score != nil AND name == 'Bob' AND active == YES", "Z_Person_present"),
      ("name == \"x'y\" AND age > 30", "Z_Person_quoted"),
      ("name BEGINSWITH 'A' AND score == 3", "Z_Person_early"),
    ])
  func conditions(text: String, index: String) throws {
    let steps = try plan(request(text))
    #expect(steps.contains("USING INDEX \(index) "), "\(steps)")
  }

  @Test(
    "PRD-248, PRD-249: without its condition, with another constant, or kept from it, an index is not used",
    arguments: [
      ("name == 'Bob' AND active == NO", "present"), ("name == 'Bob'", "present"), ("age > 30", "quoted"),
      ("age * 3 + 1 == 31", "double"), ("noindex:(lowercase:(name)) == 'ada'", "lower"),
      ("name == 'x' AND age > 30", "quoted"),
    ])
  func unused(text: String, index: String) throws {
    let steps = try plan(request(text))
    #expect(!steps.contains("Z_Person_\(index)"), "\(steps)")
  }

  @Test("MDL-287: the index of an entity serves its sub-entities")
  func subentities() throws {
    #expect(try plan(request("lowercase:(name) == 'ada'", "Boss")).contains("Z_Person_lower"))
  }

  @Test("PRD-235: only the constants of the model's own indexes stand in a statement")
  func bound() throws {
    let sql = try stack.context.explain(request("age * 2 + 1 == 41 AND age * 2 + 7 == 9")).statements[0].sql
    #expect(sql.contains("((t0.ZAGE * 2) + 1) = ?1"), "\(sql)")
    #expect(sql.contains("+ ?"), "\(sql)")
    #expect(!sql.contains("41"))
  }

  @Test("MDL-288: indexes do not change what is found, also after changes")
  func agreement() throws {
    let bare = try TestStack(Self.definition([]))
    for object in try stack.context.all("Person", sort: ["objectID"]) {
      let copy = try bare.context.insert(entityNamed: object.entity.name)
      for key in ["name", "age", "active", "score"] {
        try copy.setQueryValue(object.queryValue(forKey: key), forKey: key)
      }
    }
    for context in [stack.context, bare.context] {
      for object in try context.all("Person", "age < 9") { try object.setValue("bOB", forKey: "name") }
      for object in try context.all("Person", "age > 35") { try context.delete(object) }
      try context.save()
      context.reset()
    }
    let texts = [
      "lowercase:(name) == 'bob'", "name ==[cd] 'ea'", "age * 2 + 1 > 40", "score / 4.5 <= 2",
      "active == YES AND score != nil AND name < 'a'", "name BEGINSWITH 'A' AND score > 1",
      "name == \"x'y\" AND age > 20", "NOT lowercase:(name) == 'bob'", "length:(name) == 3",
    ]
    for text in texts {
      let ages = try [stack, bare].map { stack in
        try stack.context.all("Person", text, sort: ["age"]).map { try $0.queryValue(forKey: "age") }
      }
      #expect(ages[0] == ages[1] && !ages[0].isEmpty, "\(text)")
    }
  }

  @Test(
    "MDL-284, MDL-286: what the store cannot compute for one row is refused when the model is loaded",
    arguments: [
      ("boss.name", nil), ("friends.@count", nil), ("now()", nil), ("random()", nil),
      ("normalize:(name)", nil),
      ("exp:(age)", nil), ("SUBQUERY(friends, $x, $x.age > 1).@count", nil), ("1 + 2", nil),
      ("FUNCTION(name, 'mine')", nil), ("passing", nil), ("lowercase:(passing)", nil), ("friends[SIZE]", nil),
      ("name", "ANY friends.age > 3"), ("name", "name MATCHES 'a.*'"), ("name", "name ==[l] 'a'"),
      ("name", "age IN {1, 2}"), ("name", "boss.age > 3"), ("name", "born < now()"), ("name", "age > $x"),
    ] as [(String, String?)])
  func refused(expression: String, condition: String?) throws {
    let error = #expect(throws: ModelError.self) {
      _ = try ManagedObjectModel(Self.definition([Self.index("i", expression, where: condition)]))
    }
    let problem = try #require(error?.problems.first)
    #expect(problem.code == .badExpression)
    let place = condition == nil ? "elements[0].expression" : "where"
    #expect(problem.description.contains(place), "\(problem)")
  }

  @Test("MDL-284: what only the store finds out names the index and the reason")
  func refusedByStore() throws {
    let error = #expect(throws: GraphStoreError.self) {
      _ = try TestStack(Self.definition([Self.index("odd", "lowercase:(age)")]))
    }
    #expect(error?.code == .notSupported)
    #expect(error?.message.contains("odd of Person") == true)
  }

  // MARK: Files

  @Test("Programs without the functions read the store, but cannot write what an index needs them for")
  func otherPrograms() throws {
    let other = try SQLiteConnection(path: stack.path, mode: .readWrite, busyTimeout: .zero)
    defer { other.close() }
    #expect(try other.int64("SELECT count(*) FROM ZPERSON WHERE ZAGE > 9") == 30)
    #expect(throws: SQLiteError.self) { try other.execute("UPDATE ZPERSON SET ZNAME = 'x'") }
    try other.execute("UPDATE ZPERSON SET ZBORN = 1")
  }

  @Test(
    "PRD-119, PRD-254: indexes whose functions were of another version are made anew before they are used")
  func versions() throws {
    stack.coordinator.close()
    let other = try SQLiteConnection(path: stack.path, mode: .readWrite, busyTimeout: .zero)
    var metadata = try SQLiteLayout.readMetadata(other)
    #expect(metadata.values["_GSIndexFunctions"] == SQLiteIndexedFunctions.version)
    metadata.values["_GSIndexFunctions"] = .int(0)
    try SQLiteLayout.writeMetadata(other, metadata)
    // A function of another version: every text in capitals.
    try SQLiteDialect.install(on: other)
    try other.register(function: "gs_lower", argumentCount: 1) { arguments, result in
      result.set(String(decoding: arguments.text(at: 0), as: UTF8.self).uppercased())
    }
    try other.execute("REINDEX Z_Person_lower")
    other.close()
    let error = #expect(throws: GraphStoreError.self) {
      _ = try PersistentStoreCoordinator.open(storeAt: stack.path, options: StoreOptions(isReadOnly: true))
    }
    #expect(error?.remedy.contains("for writing") == true)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: stack.path)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.all("Person", "lowercase:(name) == 'ada'").count == 14)
    _ = try PersistentStoreCoordinator.open(storeAt: stack.path, options: StoreOptions(isReadOnly: true))
  }

  @Test("PRD-254, MIG-010: a model with indexes that the store does not have yet reads it")
  func yetToBeMade() throws {
    let plain = try TestStack(Self.definition([]))
    plain.coordinator.close()
    let model = try ManagedObjectModel(Self.definition([Self.index("lower", "lowercase:(name)")]))
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: plain.path, options: StoreOptions(isReadOnly: true), model: model)
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.all("Person", "lowercase:(name) == 'ada'").isEmpty)
    coordinator.close()
    let plan = try MigrationPlan(fromStoreAt: plain.path, to: ModelVersion(model))
    #expect(plan.steps.isEmpty)
  }

  @Test("PRD-254: a check names indexes whose functions were of another version, until they are made anew")
  func checkVersions() throws {
    stack.coordinator.close()
    let other = try SQLiteConnection(path: stack.path, mode: .readWrite, busyTimeout: .zero)
    var metadata = try SQLiteLayout.readMetadata(other)
    for version in [Value.int(0), .string("0 Unicode 1"), .null] {
      metadata.values["_GSIndexFunctions"] = version == .null ? nil : version
      try SQLiteLayout.writeMetadata(other, metadata)
      let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
      #expect(
        findings.contains { $0.message.contains("Z_Person_lower was made by functions of another version") })
      #expect(
        !findings.contains {
          $0.message.contains("Z_Person_present") || $0.message.contains("Z_Person_early")
        })
    }
    other.close()
    try PersistentStoreCoordinator.open(storeAt: stack.path).close()
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
  }

  @Test("A check of the store finds its indexes, and one that is missing")
  func check() throws {
    stack.coordinator.close()
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
    let other = try SQLiteConnection(path: stack.path, mode: .readWrite, busyTimeout: .zero)
    try other.execute("DROP INDEX Z_Person_lower; DROP INDEX Z_Person_present")
    other.close()
    let messages = try StoreCheck.run(path: stack.path).flatMap(\.findings).map(\.message)
    #expect(
      messages == ["the index Z_Person_lower is missing", "the index Z_Person_present is missing"])
  }
}
