import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Reading models of Xcode")
struct XcodeModelReaderTests {
  @Test("MDL-332: what does not say that it is optional is mandatory")
  func optional() throws {
    #expect(try !xcodeAttribute("attributeType=\"String\"").attribute.isOptional)
    #expect(try xcodeAttribute("attributeType=\"String\" optional=\"YES\"").attribute.isOptional)
    let model = try readXcode(
      xcodeThing("<relationship name=\"other\" maxCount=\"1\" destinationEntity=\"Thing\"/>"))
    #expect(try !#require(model.definition.entities[0].relationships.first).isOptional)
  }

  @Test(
    "MDL-333: types",
    arguments: [
      ("Integer 16", AttributeType.int16), ("Integer 32", .int32), ("Integer 64", .int64),
      ("Decimal", .decimal), ("Double", .double), ("Float", .float), ("String", .string), ("Date", .date),
      ("Boolean", .boolean), ("Binary", .binary), ("UUID", .uuid), ("URI", .uri),
      ("Transformable", .transformable),
    ])
  func types(word: String, type: AttributeType) throws {
    let (attribute, findings) = try xcodeAttribute("attributeType=\"\(word)\"")
    #expect(attribute.type == type)
    #expect(!attribute.isTransient)
    #expect(findings.isEmpty)
  }

  @Test(
    "MDL-333: an attribute without a type that can be stored is transient, with a finding",
    arguments: ["", "attributeType=\"Undefined\"", "attributeType=\"Object ID\"", "attributeType=\"New\""])
  func typesWithoutStorage(text: String) throws {
    let (attribute, findings) = try xcodeAttribute(text)
    #expect(attribute.type == .undefined)
    #expect(attribute.isTransient)
    #expect(findings == ["foreign-mended entities[0].attributes[0]"])
  }

  @Test(
    "MDL-143, MDL-333: defaults of every type",
    arguments: [
      ("Integer 16", "-7", JSONValue.number("-7")),
      ("Integer 64", "9223372036854775807", .number("9223372036854775807")),
      ("Decimal", "0.10", .number("0.10")), ("Double", "1.5", .number("1.5")),
      ("Float", "0.0", .number("0.0")),
      ("String", "", .string("")), ("String", "NO", .string("NO")), ("Boolean", "YES", .bool(true)),
      ("Boolean", "NO", .bool(false)),
      ("UUID", "6F9619FF-8B86-D011-B42D-00C04FC964FF", .string("6F9619FF-8B86-D011-B42D-00C04FC964FF")),
      ("URI", "https://example.com/a?b", .string("https://example.com/a?b")),
    ])
  func defaults(word: String, text: String, value: JSONValue) throws {
    let (attribute, findings) = try xcodeAttribute("attributeType=\"\(word)\" defaultValueString=\"\(text)\"")
    #expect(attribute.defaultValue == value)
    #expect(findings.isEmpty)
  }

  @Test(
    "MDL-333: defaults in their evident sense, with a finding",
    arguments: [
      ("Integer 16", "NO", JSONValue.number("0")), ("Integer 32", "YES", .number("1")),
      ("Double", "NO", .number("0")), ("Boolean", "5", .bool(true)), ("Boolean", "0.0", .bool(false)),
    ])
  func mendedDefaults(word: String, text: String, value: JSONValue) throws {
    let (attribute, findings) = try xcodeAttribute("attributeType=\"\(word)\" defaultValueString=\"\(text)\"")
    #expect(attribute.defaultValue == value)
    #expect(findings == ["foreign-mended entities[0].attributes[0]"])
    #expect(attribute.xcode["defaultValueString"] == .string(text))
  }

  @Test(
    "MDL-145, MDL-333: other spellings of numbers say the same",
    arguments: [
      ("Integer 16", "0.0", "0"), ("Integer 32", " +5 ", "5"), ("Double", ".5", "5e-1"), ("Float", "5.", "5"),
    ])
  func spellings(word: String, text: String, value: String) throws {
    let (attribute, findings) = try xcodeAttribute("attributeType=\"\(word)\" defaultValueString=\"\(text)\"")
    #expect(attribute.defaultValue == .number(value))
    #expect(findings.isEmpty)
    #expect(attribute.xcode["defaultValueString"] == .string(text))
  }

  @Test(
    "MDL-145, MDL-146, MDL-333: defaults that make no sense are left out, with a finding, and kept for writing back",
    arguments: [
      ("Integer 16", "70000"), ("Integer 16", "1.5"), ("Integer 64", "many"), ("Double", ""),
      ("Float", "1e999"),
      ("UUID", "none"), ("Binary", "x"), ("Transformable", "x"), ("Boolean", "perhaps"), ("Date", "tomorrow"),
    ])
  func droppedDefaults(word: String, text: String) throws {
    let (attribute, findings) = try xcodeAttribute("attributeType=\"\(word)\" defaultValueString=\"\(text)\"")
    #expect(attribute.defaultValue == nil)
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("foreign-dropped entities[0].attributes[0]") == true)
    #expect(attribute.xcode["dropped"] == .object(["defaultValueString": .string(text)]))
  }

  @Test("MDL-144, MDL-333: dates are seconds from 2001; what the editor shows of them is kept")
  func dates() throws {
    let (attribute, findings) = try xcodeAttribute(
      """
      attributeType="Date" defaultDateTimeInterval="-978282000" defaultValueString="1970-01-01"
      minDateTimeInterval="0" maxDateTimeInterval="0.5"
      """)
    #expect(attribute.defaultValue == "1970-01-01T07:00:00Z")
    #expect(attribute.minimum == "2001-01-01T00:00:00Z")
    #expect(attribute.maximum == "2001-01-01T00:00:00.5Z")
    #expect(attribute.xcode == ["defaultValueString": "1970-01-01"])
    #expect(findings.isEmpty)
  }

  @Test("MDL-148, MDL-149, MDL-150: limits of numbers, lengths of strings, patterns")
  func limits() throws {
    let number = try xcodeAttribute("attributeType=\"Integer 32\" minValueString=\"1\" maxValueString=\"9\"")
    #expect(number.attribute.minimum == 1)
    #expect(number.attribute.maximum == 9)
    let text = try xcodeAttribute(
      "attributeType=\"String\" minValueString=\"1\" maxValueString=\"9\" regularExpressionString=\"a+\"")
    #expect(text.attribute.minLength == 1)
    #expect(text.attribute.maxLength == 9)
    #expect(text.attribute.pattern == "a+")
    #expect(text.findings + number.findings == [])
  }

  @Test(
    "MDL-148 to MDL-151: limits that make no sense are left out, with a finding",
    arguments: [
      "attributeType=\"Boolean\" minValueString=\"1\"", "attributeType=\"String\" minValueString=\"-1\"",
      "attributeType=\"Integer 16\" regularExpressionString=\"a\"",
      "attributeType=\"String\" regularExpressionString=\"(\"",
      "attributeType=\"String\" minValueString=\"5\" maxValueString=\"1\"",
      "attributeType=\"Date\" minDateTimeInterval=\"soon\"",
      "attributeType=\"String\" allowsExternalBinaryDataStorage=\"YES\"",
      "attributeType=\"String\" valueTransformerName=\"Colour\"",
    ])
  func droppedLimits(text: String) throws {
    let (attribute, findings) = try xcodeAttribute(text)
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("foreign-dropped") == true)
    #expect(attribute.xcode["dropped"] != nil)
  }

  @Test("MDL-161, MDL-163, MDL-333: transformers, external storage, derivation, history, identifiers")
  func attributeFlags() throws {
    let model = try readXcode(
      xcodeThing(
        """
        <attribute name="n" attributeType="String" elementID="oldName" versionHashModifier="2"/>
        <attribute name="t" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData" customClassName="Colour"/>
        <attribute name="e" attributeType="Transformable" valueTransformerName=""/>
        <attribute name="b" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>
        <attribute name="d" attributeType="String" derived="YES" derivationExpression="canonical:(n)"/>
        <attribute name="x" transient="YES" attributeType="Undefined"/>
        <attribute name="s" attributeType="Integer 16" usesScalarValueType="YES" syncable="YES" storedInTruthFile="YES"/>
        """))
    #expect(model.findings.isEmpty)
    let attributes = model.definition.entities[0].attributes
    #expect(attributes[0].renamingIdentifier == "oldName")
    #expect(attributes[0].versionHashModifier == "2")
    #expect(attributes[1].transformer == "NSSecureUnarchiveFromData")
    #expect(attributes[1].xcode == ["customClassName": "Colour"])
    #expect(attributes[2].transformer == nil)
    #expect(attributes[2].xcode == ["valueTransformerName": ""])
    #expect(attributes[3].externalStorage)
    #expect(attributes[3].preservesValueInHistory)
    #expect(attributes[4].derivation == "canonical:(n)")
    #expect(attributes[5].isTransient)
    #expect(
      attributes[6].xcode == ["usesScalarValueType": "YES", "syncable": "YES", "storedInTruthFile": "YES"])
  }

  @Test("MDL-333: composites")
  func composites() throws {
    let model = try readXcode(
      xcodeModel(
        """
        <entity name="Thing"><attribute name="place" attributeType="Composite" compositeAttribute="Place"/></entity>
        <composite name="Place">
          <attribute name="x" optional="YES" attributeType="Double"/>
          <attribute name="y" attributeType="Double" defaultValueString="2"/>
        </composite>
        """))
    let place = try #require(model.definition.entities.first?.attributes.first)
    #expect(place.type == .composite)
    #expect(place.elements.map(\.name) == ["x", "y"])
    #expect(place.elements[1].defaultValue == 2)
    #expect(place.xcode.isEmpty)
    #expect(model.findings.isEmpty)
  }

  @Test("MDL-384: composites within composites do not grow without bound")
  func compositeGrowth() {
    var inside =
      "<entity name=\"Thing\"><attribute name=\"a\" attributeType=\"Composite\" compositeAttribute=\"C0\"/></entity>"
    for level in 0..<7 {
      let members = (0..<40).map {
        "<attribute name=\"m\($0)\" attributeType=\"Composite\" compositeAttribute=\"C\(level + 1)\"/>"
      }
      inside += "<composite name=\"C\(level)\">\(members.joined())</composite>"
    }
    inside += "<composite name=\"C7\"><attribute name=\"x\" attributeType=\"String\"/></composite>"
    #expect(xcodeProblems(xcodeModel(inside)).contains { $0.hasSuffix("model-bad-value") })
    let own =
      "<composite name=\"C\"><attribute name=\"c\" attributeType=\"Composite\" compositeAttribute=\"C\"/></composite>"
    let use =
      "<entity name=\"T\"><attribute name=\"c\" attributeType=\"Composite\" compositeAttribute=\"C\"/></entity>"
    #expect(!xcodeProblems(xcodeModel(use + own)).isEmpty)
  }

  @Test("MDL-333: entities, classes, user information, the model's own words")
  func entities() throws {
    let model = try readXcode(
      """
      <model name="Shop" type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"
        userDefinedModelVersionIdentifier="7" lastSavedToolsVersion="9" usedWithCloudKit="YES">
      <entity name="A" isAbstract="YES" representedClassName=".MyA" elementID="Old" versionHashModifier="m"
        syncable="YES" codeGenerationType="class"><userInfo><entry key="k" value="v &quot;q&quot;"/></userInfo></entity>
      <entity name="B" parentEntity="A" representedClassName="NSManagedObject"/>
      <userInfo><entry key="m" value="1"/></userInfo>
      <elements><element name="A" positionX="1" positionY="2" width="3" height="4"/></elements>
      </model>
      """)
    let definition = model.definition
    #expect(model.findings.isEmpty)
    #expect(definition.name == "Shop")
    #expect(definition.version == "7")
    #expect(definition.xcode == ["lastSavedToolsVersion": "9", "usedWithCloudKit": "YES"])
    #expect(definition.userInfo == ["m": "1"])
    let a = definition.entities[0]
    #expect(a.isAbstract && a.className == "MyA" && a.renamingIdentifier == "Old")
    #expect(a.versionHashModifier == "m")
    #expect(a.userInfo == ["k": "v \"q\""])
    #expect(a.xcode == ["syncable": "YES", "codeGenerationType": "class", "representedClassName": ".MyA"])
    #expect(definition.entities[1].parent == "A")
    #expect(definition.entities[1].className == nil)
  }
}
