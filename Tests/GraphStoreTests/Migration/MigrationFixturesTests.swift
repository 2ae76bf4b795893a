import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// Fixtures of versions, with what they are expected to hold once they are migrated.
struct MigrationFixturesTests {
  private static func version(_ number: Int) -> ModelDefinition {
    var employee = EntityDefinition(
      "Employee",
      attributes: [
        AttributeDefinition(number < 2 ? "name" : "fullName", .string, renamingIdentifier: "name"),
        AttributeDefinition("salary", .decimal), AttributeDefinition("hired", .date),
        AttributeDefinition("photo", .binary, externalStorage: true), AttributeDefinition("badge", .uuid),
      ],
      relationships: [
        RelationshipDefinition("department", to: "Department", inverse: "employees"),
        RelationshipDefinition("tags", to: "Tag", isToMany: true, isOrdered: true),
      ])
    if number > 2 {
      employee.attributes.append(
        AttributeDefinition("grade", .int16, isOptional: false, defaultValue: 3))
    }
    return .of(
      employee, EntityDefinition("Manager", parent: "Employee"),
      EntityDefinition(
        "Department", attributes: [AttributeDefinition("code", .string)],
        relationships: [
          RelationshipDefinition("employees", to: "Employee", inverse: "department", isToMany: true)
        ], uniquenessConstraints: [["code"]]),
      EntityDefinition("Tag", attributes: [AttributeDefinition("word", .string)]))
  }

  private static func fill(_ context: ManagedObjectContext, name: String) throws {
    let departments = try ["S", "R"].map { try context.insert("Department", ["code": $0]) }
    let tags = try ["b", "a"].map { try context.insert("Tag", ["word": $0]) }
    for number in 0..<3 {
      try context.insert(
        number == 0 ? "Manager" : "Employee",
        [
          name: "n\(number)", "salary": Decimal(string: "1000.\(number)5") ?? 0,
          "hired": Date(timeIntervalSinceReferenceDate: Double(number) + 0.25),
          "photo": Data(repeating: UInt8(number), count: number == 1 ? 200_000 : 3), "badge": UUID(),
          "department": departments[number % 2], "tags": number == 0 ? tags : [],
        ])
    }
  }

  /// A directory of three versions, beside a folder with stores of some of them.
  private final class Place {
    let fixtures: MigrationFixtures
    private let folder: VersionFolder

    init(_ versions: [Int]) throws {
      folder = try VersionFolder((1...3).map(version))
      let path = folder.folder.file("Fixtures")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for number in versions {
        let coordinator = try PersistentStoreCoordinator.create(
          storeAt: "\(path)/v\(number).db", model: ManagedObjectModel(version(number)))
        defer { coordinator.close() }
        let context = ManagedObjectContext(coordinator: coordinator)
        try fill(context, name: number < 2 ? "name" : "fullName")
        try context.save()
      }
      try folder.folder.write(Data("no store".utf8), to: "Fixtures/README.txt")
      fixtures = try MigrationFixtures(in: path, of: folder.versions())
    }

    func file(_ name: String) -> String { "\(fixtures.folder)/\(name)" }

    func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    }

    /// Every file of the folder with its content.
    func files() throws -> [String: Data] {
      let paths = FileManager.default.enumerator(atPath: fixtures.folder)?.compactMap { $0 as? String } ?? []
      return Dictionary(
        uniqueKeysWithValues: paths.compactMap { path in
          FileManager.default.contents(atPath: file(path)).map { (path, $0) }
        })
    }
  }

  @Test("MIG-313, MIG-312, MIG-316: what was written of each fixture agrees, and nothing else is written")
  func agreement() throws {
    let place = try Place([1, 2, 3])
    let fixtures = place.fixtures
    #expect(fixtures.names == ["v1.db", "v2.db", "v3.db"])
    let missing = try fixtures.verify()
    #expect(missing.map { $0.differences.count } == [1, 1, 1], "\(missing)")
    let before = try place.files()
    try fixtures.update(keyAttributes: ["Tag": "word", "Employee": "fullName"])
    let written = try place.files()
    #expect(
      Set(written.keys).subtracting(before.keys)
        == Set((1...3).map { "v\($0).expected.ndjson" }))
    #expect(before.allSatisfy { written[$0.key] == $0.value })
    let outcomes = try fixtures.verify()
    #expect(outcomes.map(\.version) == ["1", "2", "3"])
    #expect(outcomes.allSatisfy { $0.differences.isEmpty }, "\(outcomes)")
    #expect(try place.files() == written)
    let text = try place.text("v1.expected.ndjson")
    #expect(text.contains(#""tags":[{"word":"b"},{"word":"a"}]"#) && text.contains(#""grade":3"#))
    #expect(text.contains(#""salary":"1000.05""#) && text.contains(#""department":{"code":"S"}"#))
    // What a repository checks out for reading only can be migrated as well.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: place.file("v1.db"))
    #expect(try fixtures.verify()[0].differences.isEmpty)
  }

  @Test(
    "MIG-312, MIG-313: a value, a member, an order and a number of objects that differ are told",
    arguments: [
      (#""fullName":"n1""#, #""fullName":"other""#), (#""department":{"code":"R"}"#, #""department":null"#),
      (#"[{"word":"b"},{"word":"a"}]"#, #"[{"word":"a"},{"word":"b"}]"#),
      (#"{"entity":"Tag","word":"a"}"#, ""),
      (#"{"entity":"Tag","word":"a"}"#, "{\"entity\":\"Tag\",\"word\":\"a\"}\n{\"entity\":\"Tag\"}"),
      (#""hired":"2001-01-01T00:00:01.25Z""#, #""hired":"2001-01-01T00:00:01.26Z""#),
    ])
  func differences(text: String, changed: String) throws {
    let place = try Place([1])
    try place.fixtures.update(keyAttributes: ["Tag": "word", "Employee": "fullName"])
    let good = try place.text("v1.expected.ndjson")
    try #require(good.contains(text), "\(good)")
    try place.write(good.replacing(text, with: changed), to: "v1.expected.ndjson")
    let outcome = try place.fixtures.verify(allowsMissing: true)
    #expect(outcome.count == 1 && !outcome[0].differences.isEmpty)
  }

  @Test("MIG-314: versions without a fixture are told, unless they may be missing")
  func missingVersions() throws {
    let place = try Place([2])
    let fixtures = place.fixtures
    try fixtures.update()
    #expect(try fixtures.verify(allowsMissing: true).map(\.version) == ["2"])
    let outcomes = try fixtures.verify()
    #expect(outcomes.map(\.version) == ["2", "1", "3"] && outcomes.map(\.name) == ["v2.db", nil, nil])
    #expect(outcomes.map { $0.differences.isEmpty } == [true, false, false])
  }

  @Test(
    "MIG-313: lines that are no records of the model are refused with their number",
    arguments: [
      "{", "[]", #"{"word":"a"}"#, #"{"entity":"Tags"}"#, #"{"entity":"Tag","wort":"a"}"#,
      #"{"entity":"Employee","salary":"much"}"#, #"{"entity":"Employee","department":"S"}"#,
      #"{"entity":"Employee","department":{"name":"S"}}"#,
    ])
  func invalid(_ line: String) throws {
    let place = try Place([1])
    try place.fixtures.update()
    try place.write("\n\(line)\n", to: "v1.expected.ndjson")
    let error = try expectFailure(.invalidRequest) { _ = try place.fixtures.verify() }
    #expect(error.message.contains("line 2"), "\(error)")
    if line.contains("wort") { #expect(error.message.contains("\"word\""), "\(error)") }
  }
}
