/// The kinds of attribute that a Swift type can be read from. Underscored: only the attribute types show it.
public struct _AttributeKinds: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ kind: SlotKind) {
    self =
      switch kind {
      case .int16, .int32, .int64: .integer
      case .boolean: .boolean
      case .double, .float: .floating
      case .date: .date
      case .string: .string
      case .uri: .uri
      case .uuid: .uuid
      case .binary, .external: .binary
      case .decimal: .decimal
      case .toOne: .toOne
      case .toMany: .toMany
      case .none, .transformable, .composite, .undefined: .unreadable
      }
  }

  /// What a ``ToOneKey`` names.
  static let toOne = Self(rawValue: 1 << 30)

  /// What a ``ToManyKey`` names.
  static let toMany = Self(rawValue: 1 << 29)

  /// What no Swift type is read from.
  static let unreadable = Self(rawValue: 1 << 31)
  /// Whole numbers of every width.
  public static let integer = Self(rawValue: 1 << 0)
  /// Truth values.
  public static let boolean = Self(rawValue: 1 << 1)
  /// Doubles and floats.
  public static let floating = Self(rawValue: 1 << 2)
  /// Dates.
  public static let date = Self(rawValue: 1 << 3)
  /// Strings.
  public static let string = Self(rawValue: 1 << 4)
  /// URIs.
  public static let uri = Self(rawValue: 1 << 5)
  /// UUIDs.
  public static let uuid = Self(rawValue: 1 << 6)
  /// Bytes.
  public static let binary = Self(rawValue: 1 << 7)
  /// Decimals.
  public static let decimal = Self(rawValue: 1 << 8)
}
