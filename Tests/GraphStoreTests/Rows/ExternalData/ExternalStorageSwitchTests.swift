import Foundation
import GraphStoreModel
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// External storage that is switched on or off, which no hash tells.
struct ExternalStorageSwitchTests {
  private static func model(_ isExternal: Bool, default value: JSONValue = 0) -> ModelDefinition {
    .of(
      EntityDefinition(
        "D",
        attributes: [
          AttributeDefinition("n", .int32, defaultValue: value),
          AttributeDefinition("b", .binary, externalStorage: isExternal),
        ]), EntityDefinition("E", parent: "D"))
  }

  /// Data that begin as what has external storage does, and others, some so large that they get files.
  private static func values(_ generator: inout SeededGenerator) -> [Data?] {
    var values: [Data?] = [nil, Data(), Data([1]), Data([1, 65, 66, 67]), Data("hello".utf8), Data([2])]
    values.append(Data([2] + Array("04E7FF55-D47F-4F61-842B-EF8DFEFC1A7F".utf8) + [0]))
    for _ in 0..<4 {
      let count = generator.pick([3, 70, 5_000, 150_000])
      values.append(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }
    return values
  }

  private func store(_ isExternal: Bool, _ values: [Data?]) throws -> MigratedStore {
    try MigratedStore(Self.model(isExternal)) { context in
      for (position, value) in values.enumerated() {
        var values: [String: Any] = ["n": position]
        values["b"] = value
        try context.add(position % 3 == 0 ? "E" : "D", values)
      }
    }
  }

  private func read(_ store: MigratedStore, _ isExternal: Bool) throws -> [Data?] {
    try store.open(Self.model(isExternal), StoreOptions(isReadOnly: true)) { context in
      try context.all("D").sorted { $0.objectID.key < $1.objectID.key }.map {
        try $0.value(forKey: "b") as? Data
      }
    }
  }

  @Test(
    "MIG-012: a model that differs in nothing but external storage does not open a store, and a migration converts every value, both ways",
    arguments: [true, false], TestSeed.sequence(3, from: 12_012))
  func switching(isExternal: Bool, seed: TestSeed) throws {
    var generator = seed.generator
    let values = Self.values(&generator)
    for byObjects in [false, true] {
      let store = try store(isExternal, values)
      let before = try store.state()
      for isReadOnly in [true, false] {
        let error = try expectFailure(.incompatibleModel) {
          try store.open(Self.model(!isExternal), StoreOptions(isReadOnly: isReadOnly)) { _ in }
        }
        #expect(error.message.contains("D.b"), "\(seed) \(error)")
      }
      #expect(try store.state() == before, "\(seed)")
      let plan = try store.plan(to: Self.model(!isExternal))
      #expect(plan.steps.count == 1 && !plan.isLossy, "\(seed)")
      #expect(plan.steps.first?.changes.map(\.path) == ["D.b"], "\(seed)")
      try store.migrate(to: Self.model(!isExternal)) { $0.usesStoreSpecificMigrationManager = !byObjects }
      #expect(try read(store, !isExternal) == values, "\(seed), by objects: \(byObjects)")
      try store.expectWhole(Self.model(!isExternal))
      _ = try expectFailure(.incompatibleModel) { try store.open(Self.model(isExternal)) { _ in } }
      try store.migrate(to: Self.model(isExternal)) { $0.usesStoreSpecificMigrationManager = !byObjects }
      #expect(try read(store, isExternal) == values, "\(seed), by objects: \(byObjects)")
    }
  }

  @Test("MIG-012, MIG-097: other changes outside the hash open the store, and the model goes with it")
  func otherChanges() throws {
    let store = try store(true, [Data(repeating: 3, count: 150_000), Data([7])])
    #expect(try store.plan(to: Self.model(true, default: 5)).steps.isEmpty)
    try store.open(Self.model(true, default: 5)) { try $0.add("D") }
    #expect(try read(store, true).compactMap(\.?.count) == [150_000, 1])
  }

  @Test("MIG-012: a store that carries no model is taken as it is")
  func withoutModel() throws {
    let store = try store(true, [Data([7])])
    try store.setCarriedModel(nil)
    #expect(try store.plan(to: Self.model(false)).steps.isEmpty)
    try store.open(Self.model(true)) { try $0.add("D") }
  }

  @Test("MIG-012, MIG-031: a coordinator that migrates by itself converts the values")
  func automatic() throws {
    let values = [Data([1, 2]), Data(repeating: 3, count: 150_000)]
    let store = try store(false, values)
    var options = StoreOptions()
    (options.migratesAutomatically, options.infersMapping) = (true, true)
    let found = try store.open(Self.model(true), options) { context in
      try context.all("D").sorted { $0.objectID.key < $1.objectID.key }.map {
        try $0.value(forKey: "b") as? Data
      }
    }
    #expect(found == values)
  }
}
