import GraphStorePredicates

/// Makes the fields that are expressions, of the values that a store has read of each record.
package final class FieldComputation {
  package enum Field {
    /// A field that the store has read, by its position.
    case path(Int)
    case computed(ObjectField)
  }

  fileprivate let fields: [Field]
  private let pathCount: Int
  /// The record that expressions read.
  private let record = FieldRecord()

  /// - Parameter pathCount: How many fields the store reads.
  package init(pathCount: Int, fields: [Field]) {
    self.pathCount = pathCount
    self.fields = fields
  }

  /// A record with its computed fields.
  ///
  /// - Throws: what computing them throws, located in the text of the expression.
  package func row(of base: any FieldRow, in scope: StoreIdentity) throws -> ComputedFieldRow {
    var collector = ValueCollector(scope)
    record.values = (0..<pathCount).map { collector.value(of: base, $0) }
    record._objectReference = ObjectReference(base.objectID)
    let computed = try fields.map { field -> QueryOperand in
      guard case .computed(let field) = field else { return .null }
      return try field.operand(for: record)
    }
    return ComputedFieldRow(base: base, fields: fields, computed: computed)
  }
}

/// A record of which some fields are computed of what the store has read.
package struct ComputedFieldRow: FieldRow {
  fileprivate let base: any FieldRow
  fileprivate let fields: [FieldComputation.Field]
  fileprivate let computed: [QueryOperand]

  package var entityName: String { base.entityName }
  package var key: Int64 { base.key }
  package var objectID: ManagedObjectID { base.objectID }

  package func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    switch fields[field] {
    case .path(let position): base.visit(position, &visitor)
    case .computed(let source): computed[field].show(to: &visitor, isSingle: source.isSingle)
    }
  }
}

/// The values of key paths of one record, under the keys that ``ResultQuery/leafKey(_:)`` returns for their
/// positions.
private final class FieldRecord: PropertySource {
  var values: [Value] = []
  var _objectReference: ObjectReference?

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let position = Int(key.name.dropFirst()), values.indices.contains(position) else { return .null }
    return .value(values[position])
  }
}
