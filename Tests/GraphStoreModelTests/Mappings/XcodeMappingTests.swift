import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Mappings of Xcode")
struct XcodeMappingTests {
  private static let real = Repository.sharedData("apple/mappings")?.path

  private static let models = Repository.sharedData("apple/models/Moody.xcdatamodeld")?.path

  private func checked(_ source: String, _ destination: String) throws -> CheckedMapping {
    let versions = try ModelVersions(at: try #require(Self.models))
    let file = try MappingFile(
      contentsOf: "\(try #require(Self.real))/\(source)-\(destination).xcmappingmodel")
    #expect(file.source == source && file.destination == destination)
    return try CheckedMapping.parts(
      [file], from: versions.model(named: source), to: versions.model(named: destination))[0]
  }

  @Test(
    "MIG-145, MIG-178: the mappings of a real application read, check, and round-trip as JSON",
    .enabled(if: real != nil))
  func moody() throws {
    let third = try checked("Moody 2", "Moody 3")
    #expect(
      third.summary == [
        "MoodToMood transform", "CountryToCountry transform", "ContinentToContinent transform",
      ])
    #expect(third.properties(of: "MoodToMood").contains("country: CountryToCountry of $source.country"))
    #expect(
      third.properties(of: "MoodToMood").contains(
        "continent: ContinentToContinent of $source.country.continent"))
    #expect(
      third.properties(of: "ContinentToContinent").contains(
        "moods: MoodToMood of $source.countries.@distinctUnionOfSets.moods"))
    let fifth = try checked("Moody 4", "Moody 5")
    #expect(
      fifth.properties(of: "CountryToCountry").contains(
        "isoContinent: = $source.continent.numericISO3166Code"))
    #expect(fifth.losses.map(\.path).contains("Continent"))
    let sixth = try checked("Moody 5", "Moody 6")
    #expect(
      sixth.entityMappings.compactMap(\.policyName) == ["Migrations.Country5ToCountry6Policy"]
        && sixth.summary.first == "ToContinent add")
    for mapping in [third, try checked("Moody 3", "Moody 4"), fifth, sixth] {
      #expect(try MappingModel(json: mapping.mapping.jsonData()) == mapping.mapping)
      let again = try CheckedMapping(mapping: mapping.mapping, from: mapping.source, to: mapping.destination)
      #expect(again.summary == mapping.summary)
    }
  }

  @Test(
    "MIG-042, MIG-142, MIG-145: mappings beside a model of Xcode's are found with it, and converted with it")
  func beside() throws {
    let folder = try TemporaryFolder()
    for (name, file) in [("App", "1"), ("App 2", "2")] {
      let contents = XcodeModelWriter.written(
        file == "1" ? MappingSamples.old : MappingSamples.new)
      try folder.write(Data(contents.xml), to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      Data(CurrentVersion.xcodeMarker(naming: "App 2.xcdatamodel")), to: "App.xcdatamodeld/.xccurrentversion")
    try folder.write(Self.document(), to: "One.xcmappingmodel/xcmapping.xml")
    try folder.write(
      Self.document(source: "Other", destination: "Other 2"), to: "Two.xcmappingmodel/xcmapping.xml")
    let path = folder.file("App.xcdatamodeld")
    let versions = try ModelVersions(at: path)
    #expect(try versions.mappings().map { "\($0.source) to \($0.destination)" } == ["App to App 2"])
    let (old, new) = (try versions.model(named: "App"), try versions.model(named: "App 2"))
    #expect(try MappingModel(from: [path], forSourceModel: old, destinationModel: new) != nil)
    let conversion = try ModelConversion(of: path, to: .versions)
    let converted = try #require(conversion.files.first { $0.path == "mappings/App-App 2.json" })
    #expect(
      try MappingModel(json: converted.bytes)
        == MappingFile(contentsOf: folder.file("One.xcmappingmodel")).mapping)
  }

  @Test("MIG-131, MIG-145: what Xcode says of a mapping is read, and what it leaves out is left out")
  func parts() throws {
    let file = try MappingFile(Array(Self.document().utf8))
    #expect(file.source == "App" && file.destination == "App 2" && file.mapping.isComplete)
    #expect(file.mapping.entityMappings.map(\.name) == ["CountryToCountry", "Special"])
    let country = file.mapping.entityMappings[0]
    #expect(country.isComplete && country.policyName == nil && country.kind == nil && country.filter == nil)
    #expect(
      country.attributeMappings == [
        PropertyMapping("code", .inferred),
        PropertyMapping("isoContinent", .expression(try QueryExpression(parsing: "$source.continent.code"))),
        PropertyMapping("name", .none),
      ])
    let special = file.mapping.entityMappings[1]
    #expect(special.policyName == "P" && special.kind == .custom && special.userInfo == ["k": "v"])
    #expect(special.filter == (try QueryPredicate(parsing: "rating > 1")))
    #expect(
      special.relationshipMappings == [
        PropertyMapping(
          "continent",
          .objects(ofMapping: "M", from: try QueryExpression(parsing: "$source.country.continent")))
      ])
  }

  @Test("MIG-134: what is wrong with a mapping of Xcode's has a place")
  func problems() throws {
    func problems(_ text: String) -> [String] {
      do {
        _ = try MappingFile(Array(text.utf8))
        return []
      } catch {
        return error.problems.map { "\($0.line ?? 0) \($0.code) \($0.path)" }
      }
    }
    let good = Self.document()
    #expect(problems(good) == [])
    #expect(problems("<database/>") == ["1 mapping-syntax "])
    #expect(problems("<!DOCTYPE database [<!ENTITY a \"b\">]><database/>") == ["1 mapping-syntax "])
    #expect(
      problems(good.replacing("$source.country.continent", with: "$source.")).first?.hasSuffix("[0].from")
        == true)
    #expect(problems(good.replacing("z2 z3 z4", with: "z2 z99")) == ["9 mapping-bad-value entityMappings[0]"])
    #expect(
      problems(good.replacing(">Custom<", with: ">Magic<")).first?.hasSuffix("entityMappings[1].type") == true
    )
    #expect(
      problems(good.replacing("rating &gt; 1", with: "rating &gt;")).first?.hasSuffix(
        "entityMappings[1].where") == true)
    #expect(problems(good.replacing("YnBsaXN0", with: "AAAA")).count == 2)
  }

  /// A mapping of all that there is, as Xcode writes it.
  private static func document(source: String = "App", destination: String = "App 2") -> String {
    let variable = ArchivedPredicate.variable("source")
    let value = Data(TestArchive.bytes(of: ArchivedPredicate.key("continent.code", of: variable)))
      .base64EncodedString()
    let info = Data(TestArchive.bytes(of: .dictionary(["k": "v"]))).base64EncodedString()
    return """
      <?xml version="1.0" standalone="no"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database><databaseInfo><version>134481920</version></databaseInfo>
        <object type="XDDEVMAPPINGMODEL" id="z1">
          <attribute name="sourcemodelpath" type="string">a/App.xcdatamodeld/\(source).xcdatamodel</attribute>
          <attribute name="destinationmodelpath" type="string">a/App.xcdatamodeld/\(destination).xcdatamodel</attribute>
          <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z6 z5"></relationship>
        </object>
        <object type="XDDEVENTITYMAPPING" id="z5">
          <attribute name="migrationpolicyclassname" type="string"></attribute>
          <attribute name="sourcename" type="string">Country</attribute>
          <attribute name="destinationname" type="string">Country</attribute>
          <attribute name="mappingtypename" type="string">Undefined</attribute>
          <attribute name="mappingnumber" type="int16">1</attribute>
          <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" idrefs="z2 z3 z4"></relationship>
          <relationship name="relationshipmappings" type="0/0" destination="XDDEVRELATIONSHIPMAPPING"></relationship>
        </object>
        <object type="XDDEVENTITYMAPPING" id="z6">
          <attribute name="name" type="string">Special</attribute>
          <attribute name="migrationpolicyclassname" type="string">P</attribute>
          <attribute name="sourcename" type="string">Mood</attribute>
          <attribute name="destinationname" type="string">Mood</attribute>
          <attribute name="mappingtypename" type="string">Custom</attribute>
          <attribute name="filterpredicate" type="string">rating &gt; 1</attribute>
          <attribute name="userinfodata" type="binary">\(info)</attribute>
          <attribute name="mappingnumber" type="int16">2</attribute>
          <relationship name="relationshipmappings" type="0/0" destination="XDDEVRELATIONSHIPMAPPING" idrefs="z7"></relationship>
        </object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z2"><attribute name="name" type="string">code</attribute></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name" type="string">isoContinent</attribute>
          <attribute name="valueexpressiondata" type="binary">\(value)</attribute></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z4"><attribute name="name" type="string">name</attribute>
          <attribute name="autogenerateexpression" type="bool">0</attribute></object>
        <object type="XDDEVRELATIONSHIPMAPPING" id="z7"><attribute name="name" type="string">continent</attribute>
          <attribute name="sourcemappingname" type="string">M</attribute>
          <attribute name="sourcekeypath" type="string">$source.country.continent</attribute></object>
      </database>
      """
  }
}
