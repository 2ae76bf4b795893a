import GraphStoreModel

/// Representation of a property's value in its slot of a row.
package enum SlotKind: UInt8, Sendable {
  /// A signed integer, in place.
  case int16, int32, int64
  /// 0 or 1, in place.
  case boolean
  /// The bits of a double, in place; dates are seconds since 2001-01-01 UTC.
  case double, float, date
  /// Offset and length in the tail.
  case string, uri, uuid, binary
  /// A decimal in one of the forms of ``DecimalSlot``.
  case decimal
  /// Entity and key of the destination, in place.
  case toOne
  /// Nothing in the row.
  case toMany
  /// Nothing anywhere: a property kind that objects do not hold.
  case none
  /// Offset and length in the tail of the bytes that a transformer has made; the decoded value is stored
  /// beside the row.
  case transformable = 16
  /// Nothing by itself: the elements have slots of their own.
  case composite
  /// Nothing in the row: a value of any type, which is stored beside it.
  case undefined
  /// Offset and length in the tail of binary data, or of the name of their file, as ``ExternalColumn`` says.
  case external

  package init(_ attribute: AttributeDescription) {
    self = attribute.allowsExternalStorage ? .external : SlotKind(attribute.type)
  }

  package init(_ type: AttributeType) {
    switch type {
    case .int16: self = .int16
    case .int32: self = .int32
    case .int64: self = .int64
    case .decimal: self = .decimal
    case .double: self = .double
    case .float: self = .float
    case .string: self = .string
    case .boolean: self = .boolean
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .binary: self = .binary
    case .transformable: self = .transformable
    case .undefined: self = .undefined
    case .composite: self = .composite
    }
  }

  /// Whether a whole number can be stored in the slot as it is.
  @inline(__always)
  package func holds(_ value: Int64) -> Bool {
    switch self {
    case .int64: true
    case .int32: Int64(Int32(truncatingIfNeeded: value)) == value
    case .int16: Int64(Int16(truncatingIfNeeded: value)) == value
    case .boolean: value & ~1 == 0
    default: false
    }
  }

  /// Whether a floating-point number, or a date's seconds, can be stored in the slot as it is.
  @inline(__always)
  package func holds(_ value: Double) -> Bool {
    switch self {
    case .double: !value.isNaN
    case .float: !value.isNaN && Double(Float(value)) == value
    case .date: value.isFinite
    default: false
    }
  }

  /// Whether values of the property have a slot in the row.
  package var hasSlot: Bool {
    switch self {
    case .toMany, .none, .composite, .undefined: false
    default: true
    }
  }

  /// Whether a slot alone does not make the value: it is stored beside the row, in several slots, or perhaps
  /// in a file. These kinds are last, so that the access by key distinguishes them from all others with one
  /// comparison.
  package var needsObject: Bool { rawValue >= Self.transformable.rawValue }

  /// Whether the slot refers to bytes in the tail of the block.
  package var usesTail: Bool {
    switch self {
    case .string, .uri, .uuid, .binary, .decimal, .transformable, .external: true
    default: false
    }
  }
}

/// The kinds of attribute that a Swift type can be read from. Underscored: only the attribute types show it.
public struct _AttributeKinds: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  package init(_ kind: SlotKind) {
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

  /// A property that a ``ToOneKey`` reads.
  package static let toOne = Self(rawValue: 1 << 30)

  /// A property that a ``ToManyKey`` reads.
  package static let toMany = Self(rawValue: 1 << 29)

  /// A property that no Swift type reads.
  package static let unreadable = Self(rawValue: 1 << 31)
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
