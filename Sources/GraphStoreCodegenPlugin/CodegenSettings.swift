import Foundation

/// What `graphstore-codegen.json` in a target's folder says.
struct CodegenSettings {
  /// Who sees the generated declarations.
  let access: String
  /// Further models, by their paths from the folder.
  let models: [String]
  /// The file itself, if there is one.
  let files: [URL]

  private struct Content: Decodable {
    var access: String?
    var models: [String]?
  }

  init(in folder: URL) throws {
    let file = folder.appending(path: "graphstore-codegen.json")
    guard FileManager.default.fileExists(atPath: file.path) else {
      (access, models, files) = ("internal", [], [])
      return
    }
    let content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
    access = content.access ?? "internal"
    models = content.models ?? []
    files = [file]
  }
}
