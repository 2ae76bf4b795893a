#if PostgreSQL
import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

/// Removes stores that a command has made beside those of a test.
enum PostgreSQLRemoval {
  static func remove(_ address: String) throws {
    try PostgreSQLStoreDriver().destroy(address, isForced: true, timeout: .seconds(10))
  }
}

/// Runs the built command in a folder of its own, with a schema of its own on the server.
final class ServerTool {
  struct Outcome {
    var output: String
    var errors: String
    var code: Int32
  }

  let folder: URL
  let address: String
  let model = Repository.root.appendingPathComponent("Models/company.json").path
  let records = Repository.root.appendingPathComponent("Examples/company/company.ndjson").path
  var environment: [String: String] = [:]
  private let stores = TestStores()

  /// The address of a store of a number, of which 0 is ``address``.
  func address(_ number: Int) -> String { stores.address(number) }

  /// Writes into the tables of the store what no foreign key lets in.
  func damage(_ statements: String) throws {
    try stores.run(
      "DO $do$ BEGIN SET LOCAL session_replication_role TO replica; \(statements); END $do$")
  }

  init() throws {
    address = stores.address()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The folder in which the test bundle and the built programs lie.
  private static let programs: String = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    while folder.path != "/", !FileManager.default.isExecutableFile(atPath: folder.path + "/graphstore") {
      folder.deleteLastPathComponent()
    }
    return folder.path
  }()

  func makeCompany() throws {
    let made = try run("init", address, "--model", model, "--seed", records)
    try #require(made.code == 0, "\(made)")
  }

  func write(_ text: some StringProtocol, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  func run(_ words: String...) throws -> Outcome { try run(words) }

  func run(_ words: [String]) throws -> Outcome { try run("\(Self.programs)/graphstore", words) }

  /// Writes a next version of the model, in which employees have nicknames.
  func editModel(to name: String) throws {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: model)), as: UTF8.self)
    let anchor = try #require(text.firstRange(of: "\"name\": \"Employee\", \"parent\": \"Person\","))
    let rest = text[anchor.upperBound...]
    let list = try #require(rest.firstRange(of: "\"attributes\": ["))
    let nickname = "{ \"name\": \"nickname\", \"type\": \"string\" }, "
    try write(text[..<list.upperBound] + nickname + text[list.upperBound...], to: name)
  }

  /// Runs a line of the system's shell.
  func shell(_ line: String) throws -> Outcome { try run("/bin/sh", ["-c", line]) }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The number of connections to the store that wait for commits.
  func listeners() throws -> Int { try stores.listeners() }

  /// Starts a line of the system's shell, whose output nobody reads but a pipe's.
  func start(_ line: String, input: Pipe? = nil, output: Pipe? = nil) throws -> Process {
    let process = process("/bin/sh", ["-c", line])
    if let input { process.standardInput = input }
    process.standardOutput = output.map { $0 as Any } ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func process(_ program: String, _ words: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.environment = [
      "PATH": "\(Self.programs):/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8",
    ]
    .merging(environment) { $1 }
    return process
  }

  private func run(_ program: String, _ words: [String]) throws -> Outcome {
    let process = process(program, words)
    let files = try ["out", "err"].map { name -> FileHandle in
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
      try Data().write(to: url)
      let handle = try FileHandle(forUpdating: url)
      try FileManager.default.removeItem(at: url)
      return handle
    }
    process.standardOutput = files[0]
    process.standardError = files[1]
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { handle in
      try handle.seek(toOffset: 0)
      return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }
    let code =
      process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Outcome(output: texts[0], errors: texts[1], code: code)
  }
}
#endif
