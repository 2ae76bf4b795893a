import GraphStorePredicates

/// Evaluation of a request for dictionaries over records in memory: reads records, and returns the results.
///
/// The order of work is that of FET-103; the predicate has been applied to the records already.
package struct ResultEvaluation {
  private let query: ResultQuery
  private let options: EvaluationOptions
  private let leaves: [LeafReader]
  private let expander: RowExpander
  /// The values of the leaves, for single rows.
  private var rows: [[Value]] = []
  private var groups: [ResultGroup] = []
  /// The position of each group, by the values that its rows have in common.
  private var places: [[Value]: Int] = [:]

  /// Reader of the value of a leaf of a record.
  private enum LeafReader {
    case expression(ExpressionEvaluator)
    case sort(SortEvaluator)

    /// - Parameter members: The members of the query's expansions.
    func value(of record: QueryOperand, members: [QueryOperand] = []) throws -> Value {
      let value =
        switch self {
        case .expression(let evaluator): try evaluator.value(for: record, members: members)
        case .sort(let evaluator): try evaluator.values(of: record)[0]
        }
      return value.isNaN ? .null : value
    }
  }

  package init(_ query: ResultQuery, options: EvaluationOptions) throws {
    self.query = query
    self.options = options
    expander = try RowExpander(query.expansions, options: options)
    let members = query.expansions.map(\.variable)
    leaves = try query.leaves.map { leaf in
      if case .sort(let descriptor) = leaf.role {
        return .sort(try SortEvaluator([descriptor], options: options))
      }
      return .expression(
        try ExpressionEvaluator(leaf.expression, members: members, options: options, isResult: false))
    }
    if query.isTotal { groups = [ResultGroup(keys: [], of: query)] }
  }

  /// Takes a record in.
  package mutating func take(_ record: QueryOperand) throws {
    guard query.isGrouped else {
      rows.append(try leaves.map { try $0.value(of: record) })
      return
    }
    var places: Set<Int> = []
    let (expander, keys) = (expander, leaves[..<query.keyCount])
    try expander.forEach(of: record) { members in
      let values = try keys.map { try $0.value(of: record, members: members) }
      places.insert(place(of: values))
    }
    for position in query.keyCount..<leaves.count {
      let value = try leaves[position].value(of: record)
      for group in places { groups[group].take(value, at: position - query.keyCount) }
    }
  }

  private mutating func place(of keys: [Value]) -> Int {
    if query.keyCount == 0 { return 0 }
    let common = keys.map(\.groupKey)
    if let known = places[common] { return known }
    groups.append(ResultGroup(keys: keys, of: query))
    places[common] = groups.count - 1
    return groups.count - 1
  }

  // MARK: Results

  /// The results in their order, not yet cut to the window.
  ///
  /// - Parameter check: Called repeatedly meanwhile; an error that it throws ends the work.
  package func results(checking check: () throws -> Void) throws -> [[Value]] {
    var records = try selected().map(ResultRecord.init(leaves:))
    let outputs = try query.results.map {
      try ExpressionEvaluator($0.expression, options: options, isResult: false)
    }
    for record in records {
      try check()
      record.results = try zip(outputs, query.results).map { output, result in
        try result.finished(try output.value(for: .source(record)))
      }
    }
    if query.isDistinct {
      var seen: Set<[Value]> = []
      records = records.filter { seen.insert($0.results.map(\.groupKey)).inserted }
    }
    return try sorted(records, checking: check).map(\.results)
  }

  /// The number of results.
  package func count(checking check: () throws -> Void) throws -> Int {
    query.isDistinct ? try results(checking: check).count : try selected().count
  }

  /// The values of the leaves of what the condition on groups selects.
  private func selected() throws -> [[Value]] {
    let all = query.isGrouped ? groups.map(\.leaves) : rows
    guard let having = query.having else { return all }
    let evaluator = try PredicateEvaluator(having, options: options)
    return try all.filter { try evaluator.evaluate(.source(ResultRecord(leaves: $0))) }
  }

  private func sorted(
    _ records: [ResultRecord], checking check: () throws -> Void
  ) throws -> [ResultRecord] {
    guard !query.order.isEmpty else { return records }
    let descriptors = query.order.map {
      QuerySortDescriptor(
        keyPath: QueryKeyPath(steps: [.key($0.subject.key)]), ascending: $0.ascending,
        comparator: $0.comparator, nilPlacement: $0.nilPlacement)
    }
    let evaluator = try SortEvaluator(descriptors, options: options)
    return try evaluator.sortedPositions(of: records.map { .source($0) }, checking: check).map { records[$0] }
  }
}
