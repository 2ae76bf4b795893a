import Testing

@testable import GraphStoreModel

@Suite("Relationships of Xcode's models")
struct XcodeRelationshipTests {
  /// A parent declares the inverse of a relationship that leads to its child.
  static let inverseOnParent = xcodeModel(
    """
    <entity name="Owner"><relationship name="pets" optional="YES" toMany="YES" deletionRule="Cascade"
      destinationEntity="Dog" inverseName="owner" inverseEntity="Animal"/></entity>
    <entity name="Animal"><relationship name="owner" optional="YES" maxCount="1" deletionRule="No Action"
      destinationEntity="Owner" inverseName="pets" inverseEntity="Owner"/></entity>
    <entity name="Dog" parentEntity="Animal"/>
    """)

  @Test("MDL-204: an inverse may be declared by a parent of the destination in a model of Xcode")
  func inverseOnParent() throws {
    let foreign = try readXcode(Self.inverseOnParent)
    #expect(foreign.findings.isEmpty)
    #expect(foreign.definition.entities[0].relationships[0].xcode == ["inverseEntity": "Animal"])
    let model = try ManagedObjectModel(json: foreign.definition.jsonData())
    let pets = try #require(model.entitiesByName["Owner"]?.relationship(named: "pets"))
    let owner = try #require(model.entitiesByName["Animal"]?.relationship(named: "owner"))
    #expect(pets.inverse === owner)
    #expect(owner.inverse === pets)
    var strict = foreign.definition
    strict.entities[0].relationships[0].xcode = [:]
    #expect(
      problemSummaries(strict) == [
        "model-bad-inverse entities[0].relationships[0].inverse",
        "model-bad-inverse entities[1].relationships[0].inverse",
      ])
    strict.entities[0].relationships[0].xcode = ["inverseEntity": "Owner"]
    #expect(!problemSummaries(strict).isEmpty)
  }

  @Test("MDL-204: inverses that do not lead back are left out on both sides, with findings")
  func badInverses() throws {
    let model = try readXcode(
      xcodeModel(
        """
        <entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="B" inverseName="none" inverseEntity="B"/>
        <relationship name="c" optional="YES" maxCount="1" destinationEntity="B" inverseName="a" inverseEntity="B"/></entity>
        <entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="d" inverseEntity="A"/>
        </entity>
        """))
    #expect(model.definition.entities.flatMap(\.relationships).allSatisfy { $0.inverse == nil })
    #expect(
      model.findings.map { "\($0.code) \($0.line ?? 0)" } == [
        "foreign-dropped 3", "foreign-dropped 4", "foreign-dropped 5",
      ])
    #expect(
      model.definition.entities[0].relationships[0].xcode
        == ["dropped": ["inverseName": "none", "inverseEntity": "B"]])
  }

  @Test("MDL-205: an inverse that is named on one side is read as one of both")
  func oneSided() throws {
    let model = try readXcode(
      xcodeModel(
        """
        <entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="B" inverseName="a" inverseEntity="B"/></entity>
        <entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A"/></entity>
        """))
    #expect(model.definition.entities[1].relationships[0].inverse == "b")
    #expect(model.findings.map(\.code) == ["foreign-mended"])
    #expect(model.findings[0].line == 4)
  }

  @Test("MDL-214: a transient relationship and its stored inverse part")
  func transient() throws {
    let model = try readXcode(
      xcodeModel(
        """
        <entity name="A"><relationship name="b" optional="YES" transient="YES" maxCount="1" destinationEntity="B" inverseName="a" inverseEntity="B"/></entity>
        <entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="b" inverseEntity="A"/></entity>
        """))
    #expect(model.definition.entities.flatMap(\.relationships).allSatisfy { $0.inverse == nil })
    #expect(Set(model.findings.map(\.code)) == ["foreign-dropped"])
  }

  @Test("MDL-209, MDL-212: counts, delete rules, order")
  func counts() throws {
    let model = try readXcode(
      xcodeThing(
        """
        <relationship name="a" optional="YES" minCount="1" maxCount="1" deletionRule="Nullify" destinationEntity="Thing"/>
        <relationship name="b" toMany="YES" minCount="3" maxCount="40" deletionRule="Deny" ordered="YES" destinationEntity="Thing"/>
        <relationship name="c" maxCount="5" deletionRule="No Action" destinationEntity="Thing"/>
        <relationship name="d" maxCount="1" ordered="YES" deletionRule="Explode" destinationEntity="Thing"/>
        """))
    let all = model.definition.entities[0].relationships
    #expect(all.map(\.isToMany) == [false, true, true, false])
    #expect(all.map(\.minCount) == [1, 3, 0, 0])
    #expect(all.map(\.maxCount) == [0, 40, 5, 0])
    #expect(all.map(\.deleteRule) == [.nullify, .deny, .noAction, .nullify])
    #expect(all.map(\.isOrdered) == [false, true, false, false])
    #expect(
      model.findings.map { "\($0.code) \($0.line ?? 0)" } == [
        "foreign-mended 6", "foreign-dropped 7", "foreign-dropped 7",
      ])
  }
}
