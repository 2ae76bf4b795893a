import Foundation
import Testing

@testable import GraphStore

@Suite struct StoreValidationTests {
  /// A model of things; rules make no difference to its version.
  private func model(_ name: AttributeDefinition, _ others: [AttributeDefinition]) throws
    -> ManagedObjectModel
  {
    try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition("Thing", attributes: [name] + others),
        EntityDefinition("Tool", parent: "Thing", attributes: [AttributeDefinition("weight", .double)]),
      ]))
  }

  private func attributes(_ isStrict: Bool) -> [AttributeDefinition] {
    [
      AttributeDefinition(
        "size", .int16, minimum: isStrict ? 1 : nil, maximum: isStrict ? 9 : nil),
      AttributeDefinition(
        "code", .string, validations: isStrict ? [ValidationDefinition("SELF != 'x'")] : []),
      AttributeDefinition("day", .date),
    ]
  }

  @Test(
    "DGN-106: values that a rule forbids are warnings, by attribute and kind of rule, and mandatory ones are not told twice"
  )
  func rules() throws {
    let loose = try model(AttributeDefinition("name", .string), attributes(false))
    let folder = try LayoutFolder()
    let path = folder.file("things")
    let coordinator = try PersistentStoreCoordinator.create(storeAt: path, model: loose)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.performAndWait {
      try context.insert("Thing", ["name": "too long", "size": 4, "code": "y"])
      try context.insert("Tool", ["name": "a", "size": 12, "code": "x"])
      try context.insert("Thing", ["name": "b", "size": 0])
      try context.insert("Tool", ["name": "Q", "size": 10])
      try context.insert("Thing", [:])
      try context.save()
    }
    coordinator.close()
    let strict = try model(
      AttributeDefinition("name", .string, isOptional: false, maxLength: 3, pattern: "[a-z ]*"),
      attributes(true))
    let results = try StoreCheck.run(path: path, model: strict)
    let found = results.flatMap(\.findings)
    #expect(
      found.filter { $0.name == "validation" }.map {
        "\($0.severity) \($0.subject) \($0.message): \($0.objects.joined(separator: " "))"
      } == [
        "warning Thing.name 1 row with a text that is too long: Thing/p1",
        "warning Thing.size 1 row with a number that is too small: Thing/p3",
        "warning Tool.code 1 row with a value that a rule of the model forbids: Tool/p2",
        "warning Tool.name 1 row with a text that does not match its pattern: Tool/p4",
        "warning Tool.size 2 rows with a number that is too large: Tool/p2 Tool/p4",
      ])
    // That a value is missing is another check's to say; demanding one is another version of the model.
    let failures = found.filter { $0.severity == .failure && $0.name != "model hashes" }
    #expect(failures.map(\.name) == ["required values"])
    #expect(try StoreCheck.run(path: path, model: loose).flatMap(\.findings).isEmpty)
  }
}
