import Foundation
import GraphStore
import GraphStoreContextTestSupport
import Testing

/// A folder with the versions of a model, and a store of the first one.
extension CommandLineTool {
  /// Versions `1` to `5`: a narrower number and an addition, then a loss, then a change that cannot be
  /// inferred.
  private static let versions = [
    [#"{"name":"n","type":"int64"}"#, #"{"name":"t","type":"string"}"#],
    [#"{"name":"n","type":"int32"}"#, #"{"name":"t","type":"string"}"#, #"{"name":"u","type":"string"}"#],
    [#"{"name":"n","type":"int32"}"#, #"{"name":"u","type":"string"}"#],
    [#"{"name":"n","type":"int32"}"#, #"{"name":"u","type":"string"}"#, #"{"name":"v","type":"string"}"#],
    [#"{"name":"n","type":"string"}"#, #"{"name":"u","type":"string"}"#, #"{"name":"v","type":"string"}"#],
  ]

  /// Makes `s.db` with objects of the first version, beside `V.graphmodel` whose current version is the
  /// third.
  ///
  /// - Parameters:
  ///   - numbers: The value of `n` of each object.
  ///   - type: The type of the store.
  static func versions(
    _ numbers: [Int64] = [1, 70_000, -5], type: StoreType = .sqlite
  ) throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try FileManager.default.createDirectory(
      at: tool.folder.appendingPathComponent("V.graphmodel"), withIntermediateDirectories: true)
    for (position, attributes) in versions.enumerated() {
      let next = #"{"name":"next","destination":"T","toMany":true,"ordered":true}"#
      try tool.write(
        #"{"entities":[{"name":"T","attributes":[\#(attributes.joined(separator: ","))],"relationships":[\#(next)]}]}"#,
        to: "V.graphmodel/\(position + 1).json")
    }
    try tool.write("3\n", to: "V.graphmodel/current")
    try tool.makeStore("s.db", numbers, type: type)
    tool.environment["GRAPHSTORE_STORE"] = "s.db"
    return tool
  }

  /// Makes a store of the first version.
  func makeStore(_ name: String, _ numbers: [Int64], type: StoreType = .sqlite) throws {
    let model = try ManagedObjectModel(contentsOf: path("V.graphmodel/1.json"))
    var options = StoreOptions()
    options.type = type
    let coordinator = try PersistentStoreCoordinator.create(
      storeAt: path(name), model: model, options: options)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    var former: [ManagedObject] = []
    for (position, number) in numbers.enumerated() {
      let object = try context.insert(entityNamed: "T")
      try object.setValue(number, forKey: "n")
      try object.setValue("text \(position)", forKey: "t")
      try object.setValue(former, forKey: "next")
      try context.save()
      former.insert(object, at: 0)
    }
  }

  /// The files of the folder, but for what is beside a store that is read.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      guard !name.hasSuffix("-wal"), !name.hasSuffix("-shm") else { continue }
      files[name] = FileManager.default.contents(atPath: path(name))
    }
    return files
  }

  /// The version of a store.
  func version(_ name: String = "s.db") throws -> String? {
    try ModelVersions(at: path("V.graphmodel")).version(ofStoreAt: path(name))?.name
  }

  /// What a store holds under the model that it carries: key, number and members of each object.
  func contents(_ name: String = "s.db") throws -> [String] {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path(name), options: StoreOptions(isReadOnly: true))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let objects = try context.fetch(FetchRequest(entityName: "T"))
    return try objects.map { object in
      let next = try object.objects(forKey: "next").map(\.objectID.shortForm).joined(separator: ",")
      return
        "\(object.objectID.shortForm) \(try object.value(forKey: "n").map { "\($0)" } ?? "nil") [\(next)]"
    }.sorted()
  }

  /// What a migration has left in the folder.
  var leftovers: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
      $0.contains("-migration-")
    }
  }

  /// The JSON that a command printed.
  static func json(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String:
    Any]
  {
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(value as? [String: Any], sourceLocation: sourceLocation)
  }
}
