import Foundation
import GraphStore
import Testing

/// Trims names, refuses one, and notes what it is asked about.
private final class Careful: ManagedObject {
  nonisolated(unsafe) static var asked: [String] = []

  struct Refusal: Error {}

  var nickname: String?

  override class var keyedAccessors: [KeyedAccessor] { [KeyedAccessor("nickname", \Careful.nickname)] }

  override func validateProperty(_ key: String, value: inout ProposedValue) throws {
    Self.asked.append(key)
    guard key == "name" || key == "nickname", let name = value.value as? String else { return }
    if name == "nobody" { throw Refusal() }
    if name.hasSuffix(" ") { value.value = name.trimmingCharacters(in: .whitespaces) }
  }
}

/// Asks about a value from inside the check of one.
private final class Asking: ManagedObject {
  /// What is asked for which key.
  nonisolated(unsafe) static var question: (Asking) throws -> Void = { _ in }

  override func validateProperty(_ key: String, value: inout ProposedValue) throws {
    if key == "name" { try Self.question(self) }
  }

  func ask(_ key: String) throws {
    var value: Any? = nil
    try validateValue(&value, forKey: key)
  }
}

@Suite("Validation of one proposed value", .serialized, .everyStore)
struct ProposedValueTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let thing: ManagedObject

  init() throws {
    stack = try Self.stack(Careful.self)
    thing = try stack.context.insert("Thing", ["code": "x"])
    try thing.setValue(try stack.context.insert("Thing", ["code": "y", "owner": thing]), forKey: "owner")
    try stack.context.save()
    Careful.asked = []
  }

  private static func stack(_ type: ManagedObject.Type) throws -> TestStack {
    try TestStack(
      ModelDefinition(
        name: "Things",
        entities: [
          EntityDefinition(
            "Thing", className: "Class",
            attributes: [
              .init("name", .string, maxLength: 9), .init("code", .string, isOptional: false),
              .init("size", .int16, minimum: 1), .init("day", .date), .init("link", .uri),
              .init("color", .transformable), .init("passing", .undefined, isTransient: true),
              .init("upper", .string, derivation: "uppercase:(name)"),
              .init(
                "place", .composite,
                elements: [.init("city", .string, isOptional: false), .init("number", .int16, maximum: 99)]),
            ],
            relationships: [
              .init("owner", to: "Thing", isOptional: false),
              .init("parts", to: "Thing", isToMany: true, minCount: 2, maxCount: 3),
            ])
        ]), classes: ["Class": type])
  }

  /// The error of a proposed value, and nil where it is fine.
  private func error(_ value: Any?, _ key: String) -> GraphStoreError? {
    var value = value
    do {
      try thing.validateValue(&value, forKey: key)
      return nil
    } catch { return error as? GraphStoreError }
  }

  private func numbers(_ value: Any?, _ key: String) -> [Int] {
    error(value, key).map { $0.errors.isEmpty ? [$0.number] : $0.errors.map(\.number) } ?? []
  }

  @Test("OBJ-345: a value is checked and may come back as another one; nothing is set")
  func replacing() throws {
    var value: Any? = "Ada "
    try thing.validateValue(&value, forKey: "name")
    #expect(value as? String == "Ada")
    #expect(try thing.string("name") == nil && !context.hasChanges)
    value = "Bob"
    try thing.validateValue(&value, forKey: "name")
    #expect(value as? String == "Bob")
  }

  @Test("OBJ-346: the class is asked after the constraints of the model, and only if they hold")
  func order() {
    #expect(numbers("much too long", "name") == [1660] && Careful.asked.isEmpty)
    #expect(numbers("nobody", "name") == [1550] && Careful.asked == ["name"])
    #expect(error("nobody", "name")?.underlying is Careful.Refusal)
    #expect(error("nobody", "name")?.value == .string("nobody"))
  }

  @Test("OBJ-346: so it is in a save, key by key")
  func orderInSave() throws {
    try thing.setValue("much too long", forKey: "name")
    #expect(try context.validateChanges().map(\.number) == [1660])
    #expect(!Careful.asked.contains("name") && Careful.asked.contains("code"))
    try thing.setValue("nobody", forKey: "name")
    #expect(try context.validateChanges().map(\.number) == [1550] && Careful.asked.contains("name"))
  }

  @Test("OBJ-347: nil breaks a mandatory property alone; of an optional one the class is still asked")
  func missing() throws {
    #expect(numbers(nil, "code") == [1570] && numbers(nil, "owner") == [1570] && Careful.asked.isEmpty)
    #expect(numbers(nil, "size") == [] && Careful.asked == ["size"])
    Careful.asked = []
    try thing.setValue("z", forKey: "code")
    #expect(try context.validateChanges().isEmpty && Careful.asked.contains("size"))
  }

  @Test("OBJ-348, OBJ-367: every constraint that a value breaks is told")
  func several() {
    #expect(numbers(["number": 100], "place") == [1570, 1610])
    #expect(error(["number": 100], "place")?.errors.map(\.property) == ["place.city", "place.number"])
    #expect(error(["number": 100], "place")?.number == 1560)
    #expect(numbers(["city": "Rome"], "place") == [] && numbers(nil, "place") == [])
  }

  @Test("OBJ-345: a value of another type is refused as by a setter, and an unknown key is")
  func types() {
    #expect(error("12", "size")?.code == .valueType)
    #expect(error(70_000, "size")?.code == .valueOutOfRange)
    #expect(error(1, "nme")?.code == .unknownKey)
    #expect(error([thing], "owner")?.code == .wrongCardinality)
    #expect(error(["town": "Rome"], "place")?.code == .unknownKey)
    #expect(numbers(Int16(0), "size") == [1620] && numbers(7, "size") == [])
  }

  @Test("OBJ-345: a key that the class declares has the class's rules alone")
  func declaredKey() throws {
    var value: Any? = "Ada "
    try thing.validateValue(&value, forKey: "nickname")
    #expect(value as? String == "Ada")
    #expect(numbers("nobody", "nickname") == [1550])
  }

  @Test("OBJ-340: of a derived attribute nothing is checked")
  func derived() {
    #expect(error(12, "upper") == nil && Careful.asked.isEmpty)
  }

  @Test(
    "OBJ-378, OBJ-375: objects are proposed for relationships; one that is deleted is a dangling reference")
  func relationships() throws {
    let others = try (0..<4).map { try context.insert("Thing", ["code": "\($0)", "owner": thing]) }
    #expect(numbers(others[0], "owner") == [] && Careful.asked == ["owner"])
    #expect(numbers([others[0]], "parts") == [1580] && numbers(Set(others), "parts") == [1590])
    #expect(numbers(Array(others[..<2]), "parts") == [] && numbers([] as [ManagedObject], "parts") == [])
    try context.delete(others[3])
    let dangling = error(others[3], "owner")
    #expect(dangling?.number == 1550 && dangling?.relatedObjects == [others[3].objectID])
    #expect(dangling?.property == "owner" && dangling?.message.contains("deleted") == true)
  }

  @Test("OBJ-381, OBJ-383: a date that is none is 1650, a URL without a text 1690")
  func forms() throws {
    #expect(numbers(Date(timeIntervalSinceReferenceDate: .infinity), "day") == [1650])
    #expect(numbers(Date(timeIntervalSinceReferenceDate: .nan), "day") == [1650])
    #expect(numbers(Date(timeIntervalSinceReferenceDate: 0), "day") == [])
    #expect(numbers(URLComponents().url, "link") == [1690])
    #expect(numbers(URL(string: "a/b"), "link") == [])
  }

  @Test("OBJ-383: a URL without a text is set, and refused by the save")
  func emptyURL() throws {
    try thing.setValue(URLComponents().url, forKey: "link")
    #expect {
      try context.save()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.number == 1690 && error?.property == "link"
        && error?.message.contains("Thing.link") == true
    }
    try thing.setValue(URL(string: "https://example.org"), forKey: "link")
    try context.save()
  }

  @Test("OBJ-375: a value that its transformer makes no bytes of is 1550")
  func transformers() throws {
    let name = "ValidationTestsRefusing"
    try AttributeTransformer.register(
      AttributeTransformer(name, of: Int.self, toData: { _ in nil }, fromData: { _ in 0 }))
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("Thing", attributes: [.init("color", .transformable, transformer: name)])
      ]))
    let thing = try stack.context.insert("Thing", [:])
    var value: Any? = 3
    #expect { try thing.validateValue(&value, forKey: "color") } throws: {
      ($0 as? GraphStoreError)?.number == 1550
    }
    try thing.setValue(3, forKey: "color")
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.number == 1550 }
  }

  @Test("OBJ-355, DGN-173: a key is not validated from inside its own validator of the same object")
  func recursion() throws {
    let stack = try Self.stack(Asking.self)
    let first = try stack.context.insert(Asking.self, entityNamed: "Thing")
    let second = try stack.context.insert(Asking.self, entityNamed: "Thing")
    func refusal() -> GraphStoreError? {
      do {
        try first.ask("name")
        return nil
      } catch { return error as? GraphStoreError }
    }
    Asking.question = { try $0.ask("name") }
    #expect(refusal()?.code == .recursiveValidation && refusal()?.number == 136047)
    #expect(refusal()?.property == "name" && refusal()?.objectID == first.objectID)
    Asking.question = { try $0.validateForUpdate() }
    #expect(refusal()?.errors.contains { $0.code == .recursiveValidation } == true)
    Asking.question = { try $0.ask("size") }
    #expect(refusal() == nil)
    Asking.question = { if $0 === first { try second.ask("name") } }
    #expect(refusal() == nil)
    Asking.question = { try $0.ask("name") }
    #expect {
      try stack.context.save()
    } throws: { error in
      (error as? GraphStoreError)?.errors.contains { $0.code == .recursiveValidation } == true
    }
  }

  @Test("An object that has left its context takes no values")
  func detached() throws {
    try context.delete(thing)
    try context.delete(try #require(try thing.object(forKey: "owner")))
    try context.save()
    #expect(error("x", "name")?.code == .objectDetached)
  }
}
