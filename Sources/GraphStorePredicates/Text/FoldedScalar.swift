/// The key of one scalar and how the scalar acts on its neighbours, in eight bytes: a page of a
/// ``FoldingTable`` is 256 of these.
struct FoldedScalar {
  /// The longest key that has room; a scalar with a longer one counts as joining.
  static let longestKey = 7

  private static let joinsBit: UInt64 = 1 << 59
  private static let dropsBit: UInt64 = 1 << 60
  private static let losesMarksBit: UInt64 = 1 << 61

  /// The bytes of the key from the lowest on, then their number and the flags in the highest byte.
  let bits: UInt64

  /// A scalar with a key of its own, whatever precedes it.
  init(key: some Collection<UInt8>, losesMarks: Bool) {
    var bits = UInt64(key.count) << 56
    for (index, byte) in key.enumerated() { bits |= UInt64(byte) << UInt64(index * 8) }
    self.bits = losesMarks ? bits | Self.losesMarksBit : bits
  }

  /// A scalar whose key cannot be determined without the text before it.
  init(joiningAndDroppedAfterBase isDropped: Bool) {
    bits = isDropped ? Self.joinsBit | Self.dropsBit : Self.joinsBit
  }

  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: bits >> 56 & 7) }

  /// Whether the scalar may reorder, compose with or belong to the text before it.
  @inline(__always)
  var joins: Bool { bits & Self.joinsBit != 0 }

  /// Whether the scalar is dropped after one that loses its marks.
  @inline(__always)
  var isDropped: Bool { bits & Self.dropsBit != 0 }

  /// Whether the marks that follow the scalar are dropped.
  @inline(__always)
  var losesMarks: Bool { bits & Self.losesMarksBit != 0 }
}
