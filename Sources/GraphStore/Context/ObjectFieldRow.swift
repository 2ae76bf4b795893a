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
    values[field].show(to: &visitor, isSingle: fields[field].isSingle)
  }
}
