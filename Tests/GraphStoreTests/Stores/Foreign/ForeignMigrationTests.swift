import Foundation
import GraphStoreModel
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// The versions of a real application with the mappings between them, and the stores that Core Data made of
/// each: what Core Data's own migration gave is the oracle.
@Suite("Migration of stores of Core Data", .enabled(if: AppleStores.versions != nil))
struct ForeignMigrationTests {
  private static let names = ForeignFolder.names + ["Moody 6"]

  /// From one version to a later one, by the quick way where there is one, or object by object.
  struct Way: CustomTestStringConvertible {
    let from: Int
    let to: Int
    let isGeneral: Bool

    var testDescription: String { "\(from + 1) to \(to + 1)\(isGeneral ? ", object by object" : "")" }

    static let all = (0..<5).flatMap { from in
      (from + 1..<6).flatMap { to in
        [false, true].map { Way(from: from, to: to, isGeneral: $0) }
      }
    }
  }

  /// The versions in a folder of their own, with the mappings beside them.
  private static func versions(in folder: TemporaryFolder) throws -> ModelVersions {
    let path = folder.file("Moody.xcdatamodeld")
    let files = FileManager.default
    try files.copyItem(atPath: try #require(AppleStores.versions), toPath: path)
    let source = try #require(AppleStores.mappings)
    for name in try files.contentsOfDirectory(atPath: source) {
      try files.copyItem(atPath: "\(source)/\(name)", toPath: folder.file(name))
    }
    return try ModelVersions(at: path)
  }

  @Test(
    "MIG-315, MIG-046, MIG-145, MIG-316: from every version to every later one the store holds what Core Data's holds",
    arguments: Way.all)
  func series(_ way: Way) throws {
    EntityMigrationPolicy.register(
      MoodModels.ContinentPolicy.self, named: "Migrations.Country5ToCountry6Policy")
    let folder = try TemporaryFolder()
    let versions = try Self.versions(in: folder)
    let stores = try ForeignFolder(ForeignFolder.names.map { $0 + ".moody" })
    let path = stores.file(Self.names[way.from] + ".moody")
    let plan = try MigrationPlan(fromStoreAt: path, to: versions, version: Self.names[way.to])
    #expect(plan.steps.map { $0.kind == .written } == (way.from..<way.to).map { $0 > 0 })
    let before = try self.contents(of: path)
    var options = MigrationOptions()
    options.usesStoreSpecificMigrationManager = !way.isGeneral
    let result = try StoreMigration(plan, options: options).run()
    #expect(result.backup != nil, "MIG-278")
    #expect(try StoreCheck.run(path: path).flatMap(\.findings).isEmpty)
    let migrated = try contents(of: path)
    if way.to < 5 {
      #expect(try migrated == contents(of: stores.file(Self.names[way.to] + ".moody")))
    } else {
      let fifth = try contents(of: stores.file("Moody 5.moody"))
      #expect(migrated == Self.sixth(fifth))
    }
    #expect(try contents(of: try #require(result.backup)) == before, "MIG-268")
  }

  /// What the last version holds where the one before holds records.
  private static func sixth(_ fifth: [Record]) -> [Record] {
    var members: [String: [String]] = [:]
    var records = fifth.map { record in
      var record = record
      if let code = record.values.removeValue(forKey: "isoContinent") {
        record.values["continent"] = "\(code)"
        members[code, default: []].append(record.values["numericISO3166Code"] ?? "")
      }
      return record
    }
    for (code, countries) in members {
      records.append(
        Record(
          entity: "Continent",
          values: ["numericISO3166Code": code, "countries": countries.sorted().joined(separator: ",")]))
    }
    return records.sorted()
  }

  /// An object with its relationships, each told by what tells its members.
  private struct Record: Hashable, Comparable {
    let entity: String
    var values: [String: String]

    private var text: String { entity + values.sorted { $0.key < $1.key }.description }

    static func < (left: Record, right: Record) -> Bool { left.text < right.text }
  }

  private func contents(of path: String) throws -> [Record] {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    return try coordinator.managedObjectModel.entities.filter { $0.superentity == nil }.flatMap {
      try context.all($0.name).map(record)
    }
    .sorted()
  }

  private func record(_ object: ManagedObject) throws -> Record {
    var values: [String: String] = [:]
    for property in object.entity.properties {
      switch property {
      case let relationship as RelationshipDescription:
        let members =
          try relationship.isToMany
          ? object.objects(forKey: relationship.name)
          : [object.object(forKey: relationship.name)].compactMap(\.self)
        values[relationship.name] = try members.map(Self.key).sorted().joined(separator: ",")
      default:
        let value = try object.queryValue(forKey: property.name)
        if case .data(let data) = value {
          values[property.name] = data.base64EncodedString()
        } else {
          values[property.name] = RecordLines.text(value)
        }
      }
    }
    return Record(entity: object.entity.name, values: values)
  }

  private static func key(_ object: ManagedObject) throws -> String {
    let key = object.entity.name == "Mood" ? "remoteID" : "numericISO3166Code"
    let old = object.entity.name == "Mood" && object.entity.attribute(named: key) == nil
    return RecordLines.text(try object.queryValue(forKey: old ? "remoteIdentifier" : key))
  }
}
