import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Batch insert", .everyStore, .serialized)
struct BatchInsertTests {
  private final class Person: ManagedObject {
    enum Keys {
      static let name = AttributeKey<Person, String>("name")
      static let age = AttributeKey<Person, Int64>("age")
    }

    nonisolated(unsafe) static var hooks = 0

    var name: String? {
      get { self[Keys.name] }
      set { self[Keys.name] = newValue }
    }
    var age: Int64 {
      get { self[Keys.age] ?? 0 }
      set { self[Keys.age] = newValue }
    }

    override func awakeFromInsert() { Self.hooks += 1 }
    override func willSave() { Self.hooks += 1 }
  }

  private static let model = ModelDefinition(
    name: "People",
    entities: [
      EntityDefinition(
        "Person", className: "Person",
        attributes: [
          AttributeDefinition("name", .string, isOptional: false),
          AttributeDefinition("age", .int64, defaultValue: 18, minimum: 0),
          AttributeDefinition("email", .string), AttributeDefinition("code", .int16),
          AttributeDefinition("upper", .string, derivation: "uppercase:(name)"),
          AttributeDefinition("photo", .binary, externalStorage: true),
          AttributeDefinition("money", .decimal), AttributeDefinition("passing", .string, isTransient: true),
          AttributeDefinition(
            "address", .composite,
            elements: [AttributeDefinition("city", .string), AttributeDefinition("zip", .int32)]),
        ],
        relationships: [RelationshipDefinition("group", to: "Group", inverse: "people")],
        uniquenessConstraints: [["email"], ["code"]]),
      EntityDefinition(
        "Group",
        relationships: [
          RelationshipDefinition("people", to: "Person", inverse: "group", isToMany: true)
        ]),
      EntityDefinition(
        "Badge", attributes: [AttributeDefinition("n", .int32)],
        relationships: [RelationshipDefinition("holder", to: "Group", isOptional: false)]),
      EntityDefinition("Shape", isAbstract: true, attributes: [AttributeDefinition("n", .int32)]),
    ])

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(Self.model, classes: ["Person": Person.self])
  }

  private func people(_ predicate: String? = nil) throws -> [ManagedObject] {
    try stack.newContext().all("Person", predicate, sort: ["name"])
  }

  private func insert(
    _ objects: [[String: Any?]], _ form: BatchRequestResultType = .objectIDs
  ) throws -> BatchResult {
    var request = BatchInsertRequest(entityName: "Person", objects: objects)
    request.resultType = form
    return try context.execute(request)
  }

  @Test(
    "FET-208, FET-221, FET-223, FET-226, FET-228, STO-310: dictionaries become records with defaults, derived values and identifiers in their order"
  )
  func dictionaries() throws {
    Person.hooks = 0
    let result = try insert([
      ["name": "Ada", "age": 36, "money": 1.5, "address": ["city": "London", "zip": 5]],
      ["name": "Bob", "photo": Data(repeating: 7, count: 200_000)], ["name": "Cyd", "age": nil],
    ])
    #expect(Person.hooks == 0 && !context.hasChanges)
    let found = try people()
    #expect(result.count == 3 && result.objectIDs == found.map(\.objectID))
    #expect(try found.map { try $0.string("upper") } == ["ADA", "BOB", "CYD"])
    #expect(try found.map { try $0.queryValue(forKey: "age") } == [.int(36), .int(18), .null])
    #expect(try found[0].queryValue(forKey: "money") == .decimal(1.5))
    #expect(try (found[0].value(forKeyPath: "address.city") as? String) == "London")
    #expect(try (found[1].value(forKey: "photo") as? Data)?.count == 200_000)
  }

  @Test(
    "FET-221, FET-228, STO-310: a closure fills one object after the other; many records take few statements")
  func handlers() throws {
    Person.hooks = 0
    var number = 0
    let request = BatchInsertRequest(Person.self) { person in
      if number == 5_000 { return true }
      number += 1
      #expect(person.name == nil && person.age == 18)
      person.name = "p\(number)"
      if number % 2 == 0 { person.age = Int64(number) }
      return false
    }
    var count = 0
    let texts = try stack.recordedStatements { count = try context.execute(request).count }
    if !stack.has(.statements) { count = try context.execute(request).count }
    #expect(count == 5_000)
    #expect(Set(texts.filter { $0.hasPrefix("INSERT") && $0.contains("ZPERSON") }).count <= 2)
    #expect(Person.hooks == 0)
    let ages = try people().map { try $0.queryValue(forKey: "age") }
    #expect(ages.count == 5_000 && ages.count { $0 == .int(18) } == 2_501)
    var left = 3
    let dictionaries = BatchInsertRequest(entityName: "Person") { (values: inout [String: Any?]) in
      if left == 0 { return true }
      left -= 1
      values["name"] = "d\(left)"
      return false
    }
    #expect(try context.execute(dictionaries).count == 3)
    #expect(try people("name BEGINSWITH 'd'").count == 3)
  }

  @Test(
    "FET-222, FET-224, FET-227: what is wrong is refused with the object's number, and nothing is written",
    arguments: [
      ("group", "x", "invalid-property"), ("upper", "x", "invalid-property"),
      ("passing", "x", "invalid-property"), ("nam", "x", "unknown-key"),
      ("code", "70000", "value-out-of-range"),
      ("age", "old", "value-type"), ("name", nil, "validation"),
    ])
  func refusals(_ key: String, _ value: String?, _ code: String) throws {
    var bad: [String: Any?] = ["name": "bad"]
    bad.updateValue(value.flatMap { Int($0) } ?? value, forKey: key)
    let error = #expect(throws: GraphStoreError.self) { _ = try insert([["name": "good"], bad]) }
    #expect(error?.code.rawValue == code)
    #expect(error?.recordPosition == 1)
    if code == "validation" { #expect(error?.number == 1570) }
    #expect(try people().isEmpty)
  }

  @Test("FET-224: ranges count only where the request validates")
  func validation() throws {
    #expect(try insert([["name": "a", "age": -1]]).count == 1)
    var request = BatchInsertRequest(entityName: "Person", objects: [["name": "b", "age": -1]])
    request.validates = true
    let error = #expect(throws: GraphStoreError.self) { try context.execute(request) }
    #expect(error?.recordPosition == 0)
    #expect(try people().count == 1)
  }

  @Test(
    "FET-227: abstract entities and mandatory relationships are refused, the latter unless that is allowed")
  func entities() throws {
    var error = #expect(throws: GraphStoreError.self) {
      try context.execute(BatchInsertRequest(entityName: "Shape", objects: [["n": 1]]))
    }
    #expect(error?.code == .abstractEntity)
    var request = BatchInsertRequest(entityName: "Badge", objects: [["n": 1]])
    error = #expect(throws: GraphStoreError.self) { try context.execute(request) }
    #expect(error?.number == 1570)
    request.allowsMissingRelationships = true
    #expect(try context.execute(request).count == 1)
  }

  @Test(
    "FET-220, FET-225, CTX-246: an object that meets a record is treated as the merge policy says",
    arguments: [
      (MergePolicyType.error, nil, 1), (.mergeByPropertyObjectTrump, "new 7 x 3", 2),
      (.overwrite, "new 18 x nil", 2), (.mergeByPropertyStoreTrump, "old 7 x 3", 1),
      (.rollback, "old 7 x 3", 1),
    ] as [(MergePolicyType, String?, Int)])
  func policies(_ policy: MergePolicyType, _ wanted: String?, _ count: Int) throws {
    let old = try context.insert("Person", ["name": "old", "age": 7, "email": "x", "code": 3])
    try context.save()
    context.mergePolicy = MergePolicy(merge: policy)
    let objects: [[String: Any?]] = [["name": "other"], ["name": "new", "email": "x"]]
    guard let wanted else {
      let error = #expect(throws: GraphStoreError.self) { _ = try insert(objects) }
      #expect(error?.code == .constraintConflict && error?.recordPosition == 1)
      #expect(try people().count == 1)
      return
    }
    let result = try insert(objects)
    #expect(result.count == count)
    if count == 2 { #expect(result.objectIDs.last == old.objectID) }
    let found = try people("email == 'x'")
    let texts = try found.map {
      let code = try $0.value(forKey: "code").map { "\($0)" } ?? "nil"
      return
        "\(try $0.string("name") ?? "") \(try $0.value(forKey: "age") ?? "") \(try $0.string("email") ?? "") \(code)"
    }
    #expect(texts == [wanted])
    #expect(try people().count == 2)
  }

  @Test("FET-225: so are objects of the input that meet each other, and one that meets two records fails")
  func twins() throws {
    context.mergePolicy = .mergeByPropertyObjectTrump
    let result = try insert([
      ["name": "a", "email": "x"], ["name": "b", "code": 2], ["name": "c", "email": "x", "age": 40],
    ])
    #expect(result.objectIDs.count == 3 && result.objectIDs[0] == result.objectIDs[2])
    #expect(try people().map { try $0.string("name") } == ["b", "c"])
    let error = #expect(throws: GraphStoreError.self) {
      _ = try insert([["name": "d", "email": "x", "code": 2]])
    }
    #expect(error?.code == .constraintConflict)
    #expect(try people().map { try $0.string("name") } == ["b", "c"])
  }

  @Test("FET-209, FET-221: what a closure throws ends it, and nothing is written; a dry run counts")
  func failures() throws {
    struct Stop: Error {}
    var number = 0
    let request = BatchInsertRequest(Person.self) { person in
      number += 1
      if number == 3_000 { throw Stop() }
      person.name = "p"
      return false
    }
    #expect(throws: Stop.self) { try context.execute(request) }
    #expect(try people().isEmpty)
    var dry = BatchInsertRequest(entityName: "Person", objects: [["name": "a"]])
    dry.isDryRun = true
    #expect(try context.execute(dry).count == 1)
    #expect(try people().isEmpty)
  }

  @Test("FET-222, FET-224: what a setter throws within a closure is about the object that it describes")
  func positions() throws {
    var number = -1
    let request = BatchInsertRequest(entityName: "Person") { (person: ManagedObject) in
      number += 1
      #expect(person is Person)
      try person.setValue("p\(number)", forKey: "name")
      if number == 2 { try person.setValue(70_000, forKey: "code") }
      return number == 9
    }
    let error = #expect(throws: GraphStoreError.self) { try context.execute(request) }
    #expect(error?.code == .valueOutOfRange && error?.recordPosition == 2)
    let foreign = BatchInsertRequest(entityName: "Person") { (_: ManagedObject) in
      _ = try stack.context.fetch(FetchRequest(entityName: "Nothing"))
      return true
    }
    let other = #expect(throws: GraphStoreError.self) { try context.execute(foreign) }
    #expect(other?.code == .unknownEntity && other?.recordPosition == nil)
  }

  @Test("FET-225: an error names the constraints that are broken, and no record that was taken back")
  func violations() throws {
    try context.insert("Person", ["name": "one", "email": "x", "code": 1])
    try context.insert("Person", ["name": "two", "email": "y", "code": 2])
    try context.save()
    context.mergePolicy = .mergeByPropertyObjectTrump
    let both = #expect(throws: GraphStoreError.self) {
      _ = try insert([["name": "d", "email": "x", "code": 2]])
    }
    #expect(both?.message.contains("email \"x\"") == true && both?.message.contains("code 2") == true)
    #expect(both?.relatedObjects.count == 2)
    context.mergePolicy = .error
    let own = #expect(throws: GraphStoreError.self) {
      _ = try insert([["name": "a", "email": "z"], ["name": "b", "email": "z"]])
    }
    #expect(own?.recordPosition == 1 && own?.relatedObjects.isEmpty == true && own?.objectID == nil)
    #expect(own?.details == ["another object of the input has it"])
  }

  @Test("FET-209: a request that fails within a transaction leaves nothing of it behind in memory")
  func overlay() throws {
    struct Stop: Error {}
    let held = try context.insert("Person", ["name": "old", "code": 1])
    try context.save()
    context.mergePolicy = .mergeByPropertyObjectTrump
    try stack.coordinator.transaction(with: context) { _ in
      var number = 0
      let request = BatchInsertRequest(entityName: "Person") { (person: ManagedObject) in
        number += 1
        try person.setValue(number, forKey: "code")
        try person.setValue("phantom", forKey: "name")
        if number == 1_100 {
          try context.refresh(held, mergeChanges: false)
          _ = try held.value(forKey: "name")
          throw Stop()
        }
        return false
      }
      #expect(throws: Stop.self) { try context.execute(request) }
      try context.refresh(held, mergeChanges: false)
      #expect(try held.string("name") == "old")
      context.mergePolicy = .error
      try held.setValue("new", forKey: "name")
      try context.save()
    }
    #expect(try people().map { try $0.string("name") } == ["new"])
  }

  @Test("FET-222: a relationship that a closure sets is refused")
  func relationships() throws {
    let group = try context.insert(entityNamed: "Group")
    try context.save()
    let request = BatchInsertRequest(entityName: "Person") { (person: ManagedObject) in
      try person.setValue("a", forKey: "name")
      try person.setValue(group, forKey: "group")
      return false
    }
    #expect(throws: GraphStoreError.self) { try context.execute(request) }
    #expect(try people().isEmpty)
  }
}
