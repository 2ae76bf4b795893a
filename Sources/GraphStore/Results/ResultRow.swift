import GraphStorePredicates

/// One dictionary of a result that is read value by value, without one being made.
///
/// It is good until the next one is handed over.
public protocol ResultRow {
  /// Shows the value of a result, by its position, to a visitor.
  func visit(_ field: Int, _ visitor: inout some FieldVisitor)
}

/// A result whose values are in memory.
struct ValueResultRow: ResultRow {
  let values: [Value]
  /// Whether each value is one of an attribute of single precision, which a value itself does not know.
  let isSingle: [Bool]

  func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    values[field].show(to: &visitor, isSingle: isSingle[field])
  }
}

extension ResultQuery {
  /// For each result whether its values are of single precision, as they are stored.
  var singlePrecision: [Bool] {
    results.map { result in
      if let conversion = result.conversion { return conversion == .float }
      return result.type == .float
    }
  }
}
