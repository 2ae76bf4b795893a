extension StoreRepair {
  /// One thing that is mended.
  public struct Step: Hashable, Sendable {
    /// The check that finds it.
    public let check: String
    /// What it concerns: an entity, a property such as `Photo.image`, or a table.
    public let subject: String
    /// The number of rows, links or parts that are changed.
    public let count: Int
    /// The short names (`Employee/p4`) of the first objects concerned, at most ten.
    public let objects: [String]
    /// What is done, as a sentence without full stop and without the objects' names.
    public let message: String
  }

  /// One thing that is left as it is.
  public struct Unrepaired: Hashable, Sendable {
    /// What is wrong.
    public let finding: StoreCheckFinding
    /// Why it is not mended, as a sentence without full stop.
    public let reason: String
    /// What a person can do about it, as a sentence without full stop.
    public let remedy: String

    init(_ finding: StoreCheckFinding, _ advice: RepairAdvice) {
      self.finding = finding
      reason = advice.reason
      remedy = advice.remedy.replacing(RepairAdvice.property, with: finding.subject)
    }
  }

  /// What was done.
  public struct Result: Hashable, Sendable {
    /// What was mended.
    public let steps: [Step]
    /// What was left as it is: all that a check of the store finds from now on.
    public let unrepaired: [Unrepaired]
    /// The path of the copy of the store as it was before.
    public let backup: String
  }
}
