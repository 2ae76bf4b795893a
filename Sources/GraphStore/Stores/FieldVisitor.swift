import Foundation

/// Visitor of a field's value: is shown it in the form in which it is at hand, so that none is made only to be printed.
///
/// Buffers are good during the call.
public protocol FieldVisitor {
  /// A missing value.
  mutating func null()
  /// A truth value.
  mutating func boolean(_ value: Bool)
  /// A whole number.
  mutating func integer(_ value: Int64)
  /// A double or float.
  mutating func double(_ value: Double, isSingle: Bool)
  /// A decimal.
  mutating func decimal(_ value: Decimal)
  /// A decimal that is a whole number.
  mutating func decimal(whole: Int64)
  /// A decimal by the double whose shortest text it is.
  mutating func decimal(double: Double)
  /// UTF-8 text.
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>)
  /// A date in seconds since 2001-01-01 00:00 UTC.
  mutating func date(_ seconds: Double)
  /// A UUID's 16 bytes.
  mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>)
  /// A URI's UTF-8 text.
  mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>)
  /// Bytes.
  mutating func data(_ bytes: UnsafeBufferPointer<UInt8>)
  /// The destination of a to-one; the key is negative for an unsaved object.
  ///
  /// The record is in the store of the row that is shown.
  mutating func reference(_ entityName: String, _ key: Int64)
  /// The destination of a to-one, by its whole identifier: that of an object in memory, which may lie in another store than
  /// the row. By default it is shown by its entity and key.
  mutating func reference(_ id: ManagedObjectID)
  /// The members of a to-many, or the values of a path across one, begin; each follows as a value of its own.
  mutating func beginList()
  /// They end.
  mutating func endList()
}

extension FieldVisitor {
  /// Shows the entity and the key.
  public mutating func reference(_ id: ManagedObjectID) { reference(id.entity.name, id.key) }
}
