import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

/// Copies of a store that are kept by its history alone, while processes write to it, die, purge the history
/// and migrate the store.
@Suite("Copies kept by a history")
struct HistoryMirrorTests {
  /// The model; the second version has another name for one attribute, and one more.
  private static func model(version: Int) -> String {
    let renamed = version == 1 ? #""name": "size""# : #""name": "extent", "renamingIdentifier": "size""#
    let added = version == 1 ? "" : #", {"name": "note", "type": "string", "default": "none"}"#
    return """
      {"name": "Boxes", "version": "\(version)", "entities": [
        {"name": "Box", "attributes": [
          {"name": "name", "type": "string", "preservesValueInHistory": true}, {\(renamed), "type": "int64"}\(added)],
         "relationships": [
          {"name": "things", "destination": "Thing", "inverse": "box", "toMany": true, "deleteRule": "cascade"},
          {"name": "tags", "destination": "Tag", "inverse": "boxes", "toMany": true}]},
        {"name": "Thing", "attributes": [{"name": "name", "type": "string"}],
         "relationships": [{"name": "box", "destination": "Box", "inverse": "things"}]},
        {"name": "Tag", "attributes": [{"name": "name", "type": "string"}],
         "relationships": [{"name": "boxes", "destination": "Box", "inverse": "tags", "toMany": true}]}]}
      """
  }

  /// Statements of a process that writes, each saved by itself; those that find no object fail, and the next
  /// is run.
  private static func script(_ random: inout SeededGenerator, size: String) -> String {
    (0..<12).map { number in
      let box = "Box/p\(Int.random(in: 1...8, using: &random))"
      let thing = "Thing/p\(Int.random(in: 1...8, using: &random))"
      let tag = "Tag/p\(Int.random(in: 1...4, using: &random))"
      return switch Int.random(in: 0..<15, using: &random) {
      case 0, 1: "insert Box name=b\(number) \(size)=\(number)"
      case 2: "insert Thing name=t\(number) box=\(box)"
      case 3: "insert Tag name=g\(number)"
      case 4: "update \(box) \(size)+=1"
      case 5: "update Box name=all --where '\(size) < 4' --yes"
      case 6: "update \(thing) box=\(box)"
      case 7: "update \(thing) box:=null"
      case 8: "link \(box).tags \(tag)"
      case 9: "unlink \(box).tags \(tag)"
      case 10: "delete \(box) --yes"
      case 11: "update Box name=batch\(number) --where '\(size) < 6' --batch --yes"
      case 12: "delete Thing --where 'name == \"t\(number)\"' --batch --yes"
      case 13: "delete Tag --where 'name == \"g\(number)\"' --batch --yes"
      default: "delete \(tag) --yes"
      }
    }.joined(separator: "\n")
  }

  @Test(
    "CTX-376, CTX-378, CTX-399, CTX-404, CTX-423, CTX-495, MIG-275: the copy is the store, whoever has died, purged or migrated",
    arguments: TestSeed.sequence(2), [2, 8])
  func mirror(_ seed: TestSeed, writers: Int) throws {
    var random = seed.generator
    let tool = try CommandLineTool()
    for version in 1...2 { try tool.write(Self.model(version: version), to: "m\(version).json") }
    try #require(try tool.run("init", "s.db", "--model", "m1.json").code == 0)
    tool.environment["GRAPHSTORE_STORE"] = "s.db"
    try #require(try tool.run("history", "enable").code == 0)
    var copy = MirroredStore(path: tool.path("s.db"))
    try copy.renew()
    var size = "size"
    for round in 0..<5 {
      let running = try (0..<writers).map { number in
        try tool.write(Self.script(&random, size: size), to: "w\(number).gs")
        return try StartedCommand(tool, "run", "w\(number).gs", "--keep-going", "-q", "--timeout", "60")
      }
      for writer in running where random.chance(25) {
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.15, using: &random))
        writer.kill()
      }
      try copy.renew()
      for writer in running { writer.wait() }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: _ = try tool.run("history", "purge", "--before", "2999-01-01", "--yes")
      case 1, 2: _ = try tool.run("history", "purge", "--read-by-all", "--yes")
      case 3 where size == "size":
        let migration = try tool.run("migrate", "apply", "--to", "m2.json", "--no-backup", "--yes")
        #expect(migration.code == 0, "\(seed): \(migration.errors)")
        size = "extent"
      default: break
      }
      try copy.renew()
      let differences = try copy.differences()
      #expect(differences.isEmpty, "\(seed) round \(round): \(differences)")
    }
    let check = try tool.run("check")
    #expect(check.code == 0, "\(seed): \(check.output)")
    let numbers = try tool.run("history", "-f", "csv", "--no-header", "-q").lines.compactMap {
      Int($0.prefix { $0 != "," })
    }
    let distinct = Set(numbers)
    #expect(numbers == numbers.sorted(), "\(seed)")
    #expect(
      (distinct.max() ?? 0) - (distinct.min() ?? 1) + 1 == distinct.count || distinct.isEmpty, "\(seed)")
  }
}

/// A copy of a store's values, which reads of the store what its history says has changed.
private struct MirroredStore {
  private let path: String
  private var token: PersistentHistoryToken?
  /// By identifier, the values by the names of properties.
  private var objects: [String: [String: String]] = [:]
  private static let name = "mirror"

  init(path: String) { self.path = path }

  /// Takes in what has happened since the last time.
  mutating func renew() throws {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(timeout: .seconds(60)))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    try coordinator.registerHistoryConsumer(named: Self.name, of: coordinator.persistentStores[0])
    do {
      guard let token else { return try copyAll(context) }
      let history = try context.execute(.fetchHistory(after: token))
      // What a migration has made of values is not listed.
      if history.transactions.contains(where: { $0.author == "graphstore.migration" }) {
        return try copyAll(context)
      }
      for change in history.transactions.flatMap({ $0.changes ?? [] }) { try take(change, context) }
      try finish(history.token, coordinator)
    } catch let error as GraphStoreError where error.code == .historyExpired {
      try copyAll(context)
    }
  }

  private mutating func take(_ change: PersistentHistoryChange, _ context: ManagedObjectContext) throws {
    let id = "\(change.changedObjectID)"
    guard change.changeType != .delete else { return objects[id] = nil }
    // Deleted by a transaction that follows, or is not read yet.
    guard let object = try? context.existingObject(with: change.changedObjectID) else { return }
    let changed = change.updatedProperties ?? object.entity.properties
    for property in changed {
      objects[id, default: [:]][property.name] = try Self.text(object, property.name)
    }
  }

  /// Takes all there is. The place is read first: what comes after it is taken once more.
  private mutating func copyAll(_ context: ManagedObjectContext) throws {
    let none = PersistentHistoryChangeRequest.fetchHistory(after: Date.distantFuture)
    let token = try context.execute(none).token
    objects = try Self.snapshot(context)
    try finish(token, context.coordinator)
  }

  private mutating func finish(
    _ token: PersistentHistoryToken, _ coordinator: PersistentStoreCoordinator
  ) throws {
    self.token = token
    do {
      try coordinator.updateHistoryConsumer(named: Self.name, to: token)
    } catch let error as GraphStoreError where error.code == .historyExpired {
      self.token = nil
    }
  }

  /// The objects that are not what the store has.
  func differences() throws -> [String] {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    defer { coordinator.close() }
    let present = try Self.snapshot(ManagedObjectContext(coordinator: coordinator))
    return Set(objects.keys).union(present.keys).sorted().filter { objects[$0] != present[$0] }
      .map { "\($0): \(objects[$0] ?? [:]), not \(present[$0] ?? [:])" }
  }

  private static func snapshot(_ context: ManagedObjectContext) throws -> [String: [String: String]] {
    var objects: [String: [String: String]] = [:]
    for entity in context.coordinator.managedObjectModel.entities {
      for object in try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name)) {
        objects["\(object.objectID)"] = try Dictionary(
          uniqueKeysWithValues: entity.properties.map { ($0.name, try text(object, $0.name)) })
      }
    }
    return objects
  }

  private static func text(_ object: ManagedObject, _ key: String) throws -> String {
    switch try object.value(forKey: key) {
    case let objects as Set<ManagedObject>: "\(objects.map { "\($0.objectID)" }.sorted())"
    case let object as ManagedObject: "\(object.objectID)"
    case let value?: "\(value)"
    case nil: "nil"
    }
  }
}

/// The command, started and not waited for.
private final class StartedCommand {
  private let process = Process()

  init(_ tool: CommandLineTool, _ arguments: String...) throws {
    process.executableURL = CommandLineTool.executable
    process.arguments = arguments
    process.currentDirectoryURL = tool.folder
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": tool.folder.path, "LC_ALL": "C.UTF-8"]
      .merging(tool.environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Ends it without a chance to do anything.
  func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

  func wait() { process.waitUntilExit() }
}
