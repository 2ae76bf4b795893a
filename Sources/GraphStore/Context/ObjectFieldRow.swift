import Foundation
import GraphStoreModel
import GraphStorePredicates

/// A key path whose value is asked of objects in memory.
struct ObjectField {
  fileprivate let evaluator: ExpressionEvaluator
  fileprivate let keyPath: String
  /// Whether its numbers are those of an attribute of single precision, which a value itself does not know.
  fileprivate let isSingle: Bool

  init(_ keyPath: String, _ resolved: ResolvedKeyPath) throws {
    evaluator = try ExpressionEvaluator(QueryExpression(parsing: keyPath))
    self.keyPath = keyPath
    isSingle = resolved.isSinglePrecision
  }
}

/// The requested fields of an object, or record, in memory.
struct ObjectFieldRow: FieldRow {
  let objectID: ManagedObjectID
  private let fields: [ObjectField]
  private let values: [QueryOperand]

  /// Reads fields of an object; errors name the key path in which they lie.
  init(_ object: ManagedObject, fields: [ObjectField]) throws {
    try self.init(object, objectID: object.objectID, fields: fields)
  }

  var entityName: String { objectID.entity.name }
  var key: Int64 { objectID.key }

  init(_ object: some PropertySource, objectID: ManagedObjectID, fields: [ObjectField]) throws {
    self.objectID = objectID
    self.fields = fields
    values = try fields.map { field in
      do { return try field.evaluator.operand(for: .source(object)) } catch let error as QueryPredicateError {
        throw error.located(in: field.keyPath)
      }
    }
  }

  func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    Self.visit(values[field], isSingle: fields[field].isSingle, &visitor)
  }

  private static func visit(
    _ operand: QueryOperand, isSingle: Bool, _ visitor: inout some FieldVisitor
  ) {
    switch operand {
    case .value(let value): visit(value, isSingle: isSingle, &visitor)
    case .source(let source):
      visit(source._objectReference.map { Value.object($0) } ?? .null, isSingle: false, &visitor)
    case .collection(let members, _):
      visitor.beginList()
      for member in members { visit(member, isSingle: isSingle, &visitor) }
      visitor.endList()
    }
  }

  private static func visit(_ value: Value, isSingle: Bool, _ visitor: inout some FieldVisitor) {
    switch value {
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
      for member in members { visit(member, isSingle: isSingle, &visitor) }
      visitor.endList()
    }
  }
}
