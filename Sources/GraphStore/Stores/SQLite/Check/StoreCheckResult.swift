/// The outcome of one check of a store.
public struct StoreCheckResult: Sendable {
  /// The name of the check.
  public let name: String
  /// What is wrong; empty when nothing is.
  public let findings: [StoreCheckFinding]
  /// How long the check took.
  public let elapsed: Duration

  /// Whether nothing is wrong; warnings do not count.
  public var isOK: Bool { !findings.contains { $0.severity == .failure } }
}
