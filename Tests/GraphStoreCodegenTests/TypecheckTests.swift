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

  @Test(
    "Code from a model of Xcode's compiles: classes of modules, scalars, one-way relationships, what is left out"
  )
  func xcode() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("Shop.xcdatamodel")
    try Data(Self.xcodeModel.utf8).write(to: file)
    let code = try CodeGenerator(ManagedObjectModel(contentsOf: file.path)).files()
    #expect(code.files.map(\.name).contains("Item.swift"))
    #expect(code.files.map(\.name).contains("Order+Properties.swift"))
    // What is to be written by hand in a category has no file for people.
    #expect(!code.files.map(\.name).contains("Order.swift"))
    let own = GeneratedFile(
      name: "Own.swift", owner: .human, text: "import GraphStore\nclass Order: Item {}\n")
    #expect(try SwiftCompiler.complaints(about: code.files + [own]) == "")
  }

  private static let xcodeModel = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Base" representedClassName=".Item" isAbstract="YES" codeGenerationType="class">
        <attribute name="id" attributeType="UUID" usesScalarValueType="NO"/>
        <attribute name="count" attributeType="Integer 16" defaultValueString="NO" usesScalarValueType="YES"/>
        <attribute name="at" optional="YES" attributeType="Date" defaultDateTimeInterval="0"/>
        <attribute name="any" optional="YES" attributeType="Transformable" customClassName="NSColor"/>
        <attribute name="link" attributeType="URI"/>
      </entity>
      <entity name="Order" representedClassName="Shop.Order" parentEntity="Base" codeGenerationType="category">
        <attribute name="total" optional="YES" attributeType="Decimal" defaultValueString="0.10"/>
        <attribute name="key" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(note)"/>
        <attribute name="note" optional="YES" attributeType="String"/>
        <relationship name="lines" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Line" inverseName="order" inverseEntity="Line"/>
        <relationship name="buyer" optional="YES" maxCount="1" destinationEntity="Order"/>
        <fetchedProperty name="all"><fetchRequest name="fetchedPropertyFetchRequest" entity="Line"/></fetchedProperty>
      </entity>
      <entity name="Line" representedClassName="NSManagedObject">
        <relationship name="order" optional="YES" maxCount="1" destinationEntity="Order" inverseName="lines" inverseEntity="Order"/>
      </entity>
      <fetchRequest name="big" entity="Order" predicateString="total &gt; $MIN AND at &lt; $date"/>
    </model>
    """

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
