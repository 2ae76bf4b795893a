import Foundation
import GraphStore

/// In-memory sort of records by the values of their sort keys.
struct RecordSorter {
  private let descriptors: [QuerySortDescriptor]
  private let keys: [ExpressionEvaluator]
  private let locale = ProcessLocale.current
  private var bytes: [UInt8] = []
  /// Where each record ends in the bytes.
  private var ends: [Int] = []
  /// The keys of all records, one record after the other.
  private var values: ContiguousArray<Value> = []

  /// Reads sort keys, such as `-age,name:localized`. `SELF` is the record itself.
  init(parsing text: String) throws(QueryPredicateError) {
    descriptors = try QuerySortDescriptor.list(parsing: text)
    keys = try descriptors.map { descriptor throws(QueryPredicateError) in
      do {
        return try ExpressionEvaluator(descriptor.expression, isResult: false)
      } catch let error as QueryPredicateError {
        throw error.located(in: text)
      } catch {
        throw QueryPredicateError(.unsupportedSort, "\(error)", source: text, range: descriptor.sourceRange)
      }
    }
  }

  mutating func add(_ operand: QueryOperand, _ record: UnsafeBufferPointer<UInt8>) throws {
    for key in keys {
      do {
        values.append(try key.value(for: operand))
      } catch let error as QueryPredicateError where error.code == .unknownKey && !operand.isObject {
        // What is no object has no keys, and stands where nil does.
        values.append(.null)
      }
    }
    unsafe bytes.append(contentsOf: record)
    ends.append(bytes.count)
  }

  /// Hands over the records in order, equal ones as they came.
  func forEach(limit: Int?, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    let places = ends.indices.sorted { first, second in
      let order = order(first, second)
      return order == .orderedSame ? first < second : order == .orderedAscending
    }
    try unsafe bytes.withUnsafeBufferPointer { bytes in
      for place in places.prefix(limit ?? places.count) {
        let start = place == 0 ? 0 : ends[place - 1]
        try unsafe body(UnsafeBufferPointer(rebasing: bytes[start..<ends[place]]))
      }
    }
  }

  private func order(_ first: Int, _ second: Int) -> ComparisonResult {
    for (index, descriptor) in descriptors.enumerated() {
      let left = values[first * keys.count + index]
      let right = values[second * keys.count + index]
      let (first, second) = (Self.rank(left), Self.rank(right))
      if first != second, !left.isNull, !right.isNull {
        return descriptor.ascending ? first.compared(to: second) : second.compared(to: first)
      }
      let order = descriptor.order(left, right, locale: locale)
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }

  /// Values of different kinds do not compare; they are put one kind behind the other.
  private static func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .bool, .int, .double, .decimal: 1
    case .string: 2
    case .date: 3
    case .uuid: 4
    case .uri: 5
    case .data: 6
    case .object: 7
    case .list: 8
    case .dictionary: 9
    }
  }
}

extension Int {
  fileprivate func compared(to other: Int) -> ComparisonResult {
    self < other ? .orderedAscending : self > other ? .orderedDescending : .orderedSame
  }
}
