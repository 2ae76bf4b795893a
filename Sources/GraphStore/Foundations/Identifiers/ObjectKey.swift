/// A record's own entity, by its position in the model, and its key.
struct ObjectKey: Hashable, Sendable {
  var entity: Int
  var key: Int64
}

/// The location of a record, or of a new object, by its entity tree.
struct RecordKey: Hashable {
  let root: Int
  let key: Int64
}

/// Location of a record, which orders records that are equal by all sort descriptors of a request.
struct RecordLocation {
  let storeIndex: Int32
  /// Negative for an object that was never saved.
  let key: Int64
}

/// A to-one reference as one word of a row: the destination's entity and key.
///
/// The key takes 48 bits, which no store reaches: at a million insertions a second it would last four years.
struct PackedReference: Hashable {
  let bits: UInt64

  static let keyRange: ClosedRange<Int64> = -(1 << 47)...((1 << 47) - 1)

  init(bits: UInt64) { self.bits = bits }

  init(entity: Int, key: Int64) {
    bits = UInt64(UInt16(truncatingIfNeeded: entity)) << 48 | (UInt64(bitPattern: key) & 0xFFFF_FFFF_FFFF)
  }

  /// Position of the destination's entity in the model.
  var entity: Int { Int(bits >> 48) }

  /// The destination's key; negative while it is unsaved.
  var key: Int64 { Int64(bitPattern: bits << 16) >> 16 }
}

/// The version of a record as a store has just written it.
struct RecordVersion: Sendable {
  /// The position of the root entity in the model.
  var root: Int
  var key: Int64
  var version: Int64
}
