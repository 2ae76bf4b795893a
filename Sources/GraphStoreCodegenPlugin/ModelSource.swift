import Foundation

/// A model in a target's folder.
struct ModelSource {
  private static let packages: Set<String> = ["graphmodel", "xcdatamodeld", "xcdatamodel"]
  private static let fileEnding = ".graphmodel.json"

  /// The file or folder.
  let url: URL
  /// The base name.
  let name: String
  /// The file, or every file of the folder.
  let files: [URL]

  /// The models of a folder and of the folders below, in the order of their paths.
  static func find(in folder: URL, _ settings: CodegenSettings) throws -> [ModelSource] {
    var found = settings.models.map { path in
      let url = folder.appending(path: path)
      return ModelSource(url: url, name: url.deletingPathExtension().lastPathComponent, files: [url])
    }
    for url in children(of: folder) where !found.contains(where: { $0.url.path == url.path }) {
      if let model = ModelSource(url) { found.append(model) }
    }
    return found.sorted { $0.url.path < $1.url.path }
  }

  private init(url: URL, name: String, files: [URL]) {
    (self.url, self.name, self.files) = (url, name, files)
  }

  /// Nil for what is no model, or lies inside of one.
  private init?(_ url: URL) {
    let parents = url.deletingLastPathComponent().pathComponents
    guard Self.packages.isDisjoint(with: parents.map(Self.ending)) else { return nil }
    let file = url.lastPathComponent
    if Self.packages.contains(url.pathExtension) {
      self.init(
        url: url, name: url.deletingPathExtension().lastPathComponent,
        files: Self.children(of: url).filter { !$0.hasDirectoryPath })
    } else if file.hasSuffix(Self.fileEnding) {
      self.init(url: url, name: String(file.dropLast(Self.fileEnding.count)), files: [url])
    } else {
      return nil
    }
  }

  private static func ending(_ component: String) -> String {
    component.split(separator: ".").last.map(String.init) ?? component
  }

  private static func children(of folder: URL) -> [URL] {
    let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
    return (walk?.compactMap { $0 as? URL } ?? []).sorted { $0.path < $1.path }
  }
}
