import Foundation
import GraphStore
import Testing

struct ValidationPredicateTests {
  private func stack(_ type: AttributeType, _ predicate: String) throws -> TestStack {
    var attribute = AttributeDefinition("value", type)
    attribute.validations = [ValidationDefinition(predicate)]
    return try TestStack(
      ModelDefinition(name: "Rules", entities: [EntityDefinition("Thing", attributes: [attribute])]))
  }

  private func isSaved(_ type: AttributeType, _ predicate: String, _ value: Any) throws -> Bool {
    let stack = try stack(type, predicate)
    try stack.context.insert("Thing", ["value": value])
    do {
      try stack.context.save()
      return true
    } catch let error as GraphStoreError where error.code == .validation {
      return false
    }
  }

  @Test("PRD-150, PRD-072: constants of an attribute's rule take the attribute's type")
  func types() throws {
    let day = Date(timeIntervalSinceReferenceDate: 0)
    #expect(try isSaved(.date, "SELF > '2000-01-01'", day))
    #expect(try !isSaved(.date, "SELF > '2002-01-01'", day))
    #expect(try !isSaved(.float, "SELF < 0.1", Float(0.1)))
    #expect(try isSaved(.float, "SELF == 25.67891", Float(25.67891)))
    #expect(try isSaved(.decimal, "SELF <= 0.1", Decimal(string: "0.1") ?? 0))
    #expect(try isSaved(.uuid, "SELF != '6f9619ff-8b86-d011-b42d-00c04fc964ff'", UUID()))
    #expect(try isSaved(.string, "SELF.length > 2 AND SELF BEGINSWITH[c] 'A'", "abc"))
    #expect(try !isSaved(.string, "SELF.length > 2", "ab"))
  }

  @Test("MDL-112: a value that breaks a rule can be set, and is refused by the save")
  func setting() throws {
    let stack = try stack(.int16, "SELF < 9")
    let thing = try stack.context.insert("Thing", ["value": 3])
    try stack.context.save()
    try thing.setValue(12, forKey: "value")
    #expect(try thing.value(forKey: "value") as? Int16 == 12)
    #expect(throws: GraphStoreError.self) { try stack.context.save() }
    try thing.setValue(4, forKey: "value")
    try stack.context.save()
  }

  @Test("PRD-169: the moment of a rule is that of its evaluation, not of the first")
  func moment() throws {
    let stack = try stack(.date, "SELF <= now()")
    try stack.context.insert("Thing", ["value": Date()])
    try stack.context.save()
    Thread.sleep(forTimeInterval: 0.01)
    try stack.context.insert("Thing", ["value": Date()])
    try stack.context.save()
    try stack.context.insert("Thing", ["value": Date().addingTimeInterval(3600)])
    #expect(throws: GraphStoreError.self) { try stack.context.save() }
  }

  @Test("PRD-068: a rule that does not fit the attribute is named by the save, with its place")
  func mismatch() throws {
    let stack = try stack(.date, "SELF > 'soon'")
    try stack.context.insert("Thing", ["value": Date()])
    #expect {
      try stack.context.save()
    } throws: {
      (($0 as? GraphStoreError)?.underlying as? QueryPredicateError)?.code == .typeMismatch
    }
  }
}
