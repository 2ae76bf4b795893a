import Foundation
import GraphStorePredicates

/// Current version of a directory.
enum CurrentVersion {
  /// The name that the directory specifies; nil where the highest is current.
  ///
  /// - Throws: `model-bad-version` for a name that no version has, and where several versions of another
  ///   maker's directory are there and none is named.
  static func name(
    in path: String, _ format: ModelFormat, entries: [String], versions: [String]
  ) throws(ModelError) -> String? {
    let marker = markerName(format)
    guard entries.contains(marker) else {
      if !format.hasVersions || format == .versions || versions.count == 1 { return nil }
      throw undetermined("\(path) does not say which version is current", in: path, versions: versions)
    }
    let bytes = try ModelFile.read(ModelFile.path(marker, in: path))
    if format == .versions {
      let name = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      return try known(name, in: path, versions: versions)
    }
    guard let name = markedVersion(bytes, format) else {
      if versions.count == 1 { return nil }
      throw undetermined("\(path)/\(marker) does not name the current version", in: path, versions: versions)
    }
    return try known(name, in: path, versions: versions)
  }

  private static func known(
    _ name: String, in path: String, versions: [String]
  ) throws(ModelError) -> String {
    guard !versions.contains(name) else { return name }
    var error = unknown(name, of: path, versions: versions)
    error.file = path
    throw error
  }

  private static func undetermined(_ sentence: String, in path: String, versions: [String]) -> ModelError {
    ModelError(
      [
        ModelProblem(
          .badVersion, at: ModelPath(),
          message: "\(sentence), and there are several: \(versions.joined(separator: ", ")).",
          remedy: "Name one of them instead, as \(path)#\(versions[0]).")
      ], file: path)
  }

  /// The error for `PATH#NAME` where no version has the name.
  static func unknown(_ name: String, of path: String, versions: [String]) -> ModelError {
    ModelError(
      [
        ModelProblem(
          .badVersion, at: ModelPath(), value: name,
          message:
            "There is no version \"\(name)\" in \(path); there are: \(versions.joined(separator: ", ")).",
          suggestion: NearestNames.names(near: name, among: versions).first)
      ], file: "\(path)#\(name)")
  }

  private static func markerName(_ format: ModelFormat) -> String {
    switch format {
    case .xcodeVersions: ".xccurrentversion"
    case .compiledVersions: "VersionInfo.plist"
    default: "current"
    }
  }

  /// The name in a property list of Apple's tools; nil for one without.
  private static func markedVersion(_ bytes: [UInt8], _ format: ModelFormat) -> String? {
    let key =
      format == .xcodeVersions ? xcodeKey : "NSManagedObjectModel_CurrentVersionName"
    guard case .string(let name)? = PropertyListReader.dictionary(of: Data(bytes))?[key] else { return nil }
    return ModelFormat(endingOf: name) == format.versionFormat ? ModelFile.baseName(of: name) : name
  }

  /// The property list `.xccurrentversion` that names the folder of the current version.
  static func xcodeMarker(naming folder: String) -> [UInt8] {
    let dictionary = MarkupElement(
      name: "dict",
      children: [
        MarkupElement(name: "key", text: xcodeKey),
        MarkupElement(name: "string", text: folder),
      ])
    let list = MarkupElement(
      name: "plist", attributes: [.init(name: "version", value: "1.0")], children: [dictionary])
    return MarkupWriter.document(list)
  }

  private static let xcodeKey = "_XCCurrentVersionName"
}
