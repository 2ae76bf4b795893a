import GraphStore
import GraphStoreSQLite
import Testing

@testable import GraphStoreCommands

@Suite("Importing links")
struct ImportLinkTests {
  let folder: TransferFolder

  init() throws { folder = try TransferFolder(model: TransferFolder.teams) }

  private static let graph = """
    {"entity":"Team","id":"Team/p9","name":"T","people":["Person/p3","Chief/p1","Person/p2"]}
    {"entity":"Badge","id":"Badge/p5","code":"x","holder":"Person/p2"}
    {"entity":"Chief","id":"Chief/p1","name":"C","title":"Dr","tags":["Tag/p2","Tag/p1"]}
    {"entity":"Person","id":"Person/p2","name":"A","boss":"Chief/p1","team":"Team/p9"}
    {"entity":"Person","id":"Person/p3","name":"B","boss":"Person/p2","team":"Team/p9"}
    {"entity":"Tag","id":"Tag/p1","name":"one"}
    {"entity":"Tag","id":"Tag/p2","name":"two"}

    """

  @Test(
    "OBJ-495, STO-302: references before and behind give the same graph, whatever the batch",
    arguments: ["1", "2", "3", "1000"])
  func references(size: String) throws {
    try folder.load(Self.graph, ["--batch-size", size])
    let text = try folder.export(["--all"])
    #expect(text.contains(#""name":"T","people":["Person/p3","Chief/p1","Person/p2"]"#))
    #expect(text.contains(#""code":"x","holder":"Person/p2""#))
    #expect(
      text.contains(
        #""name":"A","number":null,"wage":"0","team":"Team/p1","badge":"Badge/p1","boss":"Chief/p1""#))
    #expect(
      text.contains(
        #""name":"C","number":null,"wage":"0","team":"Team/p1","badge":null,"boss":null,"tags":["Tag/p1","Tag/p2"],"title":"Dr""#
      ))
    #expect(try folder.run(["check", "--quiet"]) == .success)
  }

  @Test(
    "A reference that no record and no object answers to is named with its line", arguments: ["1", "1000"])
  func unresolved(size: String) throws {
    let failure = folder.failure(
      "{\"name\":\"a\"}\n{\"name\":\"b\",\"boss\":\"Person/p77\"}\n", ["Person", "--batch-size", size])
    #expect(failure?.code == "unresolved-link")
    #expect(failure?.location?.line == 2)
    #expect(try folder.count("Person") == 0)
  }

  @Test("A reference that no record has means an object that exists")
  func existing() throws {
    try folder.load("{\"name\":\"T\"}\n", ["Team"])
    try folder.load("{\"name\":\"a\"}\n", ["Person"])
    try folder.load("{\"name\":\"b\",\"boss\":\"Person/p1\",\"team\":\"Team/p1\"}\n", ["Person"])
    let text = try folder.export([
      "Person", "--fields", "name,boss.name,team.name", "--format", "csv", "--no-header",
    ])
    #expect(text == "a,,\nb,a,T\n")
  }

  @Test("The keys that an import gives are no objects that exist for its own references")
  func ownKeys() throws {
    let failure = folder.failure("{\"name\":\"a\"}\n{\"name\":\"b\",\"boss\":\"Person/p1\"}\n", ["Person"])
    #expect(failure?.code == "unresolved-link")
  }

  @Test("STO-308: links by an attribute are found with one fetch a batch, and several answers are refused")
  func lookups() throws {
    try folder.load("{\"name\":\"T\"}\n{\"name\":\"U\"}\n{\"name\":\"U\"}\n", ["Team"])
    try folder.load("name,team\na,T\nb,\n", ["Person", "--link", "team=name"], as: "input.csv")
    #expect(
      try folder.export(["Person", "--fields", "name,team.name", "--format", "csv", "--no-header"])
        == "a,T\nb,\n")
    #expect(
      folder.failure("name,team\nc,U\n", ["Person", "--link", "team=name"], as: "input.csv")?.code
        == "not-unique")
    #expect(
      folder.failure("name,team\nc,V\n", ["Person", "--link", "team=name"], as: "input.csv")?.code
        == "unresolved-link")
  }

  @Test("STO-308: two columns that link one relationship have to name one object, or none")
  func disagreement() throws {
    try folder.load("{\"name\":\"T\"}\n{\"name\":\"U\"}\n", ["Team"])
    try folder.load("name,team,team.name\na,Team/p1,T\nb,,U\nc,Team/p2,\n", ["Person"], as: "input.csv")
    #expect(
      try folder.export(["Person", "--fields", "name,team.name", "--format", "csv", "--no-header"])
        == "a,T\nb,U\nc,U\n")
    for header in ["name,team,team.name", "name,team,boss,team.name"] {
      let values = header.contains("boss") ? "d,Team/p1,,U" : "d,Team/p1,U"
      let failure = folder.failure("\(header)\n\(values)\n", ["Person"], as: "input.csv")
      #expect(failure?.code == "wrong-cardinality")
      #expect(failure?.message.contains("\"Team/p1\" and \"U\"") == true, "\(failure?.message ?? "")")
    }
    let same = ["Person", "--map", "club=team", "--link", "team=name"]
    let other = folder.failure("name,club,team.name\ne,T,U\n", same, as: "input.csv")
    #expect(other?.code == "wrong-cardinality")
    #expect(folder.failure("name,club,team.name\ne,T,T\n", same, as: "input.csv") == nil)
  }

  @Test("OBJ-489: links by an attribute find objects that come later in the input")
  func laterLookups() throws {
    let text = """
      {"entity":"Person","name":"a","team":"T"}
      {"entity":"Team","name":"T"}

      """
    try folder.load(text, ["--link", "team=name", "--batch-size", "1"])
    #expect(
      try folder.export(["Person", "--fields", "name,team.name", "--format", "csv", "--no-header"]) == "a,T\n"
    )
  }

  @Test("A required link may come later; one that never comes is named with its line")
  func required() throws {
    let text =
      "{\"entity\":\"Badge\",\"code\":\"x\",\"holder\":\"Person/p2\"}\n{\"entity\":\"Person\",\"id\":\"Person/p2\",\"name\":\"A\"}\n"
    try folder.load(text, ["--batch-size", "1"])
    let failure = folder.failure("{\"code\":\"y\"}\n", ["Badge"])
    #expect(failure?.code == "validation")
    #expect(failure?.location?.line == 1)
    #expect(try folder.count("Badge") == 1)
  }

  @Test("A link to an object of another entity is refused")
  func wrongDestination() throws {
    let failure = folder.failure(
      "{\"entity\":\"Tag\",\"id\":\"Tag/p1\"}\n{\"entity\":\"Person\",\"name\":\"x\",\"team\":\"Tag/p1\"}\n",
      ["--batch-size", "9"])
    #expect(failure?.code == "wrong-destination")
    #expect(failure?.location?.line == 2)
  }

  @Test("An id that comes twice is refused", arguments: ["1", "9"])
  func duplicates(size: String) throws {
    let failure = folder.failure(
      "{\"id\":\"a\",\"name\":\"x\"}\n{\"id\":\"a\",\"name\":\"y\"}\n", ["Person", "--batch-size", size])
    #expect(failure?.code == "not-unique")
    #expect(failure?.location?.line == 2)
  }

  @Test("Keys are kept where asked, and new ones go on behind them")
  func keptKeys() throws {
    try folder.load(
      "{\"id\":\"Person/p41\",\"name\":\"a\",\"boss\":\"Person/p50\"}\n{\"id\":\"Person/p50\",\"name\":\"b\"}\n",
      ["Person", "--keep-ids"])
    try folder.load("{\"name\":\"c\"}\n", ["Person"])
    let text = try folder.export(["Person", "--fields", "id,boss", "--format", "csv", "--no-header"])
    #expect(text == "Person/p41,Person/p50\nPerson/p50,\nPerson/p51,\n")
    #expect(
      folder.failure("{\"id\":\"Person/p1\",\"name\":\"d\"}\n", ["Person", "--keep-ids"])?.code == "not-empty"
    )
  }

  @Test("A record that is left out takes its links with it")
  func skippedLinks() throws {
    let code = try folder.load(
      "{\"id\":\"a\",\"name\":\"\"}\n{\"id\":\"b\",\"name\":\"b\",\"boss\":\"a\"}\n{\"id\":\"c\",\"name\":\"c\"}\n",
      ["Person", "--on-error", "skip"])
    #expect(code == .partial)
    #expect(try folder.export(["Person", "--fields", "name", "--format", "csv", "--no-header"]) == "c\n")
  }

  @Test("A record that waits does not take an id that another one has", arguments: ["batch", "line"])
  func waitingDuplicate(commit: String) throws {
    let code = try folder.load(
      """
      {"id":"y","name":"a","number":1}
      {"name":"b","number":2,"boss":"late"}
      {"id":"y","name":"c","number":2}
      {"id":"late","name":"d","number":4}
      {"name":"e","number":5,"boss":"y"}

      """,
      [
        "Person", "--key", "number", "--on-conflict", "update", "--commit", commit, "--batch-size", "1",
        "--on-error", "skip", "--rejects", folder.path("rejects"),
      ])
    #expect(code == .partial)
    let rejects = try folder.read("rejects")
    #expect(rejects.hasPrefix("{\"line\":3,\"code\":\"not-unique\",\"key\":\"id\""))
    #expect(rejects.split(separator: "\n").count == 1)
    let text = try folder.export([
      "Person", "--sort", "name", "--fields", "name,boss.name", "--format", "csv", "--no-header",
    ])
    #expect(text == "a,\nb,d\nd,\ne,a\n")
  }

  // MARK: Versions

  private func versions(_ table: String) throws -> [Int64] {
    let connection = try SQLiteConnection(path: folder.path("store.db"), mode: .readOnly)
    return try connection.withStatement("SELECT Z_OPT FROM \(table) ORDER BY Z_PK") { statement in
      var versions: [Int64] = []
      while try statement.step() { versions.append(statement.int64(at: 0)) }
      return versions
    }
  }

  @Test("REL-107, CTX-169: an object whose to-many new records join has a new version, once a batch")
  func versions() throws {
    try folder.load(
      """
      {"entity":"Person","name":"boss","number":1}
      {"entity":"Person","name":"other","number":2}
      {"entity":"Tag","name":"x"}
      {"entity":"Tag","name":"y"}

      """, [])
    let records = """
      {"name":"a","number":3,"boss":1,"tags":["x"]}
      {"name":"b","number":4,"boss":1,"tags":["x"]}

      """
    try folder.load(records, ["Person", "--link", "boss=number", "--link", "tags=name"])
    #expect(try versions("ZPERSON") == [2, 1, 1, 1])
    #expect(try versions("ZTAG") == [2, 1])
    try folder.load(
      records.replacing("3", with: "5").replacing("4", with: "6"),
      ["Person", "--link", "boss=number", "--link", "tags=name", "--commit", "line"])
    #expect(try versions("ZPERSON").prefix(2) == [4, 1])
    #expect(try versions("ZTAG") == [4, 1])
  }

  @Test("CTX-173: versions that an import raises are no conflict for an object that is changed meanwhile")
  func noConflict() throws {
    try folder.load("{\"name\":\"boss\",\"number\":1}\n", ["Person"])
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.path("store.db"))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let boss = try #require(try context.fetch(FetchRequest(entityName: "Person")).first)
    try boss.setQueryValue(.string("chief"), forKey: "name")
    try folder.load("{\"name\":\"a\",\"boss\":1}\n", ["Person", "--link", "boss=number"])
    try context.save()
    #expect(try versions("ZPERSON") == [3, 1])
  }
}
