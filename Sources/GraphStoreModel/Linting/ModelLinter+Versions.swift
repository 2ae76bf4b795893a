extension ModelLinter {
  /// Adds the findings about versions when each is compared with the one before.
  func checkSuccession(of versions: ModelVersions, report: inout ModelCheckReport) {
    guard report.versions.count > 1 else { return }
    var refusals: [String?] = [nil]
    for position in report.versions.indices.dropFirst() {
      guard let old = report.versions[position - 1].model, let new = report.versions[position].model else {
        // A version with problems is a finding already; what it would allow is unknown.
        refusals.append(nil)
        continue
      }
      let difference = ModelDifference(from: old, to: new)
      if includesWarnings {
        var findings = VersionSuccession(difference, from: report.versions[position - 1].name).findings
        findings.removeAll { disabledRules.contains($0.code.rawValue) }
        report.versions[position].add(audible(findings, in: new.definition))
      }
      refusals.append(difference.isInferable ? nil : Self.refusal(difference))
    }
    let mappings = checkMappings(of: versions, report: &report)
    // Mappings of other makers' tools may be stored elsewhere and are not known here.
    let severity = versions.format == .versions ? ModelProblem.Severity.error : .warning
    guard !disabledRules.contains(ModelRule.noPath.id), includesWarnings || severity == .error else { return }
    checkPaths(mappings, refusals: refusals, severity: severity, report: &report)
  }

  /// Records each version from which no chain of steps leads to the current one. A step to the next version
  /// is inferred unless it is refused; written mappings lead anywhere.
  private func checkPaths(
    _ mappings: [MappingFile], refusals: [String?], severity: ModelProblem.Severity,
    report: inout ModelCheckReport
  ) {
    let names = refusals.indices.map { report.versions[$0].name }
    guard let current = report.versions.firstIndex(where: \.isCurrent) else { return }
    var arrives = names.map { $0 == names[current] }
    var sources: [String: [String]] = [:]
    for mapping in mappings { sources[mapping.destination, default: []].append(mapping.source) }
    var pending = [current]
    while let position = pending.popLast() {
      var before = (sources[names[position]] ?? []).compactMap { names.firstIndex(of: $0) }
      if position > 0, refusals[position] == nil { before.append(position - 1) }
      for source in before where !arrives[source] {
        arrives[source] = true
        pending.append(source)
      }
    }
    for position in names.indices where !arrives[position] && position < current {
      let reason = refusals[position + 1] ?? "version \(names[position + 1]) leads no further"
      let finding = ModelProblem(
        ModelProblem.Code(ModelRule.noPath.id), severity: severity, at: ModelPath(),
        message:
          "There is no way from version \(names[position]) to the current version \(names[current]): \(reason).",
        remedy:
          "Write mappings/\(names[position])-\(names[position + 1]).json, or make the change one that can be inferred."
      )
      report.versions[position].add([finding])
    }
  }

  private static func refusal(_ difference: ModelDifference) -> String {
    let refused = difference.changes.compactMap { change -> String? in
      guard case .refused(let reason) = change.effect else { return nil }
      return "\(change.path): \(reason)"
    }
    let more = refused.count - 1
    return (refused.first ?? "") + (more > 0 ? " (and \(more) more)" : "")
  }
}
