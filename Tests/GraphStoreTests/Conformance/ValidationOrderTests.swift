import Foundation
import GraphStore
import Testing

/// In which order failures of one save are told.
@Suite(.everyKindOfStore)
struct ValidationOrderTests {
  private static let model = ModelDefinition(
    name: "Order",
    entities: [
      EntityDefinition(
        "Apple",
        attributes: [
          AttributeDefinition("size", .int32, minimum: .number("3")),
          AttributeDefinition(
            "code", .string, isOptional: false, minLength: 3, maxLength: 5, pattern: "[a-z]+",
            validations: [ValidationDefinition("SELF BEGINSWITH 'x'", message: "begins with x")]),
        ]),
      EntityDefinition(
        "Zebra", attributes: [AttributeDefinition("name", .string, isOptional: false)],
        relationships: [RelationshipDefinition("apple", to: "Apple", isOptional: false)]),
    ])

  private let stack: TestStack

  init() throws { stack = try TestStack(Self.model) }

  private func failures() -> [GraphStoreError] {
    do {
      try stack.context.save()
      return []
    } catch {
      guard let error = error as? GraphStoreError else { return [] }
      return error.errors.isEmpty ? [error] : error.errors
    }
  }

  @Test("OBJ-369, DGN-119: failures are sorted by entity, object and property, not by the order of events")
  func sorted() throws {
    try stack.context.insert("Zebra", [:])
    try stack.context.insert("Apple", ["size": 1, "code": "xab"])
    try stack.context.insert("Zebra", ["name": "z"])
    try stack.context.insert("Apple", ["size": 2])
    let names = failures().map { "\($0.objectID?.shortForm ?? "") \($0.property ?? "")" }
    #expect(
      names == [
        "Apple/t2 size", "Apple/t4 code", "Apple/t4 size", "Zebra/t1 apple", "Zebra/t1 name",
        "Zebra/t3 apple",
      ]
    )
  }

  @Test("OBJ-348: the constraints of one value are told in their order: length, pattern, predicates")
  func constraints() throws {
    try stack.context.insert("Apple", ["code": "A"])
    #expect(failures().map(\.number) == [1670, 1680, 1550])
    #expect(failures().last?.message.contains("begins with x") == true)
    stack.context.insertedObjects.forEach { try? $0.setValue("xTOOLONG", forKey: "code") }
    #expect(failures().map(\.number) == [1660, 1680])
  }

  @Test("DGN-120, CTX-124, OBJ-367: one failure comes as itself, with object, key, value and remedy")
  func single() throws {
    let apple = try stack.context.insert("Apple", ["code": "xab", "size": 1])
    #expect {
      try stack.context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.number == 1620 && error?.objectID == apple.objectID && error?.property == "size"
        && error?.entity == "Apple" && error?.remedy.isEmpty == false && error?.errors.isEmpty == true
    }
  }

  @Test("OBJ-330, OBJ-334: the same failures come again until they are mended; nothing is written before")
  func again() throws {
    let apple = try stack.context.insert("Apple", ["size": 1])
    let first = failures().map(\.number)
    #expect(first.count == 2)
    #expect(failures().map(\.number) == first)
    #expect(try stack.otherProcess().all("Apple").isEmpty)
    try apple.setValue("xab", forKey: "code")
    #expect(failures().count == 1)
    try apple.setValue(3, forKey: "size")
    #expect(failures().isEmpty)
    #expect(try stack.otherProcess().all("Apple").count == 1)
  }
}
