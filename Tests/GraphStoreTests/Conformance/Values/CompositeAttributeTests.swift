import Foundation
import GraphStore
import Testing

@Suite("Composite attributes", .everyStore)
struct CompositeAttributeTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(Self.model()) }

  private static func model(isOptional: Bool = true) -> ModelDefinition {
    ModelDefinition(entities: [
      EntityDefinition(
        "Person",
        attributes: [
          AttributeDefinition("name", .string),
          AttributeDefinition(
            "address", .composite, isOptional: isOptional,
            elements: [
              AttributeDefinition("city", .string, isOptional: false, maxLength: 10),
              AttributeDefinition("number", .int16),
              AttributeDefinition(
                "place", .composite,
                elements: [AttributeDefinition("x", .double), AttributeDefinition("y", .double)]),
            ]),
          AttributeDefinition(
            "limits", .composite,
            elements: [
              AttributeDefinition("low", .int64, defaultValue: .number("1")),
              AttributeDefinition("high", .decimal),
            ]),
        ]),
      EntityDefinition("Worker", parent: "Person", attributes: [AttributeDefinition("wage", .int64)]),
    ])
  }

  private let rome: [String: Any?] = [
    "city": "Rome", "number": 7, "place": ["x": 1.5, "y": nil] as [String: Any?],
  ]

  private func city(_ object: ManagedObject) throws -> String? {
    (try object.value(forKey: "address") as? [String: Any?])?["city"] as? String
  }

  @Test(
    "OBJ-295, MDL-192, MDL-193: a composite reads as a dictionary of its elements, or nil when all are nil")
  func reading() throws {
    let person = try context.insert("Worker", ["name": "Ada", "address": rome])
    #expect(try context.insert("Person", [:]).value(forKey: "address") == nil)
    try context.save()
    let read = try #require(
      try stack.otherProcess().all("Person", "name == 'Ada'")[0].value(forKey: "address") as? [String: Any?])
    #expect(read.keys.sorted() == ["city", "number", "place"])
    #expect(read["city"] as? String == "Rome" && read["number"] as? Int16 == 7)
    let place = try #require(read["place"] as? [String: Any?])
    #expect(place["x"] as? Double == 1.5 && place["y"] as? Double? == .some(nil))
    try person.setValue(["city": nil, "number": nil, "place": nil] as [String: Any?], forKey: "address")
    #expect(try person.value(forKey: "address") == nil)
  }

  @Test("OBJ-296: a dictionary sets the elements it names and makes the others nil; unknown ones are refused")
  func setting() throws {
    let person = try context.insert("Person", ["address": rome])
    try person.setValue(["city": "Bern"], forKey: "address")
    let address = try #require(try person.value(forKey: "address") as? [String: Any?])
    #expect(address["city"] as? String == "Bern" && address["number"] as? Int16? == .some(nil))
    #expect { try person.setValue(["town": "Bern"], forKey: "address") } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .unknownKey && error?.property == "address.town"
    }
    #expect { try person.setValue(["place": ["z": 1]], forKey: "address") } throws: {
      ($0 as? GraphStoreError)?.property == "address.place.z"
    }
    #expect { try person.setValue(["number": "seven"], forKey: "address") } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .valueType && error?.property == "address.number"
    }
    #expect { try person.setValue("Bern", forKey: "address") } throws: {
      ($0 as? GraphStoreError)?.code == .valueType
    }
    #expect(try city(person) == "Bern")
    try person.setValue(nil, forKey: "address")
    #expect(try person.value(forKey: "address") == nil)
  }

  @Test("OBJ-209, MDL-192: elements are read and set by path, nested ones and those of members too")
  func paths() throws {
    let person = try context.insert("Person", ["address": rome])
    #expect(try person.value(forKeyPath: "address.city") as? String == "Rome")
    #expect(try person.value(forKeyPath: "address.place.x") as? Double == 1.5)
    try person.setValue("Bern", forKeyPath: "address.city")
    try person.setValue(2, forKeyPath: "address.place.y")
    #expect(try person.value(forKeyPath: "address.place.x") as? Double == 1.5)
    #expect(try person.value(forKeyPath: "address.place.y") as? Double == 2)
    #expect(try city(person) == "Bern" && person.value(forKeyPath: "address.number") as? Int16 == 7)
    let other = try context.insert("Person", [:])
    #expect(try other.value(forKeyPath: "address.city") == nil)
    try other.setValue("Oslo", forKeyPath: "address.city")
    #expect(try city(other) == "Oslo")
    #expect(throws: QueryPredicateError.self) { try person.value(forKeyPath: "address.town") }
    #expect { try person.setValue(1, forKeyPath: "address.town") } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .unknownKey && error?.property == "address.town"
    }
  }

  @Test("OBJ-297: changes are tracked and told under the composite's name")
  func changes() throws {
    let person = try context.insert("Person", ["name": "Ada", "address": rome])
    try context.save()
    try person.setValue("Bern", forKeyPath: "address.city")
    #expect(person.isUpdated && person.changedKeys == ["address"])
    let changed = try #require(try person.changedValues()["address"] as? [String: Any?])
    #expect(changed["city"] as? String == "Bern")
    let committed = try person.committedValues(forKeys: ["address"])["address"] as? [String: Any?]
    #expect(committed?["city"] as? String == "Rome")
    try person.setValue("Rome", forKeyPath: "address.city")
    #expect(person.changedKeys == [])
    try person.setValue("Bern", forKeyPath: "address.city")
    try context.save()
    #expect(try city(stack.otherProcess().all("Person")[0]) == "Bern")
    try person.setValue("Oslo", forKeyPath: "address.city")
    context.rollback()
    #expect(try city(person) == "Bern")
    try context.refresh(person, mergeChanges: false)
    #expect(try city(person) == "Bern")
  }

  @Test(
    "OBJ-298, MDL-194: elements have rules of their own; a mandatory one counts where the composite has a value"
  )
  func validation() throws {
    let person = try context.insert("Person", [:])
    try context.save()
    try person.setValue(3, forKeyPath: "address.number")
    #expect { try context.save() } throws: {
      let error = $0 as? GraphStoreError
      return error?.number == 1570 && error?.property == "address.city"
    }
    try person.setValue("Llanfairpwllgwyngyll", forKeyPath: "address.city")
    #expect { try context.save() } throws: {
      let error = $0 as? GraphStoreError
      return error?.number == 1660 && error?.property == "address.city"
    }
    try person.setValue("Wales", forKeyPath: "address.city")
    try context.save()
  }

  @Test("MDL-193, OBJ-298: a mandatory composite without a value is missing as a whole")
  func mandatory() throws {
    let stack = try TestStack(Self.model(isOptional: false))
    let person = try stack.context.insert("Person", [:])
    #expect { try stack.context.save() } throws: {
      let error = $0 as? GraphStoreError
      return error?.number == 1570 && error?.property == "address"
    }
    try person.setValue("Rome", forKeyPath: "address.city")
    try stack.context.save()
  }

  @Test("MDL-194: the default of the whole is that of its elements")
  func defaults() throws {
    let person = try context.insert("Person", [:])
    let limits = try #require(try person.value(forKey: "limits") as? [String: Any?])
    #expect(limits["low"] as? Int64 == 1 && limits["high"] as? Decimal? == .some(nil))
    #expect(person.changedKeys == [])
  }

  @Test(
    "MDL-195, PRD-078: elements filter and sort in fetches and in memory alike; the whole is tested for nil")
  func predicates() throws {
    for (name, city, number) in [("a", "Rome", 3), ("b", "Bern", 9), ("c", "Rome", 1)] {
      try context.insert("Person", ["name": name, "address": ["city": city, "number": number]])
    }
    try context.insert("Worker", ["name": "d"])
    let expectations = [
      ("address.city == 'Rome'", "ac"), ("address.number > 2 AND address.city BEGINSWITH[c] 'b'", "b"),
      ("address == nil", "d"), ("address != nil", "abc"), ("address.place.x == nil", "abcd"),
      ("address.city.length == 4", "abc"), ("limits.low == 1", "abcd"),
      ("address.city IN {'Bern', 'Oslo'}", "b"),
    ]
    func check(_ where: String) throws {
      for (text, names) in expectations {
        let found = try context.all("Person", text, sort: ["name"]).map { try $0.string("name") ?? "" }
          .joined()
        #expect(found == names, "\(`where`): \(text)")
        let filtered = try context.all("Person", sort: ["name"]).filtered(by: QueryPredicate(text))
        #expect(try filtered.map { try $0.string("name") ?? "" }.joined() == names, "in memory: \(text)")
      }
      let sorted = try context.all("Person", sort: ["address.city", "address.number"])
      #expect(try sorted.map { try $0.string("name") ?? "" } == ["d", "b", "c", "a"], "\(`where`)")
    }
    try check("unsaved")
    try context.save()
    context.reset()
    try check("saved")
    #expect(throws: QueryPredicateError.self) { try context.all("Person", "address == 'Rome'") }
    #expect(throws: QueryPredicateError.self) { try context.all("Person", "address.town == 'Rome'") }
  }

  @Test("OBJ-175, OBJ-216: primitives, dictionaries and copies take composites")
  func otherAccess() throws {
    let person = try context.insert("Person", ["name": "Ada", "address": rome])
    try context.save()
    try person.setPrimitiveValue(["city": "Bern"], forKey: "address")
    #expect(try !person.hasChanges && city(person) == "Bern")
    let read = try #require(try person.primitiveValue(forKey: "address") as? [String: Any?])
    #expect(read["city"] as? String == "Bern")
    try person.setValues(forKeys: ["address": ["city": "Oslo"] as [String: Any?], "name": "Eda"])
    #expect(throws: GraphStoreError.self) {
      try person.setValues(forKeys: ["name": "Ida", "address": ["town": "x"] as [String: Any?]])
    }
    #expect(try person.string("name") == "Eda" && city(person) == "Oslo")
    let copy = try context.copy(person)
    #expect(try city(copy) == "Oslo")
  }

  @Test(
    "OBJ-297, REL-321: of two writers the second conflicts, and other elements count as the same property")
  func conflicts() throws {
    let person = try context.insert("Person", ["address": rome])
    try context.save()
    let other = try stack.otherProcess()
    try other.all("Person")[0].setValue(9, forKeyPath: "address.number")
    try other.save()
    try person.setValue("Bern", forKeyPath: "address.city")
    #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.code == .mergeConflict }
    try context.refresh(person, mergeChanges: true)
    try context.save()
    #expect(try city(stack.otherProcess().all("Person")[0]) == "Bern")
  }

  @Test("MDL-109, OBJ-298: the validations of a composite are about its elements, of a nested one too")
  func validations() throws {
    var model = Self.model()
    model.entities[0].attributes[1].validations = [
      ValidationDefinition("SELF.number > 0", message: "no such house")
    ]
    model.entities[0].attributes[1].elements[2].validations = [ValidationDefinition("SELF.x <= SELF.y")]
    let stack = try TestStack(model)
    let person = try stack.context.insert("Person", ["address": ["city": "Rome", "number": -1]])
    func failures() -> [String] {
      do { try stack.context.save() } catch let error as GraphStoreError {
        return (error.errors.isEmpty ? [error] : error.errors).map { $0.property ?? "" }
      } catch {}
      return []
    }
    #expect(failures() == ["address"])
    try person.setValue(["x": 2, "y": 1] as [String: Any?], forKeyPath: "address.place")
    #expect(Set(failures()) == ["address", "address.place"])
    try person.setValue(4, forKeyPath: "address.number")
    try person.setValue(3, forKeyPath: "address.place.y")
    #expect(failures() == [])
  }

  @Test("PRD-078: a composite compares with nothing but nil")
  func comparisons() throws {
    for text in [
      "address == address", "address == {}", "address IN {'Rome'}", "CAST(address, 'NSString') == 'x'",
    ] {
      #expect(throws: QueryPredicateError.self, "\(text)") { try context.all("Person", text) }
    }
  }

  @Test("MDL-192, OBJ-106: of a composite only the elements that differ are written")
  func partialUpdates() throws {
    guard stack.has(.statements) else { return }
    let person = try context.insert("Person", ["address": rome])
    try context.save()
    try person.setValue("Bern", forKeyPath: "address.city")
    let statements = try stack.recordedStatements { try context.save() }
    let update = try #require(statements.first { $0.hasPrefix("UPDATE") && $0.contains("ZPERSON") })
    #expect(update.contains("ZADDRESS_CITY") && !update.contains("ZADDRESS_NUMBER"), "\(update)")
  }

  @Test("OBJ-099, OBJ-297: committed values of transformable elements are those of the last save")
  func committedElements() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Thing",
          attributes: [
            AttributeDefinition("c", .composite, elements: [AttributeDefinition("t", .transformable)])
          ])
      ]))
    let thing = try stack.context.insert("Thing", ["c": ["t": ["a"]] as [String: Any?]])
    try stack.context.save()
    try thing.setValue(["b"], forKeyPath: "c.t")
    let committed = try thing.committedValues(forKeys: ["c"])["c"] as? [String: Any?]
    #expect(committed?["t"] as? [String] == ["a"])
    #expect(try thing.value(forKeyPath: "c.t") as? [String] == ["b"])
  }
}
