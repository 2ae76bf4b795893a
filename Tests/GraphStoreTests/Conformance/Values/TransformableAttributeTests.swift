import Foundation
import GraphStore
import GraphStoreModelTestSupport
import GraphStoreSQLite
import Synchronization
import Testing

/// A colour of three components from 0 to 1.
private struct Color: Hashable, Sendable {
  var red, green, blue: Double

  fileprivate static func data(_ colors: [Color]) -> Data? {
    Data(colors.flatMap { [$0.red, $0.green, $0.blue].map { UInt8($0 * 255) } })
  }

  fileprivate static func colors(_ data: Data) -> [Color]? {
    guard !data.isEmpty, data.count % 3 == 0 else { return nil }
    let bytes = [UInt8](data)
    return stride(from: 0, to: bytes.count, by: 3).map {
      Color(
        red: Double(bytes[$0]) / 255, green: Double(bytes[$0 + 1]) / 255, blue: Double(bytes[$0 + 2]) / 255)
    }
  }
}

/// Counts the steps that it takes.
private enum Steps {
  static let forward = Atomic<Int>(0)
  static let reverse = Atomic<Int>(0)
}

private enum Priority: Int16 {
  case low, high
}

@Suite("Transformable and undefined attributes, and raw values", .everyStore, .serialized)
struct TransformableAttributeTests {
  private static let colors = TransformableKey<ManagedObject, [Color]>("colors")
  private static let tags = TransformableKey<ManagedObject, [String]>("tags")
  private static let priority = RawValueKey<ManagedObject, Priority>("priority")

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let red = Color(red: 1, green: 0, blue: 0)
  private let gray = Color(red: 0.2, green: 0.2, blue: 0.2)

  init() throws {
    try AttributeTransformer.register(
      AttributeTransformer(
        "ColorListTransformer", of: [Color].self,
        toData: {
          Steps.forward.add(1, ordering: .relaxed)
          return Color.data($0)
        },
        fromData: {
          Steps.reverse.add(1, ordering: .relaxed)
          return Color.colors($0)
        }))
    try AttributeTransformer.register(
      AttributeTransformer("Refusing", of: String.self, toData: { _ in nil }, fromData: { _ in "x" }))
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Palette",
          attributes: [
            AttributeDefinition("name", .string),
            AttributeDefinition("colors", .transformable, transformer: "ColorListTransformer"),
            AttributeDefinition("tags", .transformable),
            AttributeDefinition("secret", .transformable, transformer: "NobodysTransformer"),
            AttributeDefinition("refused", .transformable, transformer: "Refusing"),
            AttributeDefinition("apple", .transformable, transformer: "NSSecureUnarchiveFromDataTransformer"),
            AttributeDefinition("thing", .undefined, isTransient: true),
            AttributeDefinition("priority", .int16),
          ])
      ]))
  }

  private func palette(_ values: [String: Any] = [:]) throws -> ManagedObject {
    try context.insert("Palette", values)
  }

  @Test("OBJ-267, OBJ-277, OBJ-548: a list of colours is three bytes each, and comes back")
  func fixture() throws {
    let palette = try palette()
    palette[Self.colors] = [red, gray]
    #expect(try palette.queryValue(forKey: "colors") == .data(Data([255, 0, 0, 51, 51, 51])))
    try context.save()
    let other = try stack.otherProcess().all("Palette")[0]
    #expect(other[Self.colors]?.first == red && other[Self.colors]?.count == 2)
    #expect(try other.value(forKey: "colors") as? [Color] == other[Self.colors])
  }

  @Test("OBJ-272, FLT-018: the reverse step runs once a realisation, the forward step once a value")
  func steps() throws {
    let palette = try palette()
    let forward = Steps.forward.load(ordering: .relaxed)
    palette[Self.colors] = [red]
    let reverse = Steps.reverse.load(ordering: .relaxed)
    _ = (palette[Self.colors], try palette.value(forKey: "colors"))
    try context.save()
    _ = palette[Self.colors]
    #expect(Steps.forward.load(ordering: .relaxed) == forward + 1)
    #expect(Steps.reverse.load(ordering: .relaxed) == reverse)
    try context.refresh(palette, mergeChanges: false)
    _ = try palette.string("name")
    #expect(Steps.reverse.load(ordering: .relaxed) == reverse)
    _ = (palette[Self.colors], palette[Self.colors])
    #expect(Steps.reverse.load(ordering: .relaxed) == reverse + 1)
  }

  @Test("OBJ-269, MDL-162: the default archive takes plain values and collections of them, and no others")
  func archive() throws {
    let values: [String: Any] = [
      "text": "ä", "number": 42, "real": 1.5, "flag": true, "date": Date(timeIntervalSinceReferenceDate: 7),
      "data": Data([1, 2]), "id": UUID(), "list": [1, 2, 3], "nothing": NSNull(),
      "amount": Decimal(string: "-12345678901234567890.25") ?? 0, "nested": ["a": ["b", "c"]],
      "url": try #require(URL(string: "https://example.org/a?b=c")),
    ]
    let palette = try palette(["tags": values])
    try context.save()
    let read = try #require(
      try stack.otherProcess().all("Palette")[0].value(forKey: "tags") as? [String: Any])
    #expect(read.count == values.count)
    for key in ["text", "number", "real", "flag", "date", "data", "id", "amount", "url"] {
      #expect(read[key] as? AnyHashable == values[key] as? AnyHashable, "\(key)")
    }
    #expect(read["list"] as? [Int] == [1, 2, 3])
    #expect(read["nested"] as? [String: [String]] == ["a": ["b", "c"]])
    #expect(read["nothing"] is NSNull)
    #expect { try palette.setValue(red, forKey: "tags") } throws: {
      ($0 as? GraphStoreError)?.code == .valueType
    }
    #expect { try palette.setValue(["a": [red]], forKey: "tags") } throws: {
      ($0 as? GraphStoreError)?.code == .valueType
    }
    try palette.setValue(["x", "y"] as Set<String>, forKey: "tags")
    try context.save()
    let set = try stack.otherProcess().all("Palette")[0].value(forKey: "tags")
    #expect(set as? Set<String> == ["x", "y"])
  }

  @Test("OBJ-269: an archive that another program wrote is read")
  func foreignArchive() throws {
    let palette = try palette()
    let bytes = TestArchive.bytes(of: ["one", .dictionary(["k": 2]), .set([1.5])])
    try palette.setQueryValue(.data(Data(bytes)), forKey: "tags")
    let read = try #require(try palette.value(forKey: "tags") as? [Any])
    #expect(read[0] as? String == "one" && (read[1] as? [String: Any])?["k"] as? Int == 2)
    #expect(read[2] as? Set<Double> == [1.5])
  }

  @Test("OBJ-270, MDL-163: the default's own names mean the default")
  func defaultByName() throws {
    let palette = try palette(["apple": ["a", "b"]])
    try context.save()
    #expect(try stack.otherProcess().all("Palette")[0].value(forKey: "apple") as? [String] == ["a", "b"])
    #expect(try palette.value(forKey: "apple") as? [String] == ["a", "b"])
  }

  @Test(
    "OBJ-271, OBJ-530, MDL-164: bytes of a transformer that is not there stay, and other changes are saved")
  func missing() throws {
    let palette = try palette(["name": "a"])
    try palette.setQueryValue(.data(Data([9, 8])), forKey: "secret")
    try context.save()
    let other = try stack.otherProcess()
    let read = try other.all("Palette")[0]
    #expect { try read.value(forKey: "secret") } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .transformerMissing && error?.message.contains("NobodysTransformer") == true
    }
    #expect { try read.setValue("x", forKey: "secret") } throws: {
      ($0 as? GraphStoreError)?.code == .transformerMissing
    }
    try read.setValue("b", forKey: "name")
    try other.save()
    let again = try stack.otherProcess().all("Palette")[0]
    #expect(try again.queryValue(forKey: "secret") == .data(Data([9, 8])) && again.string("name") == "b")
  }

  @Test(
    "OBJ-273, OBJ-530, MDL-166: a value without bytes fails the save with 1550, and is not stored as missing")
  func forwardFails() throws {
    let palette = try palette(["name": "a"])
    try context.save()
    try palette.setValue("value", forKey: "refused")
    #expect(try palette.value(forKey: "refused") as? String == "value")
    #expect { try context.save() } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .transformFailed && error?.number == 1550 && error?.property == "refused"
    }
    try palette.setValue(nil, forKey: "refused")
    try context.save()
  }

  @Test("STO-215, OBJ-274: bytes that give no value are told, and stay until a value is set")
  func reverseFails() throws {
    let palette = try palette()
    try palette.setQueryValue(.data(Data([1, 2])), forKey: "colors")
    try palette.setQueryValue(.data(Data([1, 2])), forKey: "tags")
    try context.save()
    let other = try stack.otherProcess()
    let read = try other.all("Palette")[0]
    for key in ["colors", "tags"] {
      #expect { try read.value(forKey: key) } throws: { ($0 as? GraphStoreError)?.code == .transformFailed }
    }
    #expect(read[Self.colors] == nil)
    #expect { try other.save() } throws: { ($0 as? GraphStoreError)?.code == .transformFailed }
    _ = other.takeDeferredErrors()
    try read.setValue("x", forKey: "name")
    try other.save()
    #expect(try stack.otherProcess().all("Palette")[0].queryValue(forKey: "tags") == .data(Data([1, 2])))
    read[Self.colors] = [red]
    try other.save()
    #expect(try stack.otherProcess().all("Palette")[0].value(forKey: "colors") as? [Color] == [red])
  }

  @Test("OBJ-275, OBJ-151, MDL-167, MDL-168: changes and predicates go by the bytes")
  func bytes() throws {
    let palette = try palette(["tags": ["b": 1, "a": 2]])
    palette[Self.colors] = [red]
    try context.save()
    palette[Self.colors] = [red]
    try palette.setValue(["a": 2, "b": 1], forKey: "tags")
    #expect(try palette.changedValues().isEmpty)
    palette[Self.colors] = [gray]
    #expect(try palette.changedValues()["colors"] as? [Color] == [gray])
    #expect(try palette.committedValues(forKeys: ["colors"])["colors"] as? [Color] == [red])
    try context.save()
    let format = "colors == %@"
    var request = FetchRequest(entityName: "Palette")
    request.predicate = try QueryPredicate(format, Data([51, 51, 51]))
    #expect(
      try context.count(for: request) == 1)
    #expect(try QueryPredicate(format, Data([51, 51, 51])).evaluate(with: palette))
    #expect(
      try context.all("Palette", "colors == nil").isEmpty
        && context.all("Palette", "colors != nil").count == 1)
  }

  @Test(
    "STO-246: the store keeps what the transformer returned as it is, and compares it as bytes",
    .needs(.files))
  func storedBytes() throws {
    for colors in [[red], [gray, red]] {
      let palette = try palette()
      palette[Self.colors] = colors
    }
    try context.save()
    let connection = try SQLiteConnection(path: stack.path, mode: .readOnly)
    defer { connection.close() }
    #expect(
      try connection.string(
        "SELECT group_concat(typeof(ZCOLORS) || hex(ZCOLORS)) FROM ZPALETTE ORDER BY Z_PK")
        == "blobFF0000,blob333333FF0000")
    var request = FetchRequest(entityName: "Palette")
    request.predicate = try QueryPredicate("colors == %@", Data([51, 51, 51, 255, 0, 0]))
    #expect(try context.fetch(request).map { $0[Self.colors]?.count } == [2])
    request.predicate = try QueryPredicate("colors == %@", Data([51, 51, 51]))
    #expect(try context.fetch(request).isEmpty)
  }

  /// A value that is a reference, so that it can be changed in place.
  private final class Box: @unchecked Sendable {
    var text: String

    init(_ text: String) { self.text = text }
  }

  @Test("CTX-040: a value that is changed in place, without being set, is no change, and is not saved")
  func changedInPlace() throws {
    try AttributeTransformer.register(
      AttributeTransformer(
        "BoxTransformer", of: Box.self, toData: { Data($0.text.utf8) },
        fromData: { Box(String(decoding: $0, as: UTF8.self)) }))
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Holder", attributes: [AttributeDefinition("box", .transformable, transformer: "BoxTransformer")])
      ]))
    let key = TransformableKey<ManagedObject, Box>("box")
    let holder = try stack.context.insert(entityNamed: "Holder")
    holder[key] = Box("before")
    try stack.context.save()
    let box = try #require(holder[key])
    box.text = "after"
    #expect(!holder.hasChanges && !stack.context.hasChanges && holder.changedKeys.isEmpty)
    #expect(try stack.statements { try stack.context.save() } == 0)
    #expect(try stack.otherProcess().all("Holder").map { $0[key]?.text } == ["before"])
    let other = Box("after")
    holder[key] = other
    #expect(holder.changedKeys == ["box"])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Holder").map { $0[key]?.text } == ["after"])
  }

  @Test("OBJ-276, OBJ-154: nil calls no transformer and is told apart from empty")
  func missingValue() throws {
    let palette = try palette()
    #expect(palette[Self.colors] == nil)
    try palette.setValue([String](), forKey: "tags")
    try context.save()
    let other = try stack.otherProcess().all("Palette")[0]
    #expect(other[Self.tags] == [] && other[Self.colors] == nil)
    try palette.setValue(nil, forKey: "tags")
    try context.save()
    #expect(try stack.otherProcess().all("Palette")[0].value(forKey: "tags") == nil)
  }

  @Test("OBJ-153, MDL-133, DGN-141: a value of another class is refused when it is set")
  func valueClass() throws {
    let palette = try palette(["name": "a"])
    #expect { try palette.setValue(["red"], forKey: "colors") } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .valueType && error?.property == "colors"
    }
    #expect(throws: GraphStoreError.self) { try palette.value(TransformableKey<ManagedObject, Int>("name")) }
  }

  @Test("DGN-253, OBJ-268: a transformer without a way back is refused")
  func notReversible() throws {
    #expect {
      try AttributeTransformer.register(
        AttributeTransformer("OneWay", of: String.self, toData: { Data($0.utf8) }, fromData: nil))
    } throws: {
      ($0 as? GraphStoreError)?.code == .transformerNotReversible
    }
  }

  @Test("JSON and property list transformers keep Codable values", arguments: [true, false])
  func codable(_ isJSON: Bool) throws {
    let name = "Codable\(isJSON)"
    try AttributeTransformer.register(
      isJSON ? .json(name, of: [String: [Int]].self) : .propertyList(name, of: [String: [Int]].self))
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("Thing", attributes: [AttributeDefinition("map", .transformable, transformer: name)])
      ]))
    try stack.context.insert("Thing", ["map": ["b": [1], "a": [2, 3]]])
    try stack.context.save()
    let read = try stack.otherProcess().all("Thing")[0]
    #expect(try read.value(forKey: "map") as? [String: [Int]] == ["a": [2, 3], "b": [1]])
  }

  @Test("OBJ-260, OBJ-258, OBJ-278: an undefined attribute holds any value, in memory only")
  func undefined() throws {
    let palette = try palette(["name": "a"])
    try palette.setValue(red, forKey: "thing")
    try context.save()
    #expect(try palette.value(forKey: "thing") as? Color == red)
    try palette.setValue(gray, forKey: "thing")
    #expect(palette.isUpdated && !palette.hasPersistentChangedValues)
    #expect(try stack.newContext().all("Palette")[0].value(forKey: "thing") == nil)
    try context.save()
    try context.refresh(palette, mergeChanges: false)
    #expect(try palette.value(forKey: "thing") == nil)
    try palette.setPrimitiveValue(red, forKey: "thing")
    #expect(try !palette.hasChanges && palette.primitiveValue(forKey: "thing") as? Color == red)
  }

  @Test("DGN-254, OBJ-031: raw values of an enumeration, unknown ones too")
  func rawValues() throws {
    let palette = try palette()
    #expect(palette[Self.priority] == nil)
    palette[Self.priority] = .high
    #expect(try palette.value(forKey: "priority") as? Int16 == 1 && palette.value(Self.priority) == .high)
    try palette.setValue(9, forKey: "priority")
    #expect(palette[Self.priority] == nil)
    #expect { try palette.value(Self.priority) } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .unknownRawValue && error?.value == .int(9)
    }
    palette[Self.priority] = nil
    #expect(try palette.value(Self.priority) == nil)
  }

  @Test("OBJ-272: a merging refresh decodes bytes anew that another context has saved")
  func refresh() throws {
    let palette = try palette(["name": "a"])
    palette[Self.colors] = [red]
    try context.save()
    let other = stack.newContext()
    try other.all("Palette")[0].setValue([gray], forKey: "colors")
    try other.save()
    try palette.setValue("b", forKey: "name")
    #expect(palette[Self.colors] == [red])
    try context.refresh(palette, mergeChanges: true)
    #expect(palette[Self.colors]?.first?.red == 0.2)
  }

  @Test("OBJ-273: a value without bytes that willSave sets fails the save too, by a primitive as well")
  func failingHook() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "Thing",
          attributes: [
            AttributeDefinition("name", .string),
            AttributeDefinition("refused", .transformable, transformer: "Refusing"),
          ])
      ]), classes: ["Thing": RefusedThing.self])
    try stack.context.insert("Thing", ["name": "a"])
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .transformFailed }
  }

  @Test("OBJ-346: a validator that puts in an equal value lets the save settle")
  func validator() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing", className: "Thing",
          attributes: [
            AttributeDefinition("tags", .transformable),
            AttributeDefinition("place", .composite, elements: [AttributeDefinition("x", .int16)]),
            AttributeDefinition("any", .undefined, isTransient: true),
          ])
      ]), classes: ["Thing": SortingThing.self])
    let thing = try stack.context.insert(
      "Thing", ["tags": ["b", "a"], "place": ["x": 300] as [String: Any?], "any": ["q"]])
    try stack.context.save()
    #expect(try thing.value(forKey: "tags") as? [String] == ["a", "b"])
    #expect(try thing.value(forKeyPath: "place.x") as? Int16 == 100)
  }

  @Test(
    "OBJ-269: texts that come often, that differ in normalisation, and sets of collections come back as they were"
  )
  func archivedTexts() throws {
    let long = [String](repeating: String(repeating: "x", count: 1000), count: 200)
    let short = [String](repeating: "y", count: 5000)
    let accents = ["\u{e9}", "e\u{301}"]
    let palette = try palette(["tags": ["long": long, "short": short, "accents": accents] as [String: Any]])
    try palette.setValue([["a": 1], ["b": 2]] as Set<[String: Int]>, forKey: "apple")
    try context.save()
    let read = try stack.otherProcess().all("Palette")[0]
    let values = try #require(try read.value(forKey: "tags") as? [String: Any])
    #expect(values["long"] as? [String] == long && values["short"] as? [String] == short)
    #expect((values["accents"] as? [String])?.map { Array($0.utf8) } == accents.map { Array($0.utf8) })
    #expect(try (read.value(forKey: "apple") as? Set<AnyHashable>)?.count == 2)
    try palette.setValue([["b": 2], ["a": 1]] as Set<[String: Int]>, forKey: "apple")
    #expect(palette.changedKeys == [])
  }
}

/// Sets a value without bytes when it is saved.
private final class RefusedThing: ManagedObject {
  override func willSave() { try? setPrimitiveValue("x", forKey: "refused") }
}

/// Sorts its tags, and keeps its place within 100.
private final class SortingThing: ManagedObject {
  override func validateProperty(_ key: String, value: inout ProposedValue) throws {
    switch key {
    case "tags": value.value = (value.value as? [String])?.sorted()
    case "place":
      let x = (value.value as? [String: Any?])?["x"] as? Int16 ?? 0
      value.value = ["x": min(x, 100)] as [String: Any?]
    case "any": value.value = ["q"]
    default: break
    }
  }
}
