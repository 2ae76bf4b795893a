import GraphStoreReports

/// Examination of the configuration files and of the variables that stand for them.
struct ConfigurationExamination {
  private let environment: [String: String]
  private let profile: String?

  /// - Parameter profile: The profile that an option names; nil for none.
  init(_ environment: [String: String], profile: String?) {
    (self.environment, self.profile) = (environment, profile)
  }

  var findings: [ExaminationFinding] {
    do {
      let configuration = try Configuration(environment: environment, profile: profile)
      _ = try CommandSettings(environment: environment, configuration: configuration)
      let files =
        configuration.files.isEmpty
        ? "no file: none is needed" : configuration.files.joined(separator: ", ")
      let profiles = configuration.profileNames
      let listed = profiles.isEmpty ? "" : "  profiles: \(profiles.joined(separator: ", "))"
      return [ExaminationFinding("config", files + listed)] + configuration.warnings.map(Self.finding)
    } catch {
      return [Self.finding(DiagnosticMapper.diagnostic(for: error))]
    }
  }

  private static func finding(_ problem: Diagnostic) -> ExaminationFinding {
    let isWarning = problem.severity == .warning
    let place = problem.location.map { location in
      ([location.file] + [location.line, location.column].compactMap { $0.map { "\($0)" } })
        .joined(separator: ":") + ": "
    }
    return ExaminationFinding(
      isWarning ? .warning : .failure, "config", (place ?? "") + problem.message,
      remedy: problem.hints.first
        ?? (isWarning ? "take it over with chown, or remove it" : "mend the file, or remove it"))
  }
}
