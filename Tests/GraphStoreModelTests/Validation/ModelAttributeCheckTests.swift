import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Attribute checks")
struct ModelAttributeCheckTests {
  private func found(_ attribute: AttributeDefinition) -> [String] {
    problemSummaries(ModelDefinition(entities: [EntityDefinition("A", attributes: [attribute])]))
      .map { $0.replacing("entities[0].attributes[0].", with: "") }
  }

  @Test(
    "MDL-143, MDL-145: a default has the form and range of its type",
    arguments: [
      (.int16, 70_000), (.int16, 1.5), (.int16, "1"), (.int64, .number("9223372036854775808")),
      (.double, "1.5"),
      (.float, .number("1e300")), (.double, .number("1e999")), (.boolean, 1), (.boolean, "true"),
      (.string, 1),
      (.date, 0), (.date, "2020-13-01"), (.date, "2020-01-01T10:00:00"), (.uuid, "x"), (.binary, "%%"),
      (.decimal, true), (.decimal, .number("123456789012345678901234567890123456789")), (.string, nil),
      (.uri, ""),
    ] as [(AttributeType, JSONValue)])
  func badDefaults(type: AttributeType, value: JSONValue) {
    #expect(found(AttributeDefinition("a", type, defaultValue: value)) == ["model-bad-value default"])
  }

  @Test(
    "MDL-143: a default in the form of its type is taken",
    arguments: [
      (.int16, -32_768, .int(-32_768)), (.int64, .number("9223372036854775807"), .int(.max)),
      (.int32, .number("1e3"), .int(1000)), (.boolean, true, .bool(true)), (.string, "", .string("")),
      (.double, 2, .double(2)), (.float, 0.1, .double(Double(Float(0.1)))),
      (.date, "2001-01-02", .date(Date(timeIntervalSinceReferenceDate: 86_400))),
      (.date, "2001-01-01T01:00:00.5+01:00", .date(Date(timeIntervalSinceReferenceDate: 0.5))),
      (.binary, "AQI=", .data(Data([1, 2]))),
    ] as [(AttributeType, JSONValue, Value)])
  func defaults(type: AttributeType, value: JSONValue, expected: Value) throws {
    #expect(try attribute(type) { $0.defaultValue = value }.attribute.defaultValue == expected)
  }

  @Test("MDL-142: without a default an attribute starts without a value, numbers too")
  func noDefault() throws {
    #expect(try attribute(.int32).attribute.defaultValue == .null)
  }

  @Test(
    "MDL-123: decimals are read from their text, up to 38 digits",
    arguments: [
      "0.1", "99999999999999999999999999999999999999", "-12.50", "1e-120", "0", "1234567890.0987654321",
    ])
  func decimals(text: String) throws {
    for value in [JSONValue.number(text), .string(text)] {
      let (_, attribute) = try attribute(.decimal) { $0.defaultValue = value }
      let expected = try #require(Decimal(string: text))
      #expect(attribute.defaultValue == .decimal(expected))
    }
  }

  @Test("MDL-146: types without defaults", arguments: [AttributeType.transformable, .undefined, .composite])
  func defaultNotApplicable(type: AttributeType) {
    var attribute = AttributeDefinition("a", type, isTransient: type == .undefined, defaultValue: 1)
    if type == .composite { attribute.elements = [AttributeDefinition("e", .string)] }
    #expect(found(attribute) == ["model-not-applicable default"])
  }

  @Test("MDL-148, MDL-149, MDL-129: limits belong to their types")
  func misplacedLimits() {
    #expect(
      found(.init("a", .string, minimum: 1, maximum: 2)) == [
        "model-not-applicable min", "model-not-applicable max",
      ])
    #expect(
      found(
        .init("a", .int16, minLength: 1, maxLength: 2, pattern: "x", transformer: "t", externalStorage: true))
        == [
          "model-not-applicable minLength", "model-not-applicable maxLength", "model-not-applicable pattern",
          "model-not-applicable transformer", "model-not-applicable externalStorage",
        ])
  }

  @Test("MDL-150: a pattern that does not compile is a problem", arguments: ["[", "(", "a)(b", "*"])
  func badPattern(pattern: String) {
    #expect(found(.init("a", .string, pattern: pattern)) == ["model-bad-expression pattern"])
  }

  @Test("MDL-151: limits are in order and lengths not negative")
  func limitsInOrder() {
    #expect(found(.init("a", .int16, minimum: 2, maximum: 1)) == ["model-bad-value min"])
    #expect(found(.init("a", .date, minimum: "2002-01-01", maximum: "2001-01-01")) == ["model-bad-value min"])
    #expect(found(.init("a", .decimal, minimum: "0.2", maximum: "0.1")) == ["model-bad-value min"])
    #expect(found(.init("a", .string, minLength: 3, maxLength: 2)) == ["model-bad-value minLength"])
    #expect(found(.init("a", .string, minLength: -1)) == ["model-bad-value minLength"])
  }

  @Test("MDL-153: a default that breaks the attribute's limits loads")
  func defaultBreaksConstraint() {
    #expect(found(.init("a", .int16, defaultValue: 5, minimum: 10)).isEmpty)
  }

  @Test("MDL-130: undefined is for transient attributes")
  func undefined() {
    #expect(found(.init("a", .undefined)) == ["model-not-applicable type"])
    #expect(found(.init("a", .undefined, isTransient: true)).isEmpty)
  }

  @Test("MDL-191, MDL-196: what a composite may hold")
  func composites() {
    #expect(found(.init("a", .composite)) == ["model-bad-value attributes"])
    #expect(
      found(
        .init(
          "a", .composite,
          elements: [
            .init("x", .undefined), .init("x", .string), .init("t", .string, isTransient: true),
            .init("d", .string, derivation: "x"), .init("n", .int16, defaultValue: "1"),
          ])) == [
          "model-not-applicable attributes[0].type", "model-duplicate-name attributes[1].name",
          "model-not-applicable attributes[2].transient", "model-not-applicable attributes[3].derivation",
          "model-bad-value attributes[4].default",
        ])
    #expect(
      found(.init("a", .string, elements: [.init("e", .string)])) == ["model-not-applicable attributes"])
  }

  @Test("MDL-197: composites nest at most eight levels", arguments: [(8, true), (9, false)])
  func compositeDepth(levels: Int, isAllowed: Bool) {
    var attribute = AttributeDefinition("leaf", .string)
    for level in 0..<levels {
      attribute = AttributeDefinition("c\(level)", .composite, elements: [attribute])
    }
    #expect(found(attribute).isEmpty == isAllowed)
  }

  private func derived(_ type: AttributeType, _ derivation: String) -> [String] {
    problemSummaries(
      ModelDefinition(entities: [
        EntityDefinition(
          "Employee",
          attributes: [
            .init("name", .string), .init("salary", .decimal), .init("d", type, derivation: derivation),
            .init("other", .string, derivation: "name"),
          ],
          relationships: [
            .init("department", to: "Department", inverse: "employees"),
            .init("reports", to: "Employee", isToMany: true),
          ]),
        EntityDefinition(
          "Department", attributes: [.init("name", .string)],
          relationships: [.init("employees", to: "Employee", inverse: "department", isToMany: true)]),
      ]))
  }

  @Test(
    "MDL-172: the derivations",
    arguments: [
      (.string, "name"), (.string, "department.name"), (.string, "canonical:(name)"),
      (.string, "name:lowercase"),
      (.string, "uppercase:(department.name)"), (.int64, "reports.@count"), (.decimal, "reports.salary.@sum"),
      (.double, "reports.@sum.salary"), (.date, "now()"), (.string, "normalize(name)"),
    ] as [(AttributeType, String)])
  func derivations(type: AttributeType, derivation: String) {
    #expect(derived(type, derivation).isEmpty)
  }

  @Test(
    "MDL-172, MDL-173, MDL-179: other texts and types that do not fit",
    arguments: [
      (.string, "nme"), (.string, "reports.name"), (.string, "reverse:(name)"), (.string, "name + name"),
      (.int64, "name"), (.string, "reports.@count"), (.int64, "department.@count"), (.string, "now()"),
      (.int16, "name:lowercase"), (.string, "other"), (.decimal, "reports.name.@sum"), (.string, ""),
      (.string, "a..b"),
    ] as [(AttributeType, String)])
  func badDerivations(type: AttributeType, derivation: String) {
    #expect(derived(type, derivation) == ["model-bad-expression entities[0].attributes[2].derivation"])
  }

  @Test("MDL-179: a derived attribute has no constraints of its own")
  func derivedConstraints() {
    #expect(
      found(
        .init(
          "a", .date, isTransient: true, defaultValue: "2001-01-01", minimum: "2001-01-01",
          derivation: "now()")) == [
          "model-not-applicable transient", "model-not-applicable default", "model-not-applicable min",
        ])
  }
}
