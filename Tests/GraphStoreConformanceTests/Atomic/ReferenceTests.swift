import Foundation
import GraphStore
import GraphStoreContextTestSupport
import Testing

/// References that stores make themselves, and the URIs of their objects.
@Suite("References of atomic stores")
struct ReferenceTests {
  private let url = Vault.freshURL()

  init() throws { try StoreType.registration.get() }

  private func open() throws -> PersistentStoreCoordinator { try .adding(.namedVault, at: url) }

  /// Saves employees of some names; returns the last parts of their URIs.
  private func save(_ names: [String]) throws -> [String] {
    let context = ManagedObjectContext(coordinator: try open())
    let objects = try names.map { try context.insert("Employee", named: $0) }
    try context.save()
    return objects.map {
      $0.objectID.uriRepresentation.absoluteString.split(separator: "/").last.map(String.init) ?? ""
    }
  }

  @Test("STO-091: the URI ends in p and the percent-encoded reference, and names the object in every session")
  func uris() throws {
    let names = ["ada", "Grace Hopper", "ä/b?c#d%", "12", "-3", "012", "🙂", "a.b-c_d~e"]
    let parts = try save(names)
    #expect(
      parts == [
        "pada", "pGrace%20Hopper", "p%C3%A4%2Fb%3Fc%23d%25", "p%312", "p%2D3", "p%3012", "p%F0%9F%99%82",
        "pa.b-c_d~e",
      ])
    let coordinator = try open()
    let context = ManagedObjectContext(coordinator: coordinator)
    let host = coordinator.persistentStores[0].identifier.uuidString
    for (name, part) in zip(names, parts) {
      let uri = try #require(URL(string: "x-coredata://\(host)/Employee/\(part)"))
      let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
      #expect(try context.existingObject(with: id).value(forKey: "name") as? String == name)
      #expect(id.uriRepresentation == uri)
      #expect(coordinator.managedObjectID(forShortForm: id.shortForm) == id)
    }
    let unknown = try #require(URL(string: "x-coredata://\(host)/Employee/pnobody"))
    #expect(coordinator.managedObjectID(forURIRepresentation: unknown) == nil)
  }

  @Test("STO-091: identifiers of one record are equal, whichever coordinator of the process made them")
  func equality() throws {
    _ = try save(["ada", "bob"])
    let (first, second) = (try open(), try open())
    let ids = try [first, second].map { coordinator in
      try ManagedObjectContext(coordinator: coordinator).object("Employee", named: "bob").objectID
    }
    #expect(ids[0] == ids[1] && ids[0].hashValue == ids[1].hashValue)
  }

  @Test("STO-089: a reference is asked for once per object, and anew where a save that failed is tried again")
  func once() throws {
    let context = ManagedObjectContext(coordinator: try open())
    let ada = try context.insert("Employee", named: "ada")
    try context.obtainPermanentIDs(for: [ada])
    #expect(Vault.at(url).with { $0.asked } == ["ada": 1])
    try context.insert("Employee", named: "bob")
    Vault.at(url).with { $0.failure = .locked }
    try failure(.storeSaveFailed) { try context.save() }
    Vault.at(url).with { $0.failure = nil }
    try context.save()
    try ada.setValue("eve", forKey: "name")
    try context.save()
    #expect(Vault.at(url).with { $0.asked } == ["ada": 1, "bob": 2])
    #expect(ada.objectID.shortForm == "Employee/pada")
    // The name may go to another object, and the reference may not as long as its object is there.
    try context.insert("Employee", named: "ada")
    let error = try failure(.storeSaveFailed) { try context.save() }
    #expect(error.number == 134030 && error.message.contains("ada"))
    context.rollback()
    try context.delete(ada)
    try context.save()
    try context.insert("Employee", named: "ada")
    try context.save()
    #expect(try context.names("Employee") == ["ada", "bob"])
  }

  @Test("STO-089: one that cannot be made keeps the object from being saved, and everything else with it")
  func unmade() throws {
    let context = ManagedObjectContext(coordinator: try open())
    try context.insert("Employee", named: "ada")
    _ = try context.insert(entityNamed: "Employee")
    let error = try failure(.storeSaveFailed) { try context.save() }
    #expect(error.underlying as? VaultError == .unnamed && error.entity == "Employee")
    try context.object("Employee", named: "ada").setValue("", forKey: "name")
    try failure(.storeSaveFailed) { try context.save() }
    #expect(try ManagedObjectContext(coordinator: try open()).names("Employee") == [])
  }

  @Test("STO-089: records of a batch insert get references too, and links between texts are kept")
  func links() throws {
    let coordinator = try open()
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.execute(
      BatchInsertRequest(entityName: "Employee", objects: [["name": "ada"], ["name": "bob"]]))
    let project = try context.insert("Project", named: "compiler")
    let members = [
      try context.object("Employee", named: "bob"), try context.object("Employee", named: "ada"),
    ]
    try project.setValue(members, forKey: "members")
    try context.save()
    let node = Vault.at(url).with { $0.content?.nodes.first { $0.id.entity == "Project" } }
    #expect(node?.toMany["members"]?.map(\.description) == ["Employee/pbob", "Employee/pada"])
    let again = ManagedObjectContext(coordinator: try open())
    let found = try again.object("Project", named: "compiler").objects(forKey: "members")
    #expect(try found.map { try $0.value(forKey: "name") as? String } == ["bob", "ada"])
  }

  @Test("STO-091: a reference reads back as the number or the text that it is")
  func description() throws {
    for (reference, text) in [(12, "12"), ("12", "%312"), ("a b", "a%20b")] as [(NodeReference, String)] {
      #expect(reference.description == text)
      let bytes = try JSONEncoder().encode([reference])
      #expect(try JSONDecoder().decode([NodeReference].self, from: bytes) == [reference])
    }
    #expect(NodeReference.text("e\u{301}") != .text("\u{e9}") && NodeReference.text("12") != .integer(12))
  }
}
