extension ModelLinter {
  /// Everything found at a path, whatever kind of model is there: of a directory all versions are looked at, and what
  /// their succession tells.
  ///
  /// - Throws: ``ModelError``: `model-not-found`; `model-unreadable` for a path that is no model at all. Problems of a model,
  ///   text that is no JSON, and a current version that does not exist are findings.
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
    for name in versions.names { report.versions.append(try look(at: name, of: versions)) }
    lookAtSuccession(of: versions, &report)
    return report
  }

  private func look(
    at name: String, of versions: ModelVersions
  ) throws(ModelError) -> ModelCheckReport.Version {
    let isCurrent = name == versions.currentName
    do throws(ModelError) {
      let document = try versions.document(named: name)
      let found = look(at: document)
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
