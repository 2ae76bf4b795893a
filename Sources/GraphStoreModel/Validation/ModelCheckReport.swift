/// What a check found at a path: in each version of a directory, or in a single file.
public struct ModelCheckReport: Sendable {
  /// What was found in one file.
  public struct Version: Sendable {
    /// The name of the version.
    public let name: String
    /// The file.
    public let file: String
    /// Whether it is the current version.
    public let isCurrent: Bool
    /// What was found, in document order.
    public internal(set) var findings: [ModelProblem]
    /// The model; nil where it has problems.
    public let model: ManagedObjectModel?
    /// What was read; nil where it could not be.
    let document: ModelDocument?

    /// Adds what somebody else found in the model, each where it stands in the file.
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
