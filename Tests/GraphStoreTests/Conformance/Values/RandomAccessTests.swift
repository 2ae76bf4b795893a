import Foundation
import Testing

@testable import GraphStore

/// Sets through every form of accessor, saves, refreshes and reloads, against dictionaries kept beside.
@Suite("Random sets through every accessor form", .everyStore)
struct RandomAccessTests {
  @Test(
    "OBJ-032, OBJ-170, OBJ-175, OBJ-106: all forms set and read the same values, and a save writes what differs",
    arguments: TestSeed.sequence(5))
  func agreement(_ seed: TestSeed) throws {
    var run = try Run(seed)
    for step in 0..<150 {
      let action = try run.step()
      if let difference = try run.difference() {
        Issue.record("\(seed), step \(step) (\(action)): \(difference)")
        return
      }
    }
  }

  /// One object as it is to be.
  private struct Expected {
    var current: [String: String] = Run.defaults
    var committed: [String: String] = Run.defaults
    var tracked: Set<String> = []
    var primitives: Set<String> = []
    var isInserted = true
    /// Whether a setter was called since the last save.
    var isChanged = true

    mutating func becomeFault() {
      current = committed.merging(Run.transients.map { ($0, Run.defaults[$0] ?? "nil") }) { $1 }
      tracked = []
      primitives = []
      isChanged = false
    }
  }

  private struct Run {
    static let transients = ["note", "thing"]
    static let defaults: [String: String] = [
      "i16": "nil", "i64": "7", "text": "nil", "real": "nil", "flag": "nil", "date": "nil", "decimal": "nil",
      "data": "nil", "uuid": "nil", "tags": "nil", "place": "nil", "note": "empty", "thing": "nil",
    ]
    private static let i16 = AttributeKey<ManagedObject, Int16>("i16")
    private static let i64 = AttributeKey<ManagedObject, Int64>("i64")
    private static let text = AttributeKey<ManagedObject, String>("text")
    private static let real = AttributeKey<ManagedObject, Double>("real")
    private static let tags = TransformableKey<ManagedObject, [String]>("tags")
    private static let place = TransformableKey<ManagedObject, [String: Any?]>("place")

    let stack: TestStack
    var random: SeededGenerator
    var objects: [(object: ManagedObject, expected: Expected)] = []
    private var context: ManagedObjectContext { stack.context }

    init(_ seed: TestSeed) throws {
      random = seed.generator
      stack = try TestStack(
        ModelDefinition(entities: [
          EntityDefinition(
            "Thing",
            attributes: [
              AttributeDefinition("i16", .int16),
              AttributeDefinition("i64", .int64, defaultValue: .number("7")),
              AttributeDefinition("text", .string), AttributeDefinition("real", .double),
              AttributeDefinition("flag", .boolean), AttributeDefinition("date", .date),
              AttributeDefinition("decimal", .decimal), AttributeDefinition("data", .binary),
              AttributeDefinition("uuid", .uuid), AttributeDefinition("tags", .transformable),
              AttributeDefinition(
                "place", .composite,
                elements: [
                  AttributeDefinition("x", .int32),
                  AttributeDefinition("in", .composite, elements: [AttributeDefinition("y", .string)]),
                ]),
              AttributeDefinition("note", .string, isTransient: true, defaultValue: .string("empty")),
              AttributeDefinition("thing", .undefined, isTransient: true),
              AttributeDefinition("number", .int64),
            ])
        ]))
    }

    // MARK: Values

    private static func describe(_ value: Any?) -> String {
      switch value {
      case nil: "nil"
      case let members as [String: Any?]:
        "{" + members.keys.sorted().map { "\($0):\(describe(members[$0] ?? nil))" }.joined(separator: ",")
          + "}"
      case let data as Data: data.base64EncodedString()
      case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
      case let value?: "\(value)"
      }
    }

    private mutating func value(_ key: String) -> Any? {
      if random.chance(15) { return nil }
      let number = Int.random(in: 0...4, using: &random)
      switch key {
      case "i16": return Int16(number)
      case "i64": return Int64(number) << 40
      case "text", "note": return String(repeating: "ä", count: number * 3)
      case "real": return Double(number) / 4
      case "flag": return number > 2
      case "date": return Date(timeIntervalSinceReferenceDate: Double(number) / 8)
      case "decimal": return Decimal(number) / 10
      case "data": return Data(repeating: UInt8(number), count: number)
      case "uuid": return UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
      case "tags": return [String](repeating: "t\(number)", count: number)
      case "place":
        let inner: [String: Any?]? = number > 2 ? ["y": "v\(number)"] : nil
        return ["x": Int32(number), "in": inner] as [String: Any?]
      default: return ["any", "\(number)"]
      }
    }

    // MARK: Steps

    mutating func step() throws -> String {
      if objects.isEmpty || (objects.count < 4 && random.chance(10)) { return try insert() }
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<70: return try set()
      case 70..<80: return try save()
      case 80..<88: return try refresh(merges: false)
      case 88..<95: return try refresh(merges: true)
      default: return try reload()
      }
    }

    private mutating func insert() throws -> String {
      let object = try context.insert(entityNamed: "Thing")
      try object.setValue(objects.count, forKey: "number")
      objects.append((object, Expected()))
      return "insert"
    }

    private mutating func set() throws -> String {
      let index = Int.random(in: 0..<objects.count, using: &random)
      let object = objects[index].object
      let key = random.pick(Self.defaults.keys.sorted())
      let value = value(key)
      var form = random.pick(["key", "subscript", "path", "dictionary", "typed", "primitive", "bracket"])
      if object.isFault, form == "primitive" { form = "key" }
      switch form {
      case "key": try object.setValue(value, forKey: key)
      case "subscript": object[key] = value
      case "path": try object.setValue(value, forKeyPath: key)
      case "dictionary": try object.setValues(forKeys: [key: value])
      case "typed": try setTyped(value, key, of: object)
      case "bracket":
        object.willChangeValue(forKey: key)
        try object.setPrimitiveValue(value, forKey: key)
        object.didChangeValue(forKey: key)
      default: try object.setPrimitiveValue(value, forKey: key)
      }
      objects[index].expected.current[key] = Self.describe(value)
      if form == "primitive" {
        objects[index].expected.primitives.insert(key)
      } else {
        objects[index].expected.tracked.insert(key)
        objects[index].expected.isChanged = true
      }
      return "set \(index).\(key) to \(Self.describe(value)) by \(form)"
    }

    private func setTyped(_ value: Any?, _ key: String, of object: ManagedObject) throws {
      switch key {
      case "i16": object[Self.i16] = value as? Int16
      case "i64": object[Self.i64] = value as? Int64
      case "text": object[Self.text] = value as? String
      case "real": object[Self.real] = value as? Double
      case "tags": object[Self.tags] = value as? [String]
      case "place": object[Self.place] = value as? [String: Any?]
      default: try object.setValue(value, forKey: key)
      }
    }

    private mutating func save() throws -> String {
      try context.save()
      for index in objects.indices
      where objects[index].expected.isChanged || objects[index].expected.isInserted {
        objects[index].expected.committed = objects[index].expected.current
        objects[index].expected.tracked = []
        objects[index].expected.primitives = []
        objects[index].expected.isInserted = false
        objects[index].expected.isChanged = false
      }
      return "save"
    }

    private mutating func refresh(merges: Bool) throws -> String {
      let index = Int.random(in: 0..<objects.count, using: &random)
      guard !objects[index].expected.isInserted else { return "nothing" }
      let isKept = merges && objects[index].expected.isChanged
      try context.refresh(objects[index].object, mergeChanges: merges)
      if !isKept { objects[index].expected.becomeFault() }
      return "refresh \(index), merging: \(merges)"
    }

    /// Saves, and goes on with the objects of the same context fetched anew.
    private mutating func reload() throws -> String {
      _ = try save()
      context.reset()
      let found = try context.all("Thing", sort: ["number"])
      try #require(found.count == objects.count)
      for index in objects.indices {
        objects[index].object = found[index]
        objects[index].expected.becomeFault()
      }
      return "reload"
    }

    // MARK: Comparing

    mutating func difference() throws -> String? {
      try context.checkInvariants()
      for (index, (object, expected)) in objects.enumerated() where !object.isFault || random.chance(20) {
        let keys = Self.defaults.keys.sorted()
        let whole = try object.dictionaryWithValues(forKeys: keys)
        for key in keys {
          let wanted = expected.current[key] ?? ""
          let forms: [(String, Any?)] = [
            ("key", try object.value(forKey: key)), ("subscript", object[key]),
            ("path", try object.value(forKeyPath: key)),
            ("primitive", try object.primitiveValue(forKey: key)),
            ("dictionary", whole[key] ?? nil),
          ]
          for (form, value) in forms where Self.describe(value) != wanted {
            return "\(index).\(key) by \(form) is \(Self.describe(value)), expected \(wanted)"
          }
        }
        guard !expected.isInserted else { continue }
        let changed = expected.tracked.filter {
          !Self.transients.contains($0) && expected.current[$0] != expected.committed[$0]
        }
        guard Set(object.changedKeys) == changed else {
          return "\(index) has changed \(object.changedKeys), expected \(changed.sorted())"
        }
        let values = try object.changedValues().mapValues(Self.describe)
        guard values == expected.current.filter({ changed.contains($0.key) }) else {
          return "\(index) has changed values \(values)"
        }
        let committed = try object.committedValues().mapValues(Self.describe)
        for (key, value) in committed where key != "number" && value != expected.committed[key] {
          return "\(index).\(key) was \(value), expected \(expected.committed[key] ?? "")"
        }
      }
      return try storedDifference()
    }

    /// What the store has, seen from another coordinator.
    private mutating func storedDifference() throws -> String? {
      guard random.chance(10) else { return nil }
      let stored = try stack.otherProcess().all("Thing", sort: ["number"])
      let expected = objects.filter { !$0.expected.isInserted }
      guard stored.count == expected.count else { return "\(stored.count) objects are stored" }
      for (object, (_, expected)) in zip(stored, expected) {
        for key in Self.defaults.keys.sorted() where !Self.transients.contains(key) {
          let value = Self.describe(try object.value(forKey: key))
          if value != expected.committed[key] { return "the store has \(value) for \(key)" }
        }
      }
      return nil
    }
  }
}
