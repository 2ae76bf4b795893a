extension ModelLinter {
  /// Everything found at a path, for every kind of model: of a directory all versions are checked, and their
  /// succession.
  ///
  /// - Throws: ``ModelError``: `model-not-found`; `model-unreadable` for a path that is no model at all.
  ///   Problems of a model, text that is no JSON, and a current version that does not exist are findings.
  public func report(at path: String) throws(ModelError) -> ModelCheckReport {
    let versions: ModelVersions
    do throws(ModelError) {
      versions = try ModelVersions(at: path)
    } catch {
      let isVersionNamed = ModelReference(path).version != nil
      guard error.problems.first?.code == .badVersion, !isVersionNamed else { throw error }
      let name = ModelFile.baseName(of: path)
      return ModelCheckReport(versions: [Self.failed(error, name: name, file: path, isCurrent: true)])
    }
    var report = ModelCheckReport(versions: [])
    for name in versions.names { report.versions.append(try check(version: name, of: versions)) }
    checkSuccession(of: versions, report: &report)
    return report
  }

  private func check(
    version name: String, of versions: ModelVersions
  ) throws(ModelError) -> ModelCheckReport.Version {
    let isCurrent = name == versions.currentName
    do throws(ModelError) {
      let document = try versions.document(named: name)
      let found = check(document)
      // Stores are made of the current version; without warnings what it cannot do yet is enough.
      let findings =
        isCurrent || includesWarnings
        ? found.findings : found.findings.filter { Self.rule(named: $0.code.rawValue)?.scope != .support }
      return ModelCheckReport.Version(
        name: name, file: document.file ?? versions.path, isCurrent: isCurrent, findings: findings,
        model: found.model, document: document)
    } catch {
      let code = error.problems.first?.code
      if !versions.format.hasVersions, code == .notFound || code == .unreadable { throw error }
      return Self.failed(error, name: name, file: error.file ?? versions.path, isCurrent: isCurrent)
    }
  }

  private static func failed(
    _ error: ModelError, name: String, file: String, isCurrent: Bool
  ) -> ModelCheckReport.Version {
    ModelCheckReport.Version(
      name: name, file: file, isCurrent: isCurrent, findings: error.problems,
      model: nil, document: nil)
  }
}

/// Report of a check at a path: over each version of a directory, or over a single file.
///
/// ```swift
/// let report = try ModelLinter().report(at: "Company.graphmodel")
/// print(report.count(.error), "errors,", report.count(.warning), "warnings")
/// for version in report.versions { print(version.name, version.findings.map(\.message)) }
/// ```
public struct ModelCheckReport: Sendable {
  /// Findings in one file.
  public struct Version: Sendable {
    /// The name of the version.
    public let name: String
    /// The file.
    public let file: String
    /// Whether it is the current version.
    public let isCurrent: Bool
    /// The findings, in document order.
    public internal(set) var findings: [ModelProblem]
    /// The model; nil where it has problems.
    public let model: ManagedObjectModel?
    /// The document that was read; nil where it could not be.
    let document: ModelDocument?

    /// Adds problems of the model that others have found, each with its position in the file.
    package mutating func add(_ found: [ModelProblem]) {
      findings = document?.located(findings + found) ?? ModelProblem.inDocumentOrder(findings + found)
    }
  }

  /// The versions in order; a single file is one.
  public package(set) var versions: [Version]

  /// Everything found, version by version.
  public var findings: [ModelProblem] { versions.flatMap(\.findings) }

  /// The number of findings of a severity.
  public func count(_ severity: ModelProblem.Severity) -> Int {
    versions.reduce(0) { $0 + $1.findings.count { $0.severity == severity } }
  }
}
