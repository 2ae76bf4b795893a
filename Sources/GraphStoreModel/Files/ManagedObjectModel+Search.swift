import Foundation

extension ManagedObjectModel {
  /// Looks for a model by name: `NAME.graphmodel`, then `NAME.json`, in each directory in turn, and reads the first there is.
  ///
  /// - Parameters:
  ///   - name: The name, without an ending.
  ///   - directories: Where to look; for nil in the current directory and in that of the executable.
  /// - Throws: ``ModelError``: `model-not-found` with every path that was tried, else see ``init(contentsOf:)``.
  public convenience init(named name: String, in directories: [String]? = nil) throws(ModelError) {
    try self.init(contentsOf: try Self.path(named: name, in: directories ?? Self.standardDirectories))
  }

  /// The path of the first model of a name in directories.
  ///
  /// - Throws: ``ModelError`` `model-not-found` with every path that was tried.
  package static func path(named name: String, in directories: [String]) throws(ModelError) -> String {
    let paths = directories.flatMap { directory in
      [ModelFormat.versions, .json].map { ModelFile.path("\(name).\($0.rawValue)", in: directory) }
    }
    guard let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
      throw ModelFile.notFound(paths)
    }
    return path
  }

  private static var standardDirectories: [String] {
    let executable = Bundle.main.executablePath.map { ModelFile.directory(of: $0) }
    return [FileManager.default.currentDirectoryPath] + (executable.map { [$0] } ?? [])
  }
}
