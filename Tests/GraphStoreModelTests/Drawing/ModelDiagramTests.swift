import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreModel

@Suite("Diagrams of models")
struct ModelDiagramTests {
  private func company() throws -> ManagedObjectModel {
    try ManagedObjectModel(contentsOf: Repository.models.appendingPathComponent("company.json").path)
  }

  @Test("MDL-369: the company's model in Mermaid")
  func mermaidCompany() throws {
    #expect(
      try MermaidWriter(ModelDiagram(company())).lines == [
        "erDiagram",
        "  Person[\"Person (abstract)\"] {",
        "    string name \"required\"",
        "    string email UK",
        "    date birthday",
        "  }",
        "  Employee {",
        "    decimal salary \"required\"",
        "    int32 badge UK",
        "  }",
        "  Department {",
        "    string name UK \"required\"",
        "  }",
        "  Project {",
        "    string title \"required\"",
        "  }",
        "  Person ||..o| Employee : \"parent of\"",
        "  Department |o--o{ Employee : \"employees (cascade) / department (nullify)\"",
        "  Employee |o--o{ Employee : \"reports (deny) / manager (nullify)\"",
        "  Employee }o--o{ Project : \"projects (nullify) / members (ordered, nullify)\"",
      ])
  }

  @Test("MDL-369: every kind of thing in Mermaid")
  func mermaidEverything() throws {
    let model = try ManagedObjectModel(drawnDefinition)
    #expect(
      MermaidWriter(ModelDiagram(model)).lines == [
        "erDiagram",
        "  Thing[\"Thing (abstract)\"] {",
        "    string uk_ \"named uk, required\"",
        "    string note \"transient\"",
        "    composite place \"of city string, zip int32\"",
        "    string key \"= canonical:(uk)\"",
        "  }",
        "  \"One\" {",
        "    string uk_ UK \"named uk, required, inherited\"",
        "  }",
        "  Part {",
        "    int16 a UK \"unique with b\"",
        "    date b \"unique with a\"",
        "  }",
        "  Lonely",
        "  Thing ||..o| \"One\" : \"parent of\"",
        "  Thing ||--|{ Part : \"parts (ordered, 3..40, cascade) / whole (nullify)\"",
        "  Thing |o--o| Thing : \"cousin (deny, own inverse)\"",
        "  Thing }o--o{ \"One\" : \"seen (noAction, one-way)\"",
        "  Part }o--o| Part : \"shadow (transient, nullify, one-way)\"",
        "  Thing }o..o{ Part : \"likes (fetched)\"",
      ])
  }

  @Test("MDL-369: the company's model for Graphviz")
  func dotCompany() throws {
    let lines = DotWriter(ModelDiagram(try company(), showsAttributes: false)).lines
    #expect(lines.first == "digraph \"Company\" {")
    #expect(lines.last == "}")
    #expect(lines.contains { $0.contains("<i><b>Person</b></i><br/><font point-size=\"9\">abstract</font>") })
    #expect(lines.contains { $0.hasPrefix("  \"Person\" -> \"Employee\" [dir=back, arrowtail=empty") })
    #expect(
      lines.contains {
        $0.hasPrefix("  \"Department\" -> \"Employee\" [dir=both, arrowtail=teeodot, arrowhead=crowodot")
          && $0.contains("<b>employees</b> <font color=\"#777777\">0..* cascade</font>")
          && $0.contains("<b>department</b> <font color=\"#777777\">0..1 nullify</font>")
      })
    #expect(lines.contains { $0.contains("<b>members</b> <font color=\"#777777\">0..* ordered nullify") })
    #expect(lines.filter { $0.contains("dir=both") }.count == 3)
  }

  @Test("MDL-369: every kind of thing for Graphviz")
  func dotEverything() throws {
    let lines = DotWriter(ModelDiagram(try ManagedObjectModel(drawnDefinition))).lines
    let text = lines.joined(separator: "\n")
    #expect(DotTokens.problem(in: text) == nil)
    #expect(lines[0] == #"digraph "Everything \"drawn\"" {"#)
    #expect(text.contains("<b>uk</b>"))
    #expect(text.contains("required, unique, inherited"))
    #expect(text.contains("unique, unique with b"))
    #expect(text.contains("arrowtail=teetee, arrowhead=crowtee"))
    #expect(text.contains("3..40 ordered cascade"))
    #expect(text.contains("arrowtail=none, arrowhead=teeodot, style=dashed"))
    #expect(text.contains("own inverse"))
    #expect(text.contains("style=dotted, arrowhead=vee, label=\"\u{A0}\u{A0}likes (fetched)\""))
  }

  @Test("MDL-369: --no-attributes leaves boxes with names")
  func noAttributes() throws {
    let diagram = ModelDiagram(try company(), showsAttributes: false)
    #expect(!MermaidWriter(diagram).lines.contains { $0.contains("salary") || $0.hasSuffix("{") })
    #expect(!DotWriter(diagram).lines.contains { $0.contains("salary") })
  }

  @Test("MDL-369: an entity with its neighbours, and the lines from it and its ancestors")
  func neighbours() throws {
    let model = try company()
    func drawn(_ name: String) throws -> [String] {
      let diagram = ModelDiagram(model, around: [try model.entity(named: name)])
      return diagram.boxes.map(\.entity.name) + diagram.lines.map(\.label)
    }
    #expect(
      try drawn("Project") == ["Employee", "Project", "projects (nullify) / members (ordered, nullify)"])
    #expect(try drawn("Person") == ["Person", "Employee"])
    #expect(try drawn("Employee").count == 7)
    let everything = try ManagedObjectModel(drawnDefinition)
    let one = ModelDiagram(everything, around: [try everything.entity(named: "One")])
    #expect(one.boxes.map(\.entity.name) == ["Thing", "One", "Part"])
    #expect(one.fetchedProperties.map(\.name) == ["likes"])
  }

  @Test(
    "MDL-369: drawings of random models parse, and have every entity and each relationship once",
    arguments: TestSeed.sequence(200))
  func random(_ seed: TestSeed) throws {
    var generator = RandomModel(seed)
    let model = try ManagedObjectModel(generator.definition())
    let diagram = ModelDiagram(model)
    let mermaid = MermaidWriter(diagram).lines
    #expect(MermaidTokens.problem(in: mermaid) == nil, "\(seed)")
    #expect(DotTokens.problem(in: DotWriter(diagram).lines.joined(separator: "\n")) == nil, "\(seed)")
    #expect(diagram.boxes.map(\.entity) == model.entities, "\(seed)")
    let drawn = diagram.lines.flatMap { line in
      line.backward === line.forward ? [line.forward] : [line.forward, line.backward].compactMap { $0 }
    }
    let declared = model.entities.flatMap { entity in
      entity.relationships.filter { $0.entity === entity }
    }
    #expect(drawn.count == declared.count && Set(drawn) == Set(declared), "\(seed)")
  }

  @Test("MDL-369: text from a model cannot leave its label")
  func escaping() throws {
    var definition = drawnDefinition
    definition.name = "\"];\n<b>\\"
    definition.entities[0].attributes[3] = .init("key", .string, derivation: "uppercase:(uk)")
    let model = try ManagedObjectModel(definition)
    let text = DotWriter(ModelDiagram(model)).lines.joined(separator: "\n")
    #expect(DotTokens.problem(in: text) == nil)
    #expect(text.hasPrefix(#"digraph "\"]; <b>\\" {"#))
    #expect(DotLabel.escaped("<b>\"&\u{1}") == "&lt;b&gt;&quot;&amp; ")
  }
}
