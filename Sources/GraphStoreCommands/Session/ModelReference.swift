import GraphStore

/// A model as an argument names it: a file, a directory of versions for its current one, or `DIRECTORY#VERSION`.
struct ModelReference {
  /// The file or directory.
  let path: String
  /// The version, nil for the current one.
  let version: String?

  init(_ text: String) {
    guard let hash = text.lastIndex(of: "#"), hash > text.startIndex,
      (try? ModelFormat(at: text)) == nil
    else {
      path = text
      version = nil
      return
    }
    path = String(text[..<hash])
    version = String(text[text.index(after: hash)...])
  }

  /// Reads the model.
  ///
  /// - Throws: `unknown-version` with the nearest name; ``ModelError``.
  func model() throws -> ManagedObjectModel {
    guard let version else { return try ManagedObjectModel(contentsOf: path) }
    let versions = try ModelVersions(at: path)
    guard versions.names.contains(version) else {
      let suggestions = NearestNames.names(near: version, among: versions.names)
      throw Diagnostic(
        code: "unknown-version", message: "\(path) has no version \"\(version)\"",
        hints: [
          DiagnosticMapper.known(versions.names.filter { !suggestions.contains($0) }, after: suggestions)
        ],
        suggestions: suggestions, exitCode: .usage)
    }
    return try versions.model(named: version)
  }
}
