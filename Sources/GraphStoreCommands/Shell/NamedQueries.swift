import Foundation
import GraphStore
import GraphStoreReports

/// Statements that a person keeps under names, in `$XDG_CONFIG_HOME/graphstore/queries.json`.
///
/// The file is one JSON object, which may be written by hand as well; it is replaced as a whole.
struct NamedQueries {
  let path: String
  private static let sizeLimit = 1_000_000

  /// - Returns: Nil where there is no home to keep them in.
  init?(environment: [String: String]) {
    var folder = environment["XDG_CONFIG_HOME"] ?? ""
    if !folder.hasPrefix("/") {
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      folder = home + "/.config"
    }
    path = folder + "/graphstore/queries.json"
  }

  /// The texts by their names.
  func all() throws(ShellError) -> [String: String] {
    guard unsafe access(path, F_OK) == 0 else { return [:] }
    let value: JSONValue
    do {
      value = try JSONText.value(
        try InputFile.contents(path: path, limit: Self.sizeLimit, as: "named queries"))
    } catch {
      throw unreadable()
    }
    guard case .object(let members) = value else { throw unreadable() }
    var texts: [String: String] = [:]
    for (name, value) in members {
      guard case .string(let text) = value else { throw unreadable() }
      texts[name] = text
    }
    return texts
  }

  /// Keeps other ones.
  func replace(by texts: [String: String]) throws {
    let folder = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw OutputError(.cannotCreate, "cannot create the folder \"\(folder)\"")
    }
    let output = OutputBuffer.memory()
    var json = JSONBuilder(output)
    json.beginObject()
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { json.member(name, text) }
    json.endObject()
    let file = try AtomicFile(path: path)
    file.output.append(output.consumeString() + "\n")
    try file.commit()
  }

  private func unreadable() -> ShellError {
    ShellError(
      code: .unreadableFile, message: "\(path) is no JSON object of names and statements",
      exitCode: .dataError, hint: "correct it, or move it away")
  }
}
