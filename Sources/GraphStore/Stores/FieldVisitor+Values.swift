import Foundation
import GraphStorePredicates

extension QueryOperand {
  /// Shows what an expression has yielded.
  ///
  /// - Parameter isSingle: Whether numbers are those of an attribute of single precision, which a value itself does not know.
  func show(to visitor: inout some FieldVisitor, isSingle: Bool) {
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
  func show(to visitor: inout some FieldVisitor, isSingle: Bool) {
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
