import Foundation
import GraphStoreTestSupport
import Testing

/// Runs the command that was built beside the tests, as a child process in a folder of its own.
final class CommandLineTool {
  /// What a run left behind.
  struct Outcome {
    var output: String
    var errors: String
    var code: Int32

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// The folder in which commands run; removed with the tool.
  let folder: URL
  /// Added to an environment that is otherwise empty but for PATH, HOME and the options of sanitizers.
  var environment: [String: String] = [:]

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The built command: it lies where the test bundle lies.
  static let executable: URL = {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var folder = program.deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("graphstore")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return Repository.root.appendingPathComponent(".build/debug/graphstore")
  }()

  private static let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    $0.key.hasSuffix("SAN_OPTIONS")
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Runs the command with arguments.
  @discardableResult
  func run(_ arguments: String..., input: String? = nil) throws -> Outcome {
    try run(Self.executable.path, arguments, input: input.map { Data($0.utf8) })
  }

  /// Runs a line of the system's shell, in which `graphstore` is the command.
  func runShell(_ line: String) throws -> Outcome {
    try run("/bin/sh", ["-c", line], input: nil)
  }

  func run(_ program: String, _ arguments: [String], input: Data?) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": Self.executable.deletingLastPathComponent().path + ":/usr/bin:/bin", "HOME": folder.path,
      "LC_ALL": "C.UTF-8",
    ].merging(Self.sanitizerOptions) { $1 }.merging(environment) { $1 }
    // Files hold any amount, so that neither side waits for the other.
    let files = try ["in", "out", "err"].map { name -> FileHandle in
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
      try (name == "in" ? input ?? Data() : Data()).write(to: url)
      let handle = try FileHandle(forUpdating: url)
      try FileManager.default.removeItem(at: url)
      return handle
    }
    process.standardInput = files[0]
    process.standardOutput = files[1]
    process.standardError = files[2]
    try process.run()
    process.waitUntilExit()
    let texts = try files.dropFirst().map { handle in
      try handle.seek(toOffset: 0)
      return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }
    let code =
      process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Outcome(output: texts[0], errors: texts[1], code: code)
  }
}

extension CommandLineTool {
  /// A folder with `hr.db`, made of the company model, and the store named by the environment.
  static func company() throws -> CommandLineTool { try CommandLineTool(holding: companyStore.get()) }

  /// The same with two departments and three employees, the first the manager of the others.
  static func staffedCompany() throws -> CommandLineTool { try CommandLineTool(holding: staffedStore.get()) }

  /// A folder with a copy of a store.
  private convenience init(holding store: Data) throws {
    try self.init()
    try store.write(to: folder.appendingPathComponent("hr.db"))
    environment["GRAPHSTORE_STORE"] = "hr.db"
  }

  /// Stores as the command makes them, which it does once for all tests: all copies have one identifier.
  private static let companyStore = Result { try store(filledBy: nil) }
  private static let staffedStore = Result {
    try store(
      filledBy: """
        insert Department name=Engineering
        insert Department name=Sales
        insert Employee name=Grace salary=81000 badge=1 birthday=1966-12-09 department=Department/p1
        insert Employee name=Ada salary=72000.50 badge=2 department=Department/p1 manager=Employee/p1
        insert Employee name=Bob salary=50000 badge=3 department=Department/p2 manager=Employee/p1
        insert Project title=Compiler members=Employee/p2,Employee/p1
        """)
  }

  private static func store(filledBy script: String?) throws -> Data {
    let tool = try CommandLineTool()
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    let made = try tool.run("init", "hr.db", "--model", model)
    try #require(made.code == 0, "\(made.errors)")
    if let script {
      let filled = try tool.run("run", "-", "--store", "hr.db", input: script)
      try #require(filled.code == 0, "\(filled.errors)")
    }
    try #require(!FileManager.default.fileExists(atPath: tool.path("hr.db-wal")))
    return try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
  }
}
