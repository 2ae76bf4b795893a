import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore

/// What is read once a process: each test has a program run that tells how diagnostics are set with the first
/// store, once variables have other values, and once the program has set them.
@Suite("Variables and switches of diagnostics")
struct DiagnosticSettingsTests {
  /// What the program says, and what it warns of.
  private func settings(
    _ variables: [String: String] = [:], switches: String...
  ) throws -> (told: [String], warnings: [String]) {
    let process = Process()
    process.executableURL = SwiftCompiler.products.appendingPathComponent("graphstore-misuse")
    process.arguments = ["settings"] + switches
    process.environment = Dictionary(
      uniqueKeysWithValues: variables.map { ("GRAPHSTORE_\($0.key)", $0.value) })
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    func lines(_ pipe: Pipe) throws -> [String] {
      let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let told = try lines(output)
    let warnings = try lines(errors).filter { $0.hasPrefix("GraphStore: warning: ") }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return (told, warnings)
  }

  private static let isDebugBuild = ConcurrencyGuard.isDebugBuild

  @Test(
    "DGN-007, DGN-002, DGN-004: variables count from the first store on; code goes before them, cut to its levels"
  )
  func once() throws {
    let (told, warnings) = try settings([
      "SQL_LOG": "0", "MIGRATION_DEBUG": "2", "TRACE": "saves", "CONCURRENCY_DEBUG": "0",
    ])
    let first = "sql=0 migration=mappings traced=saves guarded=false"
    #expect(told == [first, first, "sql=4 migration=statements traced=misses guarded=true"])
    #expect(warnings == [])
  }

  @Test(
    "CTX-332, DGN-004: the guard is on in debug builds, the variable overrides that, and the property the variable"
  )
  func guarded() throws {
    #expect(
      try settings().told.map { $0.hasSuffix("guarded=true") } == [
        Self.isDebugBuild, Self.isDebugBuild, !Self.isDebugBuild,
      ])
    let on = try settings(["CONCURRENCY_DEBUG": "1"]).told.map { $0.hasSuffix("guarded=true") }
    #expect(on == [true, true, false])
  }

  @Test(
    "DGN-006: the switches of Core Data's programs override the variables, and other arguments stay alone")
  func switches() throws {
    let (told, warnings) = try settings(
      ["MIGRATION_DEBUG": "3", "CONCURRENCY_DEBUG": "1"], switches: "-com.apple.CoreData.SQLDebug", "7",
      "-verbose", "-com.apple.CoreData.MigrationDebug", "1", "-com.apple.CoreData.ConcurrencyDebug", "0")
    #expect(told.first == "sql=4 migration=steps traced= guarded=false")
    #expect(warnings == [])
  }

  @Test("DGN-005: a value that cannot be read is a warning, and counts for nothing")
  func unreadable() throws {
    let (told, warnings) = try settings(
      ["MIGRATION_DEBUG": "9", "CONCURRENCY_DEBUG": "yes", "TRACE": "save"],
      switches: "-com.apple.CoreData.SQLDebug", "x", "-com.apple.CoreData.SQLDebug")
    #expect(told.first == "sql=0 migration=off traced= guarded=\(Self.isDebugBuild)")
    #expect(
      warnings.prefix(4) == [
        "GraphStore: warning: -com.apple.CoreData.SQLDebug: \"x\" is not a number",
        "GraphStore: warning: -com.apple.CoreData.SQLDebug: \"\" is not a number",
        "GraphStore: warning: GRAPHSTORE_MIGRATION_DEBUG: there is no level \"9\"; there are 0, 1, 2, 3",
        "GraphStore: warning: GRAPHSTORE_CONCURRENCY_DEBUG: there is no level \"yes\"; there are 0, 1",
      ])
    #expect(warnings.count == 5 && warnings[4].contains("GRAPHSTORE_TRACE"), "\(warnings)")
  }
}
