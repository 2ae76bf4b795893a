import Foundation
import GraphStore
import Testing

@Suite("Numbers and words of what breaks a rule of the model", .everyStore)
struct ValidationNumberTests {
  private static let model = ModelDefinition(
    name: "Numbers",
    entities: [
      EntityDefinition(
        "Person",
        attributes: [
          .init("name", .string, isOptional: false),
          .init("age", .int16, minimum: 1, maximum: 9),
          .init("day", .date, minimum: "2001-01-01", maximum: "2001-01-31"),
          .init("code", .string, minLength: 2, maxLength: 3, pattern: "[a-z]*"),
          .init("note", .string, validations: [.init("SELF != 'bad'", message: "no bad notes")]),
        ],
        relationships: [
          .init("friends", to: "Person", isToMany: true, minCount: 2, maxCount: 3),
          .init("keeper", to: "Person", isToMany: true, minCount: 0, deleteRule: .deny),
          .init("likes", to: "Person", deleteRule: .noAction),
        ]),
      EntityDefinition("Clerk", parent: "Person"),
    ],
    localization: [
      "Property/name": "Full name", "Property/name/Entity/Clerk": "Clerk's name", "Entity/Person": "Human",
      "ErrorString/no bad notes": "Keine schlechten Notizen",
    ])

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(Self.model) }

  private func numbers() -> [Int] {
    let error = failure { try context.save() }
    return error.map { $0.errors.isEmpty ? [$0.number] : $0.errors.map(\.number) } ?? []
  }

  @Test("OBJ-375 to OBJ-382, DGN-168: each rule has its number")
  func values() throws {
    let person = try context.insert("Person", ["name": "Ada"])
    try context.save()
    let cases: [(key: String, value: Any?, number: Int)] = [
      ("note", "bad", 1550), ("name", nil, 1570), ("age", 10, 1610), ("age", 0, 1620),
      ("day", Date(timeIntervalSinceReferenceDate: 31 * 86_400), 1630),
      ("day", Date(timeIntervalSinceReferenceDate: -1), 1640), ("code", "abcd", 1660), ("code", "a", 1670),
      ("code", "A1", 1680),
    ]
    for (key, value, number) in cases {
      let former = try person.value(forKey: key)
      try person.setValue(value, forKey: key)
      let error = try #require(failure { try context.save() })
      #expect(
        error.number == number && error.code == .validation && error.property == key, "\(key) \(number)")
      #expect(error.objectID == person.objectID && !error.remedy.isEmpty)
      try person.setValue(former, forKey: key)
      try context.save()
    }
  }

  @Test("OBJ-376: several failures are one error of 1560")
  func several() throws {
    try context.insert("Person", ["age": 10])
    let error = failure { try context.save() }
    #expect(error?.code == .multipleValidationErrors && error?.number == 1560)
    #expect(numbers() == [1610, 1570])
  }

  @Test("OBJ-378: a to-many that is not empty has too few members, or too many")
  func counts() throws {
    let person = try context.insert("Person", ["name": "Ada"])
    #expect(numbers() == [])
    let others = try (0..<4).map { try context.insert("Person", ["name": "\($0)"]) }
    for (count, expected) in [(0, []), (1, [1580]), (2, []), (3, []), (4, [1590])] {
      try person.setValue(Set(others[..<count]), forKey: "friends")
      #expect(numbers() == expected, "\(count)")
    }
  }

  @Test("OBJ-379: a deleted object with a Deny relationship that is not empty is 1600")
  func denied() throws {
    let model = TestModels.company(employees: .deny)
    let stack = try TestStack(model)
    let department = try stack.context.insert("Department", ["name": "R&D"])
    let staff = try (0..<5).map {
      try stack.context.insert("Employee", ["name": "\($0)", "department": department])
    }
    try stack.context.save()
    try stack.context.delete(department)
    let error = try #require(failure { try stack.context.save() })
    #expect(error.code == .deleteDenied && error.number == 1600 && error.relatedObjects.count == 5)
    for employee in staff { try stack.context.delete(employee) }
    try stack.context.save()
  }

  @Test(
    "DGN-171: a denied deletion names the object, the relationship, the first three in the way and how many more"
  )
  func denialMessage() throws {
    let stack = try TestStack(TestModels.company(employees: .deny))
    let department = try stack.context.insert("Department", ["name": "R&D"])
    for _ in 0..<5 { try stack.context.insert("Employee", ["department": department]) }
    try stack.context.save()
    try stack.context.delete(department)
    let error = try #require(failure { try stack.context.save() })
    #expect(error.message == "cannot delete Department/p1: \"employees\" must be empty (rule: deny)")
    #expect(error.details == ["blocked by 5 Employee: Employee/p1, Employee/p2, Employee/p3 … (2 more)"])
    #expect(error.remedy == "Delete or move them first, in the same save.")
  }

  @Test("OBJ-375: a changed object that leads to one that is deleted is 1550")
  func dangling() throws {
    let liked = try context.insert("Person", ["name": "Bob"])
    let person = try context.insert("Person", ["name": "Ada"])
    try context.save()
    try person.setValue(liked, forKey: "likes")
    try context.delete(liked)
    let error = failure { try context.save() }
    #expect(error?.number == 1550 && error?.property == "likes" && error?.relatedObjects == [liked.objectID])
  }

  @Test("OBJ-352, OBJ-370: a predicate that is false gives 1550, with the predicate and its message")
  func predicate() throws {
    let person = try context.insert("Person", ["name": "Ada", "note": "bad"])
    let error = failure { try context.save() }
    #expect(error?.number == 1550 && error?.predicate == "SELF != 'bad'")
    #expect(error?.message == "Keine schlechten Notizen" && error?.value == .string("bad"))
    #expect(error?.objectID == person.objectID && error?.entity == "Person" && error?.property == "note")
    try person.setValue("good", forKey: "note")
    try context.save()
  }

  @Test("OBJ-358: names and warnings are localized, the entry of the entity before the general one")
  func localized() throws {
    try context.insert("Person", ["age": 10])
    try context.insert("Clerk", ["note": "bad"])
    let error = failure { try context.save() }
    #expect(
      error?.errors.map(\.message) == [
        "Clerk's name is a required property", "Keine schlechten Notizen",
        "Human.age: 10 is greater than the maximum 9", "Full name is a required property",
      ])
  }

  @Test("DGN-170: a message shows 80 characters of a value, and the error has the whole")
  func longValues() throws {
    let text = String(repeating: "x", count: 200)
    try context.insert("Person", ["name": "Ada", "code": text])
    let error = failure { try context.save() }
    #expect(error?.value == .string(text))
    #expect(
      error?.message == "Human.code: \"\(text.prefix(80))…\" is longer than 3 characters")
  }
}
