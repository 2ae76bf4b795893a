import GraphStoreModel

/// Something that a migration leaves behind (MIG-051).
public struct MigrationLoss: Hashable, Sendable {
  /// The version in which it is still there, as people call it.
  public let version: String
  /// Where: `Employee`, or `Employee.nickname`.
  public let path: String
  /// What is lost, as a clause: "its values are left behind".
  public let reason: String
  /// How many objects of the store lose something; nil where that shows only on the way.
  public let count: Int?
  /// What to do to keep it, as a sentence; nil where nothing is known.
  public let remedy: String?

  /// One line for people.
  public var message: String {
    let number = count.map { $0 == 1 ? " (1 object)" : " (\($0) objects)" } ?? ""
    return "\(path): \(reason)\(number)"
  }
}
