import Testing

@testable import GraphStoreModel

@Suite("Findings about models of Xcode")
struct XcodeFindingTests {
  @Test("MDL-334: what is not known is a warning with its line, and kept")
  func unknown() throws {
    let model = try readXcode(
      xcodeThing(
        "<attribute name=\"a\" attributeType=\"String\" novelty=\"1\"/>\n<surprise x=\"1\"><y/></surprise>"))
    #expect(
      model.findings.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.severity) \($0.code) \($0.path)" } == [
        "4:44 warning foreign-unknown entities[0].attributes[0]", "5:1 warning foreign-unknown entities[0]",
      ])
    #expect(model.definition.entities[0].attributes[0].xcode == ["novelty": "1"])
    #expect(model.definition.entities[0].xcode["droppedElements"] != nil)
  }

  @Test("MDL-334: problems of the text are model-syntax with line and column")
  func syntax() {
    #expect(xcodeProblems("<model>\n  <entity>\n</model>") == ["3:1 model-syntax"])
    #expect(xcodeProblems("<plist/>") == ["1:1 model-syntax"])
    #expect(xcodeProblems("bplist00xyz") == ["0:0 model-unreadable"])
    #expect(xcodeProblems("") == ["1:1 model-syntax"])
  }

  @Test("MDL-062, MDL-063: problems that cannot be mended have the line of their element")
  func problemLines() {
    #expect(
      xcodeProblems(xcodeModel("<entity name=\"A\"/>\n<entity name=\"A\"/>")) == ["4:9 model-duplicate-name"])
    #expect(
      xcodeProblems(xcodeModel("<entity name=\"A\"/>\n<entity name=\"a\"/>")) == ["4:9 model-duplicate-name"])
    #expect(
      xcodeProblems(xcodeModel("<entity name=\"A\" parentEntity=\"B\"/>")) == ["3:18 model-unknown-entity"])
    #expect(xcodeProblems(xcodeModel("<entity/>")) == ["3:1 model-bad-name"])
  }

  @Test(
    "MDL-064: a property named like the object itself is left out with a finding, one like a member stays")
  func reservedNames() throws {
    let model = try readXcode(
      xcodeThing(
        """
        <attribute name="isDeleted" attributeType="Boolean"/><attribute name="self" attributeType="String"/>
        <attribute name="hash" attributeType="String"/>
        """))
    #expect(model.definition.entities[0].attributes.map(\.name) == ["isDeleted", "hash"])
    #expect(model.findings.map(\.code) == ["foreign-dropped"])
  }

  @Test("MDL-062: a property that is there already is left out, with a finding")
  func secondUse() throws {
    let model = try readXcode(
      xcodeModel(
        """
        <entity name="P"><attribute name="n" attributeType="String"/></entity>
        <entity name="C" parentEntity="P"><attribute name="n" attributeType="String"/></entity>
        """))
    #expect(model.definition.entities[1].attributes.isEmpty)
    #expect(model.findings.map(\.code) == ["foreign-dropped"])
    #expect(model.findings[0].line == 4)
  }

  @Test("MDL-289: an index that is dropped is kept once, however often the model is written and read")
  func droppedIndexes() throws {
    var model = try readXcode(
      xcodeThing(
        """
        <attribute name="a" attributeType="String"/>
        <fetchIndex name="byNothing"><fetchIndexElement property="nothing" type="Binary" order="ascending"/></fetchIndex>
        <compoundIndexes><compoundIndex><index value="nothing"/></compoundIndex></compoundIndexes>
        <uniquenessConstraints><uniquenessConstraint><constraint value="nothing"/></uniquenessConstraint></uniquenessConstraints>
        """))
    let first = model.definition
    #expect(first.entities[0].xcode.list("droppedElements").count == 3)
    for _ in 0..<3 {
      let json = try ManagedObjectModel(model.definition).jsonData()
      let definition = try ManagedObjectModel(json: Array(json)).definition
      model = try readXcode(String(decoding: XcodeModelWriter.xml(of: definition), as: UTF8.self))
      #expect(model.definition.entities == first.entities)
    }
  }

  @Test("MDL-292: a uniqueness constraint over bytes is one")
  func uniqueBytes() throws {
    let model = try readXcode(
      xcodeThing(
        """
        <attribute name="b" attributeType="Binary"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="b"/></uniquenessConstraint></uniquenessConstraints>
        """))
    #expect(model.definition.entities[0].uniquenessConstraints == [["b"]])
    #expect(model.findings.isEmpty)
  }

  // Were each column counted from the start of its line, this would read the line 20,000 times.
  @Test("Problems in one long line are found, with their columns")
  func longLine() throws {
    let attributes = (0..<20_000).map { "x\($0)é=\"1\"" }.joined(separator: " ")
    let model = try readXcode("<model><entity name=\"A\" \(attributes)/></model>")
    #expect(model.findings.count == 20_000)
    #expect(model.findings[0].column == 25)
    let before = (0..<19_999).reduce(0) { $0 + "x\($1)é=\"1\" ".count }
    #expect(model.findings[19_999].column == 25 + before)
  }

  @Test("MDL-281, MDL-289: indexes of all forms")
  func indexes() throws {
    let model = try readXcode(
      xcodeThing(
        """
        <attribute name="a" attributeType="String" indexed="YES"/>
        <attribute name="b" attributeType="Double" indexed="NO"/>
        <relationship name="r" optional="YES" maxCount="1" destinationEntity="Thing" indexed="YES"/>
        <fetchIndex name="byB"><fetchIndexElement property="b" type="RTree" order="ascending"/></fetchIndex>
        <fetchIndex name="byText" partialIndexPredicateString="b > 1">
          <fetchIndexElement property="a" type="Binary" order="descending"/>
          <fetchIndexElement expression="lowercase:(a)" expressionType="String" type="Binary" order="ascending"/>
        </fetchIndex>
        <compoundIndexes>
          <compoundIndex><index value="a"/><index value="b"/></compoundIndex>
          <compoundIndex><index value="b"/></compoundIndex>
        </compoundIndexes>
        """))
    #expect(model.findings.isEmpty)
    let entity = model.definition.entities[0]
    #expect(entity.indexes.map(\.name) == ["byB", "byText", "byAIndex", "compoundIndex", "compoundIndex1"])
    #expect(entity.indexes[0].elements == [.init("b", kind: .rtree)])
    #expect(
      entity.indexes[1].elements == [.init("a", order: .descending), .init(expression: "lowercase:(a)")])
    #expect(entity.indexes[1].predicate == "b > 1")
    #expect(entity.indexes[2].elements == [.init("a")])
    #expect(entity.indexes[3].elements == [.init("a"), .init("b")])
  }

  @Test(
    "MDL-282 to MDL-286, MDL-291, MDL-292: indexes and constraints that make no sense are left out, with a finding",
    arguments: [
      "<fetchIndex name=\"i\"><fetchIndexElement property=\"none\" type=\"Binary\"/></fetchIndex>",
      "<fetchIndex name=\"i\"/>",
      "<fetchIndex name=\"i\"><fetchIndexElement property=\"many\" type=\"Binary\"/></fetchIndex>",
      "<fetchIndex name=\"i\"><fetchIndexElement property=\"a\" type=\"RTree\"/></fetchIndex>",
      "<fetchIndex name=\"i\" partialIndexPredicateString=\"a >\"><fetchIndexElement property=\"a\"/></fetchIndex>",
      "<compoundIndexes><compoundIndex><index value=\"none\"/></compoundIndex></compoundIndexes>",
      "<uniquenessConstraints><uniquenessConstraint><constraint value=\"many\"/></uniquenessConstraint></uniquenessConstraints>",
      "<uniquenessConstraints><uniquenessConstraint/></uniquenessConstraints>",
      "<fetchedProperty name=\"f\"><fetchRequest entity=\"Thing\" predicateString=\"a ==\"/></fetchedProperty>",
      "<fetchedProperty name=\"f\"/>",
      "<relationship name=\"gone\" maxCount=\"1\" destinationEntity=\"Nothing\"/>",
    ])
  func dropped(text: String) throws {
    let model = try readXcode(
      xcodeThing(
        """
        <attribute name="a" attributeType="String"/>
        <relationship name="many" optional="YES" toMany="YES" destinationEntity="Thing"/>
        \(text)
        """))
    let entity = model.definition.entities[0]
    #expect(
      entity.indexes.isEmpty && entity.uniquenessConstraints.isEmpty && entity.fetchedProperties.isEmpty)
    #expect(entity.relationships.map(\.name) == ["many"])
    #expect(model.findings.map(\.code) == ["foreign-dropped"])
    #expect(model.findings[0].line == 6)
    #expect(entity.xcode["droppedElements"] != nil)
  }

  @Test("MDL-333: fetch requests, fetched properties and configurations")
  func requests() throws {
    let model = try readXcode(
      xcodeModel(
        """
        <entity name="A"><attribute name="n" attributeType="String"/>
          <fetchedProperty name="same" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="A"
            predicateString="n == $FETCH_SOURCE.n" fetchLimit="3"/></fetchedProperty>
        </entity>
        <fetchRequest name="q" entity="A" predicateString="n BEGINSWITH[cd] $N" fetchLimit="5" fetchBatchSize="20"
          resultType="1" includeSubentities="NO" returnObjectsAsFaults="YES"/>
        <fetchRequest name="bad" entity="A" predicateString="n LIKE"/>
        <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="A"/><memberEntity name="Gone"/></configuration>
        """))
    let definition = model.definition
    #expect(definition.entities[0].fetchedProperties[0].predicate == "n == $FETCH_SOURCE.n")
    #expect(definition.entities[0].fetchedProperties[0].limit == 3)
    #expect(definition.entities[0].fetchedProperties[0].xcode.isEmpty)
    #expect(definition.fetchRequests.map(\.name) == ["q"])
    let request = definition.fetchRequests[0]
    #expect(request.limit == 5 && request.batchSize == 20 && request.resultType == .ids)
    #expect(!request.includesSubentities)
    #expect(request.predicate == "n BEGINSWITH[cd] $N")
    #expect(definition.configurations == [.init("Cloud", entities: ["A"])])
    #expect(
      model.findings.map { "\($0.code) \($0.line ?? 0)" } == ["foreign-dropped 9", "foreign-dropped 10"])
    #expect(model.findings[0].message.contains("n LIKE"))
  }
}
