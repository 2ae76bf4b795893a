import Foundation
import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  func isMember(
    _ left: SQLOperand, of constants: [Value], _ options: QueryComparison.Options
  ) -> SQLAnswer {
    if let unchecked = left.unchecked, unchecked.isSingle,
      constants.allSatisfy({ $0.isWholeNumber && !$0.isEqual(to: .int(.min)) })
    {
      // A result that overflowed is no integer, and its double equals none but the least.
      return isMember(SQLOperand(unchecked.expression, .integer), of: constants, options)
    }
    var values = constants
    var expression = left.expression
    if left.type == .string, !options.isPlain {
      if options.contains(.localized) {
        expression = .collated(expression, collation(options))
      } else {
        values = constants.map { value in
          if case .string(let text) = value { return .string(TextFolding(options).key(of: text)) }
          return value
        }
        expression = .call(SQLiteTextFunctions.foldName, [expression, .number(options.code)])
      }
    }
    guard !left.type.isNumber || left.type == .decimal || left.form <= .plain else {
      return .no(.differentKinds, "numbers of several kinds are looked up in memory")
    }
    var bindings: [SQLBinding] = []
    bindings.reserveCapacity(values.count)
    for value in values {
      switch member(value, of: left) {
      case .stored(let binding): bindings.append(binding)
      case .none: continue
      case .unknown: return .no(.differentKinds, "a member of the list cannot be compared in the store")
      }
    }
    // Nothing equals the members there were: false for every value, and unknown for a missing one.
    if bindings.isEmpty, !values.isEmpty { return .exact(.infix("<>", left.expression, left.expression)) }
    return .exact(
      .isMember(expression, SQLiteListFunctions.list(bindings)),
      note: left.type == .string && !options.isPlain ? Self.readsEveryRow : nil)
  }

  private enum Member {
    case stored(SQLBinding)
    /// No value of the column equals it.
    case none
    case unknown
  }

  private func member(_ value: Value, of left: SQLOperand) -> Member {
    if left.type == .decimal {
      switch EngineFunctions.decimalConstant(value) {
      case .decimal(let number): return .stored(StoredDecimal.binding(number))
      case .int(let number): return .stored(StoredDecimal.binding(Decimal(number)))
      case .bool(let flag): return .stored(.integer(flag ? 1 : 0))
      case .double: return .none
      default: return .unknown
      }
    }
    if case .decimal(let number) = value, left.type.isNumber {
      let near = number.nearestDouble
      // As a constant it means its nearest double where it meets doubles, and only itself where it meets
      // integers.
      if left.form == .real { return .stored(.double(near)) }
      if let integer = StoredDecimal.integer(number) { return .stored(.integer(integer)) }
      if Value.double(near).order(to: value) == .orderedSame { return .stored(.double(near)) }
      return left.form == .whole ? .none : .unknown
    }
    if case .int(let number) = value, left.form == .real, Int64(exactly: Double(number)) != number {
      // SQLite would round it to a double before it looks it up in the list.
      return .none
    }
    return binding(value, as: left.type).map(Member.stored) ?? .unknown
  }
}

extension Value {
  fileprivate var isWholeNumber: Bool {
    switch self {
    case .int, .bool: true
    default: false
    }
  }
}
