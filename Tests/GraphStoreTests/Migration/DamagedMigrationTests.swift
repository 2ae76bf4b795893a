import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// Migrations of stores and by mappings that are damaged.
struct DamagedMigrationTests {
  private static func version(_ change: (inout EntityDefinition) -> Void) -> ModelDefinition {
    var item = EntityDefinition(
      "Item",
      attributes: [
        AttributeDefinition("name", .string), AttributeDefinition("count", .int32),
        AttributeDefinition("at", .date), AttributeDefinition("price", .decimal),
        AttributeDefinition("key", .uuid), AttributeDefinition("image", .binary),
      ],
      relationships: [
        RelationshipDefinition("next", to: "Item", inverse: "previous"),
        RelationshipDefinition("previous", to: "Item", inverse: "next"),
        RelationshipDefinition("list", to: "Item", isToMany: true, isOrdered: true),
      ])
    change(&item)
    return .of(item, EntityDefinition("Part", parent: "Item"))
  }

  private static let old = version { _ in }
  private static let new = version {
    $0.attributes[1] = AttributeDefinition("count", .int64, isOptional: false, defaultValue: 1)
    $0.attributes.append(AttributeDefinition("text", .string))
    $0.relationships[2].isOrdered = false
  }

  /// Values, links and a filter by expressions.
  private static func mapping() throws -> MappingModel {
    MappingModel(entityMappings: [
      EntityMapping(
        from: "Item", to: "Item", filter: try QueryPredicate(parsing: "count < 100 OR name BEGINSWITH 'i'"),
        attributeMappings: [
          try .value("text", "uppercase($source.name)"), try .value("count", "$source.count * 2"),
        ],
        relationshipMappings: [try .members("next", of: "ItemToItem", from: "$source.next")])
    ])
  }

  private static func store() throws -> MigratedStore {
    try MigratedStore(old) { context in
      var last: ManagedObject?
      for number in 0..<12 {
        let item = try context.add(
          number % 3 == 0 ? "Part" : "Item",
          [
            "name": "item \(number)", "count": number, "at": Date(timeIntervalSinceReferenceDate: 1),
            "price": Decimal(number), "key": UUID(), "image": Data([1, 2, 3]),
          ])
        if let last { try item.setValue([last], forKey: "list") }
        if number % 2 == 1 { try item.setValue(last, forKey: "previous") }
        last = item
      }
    }
  }

  /// Ways to do harm to a store.
  enum Damage: CaseIterable {
    case bytes, cells, truncation
  }

  private static func damage(_ store: MigratedStore, _ damage: Damage, _ generator: inout SeededGenerator)
    throws
  {
    switch damage {
    case .bytes:
      var bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      try bytes.write(to: URL(fileURLWithPath: store.path))
    case .truncation:
      let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
      try bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))
        .write(to: URL(fileURLWithPath: store.path))
    case .cells:
      let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
      defer { connection.close() }
      let columns = [
        "ZITEM": ["Z_ENT", "ZNAME", "ZCOUNT", "ZAT", "ZPRICE", "ZKEY", "ZIMAGE", "ZNEXT", "ZPREVIOUS"],
        "Z_PRIMARYKEY": ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"],
        "Z_METADATA": ["Z_VERSION", "Z_UUID", "Z_PLIST"],
      ]
      let values = [
        "NULL", "-1", "9223372036854775807", "1e300", "'text'", "x'00ff'", "x''", "'\u{1F642}'", "2", "99",
      ]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        guard let table = columns.keys.sorted().randomElement(using: &generator),
          let column = columns[table]?.randomElement(using: &generator),
          let value = values.randomElement(using: &generator)
        else { continue }
        let row = Int.random(in: 0..<12, using: &generator)
        try? connection.execute(
          "UPDATE \(table) SET \(column) = \(value) WHERE rowid = (SELECT rowid FROM \(table) LIMIT 1 OFFSET \(row))"
        )
      }
    }
  }

  @Test(
    "MIG-343, MIG-261: a damaged store is migrated, or refused with a remedy and left as it is; nothing traps",
    arguments: Damage.allCases, TestSeed.sequence(12, from: 10_343))
  func stores(_ damage: Damage, seed: TestSeed) throws {
    var generator = seed.generator
    let store = try Self.store()
    try Self.damage(store, damage, &generator)
    let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
    for way in 0..<3 {
      let output = store.folder.file("out-\(way)")
      let failure = try failure {
        var options = MigrationOptions()
        (options.output, options.usesStoreSpecificMigrationManager) = (output, way != 1)
        options.allowsInexactConversion = generator.next() % 2 == 0
        let plan = try plan(store.path, [Self.old, Self.new], way == 2 ? [Self.mapping()] : [])
        _ = try StoreMigration(plan, options: options).run()
      }
      #expect(FileManager.default.fileExists(atPath: output) == (failure == nil), "\(seed)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before, "\(seed)")
      #expect(store.leftovers.isEmpty, "\(seed)")
    }
  }

  @Test(
    "MIG-343, MIG-134: a damaged mapping is refused, or does what it says; nothing traps",
    arguments: TestSeed.sequence(60, from: 11_343))
  func mappings(_ seed: TestSeed) throws {
    var generator = seed.generator
    let store = try Self.store()
    let good = try Array(Self.mapping().jsonData())
    for _ in 0..<20 {
      let bytes = Self.edited(good, &generator)
      _ = try failure {
        let plan = try plan(store.path, [Self.old, Self.new], [MappingModel(json: bytes)])
        var options = MigrationOptions()
        options.isRehearsal = true
        _ = try StoreMigration(plan, options: options).run()
      }
    }
    #expect(store.leftovers.isEmpty)
  }

  /// Text with pieces taken out, doubled, moved or changed.
  private static func edited(_ text: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let start = Int.random(in: 0..<text.count, using: &generator)
      let range = start..<min(text.count, start + Int.random(in: 1...12, using: &generator))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: text.removeSubrange(range)
      case 1: text.insert(contentsOf: text[range], at: start)
      case 2: text.insert(contentsOf: text[range], at: Int.random(in: 0...text.count, using: &generator))
      default: text[start] = Array("$.(){}[]\"',:0@nul".utf8).randomElement(using: &generator) ?? 0
      }
      if text.isEmpty { return text }
    }
    return text
  }

  private func plan(_ path: String, _ models: [ModelDefinition], _ written: [MappingModel]) throws
    -> MigrationPlan
  {
    let versions = try models.map { ModelVersion(try ManagedObjectModel($0)) }
    if written.isEmpty { return try MigrationPlan(fromStoreAt: path, to: versions[1], checksData: true) }
    let step = try MigrationStep(from: versions[0], to: versions[1], written: written)
    return try MigrationPlan(fromStoreAt: path, steps: [step])
  }

  /// What a body is refused with, which has to be an error of the project with a remedy.
  private func failure(_ body: () throws -> Void) throws -> (any Error)? {
    do {
      try body()
      return nil
    } catch let error as GraphStoreError {
      #expect(!error.remedy.isEmpty && error.code != .internalInconsistency, "\(error)")
      return error
    } catch let error as ModelError {
      #expect(!error.problems.isEmpty)
      return error
    }
  }
}
