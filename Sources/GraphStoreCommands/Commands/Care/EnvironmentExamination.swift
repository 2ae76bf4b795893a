import Foundation
import GraphStore
import GraphStoreReports

/// Examination of what surrounds the process: the system, variables, folders.
struct EnvironmentExamination {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  /// The findings, the program itself first.
  var findings: [ExaminationFinding] {
    [program] + unknownVariables + [temporaryFolder, history].compactMap { $0 }
  }

  private var program: ExaminationFinding {
    ExaminationFinding(
      "graphstore",
      "\(RootCommand.version)  Swift \(Self.swift)  SQLite \(StoreSummary.sqliteVersion)  \(Self.platform)")
  }

  /// The version of the compiler.
  private static var swift: String {
    #if compiler(>=6.4)
    "6.4 or later"
    #else
    "6.3"
    #endif
  }

  private static var platform: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "unknown" }
    func text<Field>(_ field: Field) -> String {
      unsafe withUnsafeBytes(of: field) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
    return text(name.sysname).lowercased() + "-" + text(name.machine)
  }

  // MARK: Variables

  /// The variables that the command and the library read.
  private static let variables = [
    "GRAPHSTORE_COLOR", "GRAPHSTORE_CONCURRENCY_DEBUG", "GRAPHSTORE_CONFIG", "GRAPHSTORE_ERROR_FORMAT",
    "GRAPHSTORE_EDITOR", "GRAPHSTORE_FORMAT", "GRAPHSTORE_HISTORY", "GRAPHSTORE_LOG",
    "GRAPHSTORE_MIGRATION_DEBUG",
    "GRAPHSTORE_MODEL", "GRAPHSTORE_NO_INPUT", "GRAPHSTORE_PAGER", "GRAPHSTORE_PROFILE", "GRAPHSTORE_SQL_LOG",
    "GRAPHSTORE_STORE",
    "GRAPHSTORE_TIMEOUT", "GRAPHSTORE_TRACE",
  ]

  private var unknownVariables: [ExaminationFinding] {
    environment.keys.sorted().filter { $0.hasPrefix("GRAPHSTORE_") && !Self.variables.contains($0) }
      .map { name in
        let near = NearestNames.names(near: name, among: Self.variables).first
        return ExaminationFinding(
          .warning, "environment", "nothing reads the variable \(name)",
          remedy: near.map { "perhaps \($0) was meant" } ?? "see graphstore help environment")
      }
  }

  // MARK: Folders

  /// The folder in which SQLite sorts and writes files anew.
  private var temporaryFolder: ExaminationFinding? {
    let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { environment[$0] }
    let folders = named + ["/var/tmp", "/usr/tmp", "/tmp"]
    if let folder = folders.first(where: Self.isWritable) {
      guard let first = named.first, first != folder else { return nil }
      return ExaminationFinding(
        .warning, "environment", "\(first) cannot be written: temporary files go to \(folder)",
        remedy: "set TMPDIR to a folder that can be written")
    }
    return ExaminationFinding(
      .failure, "environment", "there is no folder for temporary files",
      remedy: "set TMPDIR to a folder that can be written")
  }

  private var history: ExaminationFinding? {
    guard let file = HistoryFile(environment: environment) else {
      // An empty name asks for none.
      guard environment["GRAPHSTORE_HISTORY"] == nil else { return nil }
      return unkept("there is no home folder")
    }
    var path = file.path
    // What is not there yet is made in the nearest folder that is.
    while unsafe access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      path = String(path[..<slash])
    }
    if unsafe access(path, F_OK) != 0 { path = "." }
    let isThere = path == file.path ? unsafe access(path, W_OK) == 0 : Self.isWritable(path)
    return isThere ? nil : unkept("\(path) is not a place to write to")
  }

  private func unkept(_ reason: String) -> ExaminationFinding {
    ExaminationFinding(
      .warning, "history", "\(reason): the shell's history will not be kept",
      remedy: "set GRAPHSTORE_HISTORY to a file that can be written")
  }

  private static func isWritable(_ folder: String) -> Bool {
    var status = stat()
    guard unsafe stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
    return unsafe access(folder, W_OK | X_OK) == 0
  }
}
