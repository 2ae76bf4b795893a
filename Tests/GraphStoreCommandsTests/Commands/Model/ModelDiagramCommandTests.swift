import Foundation
import GraphStoreTestSupport
import Testing

@Suite("graphstore model diagram")
struct ModelDiagramCommandTests {
  private static let company = Repository.root.appendingPathComponent("Models/company.json").path

  private static let hasGraphviz = ["/usr/bin/dot", "/usr/local/bin/dot", "/bin/dot"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test("MDL-369: the company's model in ASCII, which is the form for people")
  func ascii() throws {
    let tool = try CommandLineTool()
    let outcome = try tool.run("model", "diagram", Self.company)
    #expect(
      outcome.output == """
        +----------------------------+      +--------------------------------+
        | Person (abstract)          |      | Department                     |
        +----------------------------+      +--------------------------------+
        | name      string  required |      | name  string  required, unique |
        | email     string  unique   |      +--------------------------------+
        | birthday  date             |
        +-^--------------------------+      +-------------------------+
          | +---------------------------+   | Project                 |
          +-| Employee                  |   +-------------------------+
            +---------------------------+   | title  string  required |
            | salary  decimal  required |   +-------------------------+
            | badge   int32    unique   |
            +---------------------------+

        Department  0..1 ---- 0..*  Employee   employees (cascade)
                                               department (nullify)
        Employee    0..1 ---- 0..*  Employee   reports (deny)
                                               manager (nullify)
        Employee    0..* ---- 0..*  Project    projects (nullify)
                                               members (ordered, nullify)

        """)
    #expect(try tool.run("model", "diagram", Self.company, "--as", "ascii").output == outcome.output)
  }

  @Test("MDL-369: every form; the ending of the output file chooses one")
  func forms() throws {
    let tool = try CommandLineTool()
    let mermaid = try tool.run("model", "diagram", Self.company, "--as", "mermaid")
    #expect(mermaid.lines.first == "erDiagram")
    #expect(try tool.run("model", "diagram", Self.company, "-o", "x.mmd").output == "")
    #expect(try String(contentsOfFile: tool.path("x.mmd"), encoding: .utf8) == mermaid.output)
    let dot = try tool.run("model", "diagram", Self.company, "--as", "dot")
    #expect(dot.lines.first == "digraph \"Company\" {")
    #expect(try tool.run("model", "diagram", Self.company, "--as", "png").code == 64)
  }

  @Test("MDL-369: some entities with their neighbours; an unknown one exits 64 with the nearest name")
  func entities() throws {
    let tool = try CommandLineTool()
    let some = try tool.run("model", "diagram", Self.company, "--as", "mermaid", "--entity", "Project")
    #expect(some.output.contains("Employee {") && !some.output.contains("Department"))
    let unknown = try tool.run("model", "diagram", Self.company, "--entity", "Projekt")
    #expect(unknown.code == 64 && unknown.errors.contains("did you mean \"Project\""))
    let names = try tool.run("model", "diagram", Self.company, "--as", "mermaid", "--no-attributes")
    #expect(!names.output.contains("salary"))
  }

  @Test("MDL-363, MDL-369: without a model it draws the one that the store carries")
  func store() throws {
    let tool = try CommandLineTool()
    try tool.run("init", "hr.db", "--model", Self.company)
    let file = try tool.run("model", "diagram", Self.company, "--as", "dot")
    #expect(try tool.run("model", "diagram", "--as", "dot", "--store", "hr.db").output == file.output)
    #expect(try tool.run("model", "diagram").code == 66)
  }

  @Test(
    "Without Graphviz SVG is refused: the error names it and the forms that need none, and nothing is written"
  )
  func noGraphviz() throws {
    let tool = try CommandLineTool()
    try tool.write("before", to: "x.svg")
    for path in ["", "/nowhere"] {
      tool.environment = ["PATH": path]
      let outcome = try tool.run("model", "diagram", Self.company, "--as", "svg", "-o", "x.svg", "-y")
      #expect(outcome.code == 78)
      #expect(outcome.output == "")
      for word in ["graphviz-missing", "Graphviz", "--as mermaid", "--as ascii"] {
        #expect(outcome.errors.contains(word))
      }
      #expect(try String(contentsOfFile: tool.path("x.svg"), encoding: .utf8) == "before")
      #expect(try tool.run("model", "diagram", Self.company, "--as", "dot").code == 0)
    }
  }

  @Test("A Graphviz that fails is reported with its own words and its exit code; the old file stays")
  func failingGraphviz() throws {
    let tool = try CommandLineTool()
    try tool.write("before", to: "x.svg")
    for (script, words) in [
      ("echo '<svg'; echo 'no fonts' >&2; exit 3", ["exit code 3", "no fonts"]),
      ("kill -9 $$", ["signal 9"]), ("exit 0", ["exit code 0"]),
    ] {
      try tool.write("#!/bin/sh\n\(script)\n", to: "dot")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path("dot"))
      tool.environment = ["PATH": tool.folder.path + ":/usr/bin:/bin"]
      let outcome = try tool.run("model", "diagram", Self.company, "--as", "svg", "-o", "x.svg", "-y")
      #expect(outcome.code == 1)
      #expect((["graphviz-failed"] + words).allSatisfy(outcome.errors.contains), "\(outcome.errors)")
      #expect(try String(contentsOfFile: tool.path("x.svg"), encoding: .utf8) == "before")
    }
  }

  @Test("What Graphviz reads and writes goes through pipes of any length")
  func longPipes() throws {
    let tool = try CommandLineTool()
    try tool.write(
      "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' e >&2\ncat\nhead -c 300000 /dev/zero | tr '\\0' x\n",
      to: "dot")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path("dot"))
    tool.environment = ["PATH": tool.folder.path + ":/usr/bin:/bin"]
    let entities = (0..<2000).map { #"{"name":"Entity\#($0)"}"# }.joined(separator: ",")
    try tool.write(#"{"entities":[\#(entities)]}"#, to: "large.json")
    let outcome = try tool.run("model", "diagram", "large.json", "--as", "svg")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("digraph") && outcome.output.utf8.count > 300_000 + 2000 * 100)
  }

  @Test("MDL-369: Graphviz draws the company's model", .enabled(if: hasGraphviz))
  func svg() throws {
    let tool = try CommandLineTool()
    let outcome = try tool.run("model", "diagram", Self.company, "-o", "company.svg")
    #expect(outcome.code == 0 && outcome.errors == "")
    let picture = try String(contentsOfFile: tool.path("company.svg"), encoding: .utf8)
    for word in ["<svg", "Employee", "birthday", "members", "</svg>"] { #expect(picture.contains(word)) }
  }
}
