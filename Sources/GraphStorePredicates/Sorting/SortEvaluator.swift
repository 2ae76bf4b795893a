import Foundation

/// Sort descriptors prepared for comparing many objects. Not `Sendable`; make one for each thread.
///
/// ```swift
/// let evaluator = try SortEvaluator(QuerySortDescriptor.list(parsing: "-salary,name"))
/// for employee in try department.employees.sorted(using: evaluator) { print(employee.name) }
/// ```
public final class SortEvaluator {
  private let columns: [SortColumn]

  /// Prepares descriptors.
  public convenience init(
    _ descriptors: [QuerySortDescriptor], locale: Locale = ProcessLocale.current
  ) throws(QueryPredicateError) {
    try self.init(descriptors, options: EvaluationOptions(locale: locale))
  }

  /// Prepares descriptors; the options' locale counts.
  public init(_ descriptors: [QuerySortDescriptor], options: EvaluationOptions) throws(QueryPredicateError) {
    columns = try descriptors.map { descriptor throws(QueryPredicateError) in
      try SortColumn(descriptor, options: options)
    }
  }

  /// The values of the sort keys of one object, in the order of the descriptors.
  public func values(of object: QueryOperand) throws -> [Value] {
    try columns.map { try $0.value(of: object) }
  }

  /// The order of two objects by the values of their sort keys.
  public func order(_ left: [Value], _ right: [Value]) -> ComparisonResult {
    for (index, column) in columns.enumerated() {
      let order = column.order(column.comparable(left[index]), column.comparable(right[index]))
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }

  /// The number of keys read, or pairs of objects compared, between two checks.
  private static let checkInterval = 1024

  /// The positions of objects in sorted order; the sort is stable, and reads and prepares each key once an
  /// object.
  ///
  /// - Parameters:
  ///   - objects: What is sorted.
  ///   - check: Called repeatedly during the sort; an error that it throws ends it.
  public func sortedPositions(
    of objects: [QueryOperand], checking check: () throws -> Void = {}
  ) throws -> [Int] {
    try sortedPositions(of: objects, inBlocksOf: objects.count, preparing: { _ in }, checking: check)
  }

  /// As above, for objects whose keys are better read block by block.
  ///
  /// - Parameter prepare: Called with the positions of each block, before keys of it are read.
  package func sortedPositions(
    of objects: [QueryOperand], inBlocksOf size: Int, preparing prepare: (Range<Int>) throws -> Void,
    checking check: () throws -> Void
  ) throws -> [Int] {
    for column in columns { column.begin() }
    var step = 0
    func count() throws {
      step &+= 1
      if step % Self.checkInterval == 0 { try check() }
    }
    var keys = columns.map { _ in [SortValue]() }
    for start in stride(from: 0, to: objects.count, by: max(size, 1)) {
      let block = start..<min(start + size, objects.count)
      try prepare(block)
      for (number, column) in columns.enumerated() {
        for object in objects[block] {
          try count()
          keys[number].append(column.comparable(try column.value(of: object)))
        }
      }
    }
    return try objects.indices.sorted { first, second in
      try count()
      for (column, values) in zip(columns, keys) {
        switch column.order(values[first], values[second]) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return first < second
    }
  }
}

extension Sequence where Element: _PropertySource {
  /// The objects in the order of sort descriptors. The sort is stable.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = ProcessLocale.current
  ) throws -> [Element] {
    try sorted(using: SortEvaluator(descriptors, locale: locale))
  }

  /// The objects in the order of prepared sort descriptors. The sort is stable.
  ///
  /// - Parameters:
  ///   - evaluator: The sort descriptors, prepared.
  ///   - check: Called repeatedly during the sort; an error that it throws ends it.
  public func sorted(
    using evaluator: SortEvaluator, checking check: () throws -> Void = {}
  ) throws -> [Element] {
    let objects = Array(self)
    return try evaluator.sortedPositions(of: objects.map { .source($0) }, checking: check).map { objects[$0] }
  }
}

extension Sequence where Element == Value {
  /// The values in the order of sort descriptors. The sort is stable.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = ProcessLocale.current
  ) throws -> [Element] {
    let values = Array(self)
    let evaluator = try SortEvaluator(descriptors, locale: locale)
    return try evaluator.sortedPositions(of: values.map { .value($0) }).map { values[$0] }
  }
}

extension Sequence where Element == [String: Value] {
  /// The rows in the order of sort descriptors. The sort is stable.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = ProcessLocale.current
  ) throws -> [Element] {
    let rows = Array(self)
    let evaluator = try SortEvaluator(descriptors, locale: locale)
    return try evaluator.sortedPositions(of: rows.map { .value(.dictionary($0)) }).map { rows[$0] }
  }
}
