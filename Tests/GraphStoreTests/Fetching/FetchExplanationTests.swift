import Testing

@testable import GraphStore

/// What `explain` says of statements, order, window, rows and advice.
struct FetchExplanationTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(Self.model(indexes: []))
  }

  /// Moods as the worked case of DGN-093 has them.
  private static func model(indexes: [IndexDefinition]) -> ModelDefinition {
    ModelDefinition(
      name: "Moods",
      entities: [
        EntityDefinition(
          "Mood",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("hidden", .boolean),
            AttributeDefinition("level", .int64), AttributeDefinition("date", .date),
          ],
          relationships: [RelationshipDefinition("owner", to: "Owner", inverse: "moods")],
          indexes: indexes),
        EntityDefinition(
          "Owner", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("moods", to: "Mood", inverse: "owner", isToMany: true)]),
      ])
  }

  private static func index(_ name: String, _ properties: String...) -> IndexDefinition {
    IndexDefinition(name, elements: properties.map { .init($0) })
  }

  private func fill(_ stack: TestStack, _ count: Int) throws {
    for number in 0..<count {
      try stack.context.insert("Mood", ["name": "mood \(number)", "level": number])
    }
    try stack.context.save()
  }

  private func request(_ predicate: String = "", sort: String = "") throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: "Mood")
    if !predicate.isEmpty { request.predicate = try QueryPredicate(parsing: predicate) }
    if !sort.isEmpty { request.sortDescriptors = try QuerySortDescriptor.list(parsing: sort) }
    return request
  }

  private func explain(
    _ predicate: String = "", sort: String = "", in stack: TestStack? = nil
  ) throws -> FetchExplanation {
    try (stack ?? self.stack).context.explain(request(predicate, sort: sort))
  }

  @Test("DGN-066: explain is not counted among the statements")
  func uncounted() throws {
    let count = try stack.statements { _ = try explain("level > 1", sort: "name") }
    #expect(count == 0)
  }

  @Test("DGN-075: an order comes from an index, from the key, from sorting, or from memory")
  func order() throws {
    let indexed = try TestStack(Self.model(indexes: [Self.index("byLevel", "level")]))
    #expect(try explain(sort: "level", in: indexed).sort == .index("Z_Mood_byLevel"))
    #expect(try explain(sort: "objectID").sort == .primaryKey)
    #expect(try explain(sort: "level").sort == .afterReading)
    #expect(try explain("level > 1").sort == nil)
  }

  @Test("DGN-076: the window is cut in memory exactly when a part of the predicate is there")
  func window() throws {
    var request = try request("level > 1", sort: "name")
    request.fetchLimit = 5
    #expect(try stack.context.explain(request).window == .init(limit: 5, offset: 0, reason: nil))
    request.predicate = try QueryPredicate(parsing: "random:(level) == 1")
    #expect(try stack.context.explain(request).window?.reason == .mixed)
    #expect(try explain("level > 1").window == nil)
  }

  @Test("DGN-077: rows are exact without a predicate, unknown without statistics")
  func rows() throws {
    try fill(stack, 30)
    #expect(try explain().rows == .init(read: 30, returned: 30, total: 30, isExact: true))
    #expect(try explain("level > 1").rows == .init(read: nil, returned: nil, total: 30, isExact: false))
    var request = try request()
    request.fetchLimit = 20
    request.fetchOffset = 15
    #expect(try stack.context.explain(request).rows.read == 15)
  }

  @Test("DGN-078: analysis counts the rows read and the objects returned, and leaves no row in the cache")
  func analysis() throws {
    try fill(stack, 30)
    stack.context.reset()
    let explanation = try stack.context.analyze(request("level > 9 AND name MATCHES name"))
    #expect(explanation.rows == .init(read: 20, returned: 20, total: 30, isExact: true))
    let analysis = try #require(explanation.analysis)
    #expect(analysis.objects == 20 && analysis.totalTime >= analysis.storeTime)
    #expect(stack.cachedRows == 0)
  }

  @Test("DGN-073, DGN-074: prefetching adds its statements, and a plan has depths")
  func prefetch() throws {
    var request = try request("ANY owner.moods.level > 1")
    request.relationshipKeyPathsForPrefetching = ["owner.moods"]
    let explanation = try stack.context.explain(request)
    #expect(explanation.statements.first?.prefetches == nil)
    #expect(Set(explanation.statements.compactMap(\.prefetches)) == ["owner", "moods"])
    #expect(explanation.statements[0].plan.contains { $0.depth > 0 })
    request.relationshipKeyPathsForPrefetching = ["name"]
    #expect(throws: GraphStoreError.self) { _ = try stack.context.explain(request) }
  }

  @Test("DGN-044, DGN-045: a long text is cut, a long list is told by its number")
  func bindings() throws {
    let text = String(repeating: "x", count: 300)
    #expect(try explain("name == '\(text)'").bindings.first?.hasSuffix("'… (300 characters)") == true)
    let list = (0..<500).map { "'a, \($0)'" }.joined(separator: ",")
    #expect(try explain("name IN {\(list)}").bindings == ["list of 500 values"])
    #expect(try explain("name == \"it's\"").bindings == ["'it''s'"])
  }

  @Test("FET-251, FET-055: unsaved changes are said; the store judges and sorts what they leave alone")
  func corrected() throws {
    try stack.context.insert("Mood", ["name": "new"])
    var request = try request("owner.name == 'A'", sort: "level")
    request.fetchLimit = 2
    let explanation = try stack.context.explain(request)
    #expect(explanation.sort == .afterReading)
    #expect(explanation.window?.reason == .unsavedChanges)
    #expect(explanation.notes.count == 1)
    #expect(explanation.sql.contains("WHERE"))
    #expect(explanation.sql.contains("LIMIT"))
  }

  @Test("FET-251, FET-062: changes of what a path leads to move predicate, order and window into memory")
  func reached() throws {
    let owner = try stack.context.insert("Owner", ["name": "A"])
    try stack.context.insert("Mood", ["name": "m", "owner": owner])
    try stack.context.save()
    try owner.setValue("B", forKey: "name")
    var request = try request("owner.name == 'A'", sort: "level")
    request.fetchLimit = 2
    let explanation = try stack.context.explain(request)
    #expect(explanation.sort == .memory(.unsavedChanges))
    #expect(explanation.window?.reason == .unsavedChanges)
    #expect(explanation.notes.count == 1)
    #expect(!explanation.sql.contains("WHERE"))
  }

  @Test("FET-251: fields that the store has not make the fetch read objects")
  func fields() throws {
    let context = stack.context
    #expect(try context.explain(request(), fields: ["name"]).sql.contains("ZLEVEL") == false)
    let inMemory = try context.explain(request(), fields: ["name", "owner.moods.@avg.level"])
    #expect(inMemory.sql.contains("ZLEVEL"))
    #expect(inMemory.parts.map(\.kind) == [.field])
    #expect(inMemory.isInStore)
  }

  @Test("DGN-229: an inequality on an optional attribute is told to leave out objects without a value")
  func missingValues() throws {
    #expect(try explain("name != 'a'").notes.first?.contains("leaves out objects without name") == true)
    #expect(try explain("name != 'a' OR name == nil").notes.isEmpty)
    #expect(try explain("name == 'a'").notes.isEmpty)
  }

  // MARK: Advice

  @Test("DGN-088, PRD-278: no index is advised below 1,000 objects")
  func fewObjects() throws {
    try fill(stack, 999)
    #expect(try explain("level == 1").advice.isEmpty)
    try fill(stack, 1)
    #expect(try explain("level == 1").advice.count == 1)
  }

  @Test("DGN-086: equal columns, then the order; with a bound, the bounded column")
  func candidates() throws {
    try fill(stack, 1000)
    func elements(_ predicate: String, _ sort: String = "") throws -> [String] {
      try explain(predicate, sort: sort).advice.first?.index?.elements
        .map { ($0.isDescending ? "-" : "") + $0.property } ?? []
    }
    #expect(try elements("level == 1", "date") == ["level", "date"])
    #expect(try elements("level == 1", "-date") == ["level", "date"])
    #expect(try elements("", "-date") == ["date"])
    #expect(try elements("level == 1 AND date > CAST(0, 'NSDate')", "name") == ["level", "date"])
    #expect(try elements("", "-date,name") == ["-date", "name"])
    #expect(try elements("level == 1 AND name == 'a'") == ["level", "name"])
    #expect(try elements("owner.name == 'a'") == [])
    #expect(try elements("noindex:(level) == 1") == [])
  }

  @Test("DGN-085: what an index has already is not advised")
  func served() throws {
    let indexed = try TestStack(Self.model(indexes: [Self.index("byLevel", "level", "date")]))
    try fill(indexed, 1000)
    #expect(try explain("level == 1", in: indexed).advice.isEmpty)
    #expect(try explain("level == 1", sort: "date", in: indexed).advice.isEmpty)
  }

  @Test("DGN-087, DGN-093: the compound index makes the sorting go and the single one redundant, both said")
  func worked() throws {
    let indexed = try TestStack(Self.model(indexes: [Self.index("byLevel", "level")]))
    try fill(indexed, 1000)
    #expect(try explain("level == 1", sort: "-date", in: indexed).sort == .afterReading)
    let advice = try #require(try explain("level == 1", sort: "-date", in: indexed).advice.first)
    #expect(advice.entity == "Mood")
    #expect(
      advice.index?.json == """
        {"name": "byLevelDate", "elements": [{"property": "level"}, {"property": "date"}]}
        """)
    #expect(advice.reason.hasPrefix("avoids sorting; byLevel can then go"))
  }

  @Test(
    "DGN-089: operators that no index serves are answered with a normalised copy",
    arguments: [
      "name CONTAINS 'a'", "name ENDSWITH 'a'", "name LIKE '*a'", "name MATCHES 'a.*'", "name ==[c] 'a'",
      "name BEGINSWITH[cd] 'a'",
    ])
  func normalised(_ predicate: String) throws {
    try fill(stack, 1000)
    let advice = try explain(predicate).advice
    #expect(advice.count == 1)
    #expect(advice.first?.index == nil)
    #expect(advice.first?.reason.contains("1 000 rows") == true)
    #expect(advice.first?.reason.contains("normalised copy of name") == true)
  }

  @Test("DGN-072: a disjunction or negation is one part, in memory as a whole for the reason of the culprit")
  func wholes() throws {
    for predicate in ["level == 1 OR name MATCHES name", "NOT (level == 1 AND name MATCHES name)"] {
      let parts = try explain(predicate).parts
      #expect(parts.count == 1 && parts[0].place == .memory, "\(parts)")
      #expect(parts[0].reason == .regularExpression, "\(parts)")
    }
    let mixed = try explain("level == 1 AND (hidden == YES OR name MATCHES name) AND level != 3").parts
    #expect(mixed.map(\.isInStore) == [true, false, true])
    #expect(try explain("level == 1 OR hidden == YES OR NOT level < 3").parts.map(\.isInStore) == [true])
  }

  @Test("DGN-084: noindex: shows as + before the column, and changes the plan, not the result")
  func withoutIndex() throws {
    let indexed = try TestStack(Self.model(indexes: [Self.index("byLevel", "level")]))
    try fill(indexed, 50)
    let plain = try explain("level == 7", in: indexed)
    let barred = try explain("noindex:(level) == 7", in: indexed)
    #expect(!plain.sql.contains("+") && barred.sql.contains("+"))
    #expect(barred.sql.contains(/\+[a-zA-Z0-9.]*ZLEVEL/), "\(barred.sql)")
    #expect(plain.statements[0].plan != barred.statements[0].plan)
    let context = indexed.context
    #expect(try context.fetch(request("level == 7")) == context.fetch(request("noindex:(level) == 7")))
  }

  @Test("DGN-091: a compound index serves each leading part of it, and no part that starts later")
  func leadingParts() throws {
    let indexed = try TestStack(Self.model(indexes: [Self.index("all", "level", "hidden", "name")]))
    try fill(indexed, 1000)
    for predicate in [
      "level == 1", "level == 1 AND hidden == YES", "level == 1 AND hidden == NO AND name == 'x'",
    ] {
      #expect(try explain(predicate, in: indexed).advice.isEmpty, "\(predicate)")
    }
    let later = try #require(try explain("name == 'mood 5'", in: indexed).advice.first)
    #expect(later.index?.elements.map(\.property) == ["name"])
  }

  @Test("DGN-092: parts are shown as they are written; the plan is the same in every order")
  func writtenOrder() throws {
    let indexed = try TestStack(Self.model(indexes: [Self.index("byLevel", "level")]))
    try fill(indexed, 50)
    let first = try explain("level == 1 AND name == 'x'", in: indexed)
    let second = try explain("name == 'x' AND level == 1", in: indexed)
    #expect(first.parts.map(\.text) == ["level == 1", "name == \"x\""])
    #expect(second.parts.map(\.text) == ["name == \"x\"", "level == 1"])
    #expect(first.statements[0].plan == second.statements[0].plan)
  }

  @Test("DGN-082: what a fetch refuses, explain refuses with the same error")
  func errors() throws {
    #expect(throws: QueryPredicateError.self) { _ = try explain("nope == 1") }
    var refused = try request("random:(level) == 1")
    refused.inMemoryEvaluation = .refused
    let error = #expect(throws: GraphStoreError.self) { _ = try stack.context.explain(refused) }
    #expect(error?.code == .unsupportedInStore)
  }
}
