import Foundation
import GraphStore
import GraphStoreReports

extension CommandSettings {
  /// The settings of an environment and its configuration files.
  init(environment: [String: String], configuration: Configuration) throws {
    let (chosen, usual) = (configuration.chosen, configuration.values)
    let store = Self.nonEmpty(environment["GRAPHSTORE_STORE"]).map { [StoreName(path: $0)] }
    stores = chosen.stores ?? store ?? usual.stores ?? []
    defaultModel = chosen.model ?? Self.nonEmpty(environment["GRAPHSTORE_MODEL"]) ?? usual.model
    let seconds = try Self.nonEmpty(environment["GRAPHSTORE_TIMEOUT"]).map {
      try Self.seconds($0, "GRAPHSTORE_TIMEOUT")
    }
    if let given = chosen.timeout ?? seconds ?? usual.timeout { timeout = given }
    let when: When? = try Self.word(environment["GRAPHSTORE_COLOR"], "GRAPHSTORE_COLOR")
    color = chosen.color ?? when ?? usual.color ?? .auto
    let form: OutputFormat? = try Self.word(environment["GRAPHSTORE_FORMAT"], "GRAPHSTORE_FORMAT")
    format = chosen.format ?? form ?? usual.format
    let errors: DiagnosticPrinter.Format? = try Self.word(
      environment["GRAPHSTORE_ERROR_FORMAT"], "GRAPHSTORE_ERROR_FORMAT")
    errorFormat = chosen.errorFormat ?? errors ?? usual.errorFormat ?? .text
    let noInput = Self.nonEmpty(environment["GRAPHSTORE_NO_INPUT"]).map { $0 != "0" }
    neverAsks = chosen.noInput ?? noInput ?? usual.noInput ?? false
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
    historyPath = chosen.history ?? environment["GRAPHSTORE_HISTORY"] ?? usual.history
    keepsHistoryPerStore = chosen.historyPerStore ?? usual.historyPerStore ?? false
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
