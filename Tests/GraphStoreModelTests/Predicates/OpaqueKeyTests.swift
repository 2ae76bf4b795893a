import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Keys whose values have no form in predicates")
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
    "PRD-077, PRD-078: a key whose values predicates cannot read yet is refused at its place, before anything is read",
    arguments: [
      ("colour == 'red'", 0), ("photo == nil AND colour != CAST('AAE=', 'NSData')", 17),
      ("colour IN {'red'}", 0),
      ("colour == shade", 0), ("colour == nil", 0), ("photo == nil AND address == nil", 17),
      ("photo == nil AND address.city == 'Rome'", 17),
    ])
  func refused(text: String, offset: Int) throws {
    let error = #expect(throws: QueryPredicateError.self) { try check(text) }
    #expect(error?.code == .unsupportedInStore && error?.offset == offset, "\(text)")
    #expect(error?.line == 1 && error?.column == offset + 1 && error?.hint != nil, "\(text)")
  }

  @Test("PRD-078: a member that a composite does not have is an unknown key")
  func unknown() throws {
    let error = #expect(throws: QueryPredicateError.self) { try check("address.town == 'Rome'") }
    #expect(error?.code == .unknownKey && error?.offset == 8)
  }
}
