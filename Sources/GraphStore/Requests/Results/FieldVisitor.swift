import Foundation
import GraphStorePredicates

/// Visitor of a field's value: is shown it in the form in which it is at hand, so that none is made only to
/// be printed.
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
  /// The destination of a to-one, by its whole identifier: that of an object in memory, which may be in
  /// another store than the row. By default it is shown by its entity and key.
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

extension QueryOperand {
  /// Shows what an expression has yielded.
  ///
  /// - Parameter isSingle: Whether numbers are those of an attribute of single precision, which a value
  ///   itself does not know.
  package func show(to visitor: inout some FieldVisitor, isSingle: Bool) {
    switch self {
    case .value(let value): value.show(to: &visitor, isSingle: isSingle)
    case .source(let source):
      (source._objectReference.map { Value.object($0) } ?? .null).show(to: &visitor, isSingle: false)
    case .collection(let members, _):
      visitor.beginList()
      for member in members { member.show(to: &visitor, isSingle: isSingle) }
      visitor.endList()
    }
  }
}

extension Value {
  /// Shows the value; a dictionary, which is none of a field, as nothing.
  package func show(to visitor: inout some FieldVisitor, isSingle: Bool) {
    switch self {
    case .null, .dictionary: visitor.null()
    case .bool(let flag): visitor.boolean(flag)
    case .int(let number): visitor.integer(number)
    case .double(let number): visitor.double(number, isSingle: isSingle)
    case .decimal(let number): visitor.decimal(number)
    case .string(var text): text.withUTF8 { unsafe visitor.text($0) }
    case .date(let date): visitor.date(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid):
      unsafe withUnsafeBytes(of: uuid.uuid) { unsafe visitor.uuid($0.bindMemory(to: UInt8.self)) }
    case .uri(let uri):
      var text = uri.absoluteString
      text.withUTF8 { unsafe visitor.uri($0) }
    case .data(let data): unsafe Array(data).withUnsafeBufferPointer { unsafe visitor.data($0) }
    case .object(let reference):
      guard let id = reference.identifier(as: ManagedObjectID.self) else { return visitor.null() }
      visitor.reference(id)
    case .list(let members):
      visitor.beginList()
      for member in members { member.show(to: &visitor, isSingle: isSingle) }
      visitor.endList()
    }
  }
}

/// One record of a result that is read field by field, without an object being made.
///
/// It is good until the next record is handed over.
///
/// A result of any length takes the memory of one row:
///
/// ```swift
/// try context.enumerateFields(Employee.fetchRequest(), keyPaths: ["name", "salary"]) { row in
///   print(row.entityName, row.objectID)
/// }
/// ```
public protocol FieldRow: ResultRow {
  /// Name of the record's own entity.
  var entityName: String { get }
  /// The record's key; negative for an unsaved object.
  var key: Int64 { get }
  /// The record's identifier.
  var objectID: ManagedObjectID { get }
}
