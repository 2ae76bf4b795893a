import Foundation
import Testing

@testable import GraphStore

@Suite("Predicates of relationships", .everyStore)
struct RelationshipRuleTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    func rule(_ text: String, _ message: String?) -> ValidationDefinition {
      ValidationDefinition(text, message: message)
    }
    stack = try TestStack(
      ModelDefinition(
        name: "Team",
        entities: [
          EntityDefinition(
            "Person", attributes: [.init("name", .string), .init("age", .int16)],
            relationships: [
              .init(
                "lead", to: "Person", inverse: "team", validations: [rule("age >= 18", "a lead is of age")]),
              .init(
                "team", to: "Person", inverse: "lead", isToMany: true,
                validations: [rule("NONE age > 60", nil), rule("SELF.@count != 3", "not three")]),
            ])
        ]))
  }

  private func person(_ age: Int) throws -> ManagedObject { try context.insert("Person", ["age": age]) }

  private func messages() throws -> [String] { try context.validateChanges().map(\.message) }

  @Test(
    "REL-149: the destination of a to-one is SELF; nil breaks nothing, false is 1550 with the rule's message")
  func toOne() throws {
    let (young, old, other) = (try person(17), try person(30), try person(20))
    try other.setValue(old, forKey: "lead")
    #expect(try messages() == [])
    try other.setValue(young, forKey: "lead")
    let failures = try context.validateChanges()
    #expect(failures.map(\.number) == [1550] && failures[0].message == "a lead is of age")
    #expect(failures[0].property == "lead" && failures[0].objectID == other.objectID)
    try other.setValue(nil, forKey: "lead")
    #expect(try messages() == [])
    var proposed: Any? = young
    #expect(failure { try other.validateValue(&proposed, forKey: "lead") }?.number == 1550)
    proposed = old
    try other.validateValue(&proposed, forKey: "lead")
  }

  @Test("REL-149: the members of a to-many are SELF, looked at when they have changed")
  func toMany() throws {
    let lead = try person(40)
    try lead.setValue([try person(20), try person(61)], forKey: "team")
    #expect(try messages() == ["team is not valid"])
    try lead.setValue([try person(20), try person(21), try person(22)], forKey: "team")
    #expect(try messages() == ["not three"])
    try lead.setValue([try person(20)], forKey: "team")
    try context.save()
    let again = try stack.newContext().object(with: lead.objectID)
    try again.setValue(41, forKey: "age")
    try again.managedObjectContext?.save()
    try again.addObjects(
      [try #require(again.managedObjectContext).insert("Person", ["age": 70])], forKey: "team")
    #expect(failure { try again.managedObjectContext?.save() }?.number == 1550)
  }
}
