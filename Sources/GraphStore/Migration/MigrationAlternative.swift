/// Way between two versions that a plan does not take: version by version, or at once over the versions between (MIG-045).
public struct MigrationAlternative: Sendable {
  /// Whether it goes version by version, where the plan goes at once.
  public let isStepByStep: Bool
  /// Whether it would leave less behind than the plan, which goes version by version because it was asked to.
  public internal(set) var keepsMore = false
  /// Its steps; none where one of them cannot be inferred.
  public let steps: [MigrationStep]
  /// What it would leave behind, in the order of the steps.
  public let losses: [MigrationLoss]
  /// Why it cannot be gone; empty where it can.
  public let refusals: [GraphStoreError]
}
