import Foundation
import Testing

@Suite("Importing by the ids of stored objects")
struct ImportIdentifierTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool.company()
    let made = try tool.run(
      "run", "-",
      input: """
        insert Employee name=Ada badge=1
        insert Employee name=Bob badge=2
        insert Project title=Compiler members=Employee/p1
        insert Project title=Help members=Employee/p2,Employee/p1
        """)
    try #require(made.code == 0, "\(made.errors)")
  }

  private func projects() throws -> [String] {
    try tool.run("fetch", "Project", "--fields", "id,title,members", "-f", "csv", "--no-header").lines
  }

  @Test(
    "OBJ-490: a table that was exported, edited and imported changes the objects; a row without an id is new")
  func roundTrip() throws {
    for format in ["csv", "tsv", "ndjson", "json"] {
      #expect(try tool.run("export", "Project", "-o", "p.\(format)", "-y").code == 0)
      let text = try String(contentsOfFile: tool.path("p.\(format)"), encoding: .utf8)
      try tool.write(text.replacing("Help", with: "Desk \(format)"), to: "p.\(format)")
      let outcome = try tool.run("import", "Project", "p.\(format)", "--key", "id", "--on-conflict", "update")
      #expect(outcome.code == 0 && outcome.errors.contains("0 inserted, 2 updated"), "\(outcome.errors)")
      #expect(try projects()[1] == "Project/p2,Desk \(format),Employee/p2 Employee/p1")
      try tool.run("update", "Project/p2", "title=Help")
    }
    try tool.write("id,title\nProject/p1,Linker\n,New\n", to: "more.csv")
    let more = try tool.run("import", "Project", "more.csv", "--key", "id", "--on-conflict", "update")
    #expect(more.errors.contains("1 inserted, 1 updated"), "\(more.errors)")
    #expect(
      try projects() == [
        "Project/p1,Linker,Employee/p1", "Project/p2,Help,Employee/p2 Employee/p1", "Project/p3,New,",
      ])
  }

  @Test("replace and ignore do with ids what they do with keys")
  func policies() throws {
    try tool.write("{\"id\":\"Project/p1\",\"title\":\"Linker\"}\n", to: "p.ndjson")
    #expect(try tool.run("import", "Project", "p.ndjson", "--key", "id", "--on-conflict", "ignore").code == 0)
    #expect(try projects()[0] == "Project/p1,Compiler,Employee/p1")
    #expect(
      try tool.run("import", "Project", "p.ndjson", "--key", "objectID", "--on-conflict", "replace").code == 0
    )
    #expect(try projects()[0].hasPrefix("Project/p1,Linker"))
  }

  @Test(
    "An id that names no stored object is refused with its line, and nothing is written",
    arguments: ["Project/p9", "Employee/p1", "label"])
  func absent(_ id: String) throws {
    let before = try projects()
    try tool.write("id,title\nProject/p1,Linker\n\(id),X\n", to: "p.csv")
    let outcome = try tool.run("import", "Project", "p.csv", "--key", "id", "--on-conflict", "update")
    #expect(outcome.code == 65 && outcome.errors.contains("p.csv:3"), "\(outcome.errors)")
    #expect(try projects() == before)
    let skipped = try tool.run(
      "import", "Project", "p.csv", "--key", "id", "--on-conflict", "update", "--on-error", "skip")
    #expect(skipped.code == 5, "\(skipped.errors)")
    #expect(try projects()[0] == "Project/p1,Linker,Employee/p1")
  }

  @Test("An id that comes twice is refused; --key id without what becomes of its objects as well")
  func refused() throws {
    try tool.write("id,title\nProject/p1,A\nProject/p1,B\n", to: "p.csv")
    #expect(try tool.run("import", "Project", "p.csv", "--key", "id", "--on-conflict", "update").code == 65)
    let outcome = try tool.run("import", "Project", "p.csv", "--key", "id")
    #expect(outcome.code == 64 && outcome.errors.contains("--on-conflict update"), "\(outcome.errors)")
  }

  @Test("Ids of stored objects that are taken as labels are told, and only such")
  func told() throws {
    try tool.run("export", "Project", "-o", "p.csv")
    let outcome = try tool.run("import", "Project", "p.csv")
    #expect(outcome.code == 0 && outcome.errors.contains("[ids-are-labels]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("--key id --on-conflict update") && outcome.errors.contains("Project/p1"))
    try tool.write("id,title\nProject/p77,A\nx,B\n", to: "own.csv")
    let own = try tool.run("import", "Project", "own.csv")
    #expect(own.code == 0 && !own.errors.contains("ids-are-labels"), "\(own.errors)")
    try tool.write("id,name,badge\nEmployee/p1,Ida,1\n", to: "e.csv")
    let keyed = try tool.run("import", "Employee", "e.csv", "--key", "badge", "--on-conflict", "update")
    #expect(keyed.code == 0 && !keyed.errors.contains("ids-are-labels"), "\(keyed.errors)")
  }
}
