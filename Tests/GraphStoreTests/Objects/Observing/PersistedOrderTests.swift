import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Orders that are kept in the store")
struct PersistedOrderTests {
  private static let model = ModelDefinition(
    name: "Cities",
    entities: [
      EntityDefinition(
        "List",
        attributes: [
          AttributeDefinition("locale", .string), AttributeDefinition("collationVersion", .string),
        ],
        relationships: [
          RelationshipDefinition("cities", to: "City", inverse: "list", isToMany: true, isOrdered: true),
          RelationshipDefinition("others", to: "City", isToMany: true),
        ]),
      EntityDefinition(
        "City", attributes: [AttributeDefinition("name", .string), AttributeDefinition("size", .int64)],
        relationships: [RelationshipDefinition("list", to: "List", inverse: "cities")]),
    ])

  private let stack: TestStack
  private let owner: ManagedObject

  init() throws {
    stack = try TestStack(Self.model)
    stack.context.locale = Locale(identifier: "sv_SE")
    for name in ["Södertälje", "Kyllburg", "Sundsvall", "Köln"] {
      try stack.context.insert("City", ["name": name])
    }
    owner = try stack.context.insert("List", [:])
    try stack.context.save()
  }

  private func order(_ locale: String? = nil) throws -> PersistedOrder {
    try PersistedOrder(
      owner: owner, relationship: "cities", sortKey: "name", locale: locale.map(Locale.init(identifier:)))
  }

  @Test(
    "PRD-266, PRD-269, PAT-096: the order is made when it is opened first, and kept with locale and version")
  func made() throws {
    let order = try order()
    #expect(order.wasRebuilt)
    #expect(try owner.names("cities") == ["Kyllburg", "Köln", "Sundsvall", "Södertälje"])
    #expect(try owner.string("locale") == "sv_SE")
    let version = Collation.version(for: Locale(identifier: "sv_SE"))
    #expect(try owner.string("collationVersion") == version)
    try stack.context.save()
    #expect(try !self.order().wasRebuilt)
    let other = stack.newContext()
    #expect(
      try other.all("City", sort: ["list"]).map { try $0.string("name") }
        == ["Kyllburg", "Köln", "Sundsvall", "Södertälje"])
  }

  @Test("PRD-269, PAT-096: another locale, or another version of the collation, makes it anew")
  func rebuilt() throws {
    _ = try order()
    #expect(try order("de_DE").wasRebuilt)
    #expect(try owner.names("cities") == ["Köln", "Kyllburg", "Södertälje", "Sundsvall"])
    #expect(try !order("de_DE").wasRebuilt)
    try owner.setValue("of another library", forKey: "collationVersion")
    #expect(try order("de_DE").wasRebuilt)
  }

  @Test("PRD-269: an object that comes later, or has another text, is put in its place")
  func inserted() throws {
    let order = try order()
    try order.insert(stack.context.insert("City", ["name": "Lund"]))
    let moved = try #require(try stack.context.all("City", "name == 'Köln'").first)
    try moved.setValue("Östersund", forKey: "name")
    try order.insert(moved)
    try order.insert(stack.context.insert("City", [:]))
    #expect(
      try order.objects().map { try $0.string("name") }
        == [nil, "Kyllburg", "Lund", "Sundsvall", "Södertälje", "Östersund"])
    try stack.context.delete(moved)
    try stack.context.processPendingChanges()
    #expect(try order.objects().count == 5)
  }

  @Test("PRD-269: what cannot keep an order is refused")
  func unfit() throws {
    for (relationship, key) in [("others", "name"), ("cities", "size"), ("cities", "nothing")] {
      #expect(throws: GraphStoreError.self) {
        try PersistedOrder(owner: owner, relationship: relationship, sortKey: key)
      }
    }
  }

  @Test("PRD-268: the version of a collation is one for a locale, and not empty")
  func version() {
    let versions = ["sv_SE", "de_DE", "en_US"].map { Collation.version(for: Locale(identifier: $0)) }
    #expect(versions.allSatisfy { $0.split(separator: ".").count == 4 && $0 != "0.0.0.0" })
    #expect(Collation.version(for: Locale(identifier: "sv_SE")) == versions[0])
    #expect(UnicodeVersion.current.first?.isNumber == true)
  }
}
