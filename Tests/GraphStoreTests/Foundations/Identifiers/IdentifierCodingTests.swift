import Foundation
import Testing

@testable import GraphStore

@Suite("Coding of identifiers")
struct IdentifierCodingTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.company()) }

  @Test("OBJ-551: an identifier is coded as its URI, and read with the coordinator that the decoder is given")
  func roundTrip() throws {
    let object = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let data = try JSONEncoder().encode([object.objectID])
    let texts = try JSONDecoder().decode([String].self, from: data)
    #expect(texts == [object.objectID.uriRepresentation.absoluteString])
    let decoder = JSONDecoder()
    let key = try #require(CodingUserInfoKey.persistentStoreCoordinator)
    decoder.userInfo[key] = stack.coordinator
    #expect(try decoder.decode([ManagedObjectID].self, from: data) == [object.objectID])
  }

  @Test("OBJ-551: without a coordinator, and for what names no record there, decoding throws and says why")
  func refusals() throws {
    let object = try stack.context.insert("Employee", ["name": "Ada"])
    let temporary = try JSONEncoder().encode([object.objectID])
    try stack.context.save()
    let saved = try JSONEncoder().encode([object.objectID])
    let decoder = JSONDecoder()
    #expect(throws: DecodingError.self) { try decoder.decode([ManagedObjectID].self, from: saved) }
    let key = try #require(CodingUserInfoKey.persistentStoreCoordinator)
    decoder.userInfo[key] = try TestStack(TestModels.company()).coordinator
    #expect(throws: DecodingError.self) { try decoder.decode([ManagedObjectID].self, from: saved) }
    decoder.userInfo[key] = stack.coordinator
    #expect(throws: DecodingError.self) { try decoder.decode([ManagedObjectID].self, from: temporary) }
    #expect(throws: DecodingError.self) {
      try decoder.decode([ManagedObjectID].self, from: Data(#"["x"]"#.utf8))
    }
  }
}
