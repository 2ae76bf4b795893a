import Foundation
import GraphStore
import GraphStoreReports

/// What the project's `.graphstore.json` and the user's `config.json` say; the project's comes first.
struct Configuration: Sendable {
  var store: String?
  var model: String?
  var format: OutputFormat?
  var errorFormat: DiagnosticPrinter.Format?
  var color: When?
  /// Seconds.
  var timeout: Double?
  var history: String?
  var noInput = false
  /// The paths of the files, in the order in which they were read.
  private(set) var files: [String] = []
  /// What was left out, and why.
  var warnings: [Diagnostic] = []

  static let projectFileName = ".graphstore.json"
  /// The number of bytes that no configuration has.
  private static let sizeLimit = 1_000_000
  private static let keys = [
    "store", "model", "format", "errorFormat", "color", "timeout", "history", "noInput",
  ]

  /// Reads the nearest project file upwards from a folder, and the user's file.
  init(environment: [String: String], folder: String = Self.workingFolder) throws {
    if let path = Self.userFile(environment) {
      try apply(file: path, isRequired: environment["GRAPHSTORE_CONFIG"] != nil)
    }
    if let path = Self.projectFile(from: folder) {
      guard Self.isOwn(path) else {
        warnings.append(
          Diagnostic(
            .warning, code: "foreign-configuration",
            message: "\(path) belongs to another user and is ignored"))
        return
      }
      try apply(file: path, isRequired: false)
    }
  }

  /// The folder that the process works in; empty if it is gone.
  static var workingFolder: String {
    guard let buffer = unsafe getcwd(nil, 0) else { return "" }
    defer { unsafe free(buffer) }
    return unsafe String(cString: buffer)
  }

  private static func userFile(_ environment: [String: String]) -> String? {
    if let path = environment["GRAPHSTORE_CONFIG"] { return path.isEmpty ? nil : path }
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return folder + "/graphstore/config.json"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.config/graphstore/config.json"
  }

  private static func projectFile(from folder: String) -> String? {
    var folder = folder
    while true {
      let path = folder == "/" ? "/" + projectFileName : folder + "/" + projectFileName
      if unsafe access(path, F_OK) == 0 { return path }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0)
  }

  private mutating func apply(file path: String, isRequired: Bool) throws {
    guard unsafe isRequired || access(path, F_OK) == 0 else { return }
    // A pipe that happens to have the name would be waited for.
    guard isRequired || Self.isRegular(path) else {
      throw Self.problem(path, message: "it is no regular file")
    }
    let bytes: [UInt8]
    do {
      bytes = try InputFile.contents(path: path, limit: Self.sizeLimit, as: "a configuration")
    } catch {
      throw Self.problem(path, message: error.message)
    }
    let value: JSONValue
    do {
      value = try JSONText.value(bytes)
    } catch {
      throw Self.problem(path, message: error.message, place: error.position(in: bytes))
    }
    guard case .object(let members) = value else {
      throw Self.problem(path, message: "it holds no JSON object")
    }
    files.append(path)
    for (key, value) in members.sorted(by: { $0.key < $1.key }) { try apply(key, value: value, path: path) }
  }

  private mutating func apply(_ key: String, value: JSONValue, path: String) throws {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    switch (key, value) {
    case ("store", .string(let text)): store = Self.path(text, in: folder)
    case ("model", .string(let text)): model = Self.path(text, in: folder)
    case ("history", .string(let text)): history = text.isEmpty ? "" : Self.path(text, in: folder)
    case ("format", .string(let text)): format = try Self.word(text, key: key, path: path)
    case ("errorFormat", .string(let text)): errorFormat = try Self.word(text, key: key, path: path)
    case ("color", .string(let text)): color = try Self.word(text, key: key, path: path)
    case ("noInput", .bool(let flag)): noInput = flag
    case ("timeout", .number(let text)):
      guard let seconds = Double(text), seconds >= 0 else {
        throw Self.problem(path, message: "\"timeout\" takes a number of seconds")
      }
      timeout = seconds
    default:
      guard Self.keys.contains(key) else {
        var problem = Self.problem(path, message: "there is no setting \"\(key)\"")
        problem.suggestions = NearestNames.names(near: key, among: Self.keys)
        problem.hints = ["known are \(Self.keys.joined(separator: ", "))"]
        throw problem
      }
      throw Self.problem(path, message: "\"\(key)\" cannot be a JSON \(value.typeName)")
    }
  }

  private static func path(_ text: String, in folder: String) -> String {
    if text.hasPrefix("/") { return text }
    return folder == "/" ? "/" + text : folder + "/" + text
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, key: String, path: String
  ) throws -> Word {
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw problem(path, message: "\"\(key)\" is \"\(text)\"; it can be \(known)")
    }
    return word
  }

  private static func problem(_ path: String, message: String, place: TextPosition? = nil) -> Diagnostic {
    Diagnostic(
      code: "config", message: message,
      location: Diagnostic.Location(file: path, line: place?.line, column: place?.column),
      exitCode: .configuration)
  }
}
