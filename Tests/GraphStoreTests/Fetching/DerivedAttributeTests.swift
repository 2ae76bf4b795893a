import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Derived attributes, which Core Data computes and keeps in its stores, and nobody computes in ours yet.
@Suite("Derived attributes in requests")
struct DerivedAttributeTests {
  private static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Artist",
      attributes: [
        AttributeDefinition("name", .string),
        AttributeDefinition("count", .int32, derivation: "albums.@count"),
        AttributeDefinition("must", .string, isOptional: false, derivation: "lowercase:(name)"),
      ],
      relationships: [RelationshipDefinition("albums", to: "Album", inverse: "artist", isToMany: true)]),
    EntityDefinition(
      "Album", relationships: [RelationshipDefinition("artist", to: "Artist", inverse: "albums")]),
  ])

  private func stack() throws -> TestStack {
    let stack = try TestStack(Self.model)
    let artist = try stack.context.insert("Artist", ["name": "Ada"])
    try stack.context.insert("Album", ["artist": artist])
    try stack.context.save()
    return stack
  }

  /// The same store as if Core Data had made it and kept the values.
  private func foreignContext(_ stack: TestStack) throws -> ManagedObjectContext {
    stack.coordinator.close()
    let connection = try SQLiteConnection(path: stack.path, mode: .readWrite)
    var metadata = try SQLiteLayout.readMetadata(connection)
    metadata.values[StoreMetadata.Key.format] = nil
    metadata.values[StoreMetadata.Key.model] = nil
    try SQLiteLayout.writeMetadata(connection, metadata)
    try connection.execute("UPDATE ZARTIST SET ZCOUNT = 1, ZMUST = 'ada'")
    connection.close()
    return ManagedObjectContext(
      coordinator: try .open(storeAt: stack.path, model: ManagedObjectModel(Self.model)))
  }

  private func isRefused(_ error: any Error) -> Bool {
    (error as? QueryPredicateError)?.code == .notSupported
  }

  @Test(
    "In a store that was made here a condition on one is refused, wherever it stands",
    arguments: [
      "count > 0", "name == 'Ada' AND NOT count == 0", "ANY albums.artist.must == 'ada'",
      "SUBQUERY(albums, $a, $a.artist.count > 1).@count > 0", "albums.@count > 0 OR count + 1 > 1",
    ])
  func conditions(_ text: String) throws {
    let stack = try stack()
    #expect(throws: QueryPredicateError.self) { try stack.context.all("Artist", text) }
    #expect { try stack.context.all("Artist", text) } throws: { isRefused($0) }
    let request = FetchRequest(entityName: "Artist", predicate: try QueryPredicate(parsing: text))
    #expect { try stack.context.count(for: request) } throws: { isRefused($0) }
    #expect { try stack.context.explain(request) } throws: { isRefused($0) }
    let objects = try stack.context.all("Artist")
    #expect { try objects.filtered(by: QueryPredicate(parsing: text)) } throws: { isRefused($0) }
  }

  @Test("So are an order by one and an aggregate over one; the attribute itself shows that it has no value")
  func results() throws {
    let stack = try stack()
    #expect { try stack.context.all("Artist", sort: ["count"]) } throws: { isRefused($0) }
    let request = FetchRequest(entityName: "Album")
    #expect {
      try stack.context.enumerateFields(request, keyPaths: ["artist.albums.@max.artist.count"]) { _ in }
    } throws: {
      isRefused($0)
    }
    var rows = 0
    try stack.context.enumerateFields(request, keyPaths: ["artist.count"]) { _ in rows += 1 }
    #expect(rows == 1)
    #expect(try stack.context.all("Artist")[0].value(forKey: "count") == nil)
    #expect(
      try StoreCheck.run(path: stack.path).flatMap(\.findings) == [], "a derived value is nobody's duty")
  }

  @Test("In a store of Core Data, which keeps the values, they are read")
  func foreign() throws {
    let stack = try stack()
    let context = try foreignContext(stack)
    #expect(try context.all("Artist", "count > 0").count == 1)
    #expect(try context.all("Artist", "count > 1").isEmpty)
    #expect(
      try context.all("Artist", "must == 'ada'", sort: ["-count"])[0].value(forKey: "count") as? Int32 == 1)
    #expect(try context.all("Artist").filtered(by: QueryPredicate(parsing: "count == 1")).count == 1)
  }
}
