import Foundation
import GraphStore
import Testing

@Suite("Stored fetch requests")
struct TemplateTests {
  private let stack: TestStack

  init() throws {
    let model = ModelDefinition(
      entities: [
        EntityDefinition(
          "Author", attributes: [.init("firstName", .string), .init("lastName", .string)],
          relationships: [.init("publications", to: "Publication", inverse: "mainAuthor", isToMany: true)]),
        EntityDefinition(
          "Publication", attributes: [.init("title", .string), .init("publicationDate", .date)],
          relationships: [.init("mainAuthor", to: "Author", inverse: "publications")]),
        EntityDefinition("Book", parent: "Publication"),
      ],
      fetchRequests: [
        .init(
          "PublicationsForAuthorSinceDate", entity: "Publication",
          predicate:
            "(mainAuthor.firstName like[cd] $FIRST_NAME) AND (mainAuthor.lastName like[cd] $LAST_NAME) "
            + "AND (publicationDate > $DATE)", sort: ["-title"]),
        .init("all", entity: "Publication", sort: ["title"], limit: 2, offset: 1, prefetch: ["mainAuthor"]),
        .init("own", entity: "Publication", predicate: "title != $TITLE", includesSubentities: false),
        .init("titles", entity: "Publication", resultType: .dictionaries, properties: ["title"]),
        .init("count", entity: "Publication", predicate: "title > $TITLE", resultType: .count),
        .init("ids", entity: "Publication", resultType: .ids),
        .init(
          "groups", entity: "Publication", predicate: "mainAuthor != nil", sort: ["-works"],
          resultType: .dictionaries,
          properties: ["mainAuthor.lastName", .init("works", expression: "count:(SELF)", type: .int64)],
          groupBy: ["mainAuthor.lastName"], having: "$works > $LEAST"),
      ])
    stack = try TestStack(model)
    let fiona = try stack.context.insert("Author", ["firstName": "FIONA", "lastName": "Vèrde"])
    let other = try stack.context.insert("Author", ["firstName": "Bob", "lastName": "Blue"])
    let now = Date.now
    let rows: [(String, ManagedObject, Double)] = [
      ("A", fiona, -1000), ("B", fiona, -31_355_000), ("C", fiona, -31_357_000), ("D", other, -1000),
    ]
    for (title, author, age) in rows {
      try stack.context.insert(
        "Publication",
        ["title": title, "publicationDate": now.addingTimeInterval(age), "mainAuthor": author])
    }
    try stack.context.insert("Book", ["title": "E"])
    try stack.context.save()
  }

  private var model: ManagedObjectModel { stack.coordinator.managedObjectModel }

  private func titles(_ request: FetchRequest<ManagedObject>) throws -> [String] {
    try stack.context.fetch(request).compactMap { try $0.string("title") }
  }

  private var values: [String: Value] {
    [
      "FIRST_NAME": .string("Fiona"), "LAST_NAME": .string("verde"),
      "DATE": .date(Date.now.addingTimeInterval(-31_356_000)),
    ]
  }

  @Test("MDL-235, MDL-372, FET-155: every variable is replaced by its value, under both names of the method")
  func substituting() throws {
    let name = "PublicationsForAuthorSinceDate"
    let request = try model.fetchRequest(fromTemplate: name, substituting: values)
    #expect(try titles(request) == ["B", "A"])
    let classic = try model.fetchRequestFromTemplate(withName: name, substitutionVariables: values)
    #expect(try titles(classic) == ["B", "A"])
    #expect(request.variables.isEmpty)
    #expect(model.fetchRequestTemplate(forName: name)?.variables == ["FIRST_NAME", "LAST_NAME", "DATE"])
  }

  @Test("MDL-236, FET-156: all variables without a value are named; none is taken as null")
  func unbound() throws {
    let error = #expect(throws: QueryPredicateError.self) {
      try model.fetchRequest(
        fromTemplate: "PublicationsForAuthorSinceDate", substituting: ["LAST_NAME": .string("Verde")])
    }
    #expect(error?.code == .unboundVariable)
    #expect(error?.message.contains("$FIRST_NAME, $DATE") == true)
  }

  @Test("MDL-237, FET-156: an explicit null makes a null test")
  func null() throws {
    let untitled = try stack.context.insert("Publication", [:])
    let request = try model.fetchRequest(fromTemplate: "own", substituting: ["TITLE": .null])
    let found = try stack.context.fetch(request)
    #expect(found.count == 4 && !found.contains(untitled))
  }

  @Test("MDL-238, FET-156: keys that the request does not use are ignored")
  func extraKeys() throws {
    let request = try model.fetchRequest(
      fromTemplate: "own", substituting: ["TITLE": .string("A"), "MORE": .int(3)])
    #expect(try titles(request).sorted() == ["B", "C", "D"])
  }

  @Test("MDL-239, FET-157: without variables a request needs no values, or is made of the stored one")
  func withoutVariables() throws {
    for request in [
      try model.fetchRequest(fromTemplate: "all"),
      try model.fetchRequest(fromTemplate: "all", substituting: [:]),
      try FetchRequest(try model.fetchRequestTemplate(named: "all")),
    ] {
      #expect(try titles(request) == ["B", "C"])
      #expect(request.relationshipKeyPathsForPrefetching == ["mainAuthor"])
    }
  }

  @Test("MDL-240, FET-157: a request made of a stored one is the caller's own")
  func ownRequest() throws {
    var request = try model.fetchRequest(fromTemplate: "all")
    request.fetchLimit = 0
    request.fetchOffset = 0
    #expect(try titles(request) == ["A", "B", "C", "D", "E"])
    #expect(try titles(try model.fetchRequest(fromTemplate: "all")) == ["B", "C"])
  }

  @Test("MDL-241: an unknown name throws unknown-template")
  func unknown() {
    let error = #expect(throws: ModelLookupError.self) { try model.fetchRequest(fromTemplate: "al") }
    #expect(error?.code == "unknown-template" && error?.suggestions == ["all"])
  }

  @Test("FET-161: names that fetched properties bind are variables like others in a template")
  func ordinaryVariables() throws {
    let stack = try TestStack(
      ModelDefinition(
        entities: [EntityDefinition("Note", attributes: [.init("text", .string)])],
        fetchRequests: [
          .init("same", entity: "Note", predicate: "text == $FETCH_SOURCE OR text == $FETCHED_PROPERTY")
        ]))
    for text in ["a", "b", "c"] { try stack.context.insert("Note", ["text": text]) }
    try stack.context.save()
    let model = stack.coordinator.managedObjectModel
    let error = #expect(throws: QueryPredicateError.self) {
      try model.fetchRequest(fromTemplate: "same", substituting: [:])
    }
    #expect(error?.code == .unboundVariable)
    let request = try model.fetchRequest(
      fromTemplate: "same", substituting: ["FETCH_SOURCE": .string("a"), "FETCHED_PROPERTY": .string("c")])
    #expect(try stack.context.count(for: request) == 2)
  }

  @Test("FET-154, MDL-231: stored requests of every result type, with groups, conditions and expressions")
  func resultTypes() throws {
    let titles = try model.fetchRequest(fromTemplate: "titles")
    #expect(titles.resultType == .dictionary)
    #expect(Set(try stack.context.fetchDictionaries(titles).map { $0["title"] as? String }).count == 5)
    let count = try model.fetchRequest(fromTemplate: "count", substituting: ["TITLE": .string("B")])
    guard case .count(let numbers) = try stack.context.fetchResults(count) else {
      Issue.record("no count")
      return
    }
    #expect(numbers == [3])
    guard case .identifiers(let ids) = try stack.context.fetchResults(model.fetchRequest(fromTemplate: "ids"))
    else {
      Issue.record("no identifiers")
      return
    }
    #expect(ids.count == 5)
    let groups = try model.fetchRequest(fromTemplate: "groups", substituting: ["LEAST": .int(0)])
    #expect(
      try stack.context.fetchDictionaries(groups).map(\.description) == [
        #"{mainAuthor.lastName: "Vèrde", works: 3}"#, #"{mainAuthor.lastName: "Blue", works: 1}"#,
      ])
    let error = #expect(throws: QueryPredicateError.self) { try model.fetchRequest(fromTemplate: "groups") }
    #expect(error?.message == "No value is given for $LEAST.")
  }

  @Test("MDL-231: a model file has expressions among the properties, and writes them back")
  func expressionsInFiles() throws {
    let definition = model.definition
    let text = String(decoding: definition.jsonData(), as: UTF8.self)
    #expect(text.contains(#""name": "works""#) && text.contains(#""expression": "count:(SELF)""#))
    #expect(
      try ManagedObjectModel(json: definition.jsonData()).definition.fetchRequests == definition.fetchRequests
    )
  }

  @Test("FET-159: what does not fit in a stored request for dictionaries is found when the model is checked")
  func checks() {
    func problems(_ request: FetchRequestDefinition) -> [String] {
      let definition = ModelDefinition(
        entities: [EntityDefinition("A", attributes: [.init("n", .int32)])], fetchRequests: [request])
      do {
        _ = try ManagedObjectModel(definition)
        return []
      } catch {
        return error.problems.map { "\($0.path)" }
      }
    }
    #expect(
      problems(
        .init(
          "r", entity: "A", sort: ["-sum"], resultType: .dictionaries,
          properties: ["n", .init("sum", expression: "sum:(n)")], groupBy: ["n"], having: "sum > 1")) == [])
    #expect(
      problems(
        .init(
          "r", entity: "A", sort: ["m"], resultType: .dictionaries,
          properties: ["n", .init("x", expression: "sum:(m)"), .init("n", expression: "n")], groupBy: ["y"])
      )
      .sorted() == [
        "fetchRequests[0].groupBy[0]", "fetchRequests[0].properties[1].expression",
        "fetchRequests[0].properties[2]", "fetchRequests[0].sort[0]",
      ])
  }
}
