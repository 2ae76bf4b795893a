import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Writing models of Xcode")
struct XcodeModelWriterTests {
  /// An element as text in which only what matters has an order.
  private func shape(_ element: MarkupElement) -> String {
    // A model without a header gets the one of today's tools.
    let attributes = element.attributes.filter {
      !($0.name == "userDefinedModelVersionIdentifier" && $0.value.isEmpty)
        && XMLAttributeNames.defaultHeader[$0.name] != .string($0.value)
    }
    let values = attributes.map { "\($0.name)=\"\($0.value)\"" }.sorted().joined(separator: " ")
    let children = element.children.filter { $0.name != "elements" }
    let names = Set(children.map(\.name)).sorted()
    let inside = names.flatMap { name in children.filter { $0.name == name } }.map(shape)
    return "<\(element.name) \(values)>\n\(inside.joined(separator: "\n"))</>"
  }

  private func shape(_ xml: [UInt8]) throws -> [String] {
    shape(try MarkupParser.parse(xml)).split(separator: "\n").map {
      String($0).replacing("</>", with: "")
    }
  }

  /// - Parameter hasExtras: whether the model says what XML has no words for, which is told.
  private func expectSame(_ xml: [UInt8], _ label: String, hasExtras: Bool = false) throws {
    let model = try XcodeModelReader.read(xml, file: nil)
    let written = XcodeModelWriter.written(model.definition)
    #expect(written.findings.map(\.code).allSatisfy { hasExtras && $0 == "foreign-extras" }, "\(label)")
    let (wanted, found) = (try shape(xml), try shape(written.xml))
    #expect(found.filter { !wanted.contains($0) } == [], "\(label)")
    #expect(wanted.filter { !found.contains($0) } == [], "\(label)")
    #expect(found == wanted, "\(label)")
    let json = try ManagedObjectModel(json: model.definition.jsonData()).definition
    #expect(json == model.definition, "\(label)")
    #expect(XcodeModelWriter.xml(of: json) == written.xml, "\(label)")
  }

  @Test("MDL-331, MDL-333: XML to JSON to XML keeps every element and attribute")
  func everything() throws {
    try expectSame(Array(XcodeSamples.everything.utf8), "sample")
    try expectSame(Array(XcodeRelationshipTests.inverseOnParent.utf8), "inverse on a parent")
  }

  @Test(
    "MDL-331: the project's models and those of real apps keep what they say", arguments: XcodeModelText.all)
  func wholeModels(_ text: XcodeModelText) throws {
    try expectSame(text.bytes, text.name, hasExtras: text.isOwn)
  }

  @Test("MDL-334: a fetch request that was left out for the sake of its extras stays left out")
  func nonsenseInExtras() throws {
    let xml = xcodeModel(
      """
      <entity name="A"><attribute name="a" attributeType="String"/></entity>
      <fetchRequest name="q" entity="A"/>
      <userInfo><entry key="graphstore" value="{&quot;fetchRequests&quot;: {
        &quot;reads&quot;: [{&quot;name&quot;: &quot;q&quot;, &quot;entity&quot;: &quot;A&quot;}],
        &quot;is&quot;: [{&quot;name&quot;: &quot;q&quot;, &quot;entity&quot;: &quot;A&quot;, &quot;sort&quot;: [&quot;b&quot;]}]
      }}"/></userInfo>
      """)
    let model = try XcodeModelReader.read(Array(xml.utf8), file: nil)
    #expect(model.definition.fetchRequests.isEmpty)
    #expect(model.findings.map(\.code) == ["foreign-dropped"])
    let written = XcodeModelWriter.xml(of: model.definition)
    #expect(try XcodeModelReader.read(written, file: nil).definition == model.definition)
  }

  @Test("MDL-334: what is not understood or makes no sense is written back as it was")
  func nonsense() throws {
    let xml = xcodeModel(
      """
      <entity name="A" novelty="1">
        <attribute name="i" attributeType="Integer 16" defaultValueString="NO" indexed="NO"/>
        <attribute name="big" attributeType="Integer 16" defaultValueString="70000" minValueString="x"/>
        <attribute name="dot" attributeType="Double" defaultValueString=".5"/>
        <attribute name="none" attributeType="Undefined"/>
        <attribute name="id" optional="YES" transient="YES" attributeType="Object ID"/>
        <attribute name="old" attributeType="String" preservesValueInHistoryOnDeletion="YES"/>
        <relationship name="r" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A" inverseName="gone" inverseEntity="A"/>
        <fetchIndex name="i"><fetchIndexElement property="gone" type="Binary" order="ascending"/></fetchIndex>
        <compoundIndexes><compoundIndex><index value="gone"/></compoundIndex><compoundIndex><index value="i"/></compoundIndex></compoundIndexes>
        <uniquenessConstraints><uniquenessConstraint><constraint value="gone"/></uniquenessConstraint></uniquenessConstraints>
        <strange x="1"><y/></strange>
      </entity>
      <fetchRequest name="q" entity="A" predicateString="i LIKE"/>
      """)
    let model = try XcodeModelReader.read(Array(xml.utf8), file: nil)
    let written = try shape(XcodeModelWriter.xml(of: model.definition))
    let wanted = try shape(Array(xml.utf8))
    #expect(written.filter { !wanted.contains($0) } == [])
    #expect(wanted.filter { !written.contains($0) } == [])
    let json = try ManagedObjectModel(json: model.definition.jsonData()).definition
    #expect(json == model.definition)
  }

  @Test("MDL-331: an index or default that was changed in JSON goes before what Xcode said")
  func changes() throws {
    let xml = xcodeThing(
      "<attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"NO\" indexed=\"YES\"/>")
    var definition = try readXcode(xml).definition
    definition.entities[0].attributes[0].defaultValue = 5
    definition.entities[0].indexes = []
    let text = String(decoding: XcodeModelWriter.xml(of: definition), as: UTF8.self)
    #expect(text.contains("<attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"5\"/>"))
    definition.entities[0].attributes[0].defaultValue = nil
    #expect(
      !String(decoding: XcodeModelWriter.xml(of: definition), as: UTF8.self).contains("defaultValueString"))
  }

  @Test("MDL-331: what XML has no words for comes back from the user information")
  func extras() throws {
    for definition in [fullDefinition, ModelDefinition()] {
      let written = XcodeModelWriter.written(definition)
      #expect(try XcodeModelReader.read(written.xml, file: nil).definition == definition)
    }
    let findings = XcodeModelWriter.written(fullDefinition).findings
    #expect(Set(findings.map(\.code)) == ["foreign-extras"])
    #expect(findings.contains { $0.path.description.isEmpty && $0.message.contains("\"localization\"") })
  }

  @Test("MDL-331: a name among what Xcode said is no name of the part, and stays")
  func nameInExtras() throws {
    var attribute = AttributeDefinition("born", .date)
    attribute.xcode = ["name": .string("back")]
    var relationship = RelationshipDefinition("owner", to: "Thing")
    relationship.xcode = ["name": .string("back"), "inverse": .string("there")]
    var entity = EntityDefinition("Thing", attributes: [attribute], relationships: [relationship])
    entity.xcode = ["name": .string("Other")]
    let definition = ModelDefinition(entities: [entity])
    let xml = XcodeModelWriter.xml(of: definition)
    #expect(try XcodeModelReader.read(xml, file: nil).definition.entities == definition.entities)
  }

  @Test("MDL-331: a change by another tool goes before what the user information says")
  func extrasAreOld() throws {
    let definition = ModelDefinition(entities: [
      EntityDefinition(
        "A", attributes: [.init("d", .decimal, defaultValue: "0.10", validations: [.init("SELF > 0")])])
    ])
    var text = String(decoding: XcodeModelWriter.xml(of: definition), as: UTF8.self)
    #expect(text.contains("defaultValueString=\"0.10\""))
    text = text.replacing("defaultValueString=\"0.10\"", with: "defaultValueString=\"0.20\"")
    let attribute = try readXcode(text).definition.entities[0].attributes[0]
    #expect(attribute.defaultValue == .number("0.20"))
    #expect(attribute.validations == [.init("SELF > 0")])
    let broken = text.replacing("value=\"{", with: "value=\"{{")
    #expect(try readXcode(broken).definition.entities[0].attributes[0].userInfo["graphstore"] != nil)
  }

  @Test("MDL-331: random models go to XML and back", arguments: TestSeed.sequence(60))
  func randomModels(seed: TestSeed) throws {
    var random = RandomModels(seed)
    let definition = random.model()
    _ = try ManagedObjectModel(definition)
    let xml = XcodeModelWriter.xml(of: definition)
    #expect(try XcodeModelReader.read(xml, file: nil).definition == definition, "\(seed)")
  }
}
