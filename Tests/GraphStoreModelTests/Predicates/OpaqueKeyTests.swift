import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Transformable and composite keys in predicates")
struct OpaqueKeyTests {
  private let entity: EntityDescription

  init() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "Person",
          attributes: [
            AttributeDefinition("colour", .transformable), AttributeDefinition("shade", .transformable),
            AttributeDefinition("photo", .binary),
            AttributeDefinition(
              "address", .composite,
              elements: [AttributeDefinition("city", .string), AttributeDefinition("number", .int32)]),
          ])
      ]))
    entity = try model.entity(named: "Person")
  }

  private func check(_ text: String) throws -> QueryPredicate {
    try PredicateTypeChecker(entity: entity, source: text).check(QueryPredicate(parsing: text))
  }

  @Test(
    "PRD-077, PRD-078: bytes of transformable keys and elements of composites are compared, composites with nil alone",
    arguments: [
      "colour != CAST('AAE=', 'NSData')", "colour == shade", "colour == nil",
      "photo == nil AND address == nil",
      "address.city == 'Rome' AND address.number > 3", "address.city BEGINSWITH[c] 'r'",
    ])
  func compared(text: String) throws { _ = try check(text) }

  @Test(
    "PRD-077, PRD-078: what does not compare is refused at its place",
    arguments: [
      ("colour == 'red'", 10), ("colour IN {'red'}", 10), ("photo == nil AND address == 'Rome'", 28),
      ("address.number == 'many'", 18),
    ])
  func refused(text: String, offset: Int) throws {
    let error = #expect(throws: QueryPredicateError.self) { try check(text) }
    #expect(error?.code == .typeMismatch && error?.offset == offset, "\(text): \(String(describing: error))")
  }

  @Test("PRD-078: a member that a composite does not have is an unknown key")
  func unknown() throws {
    let error = #expect(throws: QueryPredicateError.self) { try check("address.town == 'Rome'") }
    #expect(error?.code == .unknownKey && error?.offset == 8)
  }
}
