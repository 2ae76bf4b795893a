import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands
@testable import GraphStoreReports

/// The library speaks of what a program can do, the command of its options.
@Suite("Remedies in the words of the command")
struct CommandRemedyTests {
  /// The sources of everything that programs link.
  private static func librarySources() throws -> [String] {
    try ["GraphStore", "GraphStoreModel", "GraphStorePredicates", "GraphStoreSQLite"].flatMap { target in
      let folder = Repository.root.appendingPathComponent("Sources/\(target)")
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }

  /// The lines of code with a literal in them.
  private static func literals(_ source: String) -> [Substring] {
    source.split(separator: "\n").filter { line in
      line.contains("\"") && !line.drop { $0 == " " }.hasPrefix("//")
    }
  }

  @Test("No message of the library names the command, or an option of it")
  func library() throws {
    let sources = try Self.librarySources()
    #expect(sources.count > 300)
    let named = sources.flatMap(Self.literals).filter {
      $0.contains(/"[^"]*--[a-z]/) || $0.contains(/"[^"]*\bgraphstore [a-z]/)
    }
    #expect(named == [])
  }

  @Test("Each phrase that the command replaces is one that the library says")
  func phrases() throws {
    // Literals of several lines are joined.
    let all = try Self.librarySources().map { $0.replacing(/"\s*\n\s*\+ "/, with: "") }.joined()
    for (phrase, words) in CommandRemedy.words {
      #expect(all.contains(phrase), "nothing says: \(phrase)")
      #expect(words.contains("--") || words.contains("graphstore "))
    }
  }

  @Test("A store in use says how a program waits longer, and how the command does")
  func timeout() throws {
    let tool = try CommandLineTool.staffedCompany()
    let lock = try StoreLock(tool.path("hr.db"))
    defer { lock.release() }
    let outcome = try tool.run("insert", "Employee", "name=New", "--timeout", "0.1")
    #expect(outcome.code == 75 && outcome.errors.contains("--timeout"))
    let error = #expect(throws: GraphStoreError.self) {
      try PersistentStoreCoordinator.setMetadata(
        ["a": .int(1)], forPersistentStoreAt: URL(fileURLWithPath: tool.path("hr.db")),
        timeout: .milliseconds(50))
    }
    #expect(error?.code == .storeTimeout && error?.remedy.contains("--") == false)
  }
}
