import Foundation
import GraphStorePredicates
import Synchronization
import Testing

@testable import GraphStoreModel

/// Descriptions that somebody holds longer than their model.
@Suite("Descriptions that outlive their model")
struct OutlivedModelTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      ModelDefinition(
        name: "Company",
        entities: [
          EntityDefinition(
            "Person", isAbstract: true,
            attributes: [
              AttributeDefinition("name", .string),
              AttributeDefinition(
                "address", .composite,
                elements: [
                  AttributeDefinition("name", .string),
                  AttributeDefinition("place", .composite, elements: [AttributeDefinition("code", .int32)]),
                ]),
            ]),
          EntityDefinition(
            "Employee", parent: "Person",
            relationships: [
              RelationshipDefinition("manager", to: "Employee", inverse: "reports"),
              RelationshipDefinition("reports", to: "Employee", inverse: "manager", isToMany: true),
              RelationshipDefinition("team", to: "Team"),
            ],
            fetchedProperties: [FetchedPropertyDefinition("teams", entity: "Team")]),
          EntityDefinition("Team", attributes: [AttributeDefinition("name", .string)]),
        ],
        fetchRequests: [FetchRequestDefinition("all", entity: "Team")],
        localization: ["Entity/Team": "Group"]))
  }

  @Test("An entity finds model, parent, root and hash")
  func entity() throws {
    let entity = try Self.model().entity(named: "Employee")
    #expect(entity.superentity?.name == "Person" && entity.rootEntity.name == "Person")
    #expect(entity.rootEntity.descendants.map(\.name) == ["Employee"])
    #expect(entity.model.name == "Company" && entity.model === entity.model)
    #expect(entity.model.entities.map(\.name) == ["Person", "Employee", "Team"])
    #expect(try entity.versionHash == Self.model().entity(named: "Employee").versionHash)
    #expect(try entity.isKind(of: #require(entity.superentity)))
    #expect(try #require(entity.superentity?.subentities.first).isKind(of: entity))
    #expect(try !entity.isKind(of: Self.model().entity(named: "Person")))
    #expect(entity.properties.map(\.name) == ["name", "address", "manager", "reports", "team", "teams"])
  }

  @Test("A property finds entity, inverse, destination and hash")
  func properties() throws {
    var model: ManagedObjectModel? = try Self.model()
    let employee = try #require(try model?.entity(named: "Employee"))
    let hashes = employee.properties.map(\.versionHash)
    let elements = employee.attributes[1].elements + employee.attributes[1].elements[1].elements
    let elementHashes = elements.map(\.versionHash)
    model = nil
    for isHashed in [true, false] {
      let properties = try isHashed ? employee.properties : Self.model().entity(named: "Employee").properties
      #expect(properties.map(\.versionHash) == hashes)
      #expect(
        properties.map(\.entity.name) == ["Person", "Person", "Employee", "Employee", "Employee", "Employee"])
      #expect(properties.map(\.description)[2] == "Employee.manager")
      let relationships = properties.compactMap { $0 as? RelationshipDescription }
      #expect(relationships.map { $0.inverse?.name } == ["reports", "manager", nil])
      #expect(relationships.map(\.destination.name) == ["Employee", "Employee", "Team"])
      #expect(relationships[0].inverse?.inverse?.name == "manager" && !relationships[0].isManyToMany)
      #expect((properties[5] as? FetchedPropertyDescription)?.destination.name == "Team")
      let address = try #require(properties[1] as? AttributeDescription)
      let parts = address.elements + address.elements[1].elements
      #expect(
        parts.map(\.versionHash) == elementHashes
          && parts.map(\.entity.name) == ["Person", "Person", "Person"])
    }
  }

  @Test("A stored request finds its entity, and names stay localized")
  func template() throws {
    let template = try #require(try Self.model().fetchRequestTemplatesByName["all"])
    #expect(template.entity.name == "Team")
    let team = try Self.model().entity(named: "Team")
    #expect(team.model.localizedName(of: team) == "Group")
  }

  @Test("What outlives its model holds no more than one model, which goes with it")
  func memory() throws {
    weak var successor: ManagedObjectModel?
    weak var first: ManagedObjectModel?
    do {
      let entity = try {
        let model = try Self.model()
        first = model
        return try model.entity(named: "Employee")
      }()
      #expect(first == nil)
      successor = entity.model
      #expect(successor != nil && entity.superentity?.model === successor)
    }
    #expect(successor == nil)
  }

  @Test("Descriptions find the rest on any thread at once")
  func threads() async throws {
    let entity = try Self.model().entity(named: "Employee")
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<32 { group.addTask { entity.superentity?.model === entity.model } }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test("The last reference to a model may go while other threads read through its descriptions")
  func releasedInTheMiddle() throws {
    for _ in 0..<500 {
      let reference = try LastReference(Self.model())
      let employee = try reference.entity(named: "Employee")
      let readers = (0..<2).map { _ in Thread { reference.read(employee) } }
      for reader in readers { reader.start() }
      reference.releaseDuringReads(by: readers.count)
      while readers.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.000_01) }
      let wrongReads = reference.wrongReads.load(ordering: .relaxed)
      #expect(wrongReads == 0)
    }
  }

  @Test("Ancestors and properties are held, and stay the same objects")
  func held() throws {
    let entity = try Self.model().entity(named: "Employee")
    let parent = try #require(entity.superentity)
    #expect(entity.superentity === parent && entity.rootEntity === parent)
    #expect(entity.properties[0] === parent.properties[0])
    #expect(parent.subentities.map(\.name) == ["Employee"] && entity.subentities.isEmpty)
  }
}

/// The one place that holds a model, which goes while others read.
private final class LastReference: Sendable {
  let wrongReads = Atomic<Int>(0)
  private let model: Mutex<ManagedObjectModel?>
  private let readerCount = Atomic<Int>(0)
  private let isReleased = Atomic<Bool>(false)

  init(_ model: ManagedObjectModel) { self.model = Mutex(model) }

  func entity(named name: String) throws -> EntityDescription {
    try #require(try model.withLock { try $0?.entity(named: name) })
  }

  /// Reads until the model is gone.
  func read(_ entity: EntityDescription) {
    readerCount.add(1, ordering: .relaxed)
    while !isReleased.load(ordering: .relaxed) {
      let isRight = entity.relationships[2].destination.name == "Team" && entity.model.name == "Company"
      if !isRight { wrongReads.add(1, ordering: .relaxed) }
    }
  }

  func releaseDuringReads(by count: Int) {
    while readerCount.load(ordering: .relaxed) < count { Thread.sleep(forTimeInterval: 0.000_01) }
    model.withLock { $0 = nil }
    isReleased.store(true, ordering: .relaxed)
  }
}
