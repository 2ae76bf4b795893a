/// A model, or all versions of one, in another format: the files to write.
///
/// Making one reads and checks the source; nothing is written.
package struct ModelConversion {
  /// A file of the result.
  package struct File {
    /// The path inside the directory of the result; empty where the result is one file.
    package var path: String
    /// The file's bytes.
    package var bytes: [UInt8]
  }

  /// A warning, and the file it is about.
  package struct Warning {
    /// The finding.
    package var finding: ModelProblem
    /// The file that was read; nil for what is about writing.
    package var file: String?
  }

  /// Whether the result is a directory.
  package let isDirectory: Bool
  /// The files of the result.
  package private(set) var files: [File] = []
  /// Warnings of parts that readers mended or left out, or that the written format cannot express, in order.
  package private(set) var warnings: [Warning] = []

  /// Converts what is at a path.
  ///
  /// - Parameter format: what to write: a single model is the current version of the source.
  /// - Throws: ``ModelError``, for compiled models `model-not-applicable`: they are read, not written.
  package init(of path: String, to format: ModelFormat) throws(ModelError) {
    guard format != .compiled, format != .compiledVersions else {
      throw ModelError([
        ModelProblem(
          .notApplicable, at: ModelPath(), message: "Compiled models (.mom, .momd) are read, not written.",
          remedy: "Convert to .xcdatamodeld and compile that with Xcode.")
      ])
    }
    isDirectory = format != .json
    let versions = try ModelVersions(at: path)
    if format.hasVersions {
      for name in versions.names {
        let written = try add(versions, name: name, format: format)
        if name == versions.currentName { addCurrent(written, format) }
      }
    } else {
      try add(versions, name: versions.currentName, format: format)
    }
    try addMappings(versions, format)
    addLosses(versions, format)
  }

  /// Adds a version.
  ///
  /// - Returns: the name that it is written under.
  @discardableResult
  private mutating func add(
    _ versions: ModelVersions, name: String, format: ModelFormat
  ) throws(ModelError) -> String {
    let loaded = try versions.load(named: name)
    warnings += loaded.findings.map { Warning(finding: $0, file: loaded.file) }
    var definition = loaded.model.definition
    let written = Self.name(of: definition, in: versions, name, format)
    if format != .versions {
      definition.restoreIdentifierFromXcode()
    } else if versions.format != .versions {
      definition.keepIdentifier(besides: written)
    }
    let prefix = format.hasVersions ? Self.fileName(written, format) : ""
    guard format.versionFormat == .xcodeModel else {
      files.append(File(path: prefix, bytes: [UInt8](definition.jsonData())))
      return written
    }
    let text = XcodeModelWriter.written(definition)
    warnings += text.findings.map { Warning(finding: $0, file: loaded.file) }
    files.append(File(path: prefix.isEmpty ? "contents" : prefix + "/contents", bytes: text.xml))
    return written
  }

  /// The name that a version is written under: a single file becomes the version that it says it is.
  private static func name(
    of definition: ModelDefinition, in versions: ModelVersions, _ name: String, _ format: ModelFormat
  ) -> String {
    guard format == .versions, !versions.format.hasVersions, let identifier = definition.versionIdentifier,
      ModelVersions.isName(identifier)
    else { return name }
    return identifier
  }

  private static func fileName(_ version: String, _ format: ModelFormat) -> String {
    "\(version).\(format.versionFormat.rawValue)"
  }

  private mutating func addCurrent(_ name: String, _ format: ModelFormat) {
    if format == .xcodeVersions {
      let entry = Self.fileName(name, format)
      files.append(File(path: ".xccurrentversion", bytes: CurrentVersion.xcodeMarker(naming: entry)))
    } else {
      files.append(File(path: "current", bytes: Array("\(name)\n".utf8)))
    }
  }

  /// Mappings are written for directories of this kind only: those of JSON as they are, those of Xcode as
  /// JSON.
  private mutating func addMappings(_ versions: ModelVersions, _ format: ModelFormat) throws(ModelError) {
    for path in versions.mappingPaths {
      if format != .versions {
        // Those of Xcode are beside the model, and stay there.
        if versions.format == .versions { warnMapping(path) }
      } else if versions.format == .versions {
        let name = ModelFile.lastComponent(of: path)
        if MappingFile.isXcodeMapping(String(name)) {
          try addXcodeMapping(path, of: versions)
        } else {
          files.append(File(path: "mappings/\(name)", bytes: try ModelFile.read(path)))
        }
      } else {
        try addXcodeMapping(path, of: versions)
      }
    }
  }

  private mutating func addXcodeMapping(_ path: String, of versions: ModelVersions) throws(ModelError) {
    guard let file = try versions.mappingFile(at: path) else { return }
    let name = "mappings/\(file.source)-\(file.destination)"
    let isTaken = files.contains { $0.path == "\(name).json" }
    let ending = isTaken ? "-\(ModelFile.baseName(of: path)).json" : ".json"
    files.append(File(path: name + ending, bytes: [UInt8](file.mapping.jsonData())))
  }

  private mutating func warnMapping(_ path: String) {
    warnings.append(
      Warning(
        finding: ModelProblem.warning(
          "mapping-left-out", at: ModelPath(),
          message: "The mapping \(ModelFile.lastComponent(of: path)) is not converted."), file: path))
  }

  private mutating func addLosses(_ versions: ModelVersions, _ format: ModelFormat) {
    let others = versions.names.filter { $0 != versions.currentName }
    if !format.hasVersions, !others.isEmpty {
      let finding = ModelProblem.warning(
        "other-versions-left-out", at: ModelPath(),
        message:
          "Only the current version \(versions.currentName) is written, without \(others.joined(separator: ", ")).",
        remedy: "Write to a .graphmodel or .xcdatamodeld directory to keep all.")
      warnings.append(Warning(finding: finding, file: versions.path))
    }
  }
}
