/// One thing that is wrong with a store, for as many objects as it concerns.
public struct StoreCheckFinding: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable {
    /// Worth knowing; nothing is lost or read wrongly.
    case warning
    /// Something is lost, or will be read wrongly.
    case failure
  }

  /// The name of the check, such as `references`.
  public let name: String
  /// What it concerns: an entity, a property (`Employee.department`), two of them with ` / ` between, or a table.
  public let subject: String
  /// How bad it is.
  public let severity: Severity
  /// The number of objects, pairs or parts concerned.
  public let count: Int
  /// The short names (`Employee/p4`) of the first objects concerned, at most ten.
  public let objects: [String]
  /// What is wrong, as a sentence without full stop and without the objects' names.
  public let message: String

  /// The most objects that a finding names.
  public static let objectLimit = 10

  init(
    name: String, subject: String, severity: Severity = .failure, count: Int, objects: [String] = [],
    message: String
  ) {
    self.name = name
    self.subject = subject
    self.severity = severity
    self.count = count
    self.objects = objects
    self.message = message
  }
}
