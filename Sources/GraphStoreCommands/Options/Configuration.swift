import Foundation
import GraphStore
import GraphStoreReports

/// What the project's `.graphstore.json` and the user's `config.json` say; the project's comes first.
struct Configuration: Sendable {
  /// What holds without a profile, and with the one that a variable names.
  private(set) var values = ConfigurationValues()
  /// What the profile says that an option names, which goes before variables.
  private(set) var chosen = ConfigurationValues()
  private var profiles: [String: ConfigurationValues] = [:]
  /// The paths of the files, in the order in which they were read.
  private(set) var files: [String] = []
  /// What was left out, and why.
  var warnings: [Diagnostic] = []

  static let projectFileName = ".graphstore.json"
  /// The number of bytes that no configuration has.
  private static let sizeLimit = 1_000_000
  private static let keys = ConfigurationValues.keys + ["profiles"]

  /// Reads the nearest project file upwards from a folder, and the user's file.
  ///
  /// - Parameter profile: The profile that an option names; nil for that of `GRAPHSTORE_PROFILE`, or none.
  init(
    environment: [String: String], profile: String? = nil, folder: String = Self.workingFolder
  ) throws {
    try readFiles(environment, folder)
    if let profile {
      chosen = try self.profile(profile) { known in
        Diagnostic(
          code: "unknown-profile", message: "there is no profile \"\(profile)\"", hints: [known],
          suggestions: NearestNames.names(near: profile, among: profiles.keys.sorted()), exitCode: .usage)
      }
    } else if let name = environment["GRAPHSTORE_PROFILE"], !name.isEmpty {
      let named = try self.profile(name) { known in
        Diagnostic(
          code: "config", message: "GRAPHSTORE_PROFILE is \"\(name)\", which is no profile", hints: [known],
          suggestions: NearestNames.names(near: name, among: profiles.keys.sorted()),
          exitCode: .configuration)
      }
      values = named.over(values)
    }
  }

  /// The names of the profiles.
  var profileNames: [String] { profiles.keys.sorted() }

  private func profile(_ name: String, _ problem: (String) -> Diagnostic) throws -> ConfigurationValues {
    if let profile = profiles[name] { return profile }
    throw problem(
      profiles.isEmpty
        ? "no configuration file has profiles: see graphstore help environment"
        : "there are \(profileNames.joined(separator: ", "))")
  }

  private mutating func readFiles(_ environment: [String: String], _ folder: String) throws {
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
    for (key, value) in members.sorted(by: { $0.key < $1.key }) { try apply(key, value, path) }
  }

  /// Applies what the file says; a later file goes before an earlier one.
  private mutating func apply(_ key: String, _ value: JSONValue, _ path: String) throws {
    guard key == "profiles" else {
      guard Self.keys.contains(key) else {
        throw Self.unknown("setting", key, path, near: key, among: Self.keys)
      }
      return try values.set(key, value, of: path)
    }
    guard case .object(let members) = value else {
      throw Self.problem(path, message: "\"profiles\" cannot be a JSON \(value.typeName)")
    }
    for (name, value) in members {
      guard case .object(let settings) = value else {
        throw Self.problem(path, message: "\"profiles.\(name)\" cannot be a JSON \(value.typeName)")
      }
      var profile = ConfigurationValues()
      for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
        try profile.set(key, value, of: path, in: "profiles.\(name).")
      }
      profiles[name] = profile.over(profiles[name] ?? ConfigurationValues())
    }
  }

  /// The error of a name that a file may not have.
  static func unknown(
    _ kind: String, _ name: String, _ path: String, near key: String, among known: [String]
  ) -> Diagnostic {
    var problem = Self.problem(path, message: "there is no \(kind) \"\(name)\"")
    problem.suggestions = NearestNames.names(near: key, among: known)
    problem.hints = ["known are \(known.joined(separator: ", "))"]
    return problem
  }

  static func problem(_ path: String, message: String, place: TextPosition? = nil) -> Diagnostic {
    Diagnostic(
      code: "config", message: message,
      location: Diagnostic.Location(file: path, line: place?.line, column: place?.column),
      exitCode: .configuration)
  }
}
