import Foundation
import GraphStoreModel
import GraphStorePredicates

/// One dictionary of a result that is read value by value, without one being made.
///
/// It is good until the next one is handed over.
public protocol ResultRow {
  /// Shows the value of a result, by its position, to a visitor.
  func visit(_ field: Int, _ visitor: inout some FieldVisitor)
}

/// A result whose values are in memory.
package struct ValueResultRow: ResultRow {
  package let values: [Value]
  /// Whether each value is one of an attribute of single precision, which a value itself does not know.
  package let isSingle: [Bool]

  package func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    values[field].show(to: &visitor, isSingle: isSingle[field])
  }
}

extension ResultQuery {
  /// For each result whether its values are of single precision, as they are stored.
  package var singlePrecision: [Bool] {
    results.map { result in
      if let conversion = result.conversion { return conversion == .float }
      return result.type == .float
    }
  }
}

/// Values of one result while it is computed: those of the leaves, then those of the results, as expressions
/// over them read it.
package final class ResultRecord: PropertySource {
  package private(set) var leaves: [Value]
  package var results: [Value] = []

  package init(leaves: [Value]) { self.leaves = leaves }

  package var _objectReference: ObjectReference? { nil }

  package func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let position = Int(key.name.dropFirst()) else { return .null }
    return .value(key.name.hasPrefix("#") ? leaves[position] : results[position])
  }
}

extension Value {
  /// The value as one of an attribute's type, as far as nothing of it is lost but what doubles cannot
  /// distinguish; nil where it does not fit (FET-083).
  package func converted(to type: AttributeType) -> Value? {
    if isNull { return self }
    switch type {
    case .int16: return whole(in: Int64(Int16.min)...Int64(Int16.max))
    case .int32: return whole(in: Int64(Int32.min)...Int64(Int32.max))
    case .int64: return whole(in: .min ... .max)
    case .float: return single
    case .decimal: return present(cast(to: .decimal))
    case .double: return present(cast(to: .double))
    case .string: return present(cast(to: .string))
    case .boolean: return present(cast(to: .boolean))
    case .date: return present(cast(to: .date))
    case .uuid: return present(cast(to: .uuid))
    case .uri: return present(cast(to: .uri))
    case .binary: return present(cast(to: .data))
    case .transformable, .composite, .undefined: return nil
    }
  }

  private func present(_ value: Value) -> Value? { value.isNull || value.isNaN ? nil : value }

  /// The whole number that the value is; a fraction does not fit.
  private func whole(in range: ClosedRange<Int64>) -> Value? {
    guard case .int(let number) = cast(to: .integer), range.contains(number),
      cast(to: .number).isEqual(to: .int(number))
    else { return nil }
    return .int(number)
  }

  /// The nearest single-precision number; one beyond their range does not fit.
  private var single: Value? {
    guard case .double(let number) = cast(to: .double) else { return nil }
    let single = Float(number)
    guard single.isFinite || number.isInfinite else { return nil }
    return .double(Double(single))
  }
}
