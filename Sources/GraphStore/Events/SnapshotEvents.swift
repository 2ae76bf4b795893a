/// Why the values of an object were reset as a whole (OBJ-068).
public struct SnapshotEvents: OptionSet, Sendable {
  /// The flags.
  public let rawValue: Int

  /// Makes a set of flags.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// An insertion was undone, or redone away.
  public static let undoInsertion = Self(rawValue: 1 << 0)
  /// A deletion was undone, or an insertion redone.
  public static let undoDeletion = Self(rawValue: 1 << 1)
  /// A change was undone or redone.
  public static let undoUpdate = Self(rawValue: 1 << 2)
  /// The context was rolled back.
  public static let rollback = Self(rawValue: 1 << 3)
  /// The object was refreshed, and its own changes put on top.
  public static let refresh = Self(rawValue: 1 << 4)
  /// A merge policy has resolved a conflict.
  public static let mergePolicy = Self(rawValue: 1 << 5)
}
