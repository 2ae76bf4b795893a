import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Rules of lint about attributes")
struct AttributeRuleTests {
  private let first = ["entities[0].attributes[0]"]

  @Test(
    "MDL-347: an optional number is found",
    arguments: [AttributeType.int16, .int64, .decimal, .double, .float])
  func optionalNumber(type: AttributeType) {
    #expect(places("optional-number", attributes: .init("count", type)) == first)
    #expect(places("optional-number", attributes: .init("count", type, isOptional: false)) == [])
  }

  @Test("MDL-347: optional numbers are looked for only when asked for, and no default is proposed for all")
  func optionalNumberIsOptIn() throws {
    let definition = ModelDefinition(entities: [
      EntityDefinition("Thing", attributes: [.init("count", .int32)])
    ])
    #expect(!ModelLinter().findings(in: definition).contains { $0.code == "optional-number" })
    #expect(try #require(ModelLinter.rule(named: "optional-number")).remedy.contains("default 0") == false)
  }

  @Test("MDL-347: no text, no computed number and no unique one is found")
  func optionalOthers() {
    #expect(places("optional-number", attributes: .init("name", .string), .init("flag", .boolean)) == [])
    #expect(
      places(
        "optional-number",
        attributes: .init("a", .int32, isTransient: true), .init("b", .int32, derivation: "c"),
        .init("c", .int32, isOptional: false)) == [])
    #expect(
      places(
        "optional-number",
        EntityDefinition("Thing", attributes: [.init("badge", .int32)], uniquenessConstraints: [["badge"]]))
        == [])
  }

  @Test("MDL-348: bytes that may not be stored outside are found, elements of composites too")
  func inlineBinary() {
    #expect(places("inline-binary", attributes: .init("photo", .binary)) == first)
    #expect(places("inline-binary", attributes: .init("photo", .binary, externalStorage: true)) == [])
    #expect(places("inline-binary", attributes: .init("photo", .binary, isTransient: true)) == [])
    #expect(
      places("inline-binary", attributes: .init("card", .composite, elements: [.init("photo", .binary)]))
        == ["entities[0].attributes[0].attributes[0]"])
  }

  @Test(
    "money-as-double: names of money are found in doubles",
    arguments: ["unitPrice", "total_cost", "salary", "VAT"])
  func money(name: String) {
    #expect(places("money-as-double", attributes: .init(name, .double)) == first)
    #expect(places("money-as-double", attributes: .init(name, .decimal)) == [])
  }

  @Test(
    "money-as-double: a rate of money is none", arguments: ["taxRate", "priceIndex", "coastline", "costume"])
  func noMoney(name: String) {
    #expect(places("money-as-double", attributes: .init(name, .double)) == [])
  }

  @Test(
    "date-as-text: strings that are named like dates",
    arguments: ["birthDate", "createdAt", "last_timestamp"])
  func dates(name: String) {
    #expect(places("date-as-text", attributes: .init(name, .string)) == first)
    #expect(places("date-as-text", attributes: .init(name, .date)) == [])
  }

  @Test("date-as-text: other words are none", arguments: ["update", "candidate", "seatedAtTable", "format"])
  func noDates(name: String) {
    #expect(places("date-as-text", attributes: .init(name, .string)) == [])
  }

  @Test("flag-as-number: whole numbers that are named like a yes or no")
  func flags() {
    #expect(places("flag-as-number", attributes: .init("isOpen", .int16, isOptional: false)) == first)
    #expect(places("flag-as-number", attributes: .init("isOpen", .boolean)) == [])
    #expect(places("flag-as-number", attributes: .init("island", .int16)) == [])
  }

  @Test("MDL-153: a default that breaks the attribute's own limits loads and is found")
  func defaults() {
    let path = ["entities[0].attributes[0].default"]
    let rule = "default-breaks-constraint"
    #expect(places(rule, attributes: .init("n", .int16, defaultValue: 5, minimum: 10)) == path)
    #expect(places(rule, attributes: .init("n", .int16, defaultValue: 10, minimum: 10)) == [])
    #expect(places(rule, attributes: .init("s", .string, defaultValue: "abc", maxLength: 2)) == path)
    #expect(places(rule, attributes: .init("s", .string, defaultValue: "abc", pattern: "[0-9]+")) == path)
    #expect(
      places(rule, attributes: .init("n", .int16, defaultValue: -1, validations: [.init("SELF >= 0")]))
        == path)
    #expect(
      places(rule, attributes: .init("n", .int16, defaultValue: 0, validations: [.init("SELF >= 0")])) == [])
    #expect(
      places(
        rule,
        attributes: .init("c", .composite, elements: [.init("n", .int16, defaultValue: 5, maximum: 4)]))
        == ["entities[0].attributes[0].attributes[0].default"])
  }

  @Test("MDL-163: the insecure archive of old is found by name, the secure one is not")
  func transformers() {
    for name in ["KeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformer"] {
      #expect(
        places("default-transformer-named", attributes: .init("t", .transformable, transformer: name))
          == ["entities[0].attributes[0].transformer"])
    }
    for name in ["SecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "ColorTransformer"] {
      #expect(
        places("default-transformer-named", attributes: .init("t", .transformable, transformer: name)) == [])
    }
  }

  @Test("validation-cannot-run: a validation that does not fit the type")
  func validations() {
    func validated(_ predicate: String) -> [String] {
      places(
        "validation-cannot-run",
        attributes: .init("n", .int16, isOptional: false, validations: [.init("SELF > 0"), .init(predicate)]))
    }
    #expect(validated("SELF.length > 3") == ["entities[0].attributes[0].validations[1].predicate"])
    #expect(validated("SELF < 10") == [])
  }
}
