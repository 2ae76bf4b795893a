/// Where a part of a predicate stands in its text, in UTF-8 bytes from 0.
///
/// All ranges are equal, and hash alike: trees are compared without regard to where they came from.
public struct SourceRange: Hashable, Sendable {
  private let storedOffset: UInt32
  private let storedLength: UInt32

  /// Makes a range from an offset and a length in UTF-8 bytes.
  public init(offset: Int, length: Int) {
    storedOffset = UInt32(clamping: offset)
    storedLength = UInt32(clamping: length)
  }

  /// The first byte's offset.
  public var offset: Int { Int(storedOffset) }
  /// The number of bytes.
  public var length: Int { Int(storedLength) }
  /// The offset after the last byte.
  public var end: Int { offset + length }

  /// Whether both are equal, as the type says.
  public static func == (left: SourceRange, right: SourceRange) -> Bool { true }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {}
}
