/// A record's own entity, by its position in the model, and its key.
package struct ObjectKey: Hashable, Sendable {
  package var entity: Int
  package var key: Int64

  package init(entity: Int, key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// The location of a record, or of a new object, by its entity tree.
package struct RecordKey: Hashable {
  package let root: Int
  package let key: Int64
}

/// Location of a record, which orders records that are equal by all sort descriptors of a request.
package struct RecordLocation {
  package let storeIndex: Int32
  /// Negative for an object that was never saved.
  package let key: Int64
}

/// A to-one reference as one word of a row: the destination's entity and key.
///
/// The key takes 48 bits, which no store reaches: at a million insertions a second it would last four years.
package struct PackedReference: Hashable {
  package let bits: UInt64

  package static let keyRange: ClosedRange<Int64> = -(1 << 47)...((1 << 47) - 1)

  package init(bits: UInt64) { self.bits = bits }

  package init(entity: Int, key: Int64) {
    bits = UInt64(UInt16(truncatingIfNeeded: entity)) << 48 | (UInt64(bitPattern: key) & 0xFFFF_FFFF_FFFF)
  }

  /// Position of the destination's entity in the model.
  package var entity: Int { Int(bits >> 48) }

  /// The destination's key; negative while it is unsaved.
  package var key: Int64 { Int64(bitPattern: bits << 16) >> 16 }
}

/// The version of a record as a store has just written it.
package struct RecordVersion: Sendable {
  /// The position of the root entity in the model.
  package var root: Int
  package var key: Int64
  package var version: Int64

  package init(root: Int, key: Int64, version: Int64) {
    self.root = root
    self.key = key
    self.version = version
  }
}
