/// One thing that is wrong with a store, for as many objects as it concerns.
public struct StoreCheckFinding: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable {
    /// Worth knowing; nothing is lost or read wrongly.
    case warning
    /// Something is lost, or will be read wrongly.
    case failure
  }

  /// The kind of damage, which tells what a repair does with it.
  let damage: StoreDamage
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

  /// Whether it is of a kind that ``StoreRepair`` mends, where nothing is in the way.
  public var isRepairable: Bool { damage.isMendable }

  /// The most objects that a finding names.
  public static let objectLimit = 10

  init(
    _ damage: StoreDamage, name: String, subject: String, severity: Severity = .failure, count: Int,
    objects: [String] = [],
    message: String
  ) {
    self.damage = damage
    self.name = name
    self.subject = subject
    self.severity = severity
    self.count = count
    self.objects = objects
    self.message = message
  }
}
