import Foundation
import GraphStoreTestSupport
import Testing

/// The command alone, with a program of the test's for servers or without any: beside the built command lies the real one.
@Suite("Stores on a server, for which another program takes over")
struct ServerProgramTests {
  /// A copy of the command in a folder without other programs.
  private static let alone: Result<URL, any Error> = Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "graphstore-alone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent("graphstore")
    if link(CommandLineTool.executable.path, copy.path) != 0 {
      try FileManager.default.copyItem(at: CommandLineTool.executable, to: copy)
    }
    atexit {
      guard let copy = try? ServerProgramTests.alone.get() else { return }
      try? FileManager.default.removeItem(at: copy.deletingLastPathComponent())
    }
    return copy
  }

  private static let address = "postgresql://ann:geheim@db.example/hr"
  private let model = Repository.root.appendingPathComponent("Models/company.json").path
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool.company()
    tool.environment["PATH"] = "/usr/bin:/bin"
  }

  private func run(_ words: String..., input: String? = nil) throws -> CommandLineTool.Outcome {
    try tool.run(Self.alone.get().path, words, input: input.map { Data($0.utf8) })
  }

  /// Puts a program into a folder of `PATH` that prints its name, its arguments, a variable and its input.
  private func addProgram(
    _ script: String = #"printf '%s\n' "${0##*/}" "$@" "$GRAPHSTORE_STORE"; cat; exit 7"#
  ) throws {
    try tool.write("#!/bin/sh\n\(script)\n", to: "graphstore-postgresql")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: tool.path("graphstore-postgresql"))
    tool.environment["PATH"] = "\(tool.folder.path):/usr/bin:/bin"
  }

  @Test("STO-362: where the program is missing, the command says how to get it, and shows no password")
  func missing() throws {
    try tool.write(#"{"profiles": {"prod": {"store": "\#(Self.address)"}}}"#, to: ".graphstore.json")
    let runs = [
      try run("count", "Employee", "--store", Self.address),
      try run("fetch", "Employee", "-s", "hr=\(Self.address)"),
      try run("count", "Employee", "--profile", "prod"), try run("shell", "--store", Self.address),
      try run("init", Self.address, "-m", model), try run("init", "--store", Self.address, "-m", model),
      try run("backup", Self.address), try run("diff", "hr.db", Self.address), try run("info", Self.address),
      try run("model", "show", Self.address),
      try run("import", "--all", "x", "--create", "--store", Self.address),
    ]
    for (number, outcome) in runs.enumerated() {
      #expect(outcome.output == "" && !outcome.errors.contains("geheim"), "\(number): \(outcome)")
      #expect(outcome.errors.contains("postgresql://ann@db.example/hr"), "\(number): \(outcome)")
      #expect(outcome.errors.contains("graphstore-postgresql"), "\(number): \(outcome)")
      #expect(outcome.code == (number == 9 ? 66 : 78), "\(number): \(outcome)")
    }
    #expect(runs[0].errors.contains("[store-type-unknown]\nhint: build it"), "\(runs[0])")
    tool.environment["GRAPHSTORE_STORE"] = Self.address
    #expect(try run("count", "Employee").code == 78)
    let doctor = try run("doctor")
    #expect(doctor.code == 2 && doctor.output.contains("graphstore-postgresql"), "\(doctor)")
    #expect(!doctor.output.contains("geheim"))
    #expect(!FileManager.default.fileExists(atPath: tool.path("postgresql:")))
  }

  @Test("STO-362: the program goes on with the same arguments, variables and input")
  func takeOver() throws {
    try addProgram()
    let count = try run("count", "Employee", "--store", Self.address, input: "in")
    #expect(count.output == "graphstore-postgresql\ncount\nEmployee\n--store\n\(Self.address)\nhr.db\nin")
    #expect(count.code == 7 && count.errors == "")
    #expect(try run("init", Self.address, "-m", model).code == 7)
    #expect(try run("backup", Self.address).code == 7)
    tool.environment["GRAPHSTORE_STORE"] = Self.address
    #expect(try run("run", "-", input: "count Employee").code == 7)
    // What is wrong with the command line needs no program.
    #expect(try run("count", "--store", Self.address).code == 64)
    #expect(try run("help", "postgresql").code == 0)
  }

  @Test("STO-362: other stores and values do without the program, and one that is none is passed over")
  func others() throws {
    try addProgram("exit 7")
    #expect(try run("count", "Employee").output == "0\n")
    #expect(try run("insert", "Department", "name=\(Self.address)").code == 0)
    #expect(try run("get", "Department/p1", "--fields", "name").output.contains(Self.address))
    #expect(
      try run("fetch", "Department", "--where", "name == '\(Self.address)'", "-f", "ids").output
        == "Department/p1\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: tool.path("graphstore-postgresql"))
    #expect(try run("count", "Employee", "--store", Self.address).code == 78)
  }

  @Test("STO-360: a list of processes shows no password")
  func processes() throws {
    let running = try RunningTool(tool, ["run", "-", "-s", "hr.db", "--var", "x=\(Self.address)", "--echo"])
    try running.feed("count Employee\n")
    // Once it has taken the statement, it has read its arguments.
    let listing = try tool.run("/bin/cat", ["/proc/\(running.identifier)/cmdline"], input: nil).output
    #expect(listing.contains("ann@db.example") && !listing.contains("geheim"), "\(listing)")
    running.endInput()
    #expect(running.exitCode() == 0)
  }

  @Test("STO-360: values of variables keep what stands for a password")
  func values() throws {
    #expect(try run("insert", "Department", "name=\(Self.address)").code == 0)
    let found = try run("count", "Department", "--where", "name == $n", "--var", "n=\(Self.address)")
    #expect(found.output == "1\n")
  }
}
