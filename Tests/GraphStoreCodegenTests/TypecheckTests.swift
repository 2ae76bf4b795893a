import Foundation
import GraphStoreCodegen
import GraphStoreModel
import Testing

/// Has the compiler look at generated code, with the modules that the tests were built with.
@Suite("Generated code before the compiler", .enabled(if: SwiftCompiler.isThere))
struct TypecheckTests {
  @Test(
    "Generated code has neither errors nor warnings in Swift 6", arguments: CodegenOptions.Access.allCases)
  func clean(_ access: CodegenOptions.Access) throws {
    for model in [try orchard(), try ManagedObjectModel(awkward)] {
      let generator = try CodeGenerator(model, options: CodegenOptions(access: access))
      #expect(try SwiftCompiler.complaints(about: generator.files().files) == "")
      #expect(try SwiftCompiler.complaints(about: generator.singleFile(named: "All.swift").files) == "")
    }
  }

  @Test("A module's own class takes the place of the generated one, wherever it is declared")
  func ownClass() throws {
    let source = """
      import GraphStore
      // class OldTree
      final class Garden: ManagedObject { var greeting: String { "class Pet \\(name)" } }
      extension AppleTree { func grow() { shoots = [] } }
      """
    let own = ClassScanner.classes(in: source)
    #expect(own == ["Garden"])
    let code = try CodeGenerator(orchard()).singleFile(named: "Orchard+Generated.swift", ownClasses: own)
    let files = code.files + [GeneratedFile(name: "Own.swift", owner: .human, text: source)]
    #expect(try SwiftCompiler.complaints(about: files) == "")
  }

  private func orchard() throws -> ManagedObjectModel {
    try ManagedObjectModel(contentsOf: testsFolder.appendingPathComponent("Models/orchard.json").path)
  }

  /// Names that stand in each other's way, and every kind of property that objects do not hold.
  private var awkward: ModelDefinition {
    let names = [
      "in", "is", "as", "if", "do", "try", "var", "func", "init_", "Any", "nil", "true", "switch", "static",
      "import", "throws", "rethrows", "operator", "Protocol", "_", "open", "some", "any", "async", "await",
      "get", "set", "newValue", "value", "object", "objects", "remove", "insert", "replace", "name", "Name",
    ]
    return ModelDefinition(
      name: "2 awkward\nnames",
      entities: [
        EntityDefinition(
          "Set",
          attributes: names.map { AttributeDefinition($0, .string) } + [
            AttributeDefinition("c", .composite, elements: [AttributeDefinition("x", .double)]),
            AttributeDefinition("t", .transformable), AttributeDefinition("u", .undefined, isTransient: true),
            AttributeDefinition("derived", .string, derivation: "canonical:(name)"),
            AttributeDefinition("p", .string, pattern: "a\\n*/`|\n"),
          ],
          relationships: [
            RelationshipDefinition("dates", to: "Date", inverse: "sets", isToMany: true),
            RelationshipDefinition("Dates", to: "Date", isToMany: true),
          ],
          fetchedProperties: [FetchedPropertyDefinition("fetched", entity: "Date")]),
        EntityDefinition(
          "Date", attributes: [AttributeDefinition("when", .date), AttributeDefinition("id", .uuid)],
          relationships: [
            RelationshipDefinition("sets", to: "Set", inverse: "dates", isToMany: true, isOrdered: true)
          ]),
        EntityDefinition("Keys", parent: "Set", attributes: [AttributeDefinition("more", .int16)]),
        EntityDefinition("String"), EntityDefinition("Type"),
        EntityDefinition("default", className: "A.default"),
        EntityDefinition("Other", className: "B.default"),
        EntityDefinition("Generic", className: "NSManagedObject"),
      ],
      fetchRequests: [
        FetchRequestDefinition("model", entity: "Set", predicate: "name == $inout AND Name == $Name"),
        FetchRequestDefinition(
          "class", entity: "Set", predicate: "$x == $y OR name IN $z OR \"\\\"#\" == name"),
      ], userInfo: ["text": "\"\"\"## \\## \\("])
  }
}
