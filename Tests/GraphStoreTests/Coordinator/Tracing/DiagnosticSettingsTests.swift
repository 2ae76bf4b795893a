import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// Steps of the processes of these tests.
private enum ChildProcess {
  /// A context over a store of its own.
  static func context() throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(ModelDefinition(name: "M", entities: [EntityDefinition("A")]))
    return ManagedObjectContext(coordinator: try .inMemory(model: model), concurrencyType: .privateQueue)
  }

  /// Whether a context that is made now is guarded.
  static func isGuarded() throws -> Bool { try context().registry.isGuarded }

  static func set(_ name: String, _ value: String) { unsafe setenv(name, value, 1) }

  static func unset() {
    for name in ["TRACE", "SQL_LOG", "MIGRATION_DEBUG", "CONCURRENCY_DEBUG", "LOG"] {
      unsafe unsetenv("GRAPHSTORE_\(name)")
    }
  }
}

/// What is read once a process: each test is a process of its own.
@Suite("Variables and switches of diagnostics")
struct DiagnosticSettingsTests {
  @Test("DGN-007, DGN-002, DGN-004: variables count from the first store on, those that come later do not")
  func once() async {
    await #expect(processExitsWith: .success) {
      ChildProcess.unset()
      ChildProcess.set("GRAPHSTORE_SQL_LOG", "0")
      ChildProcess.set("GRAPHSTORE_MIGRATION_DEBUG", "2")
      ChildProcess.set("GRAPHSTORE_TRACE", "saves")
      _ = try ChildProcess.context()
      #expect(Diagnostics.migrationLevel == 2 && Diagnostics.tracedKinds == [.saves])
      #expect(MigrationOptions().log.level == .mappings)
      ChildProcess.set("GRAPHSTORE_SQL_LOG", "4")
      ChildProcess.set("GRAPHSTORE_MIGRATION_DEBUG", "3")
      ChildProcess.set("GRAPHSTORE_TRACE", "faults")
      _ = try ChildProcess.context()
      #expect(Diagnostics.sqlLevel == 0 && Diagnostics.migrationLevel == 2)
      #expect(Diagnostics.tracedKinds == [.saves])
      Diagnostics.migrationLevel = 9
      #expect(Diagnostics.migrationLevel == 3 && MigrationOptions().log.level == .statements)
      Diagnostics.migrationLevel = -1
      #expect(Diagnostics.migrationLevel == 0 && MigrationOptions().log.level == .off)
    }
  }

  @Test("CTX-332, DGN-004: the variable overrides what the build has, and the property the variable")
  func guarded() async {
    await #expect(processExitsWith: .success) {
      ChildProcess.unset()
      let usual = try ChildProcess.context()
      #expect(usual.registry.isGuarded == ConcurrencyGuard.isDebugBuild)
      Diagnostics.checksQueues.toggle()
      let isNew = try ChildProcess.isGuarded()
      #expect(isNew != usual.registry.isGuarded)
      #expect(usual.registry.isGuarded == ConcurrencyGuard.isDebugBuild)
    }
    await #expect(processExitsWith: .success) {
      ChildProcess.unset()
      ChildProcess.set("GRAPHSTORE_CONCURRENCY_DEBUG", "0")
      let isGuarded = try ChildProcess.isGuarded()
      #expect(!isGuarded)
      Diagnostics.checksQueues = true
      let isGuardedThen = try ChildProcess.isGuarded()
      #expect(isGuardedThen)
    }
    await #expect(processExitsWith: .success) {
      ChildProcess.unset()
      ChildProcess.set("GRAPHSTORE_CONCURRENCY_DEBUG", "1")
      let isGuarded = try ChildProcess.isGuarded()
      #expect(isGuarded)
      Diagnostics.checksQueues = false
      let isGuardedThen = try ChildProcess.isGuarded()
      #expect(!isGuardedThen)
    }
  }

  @Test(
    "DGN-006: the switches of Core Data's programs override the variables, and other arguments stay alone")
  func switches() async {
    await #expect(processExitsWith: .success) {
      ChildProcess.unset()
      ChildProcess.set("GRAPHSTORE_SQL_LOG", "1")
      Diagnostics.sink = { _ in }
      Diagnostics.readLaunchArguments([
        "program", "-com.apple.CoreData.SQLDebug", "7", "-verbose", "-com.apple.CoreData.MigrationDebug", "1",
        "-com.apple.CoreData.ConcurrencyDebug", "1",
      ])
      let isGuarded = try ChildProcess.isGuarded()
      #expect(isGuarded)
      #expect(Diagnostics.sqlLevel == 4 && Diagnostics.migrationLevel == 1)
      Diagnostics.readLaunchArguments(["-com.apple.CoreData.SQLDebug", "0"])
      Diagnostics.readLaunchArguments(["-com.apple.CoreData.ConcurrencyDebug", "0"])
      #expect(Diagnostics.sqlLevel == 0 && Diagnostics.migrationLevel == 1)
      let isGuardedThen = try ChildProcess.isGuarded()
      #expect(!isGuardedThen)
    }
  }

  @Test("DGN-005: a value that cannot be read is a warning, and counts for nothing")
  func unreadable() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ChildProcess.unset()
      ChildProcess.set("GRAPHSTORE_MIGRATION_DEBUG", "9")
      ChildProcess.set("GRAPHSTORE_CONCURRENCY_DEBUG", "yes")
      let isNew = try ChildProcess.isGuarded()
      #expect(isNew == ConcurrencyGuard.isDebugBuild)
      #expect(Diagnostics.migrationLevel == 0)
      Diagnostics.readLaunchArguments(["-com.apple.CoreData.SQLDebug", "x", "-com.apple.CoreData.SQLDebug"])
      #expect(Diagnostics.sqlLevel == 0)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let warnings = text.split(separator: "\n").filter { $0.hasPrefix("GraphStore: warning: ") }
    #expect(
      warnings == [
        "GraphStore: warning: GRAPHSTORE_MIGRATION_DEBUG: there is no level \"9\"; there are 0, 1, 2, 3",
        "GraphStore: warning: GRAPHSTORE_CONCURRENCY_DEBUG: there is no level \"yes\"; there are 0, 1",
        "GraphStore: warning: -com.apple.CoreData.SQLDebug: \"x\" is not a number",
        "GraphStore: warning: -com.apple.CoreData.SQLDebug: \"\" is not a number",
      ], "\(text)")
  }
}
