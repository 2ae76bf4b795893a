import Testing

@testable import GraphStoreModel

@Suite("Attributes of compiled models")
struct CompiledAttributeTests {
  private typealias Make = ArchivedModel
  private typealias Rule = ArchivedPredicate

  @Test(
    "MDL-333: every type is read",
    arguments: [
      (100, .int16), (200, .int32), (300, .int64), (400, .decimal), (500, .double), (600, .float),
      (700, .string), (800, .boolean), (900, .date), (1000, .binary), (1100, .uuid), (1200, .uri),
      (1800, .transformable),
    ] as [(Int, AttributeType)])
  func types(_ number: Int, _ type: AttributeType) throws {
    let (attribute, rules) = try Make.attribute(of: Make.attribute("value", number))
    #expect(attribute?.type == type && attribute?.isOptional == false && rules.isEmpty)
  }

  @Test(
    "MDL-333: defaults have the form of model files",
    arguments: [
      (200, 5, .number("5")), (500, 0.5, .number("0.5")), (600, .double(Double(Float(0.1))), .number("0.1")),
      (700, "", .string("")), (800, 1, .bool(true)), (800, false, .bool(false)),
      (900, .object(["NSDate"], ["NS.time": 0.0]), .string("2001-01-01T00:00:00Z")),
      (1000, .data([1, 2]), .string("AQI=")), (100, true, .number("1")),
      (1200, .object(["NSURL"], ["NS.relative": "https://a.example"]), .string("https://a.example")),
    ] as [(Int, Archived, JSONValue)])
  func defaults(type: Int, value: Archived, expected: JSONValue) throws {
    let (attribute, rules) = try Make.attribute(of: Make.attribute("value", type, ["NSDefaultValue": value]))
    #expect(attribute?.defaultValue == expected && rules.isEmpty)
  }

  @Test("MDL-334: a default that is no value of its type is left out, and told")
  func badDefault() throws {
    for (type, value) in [(100, 70_000), (200, "x"), (900, "x")] as [(Int, Archived)] {
      let (attribute, rules) = try Make.attribute(
        of: Make.attribute("value", type, ["NSDefaultValue": value]))
      #expect(attribute != nil && attribute?.defaultValue == nil && rules == ["compiled-bad-value"])
    }
  }

  @Test("MDL-333: flags, modifiers, user info and names for migration are read")
  func fields() throws {
    let (attribute, rules) = try Make.attribute(
      of: Make.attribute(
        "value", 1000,
        [
          "NSIsOptional": true, "NSIsTransient": true, "NSFlagsKey": 20, "NSVersionHashModifier": "2",
          "NSRenamingIdentifier": "old", "NSUserInfo": .dictionary(["a": "b", "n": 1]),
        ]))
    #expect(attribute?.isOptional == true && attribute?.isTransient == true)
    #expect(attribute?.externalStorage == true && attribute?.preservesValueInHistory == true)
    #expect(attribute?.versionHashModifier == "2" && attribute?.renamingIdentifier == "old")
    #expect(attribute?.userInfo == ["a": "b", "n": 1] && rules.isEmpty)
  }

  @Test("A renaming identifier that repeats the name says nothing")
  func sameName() throws {
    let (attribute, _) = try Make.attribute(
      of: Make.attribute("value", 200, ["NSRenamingIdentifier": "value"]))
    #expect(attribute?.renamingIdentifier == nil)
  }

  @Test("MDL-333: limits are what Core Data writes as predicates over the value")
  func limits() throws {
    let number = Make.attribute(
      "value", 200,
      [
        "NSValidationPredicates": [
          Rule.comparison(Rule.evaluatedObject, 3, Rule.constant(1)),
          Rule.comparison(Rule.evaluatedObject, 1, Rule.constant(9)),
        ], "NSValidationWarnings": [1620, 1610],
      ])
    let (attribute, _) = try Make.attribute(of: number)
    #expect(attribute?.minimum == 1 && attribute?.maximum == 9 && attribute?.validations.isEmpty == true)
    let text = Make.attribute(
      "value", 700,
      [
        "NSValidationPredicates": [
          Rule.comparison(Rule.key("length"), 3, Rule.constant(2)),
          Rule.comparison(Rule.function("length:", [Rule.evaluatedObject]), 1, Rule.constant(5)),
          Rule.comparison(Rule.evaluatedObject, 6, Rule.constant("a+")),
        ]
      ])
    let (string, _) = try Make.attribute(of: text)
    #expect(string?.minLength == 2 && string?.maxLength == 5 && string?.pattern == "a+")
  }

  @Test("MDL-333: any other rule, and one with a message, is a validation")
  func validations() throws {
    let (attribute, _) = try Make.attribute(
      of: Make.attribute(
        "value", 200,
        [
          "NSValidationPredicates": [
            Rule.comparison(Rule.evaluatedObject, 5, Rule.constant(3)),
            Rule.comparison(Rule.evaluatedObject, 3, Rule.constant(1)),
          ], "NSValidationWarnings": [1550, "Too small"],
        ]))
    #expect(attribute?.minimum == nil)
    #expect(
      attribute?.validations
        == [ValidationDefinition("SELF != 3"), ValidationDefinition("SELF >= 1", message: "Too small")])
  }

  @Test("MDL-333: derived attributes keep their expression")
  func derived() throws {
    let names = ["NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription"]
    func derived(_ type: Int, _ fields: [String: Archived]) throws -> (derivation: String?, rules: [String]) {
      let model = try Make.read(
        Make.model([
          Make.entity(
            "Team",
            [
              Make.attribute("value", type, fields, classNames: names), Make.attribute("name", 700),
              Make.relationship("members", to: "Team"),
            ])
        ]))
      let attribute = model.definition.entities[0].attributes.first { $0.name == "value" }
      return (attribute?.derivation, model.findings.map(\.code.rawValue))
    }
    let count: Archived = Rule.key("members.@count")
    #expect(try derived(300, ["NSDerivationExpression": count]).derivation == "members.@count")
    let text = Rule.function("lowercase:", [Rule.key("name")])
    #expect(try derived(700, ["NSDerivationExpression": text]).derivation == "lowercase:(name)")
    let none = try derived(700, [:])
    #expect(none.derivation == nil && none.rules == ["compiled-no-derivation"])
    let filtered = try derived(
      300, ["NSDerivationExpression": count, "NSFilteringPredicate": .object(["NSTruePredicate"], [:])])
    #expect(filtered.rules == ["compiled-unknown-key"])
    let strange = try derived(300, ["NSDerivationExpression": Rule.function("sum:", [Rule.key("name")])])
    #expect(strange.derivation == nil && strange.rules == ["compiled-dropped"])
  }

  @Test("MDL-333: composites keep their elements")
  func composite() throws {
    let names = ["NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription"]
    let elements: Archived = [Make.attribute("city", 700).1, Make.attribute("zip", 200).1]
    let (attribute, rules) = try Make.attribute(
      of: Make.attribute("place", 2100, ["NSElements": elements], classNames: names))
    #expect(attribute?.type == .composite && attribute?.elements.map(\.name) == ["city", "zip"])
    #expect(attribute?.elements.map(\.type) == [.string, .int32] && rules.isEmpty)
  }

  @Test("MDL-333: transformables keep their transformer and class")
  func transformable() throws {
    let (attribute, _) = try Make.attribute(
      of: Make.attribute(
        "value", 1800, ["NSValueTransformerName": "Colors", "NSAttributeValueClassName": "UIColor"]))
    #expect(attribute?.transformer == "Colors" && attribute?.xcode["customClassName"] == "UIColor")
  }

  @Test("MDL-333, MDL-334: keys that mean nothing to a store are known, and nothing is told of them")
  func knownKeys() throws {
    let request = Archived.object(
      ["NSFetchRequest", "NSObject"], ["NSEntityName": "Thing", "NSFetchRequestFlags": 4])
    let model = try Make.read(
      Make.model(
        [
          Make.entity(
            "Thing", [Make.attribute("a", 200, ["NSIndexedBySpotlight": 1, "NSIsReadOnly": true])])
        ],
        [
          "CDMCompilerToolVersion": 9, "CDMCompilerXcodeVersion": "26.0",
          "NSFetchRequestTemplates": .dictionary(["all": request]),
        ]))
    #expect(model.findings.isEmpty, "\(model.findings)")
    #expect(model.definition.fetchRequests.map(\.name) == ["all"])
  }

  @Test("MDL-334: unknown keys and flags are told, each key once")
  func unknown() throws {
    let model = try Make.read(
      Make.model([
        Make.entity(
          "Thing",
          [
            Make.attribute("a", 200, ["NSFuture": 1, "NSNothing": .null]),
            Make.attribute("b", 200, ["NSFuture": 1]), Make.attribute("c", 200, ["NSFlagsKey": 64]),
          ])
      ]))
    #expect(model.definition.entities[0].attributes.count == 3)
    #expect(model.findings.map(\.code) == ["compiled-unknown-key", "compiled-unknown-flag"])
    #expect(model.findings[0].message.contains("Thing.a") && model.findings[0].message.contains("NSFuture"))
    #expect(!model.findings[0].message.contains("NSNothing"))
  }

  @Test("MDL-334: an attribute that nothing can store is left out, and told")
  func undefined() throws {
    for type in [0, 2000, 77] {
      let (attribute, rules) = try Make.attribute(of: Make.attribute("value", type))
      #expect(attribute == nil && rules == ["compiled-unknown-type"])
    }
    let transient = try Make.attribute(of: Make.attribute("value", 0, ["NSIsTransient": true]))
    #expect(transient.attribute?.type == .undefined && transient.rules.isEmpty)
  }
}
