import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Validation of attributes")
struct ValidationTests {
  private func codes(
    _ type: AttributeType, _ value: Value, _ change: (inout AttributeDefinition) -> Void
  ) throws -> [Int] {
    let (model, attribute) = try attribute(type, change)
    defer { withExtendedLifetime(model) {} }
    return attribute.validate(value).map(\.code.rawValue)
  }

  @Test("OBJ-377: a mandatory attribute without value is 1570, an optional one is fine")
  func required() throws {
    let (model, attribute) = try attribute(.string) { $0.isOptional = false }
    let violations = attribute.validate(.null)
    #expect(violations.map(\.code) == [.missingMandatoryProperty])
    #expect(violations.first?.message == "value is a required property")
    #expect(try codes(.string, .null) { $0.minLength = 3 } == [])
    #expect(attribute.validate(.string("")).isEmpty)
    #expect(model.entities.count == 1)
  }

  @Test("OBJ-349, OBJ-380: limits of numbers are inclusive; 1620 below, 1610 above")
  func numbers() throws {
    for (value, expected) in [(0, [1620]), (1, []), (9, []), (10, [1610])] as [(Int64, [Int])] {
      #expect(try codes(.int16, .int(value)) { ($0.minimum, $0.maximum) = (1, 9) } == expected)
      #expect(try codes(.double, .double(Double(value))) { ($0.minimum, $0.maximum) = (1, 9) } == expected)
      #expect(try codes(.decimal, .decimal(Decimal(value))) { ($0.minimum, $0.maximum) = (1, 9) } == expected)
    }
  }

  @Test("OBJ-381: dates are too late with 1630, too soon with 1640")
  func dates() throws {
    func found(_ seconds: Double) throws -> [Int] {
      try codes(.date, .date(Date(timeIntervalSinceReferenceDate: seconds))) {
        ($0.minimum, $0.maximum) = ("2001-01-01", "2001-01-02")
      }
    }
    #expect(try found(-1) == [1640])
    #expect(try found(0) == [])
    #expect(try found(86_400) == [])
    #expect(try found(86_401) == [1630])
  }

  @Test("STO-216: a pattern that takes too many steps for a text is 136035, neither allowed nor 1680")
  func patternLimit() throws {
    let (model, attribute) = try attribute(.string) { $0.pattern = "((a+)+c|a*b)" }
    defer { withExtendedLifetime(model) {} }
    let violations = attribute.validate(.string(String(repeating: "a", count: 40) + "b"))
    #expect(violations.map(\.code) == [.patternLimit])
    #expect(violations.first?.message.contains("takes too many steps to tell") == true)
    #expect(attribute.validate(.string("aab")).isEmpty)
    #expect(attribute.validate(.string("aa")).map(\.code) == [.stringPatternMatching])
  }

  @Test("OBJ-350, OBJ-382: lengths count UTF-16 units; 1670 too short, 1660 too long, 1680 pattern")
  func strings() throws {
    #expect(try codes(.string, .string("😀")) { $0.minLength = 2 } == [])
    #expect(try codes(.string, .string("😀")) { $0.maxLength = 1 } == [1660])
    #expect(try codes(.string, .string("é")) { $0.minLength = 2 } == [1670])
    #expect(
      try codes(.string, .string("")) {
        $0.minLength = 1
        $0.pattern = "x"
      } == [1670, 1680])
  }

  @Test(
    "OBJ-351: a pattern matches the whole string",
    arguments: [
      ("a|ab", "ab", true), ("a|ab", "abc", false), ("[^@]+@[^@]+", "a@b", true), ("a", "a\n", false),
      ("", "", true),
    ])
  func patterns(pattern: String, text: String, matches: Bool) throws {
    #expect(try codes(.string, .string(text)) { $0.pattern = pattern }.isEmpty == matches)
  }

  @Test("DGN-169: a message names property, value and limit, with localized names")
  func messages() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        entities: [
          EntityDefinition("Employee", attributes: [.init("salary", .decimal, isOptional: false, minimum: 0)])
        ], localization: ["Property/salary/Entity/Clerk": "Pay"]))
    let salary = try #require(model.entities[0].attributes.first)
    #expect(salary.validate(.decimal(-5)).first?.message == "Employee.salary: -5 is less than the minimum 0")
    let localized = try ManagedObjectModel(
      ModelDefinition(
        entities: model.definition.entities,
        localization: ["Property/salary": "Pay", "Entity/Employee": "Clerk"]))
    let pay = try #require(localized.entities[0].attributes.first)
    #expect(pay.validate(.decimal(-5)).first?.message == "Clerk.Pay: -5 is less than the minimum 0")
    #expect(pay.validate(.null).first?.message == "Pay is a required property")
  }

  @Test("MDL-371, MDL-110: a rule's message is localized; without one it is the default sentence")
  func rules() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        entities: [
          EntityDefinition(
            "Run",
            attributes: [
              .init(
                "processID", .int32,
                validations: [.init("SELF >= 0", message: "Process ID < 0"), .init("SELF < 9")])
            ])
        ], localization: ["ErrorString/Process ID < 0": "Process ID must not be less than 0"]))
    let attribute = try #require(model.entities[0].attributes.first)
    let messages = attribute.validations.map { attribute.violation(of: $0, value: .int(-1)).message }
    #expect(messages == ["Process ID must not be less than 0", "processID is not valid"])
  }

  @Test("MDL-210, MDL-395: 3 to 40 at 0, 2, 3, 40 and 41, optional and mandatory")
  func counts() throws {
    for (isOptional, expected) in [
      (true, [[], [1580], [], [], [1590]]), (false, [[1570], [1580], [], [], [1590]]),
    ] {
      let model = try ManagedObjectModel(
        ModelDefinition(entities: [
          EntityDefinition(
            "A",
            relationships: [
              .init("r", to: "A", isToMany: true, isOptional: isOptional, minCount: 3, maxCount: 40)
            ])
        ]))
      let relationship = try #require(model.entities[0].relationships.first)
      let found = [0, 2, 3, 40, 41].map { relationship.validate(count: $0).map(\.code.rawValue) }
      #expect(found == expected)
    }
  }

  @Test("Messages count in words: one character, two members")
  func countedWords() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "A", attributes: [.init("s", .string, minLength: 1), .init("t", .string, maxLength: 2)],
          relationships: [.init("r", to: "A", isToMany: true, minCount: 2, maxCount: 3)])
      ]))
    let attributes = model.entities[0].attributes
    let relationship = try #require(model.entities[0].relationships.first)
    let found =
      attributes[0].validate(.string("")) + attributes[1].validate(.string("abc"))
      + relationship.validate(count: 1) + relationship.validate(count: 4)
    #expect(
      found.map(\.message) == [
        "A.s: \"\" is shorter than 1 character", "A.t: \"abc\" is longer than 2 characters",
        "A.r: 1 member, fewer than the minimum 2", "A.r: 4 members, more than the maximum 3",
      ])
  }

  @Test("A mandatory to-many without a least number demands nothing", arguments: [0, 1, 2])
  func mandatoryToMany(least: Int) throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "A", relationships: [.init("r", to: "A", isToMany: true, isOptional: false, minCount: least)])
      ]))
    let relationship = try #require(model.entities[0].relationships.first)
    #expect(relationship.requiresMember == (least > 0))
    #expect(relationship.limitsRemoval == (least > 0))
    #expect(relationship.validate(count: 0).map(\.code) == (least > 0 ? [.missingMandatoryProperty] : []))
    #expect(relationship.validate(count: 2).isEmpty)
  }

  @Test("MDL-103: a mandatory to-one without an object is 1570")
  func mandatoryToOne() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition("A", relationships: [.init("r", to: "A", isOptional: false)])
      ]))
    let relationship = try #require(model.entities[0].relationships.first)
    #expect(relationship.validate(count: 0).map(\.code) == [.missingMandatoryProperty])
    #expect(relationship.validate(count: 1).isEmpty)
  }

  @Test("MDL-194: a mandatory element is demanded when the composite has a value")
  func compositeElements() throws {
    let (model, attribute) = try attribute(.composite) {
      $0.elements = [.init("city", .string, isOptional: false), .init("zip", .int32, minimum: 1)]
    }
    #expect(attribute.validate(.null).isEmpty)
    #expect(
      attribute.validate(.dictionary(["zip": .int(0)])).map(\.code) == [
        .missingMandatoryProperty, .numberTooSmall,
      ])
    #expect(model.entities.count == 1)
  }

  @Test(
    "OBJ-348: raw tests of constraints agree with the checks of values",
    arguments: TestSeed.sequence(1, from: 3))
  func rawConstraints(seed: TestSeed) throws {
    let (model, attribute) = try attribute(.string) { ($0.minLength, $0.maxLength) = (2, 4) }
    var generator = seed.generator
    let letters = ["a", "é", "漢", "😀"]
    for _ in 0..<500 {
      let count = Int.random(in: 0...6, using: &generator)
      let text = (0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" }.joined()
      let isAllowed = attribute.validate(.string(text)).isEmpty
      #expect(attribute.constraints.allows(utf16Count: text.utf16.count) == isAllowed)
      if let quick = attribute.constraints.allows(utf8Count: text.utf8.count) {
        #expect(quick == isAllowed, "\(text)")
      }
    }
    #expect(model.entities.count == 1)
  }

  @Test("OBJ-348: flags tell which raw tests are needed")
  func flags() throws {
    let (model, plain) = try attribute(.int16)
    #expect(plain.constraints.isEmpty)
    let (other, limited) = try attribute(.int16) { $0.minimum = 3 }
    #expect(limited.constraints.checksNumber && !limited.constraints.isEmpty)
    #expect(limited.constraints.allows(Int64(3)) && !limited.constraints.allows(Int64(2)))
    #expect(model.entities.count + other.entities.count == 2)
  }
}
