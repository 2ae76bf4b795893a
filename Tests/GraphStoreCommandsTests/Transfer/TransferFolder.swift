import Foundation
import GraphStore
import GraphStoreReports

@testable import GraphStoreCommands

/// A folder with a store, in which commands run inside of this process.
final class TransferFolder {
  /// The argument parser is not made for several threads at a time.
  static let parsing = NSLock()

  let url: URL
  let model: String

  init(model: String) throws {
    self.model = model
    url = FileManager.default.temporaryDirectory.appending(path: "graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try write("model.json", model)
    try makeStore("store.db")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }

  func makeStore(_ name: String) throws {
    let model = try ManagedObjectModel(json: Array(model.utf8), name: nil)
    try PersistentStoreCoordinator.create(storeAt: path(name), model: model).close()
  }

  /// Runs a command on a store of the folder.
  @discardableResult
  func run(_ arguments: [String], store: String = "store.db") throws -> ExitCode {
    guard let command = try Self.command(arguments) else { return .usage }
    var settings = CommandSettings()
    try command.adjust(&settings)
    if settings.stores.isEmpty { settings.stores = [StoreName(path: path(store))] }
    let session = CommandSession(settings: settings, environment: [:]) {
      ManagedObjectContext(coordinator: $0)
    }
    defer { session.close() }
    return try session.run(command)
  }

  /// The command of an argument list; those that these tests are made of without the tree of all commands,
  /// which takes the parser a hundred times as long.
  private static func command(_ arguments: [String]) throws -> (any ExecutableCommand)? {
    let rest = Array(arguments.dropFirst())
    return try parsing.withLock {
      switch arguments.first {
      case "import": try ImportCommand.parse(rest)
      case "export": try ExportCommand.parse(rest)
      case "check": try CheckCommand.parse(rest)
      case "dump": try DumpCommand.parse(rest)
      case "load": try LoadCommand.parse(rest)
      case "diff": try DiffCommand.parse(rest)
      default: try RootCommand.parseAsRoot(arguments) as? any ExecutableCommand
      }
    }
  }

  /// Imports a text, by default as NDJSON.
  @discardableResult
  func load(
    _ text: String, _ arguments: [String], as name: String = "input.ndjson", store: String = "store.db"
  ) throws -> ExitCode {
    try write(name, text)
    var words = ["import"]
    if arguments.first?.hasPrefix("-") == false {
      words += [arguments[0], path(name)] + arguments.dropFirst()
    } else {
      words += ["--all", path(name)] + arguments
    }
    return try run(words, store: store)
  }

  /// What a failing import says.
  func failure(_ text: String, _ arguments: [String], as name: String = "input.ndjson") -> Diagnostic? {
    do {
      try load(text, arguments, as: name)
      return nil
    } catch {
      return DiagnosticMapper.diagnostic(for: error)
    }
  }

  /// What an export writes.
  func export(_ arguments: [String], store: String = "store.db") throws -> String {
    try run(["export"] + arguments + ["-o", path("output"), "--yes"], store: store)
    return try read("output")
  }

  func count(_ entity: String, store: String = "store.db") throws -> Int {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path(store))
    defer { coordinator.close() }
    return try ManagedObjectContext(coordinator: coordinator).count(for: FetchRequest(entityName: entity))
  }
}

extension TransferFolder {
  /// Teams with people in an order, badges one to one, tags many to many, and a boss who is a person.
  static let teams = """
    { "name": "Teams", "entities": [
      { "name": "Team", "attributes": [ { "name": "name", "type": "string", "optional": false } ],
        "relationships": [
          { "name": "people", "destination": "Person", "inverse": "team", "toMany": true, "ordered": true } ] },
      { "name": "Person",
        "attributes": [
          { "name": "name", "type": "string", "optional": false, "minLength": 1 },
          { "name": "number", "type": "int16", "max": 9000 },
          { "name": "wage", "type": "decimal", "optional": false, "default": 0 } ],
        "relationships": [
          { "name": "team", "destination": "Team", "inverse": "people" },
          { "name": "badge", "destination": "Badge", "inverse": "holder" },
          { "name": "boss", "destination": "Person", "inverse": "staff" },
          { "name": "staff", "destination": "Person", "inverse": "boss", "toMany": true },
          { "name": "tags", "destination": "Tag", "inverse": "people", "toMany": true } ],
        "uniquenessConstraints": [["number"]] },
      { "name": "Chief", "parent": "Person", "attributes": [ { "name": "title", "type": "string" } ] },
      { "name": "Badge", "attributes": [ { "name": "code", "type": "string" } ],
        "relationships": [
          { "name": "holder", "destination": "Person", "inverse": "badge", "optional": false } ] },
      { "name": "Tag", "attributes": [ { "name": "name", "type": "string" } ],
        "relationships": [
          { "name": "people", "destination": "Person", "inverse": "tags", "toMany": true } ] } ] }
    """
}
