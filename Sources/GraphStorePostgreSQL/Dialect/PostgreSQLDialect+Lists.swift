#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLDialect {
  /// Whether a value is in an array, which is one parameter, whatever the number of its members (PRD-236).
  func isMember(
    _ left: SQLOperand, of constants: [Value], _ options: QueryComparison.Options
  ) -> SQLAnswer {
    if left.type == .string, !options.isPlain { return Self.foldedTexts(options) }
    guard let type = memberType(left) else {
      return .no(.differentKinds, "values of this type are looked up in memory")
    }
    var members: [String] = []
    members.reserveCapacity(constants.count)
    for value in constants {
      switch member(value, of: left, type) {
      case .stored(let text): members.append(text)
      case .absent: continue
      case .unknown: return .no(.differentKinds, "a member of the list cannot be compared in the store")
      }
    }
    // Nothing equals the members there were: false for every value, and unknown for a missing one.
    if members.isEmpty, !constants.isEmpty { return .exact(never(left.expression)) }
    let array = SQLExpression.infix(
      "::", .binding(.text(PostgreSQLArray.text(members))), .literal(type.rawValue + "[]"))
    return .exact(.infix("=", left.expression, .call("ANY", [array])))
  }

  private enum Member {
    case stored(String)
    /// No value of the column equals it.
    case absent
    case unknown
  }

  private func memberType(_ operand: SQLOperand) -> PostgreSQLType? {
    switch operand.type {
    case .string, .uri: return .text
    case .date: return .double
    case .uuid: return .uuid
    case .data: return .bytea
    default: break
    }
    switch form(operand) {
    case .boolean: return .boolean
    case .whole: return .bigint
    case .floating: return .double
    case .numeric: return .numeric
    case nil: return nil
    }
  }

  private func member(_ value: Value, of left: SQLOperand, _ type: PostgreSQLType) -> Member {
    switch (type, value) {
    case (.text, .string(let text)): return text.utf8.contains(0) ? .absent : .stored(text)
    case (.text, .uri(let uri)): return .stored(uri.absoluteString)
    case (.uuid, .uuid(let uuid)): return .stored(uuid.uuidString)
    case (.bytea, .data(let data)): return .stored("\\x" + PostgreSQLArray.hex(data))
    case (.double, .date(let date)): return .stored("\(date.timeIntervalSinceReferenceDate)")
    default: return left.type.isNumber ? number(value, of: left, type) : .unknown
    }
  }

  private func number(_ value: Value, of left: SQLOperand, _ type: PostgreSQLType) -> Member {
    switch (type, value) {
    case (.boolean, _):
      guard Self.isNumber(value) else { return .unknown }
      guard let number = Self.integer(value), number == 0 || number == 1 else { return .absent }
      return .stored(number == 1 ? "true" : "false")
    case (.bigint, _):
      guard Self.isNumber(value) else { return .unknown }
      return Self.integer(value).map { Member.stored(String($0)) } ?? .absent
    case (.double, .double(let number)): return .stored("\(number)")
    case (.double, .decimal(let number)): return .stored("\(number.nearestDouble)")
    case (.double, .int(let number)):
      return Int64(exactly: Double(number)) == number ? .stored("\(Double(number))") : .absent
    case (.double, .bool(let flag)): return .stored(flag ? "1" : "0")
    case (.numeric, _):
      switch left.type == .decimal ? EngineFunctions.decimalConstant(value) : value {
      case .decimal(let number): return .stored(number.description)
      case .int(let number): return .stored(String(number))
      case .bool(let flag): return .stored(flag ? "1" : "0")
      case .double where left.type == .decimal: return .absent
      default: return .unknown
      }
    default: return .unknown
    }
  }

  private static func isNumber(_ value: Value) -> Bool {
    switch value {
    case .int, .bool, .double, .decimal: true
    default: false
    }
  }
}
#endif
