import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Expressions of mappings")
struct MappingExpressionTests {
  /// The problems of the value of an attribute of countries.
  private func attribute(
    _ value: String, name: String = "isoContinent", rest: String = ""
  ) throws -> [ModelProblem] {
    var attributes = [#"{"name":"\#(name)","value":\#(JSONWriter.quoted(value))}"#]
    if name != "isoContinent" { attributes.append(#"{"name":"isoContinent","value":"1"}"#) }
    return try MappingSamples.errors(
      MappingSamples.file(
        MappingSamples.country(#"\#(rest)"attributes":[\#(attributes.joined(separator: ","))]"#)))
  }

  /// The problems of the members of a relationship, of moods where nothing else is said.
  private func members(
    _ value: String, of name: String = "continent", in entity: String = "Mood"
  ) throws -> [ModelProblem] {
    try MappingSamples.errors(
      MappingSamples.file(
        MappingSamples.country(),
        #"{"source":"\#(entity)","destination":"\#(entity)","relationships":[{"name":"\#(name)",\#(value)}]}"#
      ))
  }

  @Test(
    "MIG-161, MIG-162, MIG-163, MIG-164, MIG-165: what the language says may be said of the source",
    arguments: [
      "$source.code", "$source.continent.code", "$source.moods.@count", "$source.moods.@max.rating",
      "$source.code + 1", "TERNARY($source.name == nil, 0, $source.code)", "CAST($source.name, 'Int')",
      "length:($source.name)", "SUBQUERY($source.moods, $m, $m.rating > $source.code).@count", "nil",
      "$source.continent.countries.@count * 2", "FUNCTION($source.name, 'uppercaseString').length",
    ])
  func values(_ text: String) throws {
    #expect(try attribute(text).map(\.description) == [])
  }

  @Test(
    "MIG-137, MIG-162: variables and key paths that there are not are errors, with the nearest name",
    arguments: [
      ("$sorce.code", "There is no variable $sorce in mappings.", "$source"),
      (
        "$destination.code",
        "There is no $destination in the value of an attribute: the object is being made.", nil
      ),
      ("$x", "There is no variable $x in mappings.", nil),
      ("code", "An expression of a mapping has no object of its own.", nil),
      ("SELF.code", "An expression of a mapping has no object of its own.", nil),
    ] as [(String, String, String?)])
  func variables(text: String, message: String, suggestion: String?) throws {
    let found = try attribute(text)
    #expect(found.map(\.message) == [message])
    #expect(found.map(\.suggestion) == [suggestion])
    #expect(
      found.map { "\($0.code) \($0.path)" } == [
        "mapping-bad-expression entityMappings[0].attributes[0].value"
      ])
  }

  @Test("MIG-137, MIG-163: a key path that the source model does not have is an error")
  func keyPaths() throws {
    let found = try attribute("$source.continent.cod")
    #expect(found.map(\.code) == [.mappingBadExpression])
    #expect(found.map(\.suggestion) == ["code"])
    #expect(try attribute("$source.continent.moods.@count").map(\.code) == [.mappingBadExpression])
    #expect(
      try attribute("$source.countries.@distinctUnionOfSets.moods").map(\.code) == [.mappingBadExpression])
  }

  @Test("MIG-166: a value that can never be one of the attribute is refused")
  func types() throws {
    for (name, value) in [
      ("isoContinent", "$source.name"), ("name", "$source.code"), ("isoContinent", "$source.moods.rating"),
      ("isoContinent", "$source.continent"), ("name", "now()"),
    ] {
      #expect(try attribute(value, name: name).map(\.code) == [.mappingBadValue], "\(name) \(value)")
    }
    #expect(try attribute("CAST($source.code, 'NSString')", name: "name").isEmpty)
    #expect(try attribute("$source.code * 1.5").isEmpty, "whether it converts exactly, the data decide")
  }

  private static let made = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  @Test("MIG-168, MIG-172: members are looked up by the manager")
  func lookups() throws {
    for value in [
      "FUNCTION($manager, '\(Self.made)', 'ContinentToContinent', $source.country.continent)",
      "FUNCTION($manager, '\(MappingFunction.sourceInstances.rawValue)', 'ContinentToContinent', $destination.country)",
      "$destination.country.continent", "nil",
    ] {
      #expect(try members("\"value\":\"\(value)\"").map(\.description) == [], "\(value)")
    }
  }

  @Test("MIG-137, MIG-169: unknown functions and mappings are errors, with the right one suggested")
  func unknown() throws {
    let found = try members(
      "\"value\":\"FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sorceInstances:', 'M', $source)\""
    )
    #expect(found.map(\.suggestion) == [Self.made])
    #expect(
      try members(
        "\"value\":\"FUNCTION($manager, '\(Self.made)', 'ContinentsToContinent', $source.country)\""
      ).map {
        "\($0.code) \($0.suggestion ?? "")"
      } == ["mapping-unknown-mapping ContinentToContinent"])
    #expect(
      try members("\"value\":\"FUNCTION($manager, '\(Self.made)', 'ContinentToContinent')\"").map(\.code) == [
        .mappingBadExpression
      ])
    #expect(try members("\"value\":\"FUNCTION('a', 'nothing')\"").map(\.code) == [.mappingBadExpression])
  }

  @Test("MIG-170: a mapping and a path say the same, and both are checked")
  func mappingAndFrom() throws {
    #expect(try members(#""mapping":"ContinentToContinent","from":"$source.country.continent""#).isEmpty)
    #expect(
      try members(
        #""mapping":"MoodToMood","from":"$source.countries.@distinctUnionOfSets.moods""#, of: "moods",
        in: "Continent"
      )
      .isEmpty)
    for (value, code) in [
      (#""mapping":"ContinentToContinent","from":"$source.country""#, ModelProblem.Code.mappingBadValue),
      (#""mapping":"CountryToCountry","from":"$source.country""#, .mappingBadValue),
      (#""mapping":"ContinentToContinent","from":"$source.rating""#, .mappingBadValue),
      (#""mapping":"ContinentToContinent","from":"$source.contry""#, .mappingBadExpression),
    ] {
      #expect(try members(value).map(\.code) == [code], "\(value)")
    }
  }

  @Test("MIG-173, MIG-177: objects of the source are no members: the remedy names the look-up")
  func sourceObjects() throws {
    let found = try members(#""value":"$source.country.continent""#)
    #expect(found.map(\.code) == [.mappingBadValue])
    #expect(
      found.map(\.remedy) == [
        "Write \"mapping\": \"ContinentToContinent\", \"from\": \"$source.country.continent\"."
      ])
    #expect(try members(#""value":"$source.rating""#).map(\.code) == [.mappingBadValue])
    #expect(try members(#""value":"$destination.country""#).map(\.code) == [.mappingBadValue])
  }

  @Test("MIG-175: functions of the policy need a policy")
  func policies() throws {
    let call = "FUNCTION($entityPolicy, 'code:', $source)"
    #expect(try attribute(call).map(\.code) == [.mappingBadExpression])
    #expect(try attribute(call, rest: #""policy":"P","#).isEmpty)
  }

  @Test("MIG-176, MIG-178: a side that is stated decides, and the other follows where nothing is said of it")
  func inverses() throws {
    let stated = try MappingSamples.checked(
      MappingSamples.file(
        MappingSamples.country(),
        #"{"source":"Mood","destination":"Mood","relationships":[{"name":"country","mapping":"CountryToCountry","from":"$source.country"}]}"#
      ))
    #expect(stated.properties(of: "CountryToCountry").last == "moods: empty")
    #expect(stated.properties(of: "MoodToMood")[1] == "country: CountryToCountry of $source.country")
  }

  @Test("MIG-162: a mapping without a source has none in its expressions")
  func noSource() throws {
    let found = try MappingSamples.errors(
      MappingSamples.file(
        #"{"destination":"Country","policy":"P","attributes":[{"name":"isoContinent","value":"$source.code"}]}"#
      ))
    #expect(found.map(\.message) == ["The entity mapping has no source, so there is no $source."])
  }
}
