import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Filter of the transactions and changes of a history by a request's predicate.
struct HistoryFilter {
  /// Whether the predicate has keys of changes, so that it is evaluated for each of them.
  let isOfChanges: Bool
  private let evaluator: PredicateEvaluator?

  private static let keysOfChanges = [
    "changeType", "changeID", "changedEntity", "changedObjectID", "updatedProperties", "tombstone",
    "transaction",
  ]
  private static let keysOfTransactions = [
    "author", "contextName", "bundleID", "processID", "timestamp", "transactionNumber", "token", "storeID",
  ]

  /// - Throws: `unknown-key` for a key that neither has.
  init(_ predicate: QueryPredicate?) throws {
    let paths = predicate.map { $0.names.keyPaths.map { $0.split(separator: ".").map(String.init) } } ?? []
    for path in paths {
      if let key = path.first, !key.hasPrefix("@") {
        try Self.check(key, Self.keysOfChanges + Self.keysOfTransactions)
      }
      if path.first == "transaction", path.count > 1 { try Self.check(path[1], Self.keysOfTransactions) }
    }
    isOfChanges = paths.contains { Self.keysOfChanges.contains($0.first ?? "") }
    evaluator = try predicate.map { try PredicateEvaluator(Self.withDates($0) ?? $0) }
  }

  // MARK: Dates

  /// The predicate with constants as dates where they are compared with a timestamp (PRD-072); nil where it
  /// has none.
  private static func withDates(_ predicate: QueryPredicate) throws -> QueryPredicate? {
    if case .comparison(let comparison) = predicate,
      isTimestamp(comparison.left) || isTimestamp(comparison.right)
    {
      let (left, right) = (try date(comparison.left), try date(comparison.right))
      if left == nil, right == nil { return nil }
      return .comparison(
        QueryComparison(
          left: left ?? comparison.left, modifier: comparison.modifier, comparator: comparison.comparator,
          options: comparison.options, right: right ?? comparison.right,
          operatorRange: comparison.operatorRange))
    }
    return try predicate.rewritingParts(expression: withDates, predicate: withDates)
  }

  private static func withDates(_ expression: QueryExpression) throws -> QueryExpression? {
    try expression.rewritingParts(expression: withDates, predicate: withDates)
  }

  private static func isTimestamp(_ expression: QueryExpression) -> Bool {
    guard case .keyPath(let path) = expression.kind else { return false }
    return path.steps.last == .key("timestamp")
  }

  /// A constant, or a list of some, as dates; nil for what is none.
  private static func date(_ expression: QueryExpression) throws -> QueryExpression? {
    switch expression.kind {
    case .constant(let value):
      return QueryExpression(.constant(try date(value, expression)), sourceRange: expression.sourceRange)
    case .aggregate(let members):
      return QueryExpression(
        .aggregate(try members.map { try date($0) ?? $0 }), sourceRange: expression.sourceRange)
    default: return nil
    }
  }

  private static func date(_ value: Value, _ expression: QueryExpression) throws -> Value {
    switch value {
    case .int(let seconds): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case .double(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .decimal(let seconds): return .date(Date(timeIntervalSinceReferenceDate: seconds.nearestDouble))
    case .list(let members): return .list(try members.map { try date($0, expression) })
    case .string(let text):
      if let seconds = DateText.seconds(from: text) {
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
      }
    case .date, .null: return value
    default: break
    }
    throw QueryPredicateError(
      .typeMismatch, "\(value.literal) is no date, which a timestamp is compared with.",
      range: expression.sourceRange, hint: "Write a date as 2024-05-31 or 2024-05-31T12:30:00Z.",
      subject: "timestamp")
  }

  private static func check(_ key: String, _ known: [String]) throws {
    if known.contains(key) { return }
    var error = GraphStoreError(
      .unknownKey, "A history has no key \(key).",
      remedy: "Known are: \(known.sorted().joined(separator: ", ")).", property: key)
    error.suggestions = NearestNames.names(near: key, among: known)
    throw error
  }

  /// A transaction with those of its changes that pass; nil for one that does not pass, or has none of them.
  func filtered(_ transaction: PersistentHistoryTransaction) throws -> PersistentHistoryTransaction? {
    guard let evaluator else { return transaction }
    guard isOfChanges else {
      return try evaluator.evaluate(.source(HistoryRecord(transaction.header))) ? transaction : nil
    }
    let changes = try (transaction.changes ?? []).filter {
      try evaluator.evaluate(.source(HistoryRecord($0)))
    }
    return changes.isEmpty
      ? nil : PersistentHistoryTransaction(header: transaction.header, changes: changes)
  }
}

/// A transaction, or a change with the keys of its transaction, as predicates read it.
private final class HistoryRecord: PropertySource {
  private let header: HistoryTransactionHeader
  private let change: PersistentHistoryChange?

  init(_ header: HistoryTransactionHeader) {
    self.header = header
    change = nil
  }

  init(_ change: PersistentHistoryChange) {
    header = change.transaction.header
    self.change = change
  }

  var _objectReference: ObjectReference? { nil }

  func _operand(forKey key: _PropertyKey) throws -> QueryOperand {
    if key.name == "transaction" { return .source(HistoryRecord(header)) }
    return .value(value(key.name))
  }

  private func value(_ key: String) -> Value {
    switch key {
    case "author": .text(header.author)
    case "contextName": .text(header.contextName)
    case "bundleID": .string(header.bundleID)
    case "processID": .string(header.processID)
    case "timestamp": .date(header.timestamp)
    case "transactionNumber": .int(header.number)
    case "token": .string("\(PersistentHistoryTransaction(header: header, changes: nil).token)")
    case "storeID": .string(header.scope.uuid)
    default: change.map { Self.value(key, of: $0) } ?? .null
    }
  }

  private static func value(_ key: String, of change: PersistentHistoryChange) -> Value {
    switch key {
    case "changeType": .string("\(change.changeType)")
    case "changeID": .int(change.changeID)
    case "changedEntity": .string(change.changedObjectID.entity.name)
    case "changedObjectID": .object(ObjectReference(change.changedObjectID))
    case "updatedProperties": .list((change.updatedProperties ?? []).map { .string($0.name) })
    case "tombstone": change.tombstone.map { .dictionary($0) } ?? .null
    default: .null
    }
  }
}

extension Value {
  fileprivate static func text(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
}
