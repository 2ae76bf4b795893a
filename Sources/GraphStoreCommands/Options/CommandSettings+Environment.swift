import Foundation
import GraphStore
import GraphStoreReports

extension CommandSettings {
  /// The settings of an environment and its configuration files.
  init(environment: [String: String], configuration: Configuration) throws {
    stores = [Self.nonEmpty(environment["GRAPHSTORE_STORE"]) ?? configuration.store].compactMap {
      $0.map(StoreName.init(path:))
    }
    defaultModel = Self.nonEmpty(environment["GRAPHSTORE_MODEL"]) ?? configuration.model
    if let text = Self.nonEmpty(environment["GRAPHSTORE_TIMEOUT"]) {
      timeout = try Self.seconds(text, "GRAPHSTORE_TIMEOUT")
    } else if let seconds = configuration.timeout {
      timeout = seconds
    }
    color = try Self.word(environment["GRAPHSTORE_COLOR"], "GRAPHSTORE_COLOR") ?? configuration.color ?? .auto
    format = try Self.word(environment["GRAPHSTORE_FORMAT"], "GRAPHSTORE_FORMAT") ?? configuration.format
    errorFormat =
      try Self.word(environment["GRAPHSTORE_ERROR_FORMAT"], "GRAPHSTORE_ERROR_FORMAT")
      ?? configuration.errorFormat ?? .text
    neverAsks = Self.nonEmpty(environment["GRAPHSTORE_NO_INPUT"]).map { $0 != "0" } ?? configuration.noInput
    if let text = Self.nonEmpty(environment["GRAPHSTORE_TRACE"]) {
      tracedKinds = try Self.kinds(text, of: "GRAPHSTORE_TRACE")
    }
    if let text = Self.nonEmpty(environment["GRAPHSTORE_SQL_LOG"]) {
      sqlLevel = try Self.sqlLevel(text, of: "GRAPHSTORE_SQL_LOG")
    }
    if let text = Self.nonEmpty(environment["GRAPHSTORE_MIGRATION_DEBUG"]) {
      migrationLevel = try Self.migrationLevel(text, of: "GRAPHSTORE_MIGRATION_DEBUG")
    }
    if let text = Self.nonEmpty(environment["GRAPHSTORE_CONCURRENCY_DEBUG"]) {
      _ = try Self.level(
        text, of: "GRAPHSTORE_CONCURRENCY_DEBUG", 0...1, hint: "1 checks that objects are used on their queue"
      )
    }
    historyPath = environment["GRAPHSTORE_HISTORY"] ?? configuration.history
  }

  /// The kinds of events of a list.
  static func kinds(_ text: String, of name: String) throws -> Set<TraceKind> {
    do {
      return try TraceKind.kinds(in: text)
    } catch {
      throw Diagnostic(
        code: "usage", message: "\(name): \(error.message)", hints: ["write \(name)=faults,misses"],
        exitCode: .usage)
    }
  }

  /// The level of the SQL log that a text names.
  static func sqlLevel(_ text: String, of name: String) throws -> Int {
    try level(text, of: name, Diagnostics.sqlLevels, hint: "write \(name)=1 for statements and their times")
  }

  /// The level of the log of migrations that a text names.
  static func migrationLevel(_ text: String, of name: String) throws -> Int {
    try level(
      text, of: name, Diagnostics.migrationLevels, hint: "write \(name)=1 for the steps and their times")
  }

  private static func level(
    _ text: String, of name: String, _ levels: ClosedRange<Int>, hint: String
  ) throws -> Int {
    if let level = Diagnostics.level(in: text, of: levels) { return level }
    throw Diagnostic(
      code: "usage", message: "\(name): \(Diagnostics.unknownLevel(text, of: levels))", hints: [hint],
      exitCode: .usage)
  }

  private static func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String?, _ name: String
  ) throws -> Word? {
    guard let text = nonEmpty(text) else { return nil }
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw Diagnostic(
        code: "config", message: "\(name) is \"\(text)\"", hints: ["set it to one of \(known)"],
        exitCode: .configuration)
    }
    return word
  }

  private static func seconds(_ text: String, _ name: String) throws -> Double {
    guard let seconds = Double(text), seconds >= 0, seconds.isFinite else {
      throw Diagnostic(
        code: "config", message: "\(name) is \"\(text)\"", hints: ["set it to a number of seconds"],
        exitCode: .configuration)
    }
    return seconds
  }
}
