import GraphStoreCodegen
import GraphStoreModel
import Testing

@Suite("What is generated, left out and renamed")
struct CodeGeneratorTests {
  @Test("MDL-068, MDL-069: a class is named by className without the module, else by the entity")
  func classNames() throws {
    let made = try code(
      EntityDefinition("A", className: "My.Module.First"), EntityDefinition("B"),
      EntityDefinition("C", className: "NSManagedObject"), EntityDefinition("D", className: "ManagedObject"))
    #expect(
      made.files.map(\.name) == [
        "First+Properties.swift", "First.swift", "B+Properties.swift", "B.swift",
        "C+Properties.swift", "C.swift", "D+Properties.swift", "D.swift", "Model.swift",
      ])
    let model = made.text("Model.swift")
    #expect(model.contains("\"My.Module.First\": First.self,"))
    #expect(model.contains("\"B\": B.self,"))
    #expect(model.contains("\"className\": \"C\""))
    #expect(made.text("First.swift").contains("class First: ManagedObject {}"))
  }

  @Test("OBJ-027: what is manual is left to its author, a property or a whole class")
  func manual() throws {
    let manual: [String: JSONValue] = ["codegen": "manual"]
    let made = try code(
      EntityDefinition("A", attributes: [.init("x", .int16, userInfo: manual), .init("y", .int16)]),
      EntityDefinition("B", className: "Mine", attributes: [.init("z", .int16)], userInfo: manual),
      EntityDefinition("C", parent: "B"), EntityDefinition("D", userInfo: manual))
    #expect(
      made.files.map(\.name) == [
        "A+Properties.swift", "A.swift", "C+Properties.swift", "C.swift", "Model.swift",
      ])
    #expect(!made.text("A+Properties.swift").contains("var x"))
    #expect(made.text("A+Properties.swift").contains("var y: Int16?"))
    #expect(made.text("C.swift").contains("class C: Mine {}"))
    #expect(made.text("Model.swift").contains("\"Mine\": Mine.self,"))
    #expect(!made.text("Model.swift").contains("D.self"))
    #expect(made.findings.isEmpty)
  }

  @Test("An entity of an Xcode model in category form has no file for people")
  func category() throws {
    let made = try code(
      EntityDefinition("A", xcode: ["codeGenerationType": "category"]),
      EntityDefinition("B", xcode: ["codeGenerationType": "class"]))
    #expect(made.files.map(\.name) == ["A+Properties.swift", "B+Properties.swift", "B.swift", "Model.swift"])
  }

  @Test("OBJ-028: values of any type and of several parts are optional, and fetched properties are arrays")
  func typesWithoutZero() throws {
    let made = try code(
      EntityDefinition(
        "A",
        attributes: [
          .init("t", .transformable), .init("c", .composite, elements: [.init("x", .double)]),
          .init("u", .undefined, isTransient: true),
        ], fetchedProperties: [.init("f", entity: "A")]))
    #expect(made.rules.isEmpty)
    let text = made.text("A+Properties.swift")
    for line in ["var t: Any? {", "var c: C? {", "var u: Any? {", "var f: [A] { self[Keys.f] }"] {
      #expect(text.contains(line))
    }
    #expect(text.contains("static let c = CompositeKey<A, C>(\"c\")"))
  }

  @Test("A computed attribute can be read only; its key is there")
  func derived() throws {
    let made = try code(
      EntityDefinition(
        "A", attributes: [.init("n", .string), .init("d", .string, derivation: "canonical:(n)")]))
    #expect(made.text("A+Properties.swift").contains("var d: String? { self[Keys.d] }"))
  }

  @Test("Classes of one name, members of taken names and methods that clash are said")
  func clashes() throws {
    let made = try code(
      EntityDefinition("A", className: "X.Same", attributes: [.init("changedKeys", .string)]),
      EntityDefinition(
        "B", className: "Y.Same",
        relationships: [
          .init("bs", to: "B", isToMany: true), .init("Bs", to: "B", isToMany: true),
        ]))
    #expect(
      made.rules == [
        "class-renamed entities[1].className", "member-renamed entities[0].attributes[0]",
        "methods-left-out entities[1]",
      ])
    #expect(made.text("Same_+Properties.swift").components(separatedBy: "func addToBs").count == 3)
  }

  @Test("A class of entities apart has the properties of all, and a conflict is said")
  func shared() throws {
    let made = try code(
      EntityDefinition("P"), EntityDefinition("Q"),
      EntityDefinition(
        "A", parent: "P", className: "S", attributes: [.init("x", .int16), .init("y", .int16)]),
      EntityDefinition(
        "B", parent: "Q", className: "S", attributes: [.init("x", .string), .init("z", .int16)]))
    #expect(made.text("S.swift").contains("class S: P {}"))
    #expect(made.text("S+Properties.swift").contains("var x: Int16?"))
    #expect(made.text("S+Properties.swift").contains("var z: Int16?"))
    #expect(made.rules == ["shared-class entities[3].className", "shared-class entities[3]"])
  }

  @Test("Names of standard types are qualified where a class of the model has them")
  func standardNames() throws {
    let made = try code(
      EntityDefinition(
        "Date", attributes: [.init("at", .date)], relationships: [.init("all", to: "Set", isToMany: true)]),
      EntityDefinition("Set"))
    let text = made.text("Date+Properties.swift")
    #expect(text.contains("var at: Foundation.Date?"))
    #expect(text.contains("var all: Swift.Set<Set>"))
  }

  @Test("An unknown entity is refused; one entity alone keeps the model's file whole")
  func entities() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [EntityDefinition("A"), EntityDefinition("B")]))
    #expect(throws: ModelLookupError.self) {
      try CodeGenerator(model, options: CodegenOptions(entities: ["C"]))
    }
    let made = try CodeGenerator(model, options: CodegenOptions(entities: ["B"])).files()
    #expect(made.files.map(\.name) == ["B+Properties.swift", "B.swift", "Model.swift"])
    #expect(made.text("Model.swift").contains("A.self"))
  }

  @Test("Nothing that a model says can end a comment or a text")
  func injection() throws {
    let evil = "\"\"\"#\n}\u{2028}import Evil\r*/ \\(x)"
    var definition = ModelDefinition(
      name: evil,
      entities: [
        EntityDefinition("A", className: evil, attributes: [.init("x", .string, defaultValue: .string(evil))])
      ])
    definition.fetchRequests = [
      FetchRequestDefinition("t", entity: "A", predicate: "x == '\\n*/' AND\nx == $Y")
    ]
    for file in try CodeGenerator(ManagedObjectModel(definition)).files().files {
      #expect(
        !file.text.split(separator: "\n").contains { $0.hasPrefix("import Evil") || $0.hasPrefix("}import") })
    }
  }
}
