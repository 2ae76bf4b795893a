import GraphStore
import GraphStoreReports

/// Settings of a configuration file, of one of its profiles, or of both together.
struct ConfigurationValues: Sendable {
  /// Several are opened as one.
  var stores: [StoreName]?
  var model: String?
  var format: OutputFormat?
  var errorFormat: DiagnosticPrinter.Format?
  var color: When?
  /// Seconds.
  var timeout: Double?
  var history: String?
  /// Whether the shell keeps a history for each store.
  var historyPerStore: Bool?
  var noInput: Bool?

  /// The names under which a file has them.
  static let keys = [
    "store", "model", "format", "errorFormat", "color", "timeout", "history", "historyPerStore", "noInput",
  ]

  /// These settings, and others where these say nothing.
  func over(_ others: ConfigurationValues) -> ConfigurationValues {
    var values = self
    values.stores = stores ?? others.stores
    values.model = model ?? others.model
    values.format = format ?? others.format
    values.errorFormat = errorFormat ?? others.errorFormat
    values.color = color ?? others.color
    values.timeout = timeout ?? others.timeout
    values.history = history ?? others.history
    values.historyPerStore = historyPerStore ?? others.historyPerStore
    values.noInput = noInput ?? others.noInput
    return values
  }

  /// Sets what a member of a file's object says.
  ///
  /// - Parameters:
  ///   - path: The file, to whose folder paths in it are relative.
  ///   - owner: How messages call the object that the member is of: `"profiles.staging."`, or nothing.
  mutating func set(_ key: String, _ value: JSONValue, of path: String, in owner: String = "") throws {
    let name = owner + key
    switch (key, value) {
    case ("store", .string(let text)): stores = [StoreName(path: Self.path(text, of: path))]
    case ("store", .object(let members)): stores = try Self.named(members, of: path, name)
    case ("model", .string(let text)): model = Self.path(text, of: path)
    case ("history", .string(let text)): history = text.isEmpty ? "" : Self.path(text, of: path)
    case ("historyPerStore", .bool(let flag)): historyPerStore = flag
    case ("format", .string(let text)): format = try Self.word(text, name, path)
    case ("errorFormat", .string(let text)): errorFormat = try Self.word(text, name, path)
    case ("color", .string(let text)): color = try Self.word(text, name, path)
    case ("noInput", .bool(let flag)): noInput = flag
    case ("timeout", .number(let text)):
      guard let seconds = Double(text), seconds >= 0 else {
        throw Configuration.problem(path, message: "\"\(name)\" takes a number of seconds")
      }
      timeout = seconds
    default:
      guard Self.keys.contains(key) else {
        throw Configuration.unknown("setting", name, path, near: key, among: Self.keys)
      }
      throw Configuration.problem(path, message: "\"\(name)\" cannot be a JSON \(value.typeName)")
    }
  }

  /// Stores by the names that tell their objects' ids from each other's.
  private static func named(
    _ members: [String: JSONValue], of path: String, _ key: String
  ) throws -> [StoreName] {
    guard !members.isEmpty else { throw Configuration.problem(path, message: "\"\(key)\" names no store") }
    return try members.sorted { $0.key < $1.key }.map { name, value in
      guard case .string(let text) = value else {
        throw Configuration.problem(
          path, message: "\"\(key).\(name)\" cannot be a JSON \(value.typeName): it is the path of a store")
      }
      guard let store = StoreName(name, path: Self.path(text, of: path)) else {
        throw Configuration.problem(
          path, message: "\"\(key).\(name)\" cannot name a store: letters, digits, - and _ do")
      }
      return store
    }
  }

  private static func path(_ text: String, of file: String) -> String {
    if text.hasPrefix("/") || ServerAddress(text) != nil { return text }
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    return folder == "/" ? "/" + text : folder + "/" + text
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ key: String, _ path: String
  ) throws -> Word {
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw Configuration.problem(path, message: "\"\(key)\" is \"\(text)\"; it can be \(known)")
    }
    return word
  }
}
