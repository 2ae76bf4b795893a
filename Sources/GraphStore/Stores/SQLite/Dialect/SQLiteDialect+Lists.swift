import Foundation
import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  func isMember(
    _ left: SQLOperand, of constants: [Value], _ options: QueryComparison.Options
  ) -> SQLAnswer {
    var values = constants
    var expression = left.expression
    if left.type == .string, !options.isPlain {
      guard !options.contains(.localized) else { return .no("the comparisons of a locale run in memory") }
      values = constants.map { value in
        if case .string(let text) = value { return .string(TextFolding(options).key(of: text)) }
        return value
      }
      expression = .call(SQLiteTextFunctions.foldName, [expression, .number(options.code)])
    }
    var bindings: [SQLBinding] = []
    bindings.reserveCapacity(values.count)
    for value in values {
      guard let binding = member(value, as: left.type) else {
        return .no("a member of the list cannot be compared in the store")
      }
      bindings.append(binding)
    }
    return .exact(.isMember(expression, SQLiteListFunctions.list(bindings)))
  }

  private func member(_ value: Value, as type: ExpressionType) -> SQLBinding? {
    if type == .decimal {
      switch value {
      case .decimal(let number): return StoredDecimal.binding(number)
      case .int(let number): return StoredDecimal.binding(Decimal(number))
      case .bool(let flag): return .integer(flag ? 1 : 0)
      default: return nil
      }
    }
    if case .decimal(let number) = value, type.isNumber {
      if let integer = StoredDecimal.integer(number) { return .integer(integer) }
      let near = StoredDecimal.double(number)
      if Value.double(near).order(to: value) == .orderedSame { return .double(near) }
      // No whole number equals it, and doubles are looked up in memory.
      return type == .integer || type == .boolean ? .double(0.5) : nil
    }
    return binding(value, as: type)
  }
}
