import Foundation
import GraphStoreModel
import GraphStorePredicates

/// A key path or expression whose value is asked of objects in memory.
package struct ObjectField {
  private let evaluator: ExpressionEvaluator
  private let text: String
  private let isComputed: Bool
  /// Whether its numbers are of single precision, which a value itself does not know.
  package let isSingle: Bool

  package init(_ keyPath: String, _ resolved: ResolvedKeyPath) throws {
    // As a key path: where an expression begins with a reserved word, a path has a key.
    evaluator = try ExpressionEvaluator(
      QueryExpression(
        .keyPath(QueryKeyPath(parsing: keyPath)),
        sourceRange: SourceRange(offset: 0, length: keyPath.utf8.count)))
    text = keyPath
    isComputed = false
    isSingle = resolved.isSinglePrecision
  }

  /// Makes a field of an expression, which yields nil where it is no number.
  package init(computing text: String, _ evaluator: ExpressionEvaluator, isSingle: Bool) {
    self.evaluator = evaluator
    self.text = text
    isComputed = true
    self.isSingle = isSingle
  }

  /// The value for an object, or record.
  ///
  /// - Throws: what evaluating throws, located in the text of the field.
  package func operand(for object: some PropertySource) throws -> QueryOperand {
    do {
      let operand = try evaluator.operand(for: .source(object))
      if isComputed, case .value(let value) = operand, value.isNaN { return .null }
      return operand
    } catch let error as QueryPredicateError {
      throw error.located(in: text)
    }
  }
}

/// The requested fields of an object, or record, in memory.
package struct ObjectFieldRow: FieldRow {
  package let objectID: ManagedObjectID
  private let fields: [ObjectField]
  private let values: [QueryOperand]

  package var entityName: String { objectID.entity.name }
  package var key: Int64 { objectID.key }

  /// Reads fields of an object, or record; errors name their key path.
  package init(_ object: some PropertySource, objectID: ManagedObjectID, fields: [ObjectField]) throws {
    self.objectID = objectID
    self.fields = fields
    values = try fields.map { try $0.operand(for: object) }
  }

  package func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    values[field].show(to: &visitor, isSingle: fields[field].isSingle)
  }
}
