/// Range of a part of a predicate in its text, in UTF-8 bytes from 0, and in lines and columns from 1.
///
/// All ranges are equal, and hash alike: trees are compared without regard to their source.
public struct SourceRange: Hashable, Sendable {
  private let storedOffset: UInt32
  private let storedLength: UInt32
  private let storedLine: UInt32
  private let storedColumn: UInt32

  /// Makes a range from an offset and a length in UTF-8 bytes.
  public init(offset: Int, length: Int) {
    storedOffset = UInt32(clamping: offset)
    storedLength = UInt32(clamping: length)
    storedLine = 0
    storedColumn = 0
  }

  /// Makes a range that knows its line and column.
  package init(offset: Int, length: Int, line: Int?, column: Int?) {
    storedOffset = UInt32(clamping: offset)
    storedLength = UInt32(clamping: length)
    storedLine = UInt32(clamping: line ?? 0)
    storedColumn = UInt32(clamping: column ?? 0)
  }

  /// The first byte's offset.
  public var offset: Int { Int(storedOffset) }
  /// The number of bytes.
  public var length: Int { Int(storedLength) }
  /// The line of the first byte, from 1; nil for a range not made by the parser.
  public var line: Int? { storedLine == 0 ? nil : Int(storedLine) }
  /// The column of the first byte in characters, from 1; nil for a range not made by the parser.
  public var column: Int? { storedColumn == 0 ? nil : Int(storedColumn) }
  /// The range from the same start to another end.
  package func extended(to end: Int) -> SourceRange {
    SourceRange(offset: offset, length: max(0, end - offset), line: line, column: column)
  }
  /// The offset after the last byte.
  public var end: Int { offset + length }

  /// Whether both are equal, as the type says.
  public static func == (left: SourceRange, right: SourceRange) -> Bool { true }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {}
}
