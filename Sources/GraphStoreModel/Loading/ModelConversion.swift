/// A model, or all versions of one, in another format: the files to write.
///
/// Making one reads and checks the source; nothing is written.
package struct ModelConversion {
  /// A file of the result.
  package struct File {
    /// The path inside the directory of the result; empty where the result is one file.
    package var path: String
    /// What it holds.
    package var bytes: [UInt8]
  }

  /// Something to tell, and the file it is about.
  package struct Notice {
    /// What was found.
    package var finding: ModelFinding
    /// The file that was read; nil for what is about writing.
    package var file: String?
  }

  /// Whether the result is a directory.
  package let isDirectory: Bool
  /// The files of the result.
  package private(set) var files: [File] = []
  /// What readers mended or left out, and what the format written cannot say, in order.
  package private(set) var notices: [Notice] = []

  /// Converts what is at a path.
  ///
  /// - Parameter format: what to write: a single model is the current version of the source.
  /// - Throws: ``ModelError``, for compiled models `model-not-applicable`: they are read, not written.
  package init(of path: String, to format: ModelFormat) throws(ModelError) {
    guard format != .compiled, format != .compiledVersions else {
      throw ModelError([
        ModelProblem(
          .notApplicable, at: ModelPath(), "Compiled models (.mom, .momd) are read, not written.",
          remedy: "Convert to .xcdatamodeld and compile that with Xcode.")
      ])
    }
    isDirectory = format != .json
    let versions = try ModelVersions(at: path)
    if format.hasVersions {
      for name in versions.names { try add(versions, name, format, prefix: Self.fileName(name, format)) }
      addCurrent(versions.currentName, format)
    } else {
      try add(versions, versions.currentName, format, prefix: "")
    }
    addLosses(versions, format)
  }

  private mutating func add(
    _ versions: ModelVersions, _ name: String, _ format: ModelFormat, prefix: String
  ) throws(ModelError) {
    let loaded = try versions.load(named: name)
    notices += loaded.findings.map { Notice(finding: $0, file: loaded.file) }
    let definition = loaded.model.definition
    guard format.versionFormat == .xcodeModel else {
      files.append(File(path: prefix, bytes: [UInt8](definition.jsonData())))
      return
    }
    let written = XcodeModelWriter.written(definition)
    notices += written.findings.map { Notice(finding: $0, file: loaded.file) }
    files.append(File(path: prefix.isEmpty ? "contents" : prefix + "/contents", bytes: written.xml))
  }

  private static func fileName(_ version: String, _ format: ModelFormat) -> String {
    "\(version).\(format.versionFormat.rawValue)"
  }

  private mutating func addCurrent(_ name: String, _ format: ModelFormat) {
    if format == .xcodeVersions {
      let entry = Self.fileName(name, format)
      files.append(File(path: ".xccurrentversion", bytes: XcodeModelPackage.currentVersion(entry)))
    } else {
      files.append(File(path: "current", bytes: Array("\(name)\n".utf8)))
    }
  }

  private mutating func addLosses(_ versions: ModelVersions, _ format: ModelFormat) {
    let others = versions.names.filter { $0 != versions.currentName }
    if !format.hasVersions, !others.isEmpty {
      let finding = ModelFinding(
        "other-versions-left-out", at: ModelPath(),
        "Only the current version \(versions.currentName) is written, without \(others.joined(separator: ", ")).",
        remedy: "Write to a .graphmodel or .xcdatamodeld directory to keep all.")
      notices.append(Notice(finding: finding, file: versions.path))
    }
    notices += versions.mappings.map {
      Notice(
        finding: ModelFinding(
          "mapping-left-out", at: ModelPath(),
          "The mapping from \($0.source) to \($0.destination) is not converted."), file: $0.path)
    }
  }
}
