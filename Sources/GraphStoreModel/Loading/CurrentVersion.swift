import Foundation

/// Which version of a directory is current.
enum CurrentVersion {
  /// The name that the directory gives; nil where the highest is current.
  ///
  /// - Throws: `model-bad-version` for a name that no version has, and where several versions of another maker's
  ///   directory are there and none is named.
  static func name(
    in path: String, _ format: ModelFormat, entries: [String], versions: [String]
  ) throws(ModelError) -> String? {
    let note = noteName(format)
    guard entries.contains(note) else {
      if format == .versions || versions.count == 1 { return nil }
      throw ModelError(
        [
          ModelProblem(
            .badVersion, at: ModelPath(),
            "\(path) does not say which version is current, and there are several: "
              + "\(versions.joined(separator: ", ")).",
            remedy: "Name the file of one of them instead.")
        ], file: path)
    }
    let file = ModelFile.path(note, in: path)
    let bytes = try ModelFile.read(file)
    let name = format == .versions ? text(bytes) : try noted(bytes, format, file: file)
    guard versions.contains(name) else { throw unknown(name, in: path, versions: versions) }
    return name
  }

  /// The error for a name that no version has.
  static func unknown(_ name: String, in path: String, versions: [String]) -> ModelError {
    ModelError(
      [
        ModelProblem(
          .badVersion, at: ModelPath(), value: name,
          "There is no version \"\(name)\" in \(path); there are: \(versions.joined(separator: ", ")).")
      ], file: path)
  }

  private static func noteName(_ format: ModelFormat) -> String {
    switch format {
    case .xcodeVersions: ".xccurrentversion"
    case .compiledVersions: "VersionInfo.plist"
    default: "current"
    }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The name in a property list of Apple's tools.
  private static func noted(
    _ bytes: [UInt8], _ format: ModelFormat, file: String
  ) throws(ModelError) -> String {
    guard let list = PropertyListReader.dictionary(of: Data(bytes)) else {
      throw ModelFile.unreadable(file, "\(file) is no property list.")
    }
    let key =
      format == .xcodeVersions ? "_XCCurrentVersionName" : "NSManagedObjectModel_CurrentVersionName"
    guard case .string(let name)? = list[key] else {
      throw ModelFile.unreadable(file, "\(file) has no text under \(key).")
    }
    return ModelFormat(endingOf: name) == format.versionFormat ? ModelFile.baseName(of: name) : name
  }
}
