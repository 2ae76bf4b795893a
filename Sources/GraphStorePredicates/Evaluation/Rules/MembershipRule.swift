import Foundation

/// `IN`, and `CONTAINS` with the sides exchanged.
final class MembershipRule: ComparisonRule {
  private let comparer: ValueComparer
  private let isContains: Bool
  /// The members of a constant list, hashed; nil when they have to be compared one by one.
  private let table: MembershipTable?
  private let substring: SubstringTest

  init(
    _ comparer: ValueComparer, isContains: Bool, options: QueryComparison.Options, locale: Locale,
    constantList: [Value]?
  ) {
    self.comparer = isContains ? comparer.exchanged : comparer
    self.isContains = isContains
    table =
      comparer.collation == nil
      ? constantList.flatMap { MembershipTable($0, folding: comparer.folding) } : nil
    substring = SubstringTest(.contains, options: options, locale: locale)
  }

  override func truth(_ left: Operand, _ right: Operand, _ pass: EvaluationPass) -> Ternary {
    isContains ? membership(right, left, pass) : membership(left, right, pass)
  }

  private func membership(_ element: Operand, _ container: Operand, _ pass: EvaluationPass) -> Ternary {
    switch container {
    case .value(.list(let values)):
      if element.isMissing { return missing(pass, values.contains(where: \.isNull), values.isEmpty) }
      if let table, case .value(let value) = element, let found = table.contains(value) {
        return Ternary(found)
      }
      return Ternary(values.contains { comparer.areEqual(element, .value($0)) })
    case .collection(let members, _):
      if element.isMissing { return Ternary(members.contains(where: \.isNull)) }
      return Ternary(members.contains { comparer.areEqual(element, $0) })
    case .value(let container):
      if container.isNull || element.isNull { return pass.isThreeValued ? .unknown : .no }
      guard case .value(let part) = element else { return .no }
      return Ternary(substring.matches(container, part))
    case .source:
      return element.isNull && pass.isThreeValued ? .unknown : .no
    }
  }

  private func missing(_ pass: EvaluationPass, _ hasNull: Bool, _ isEmpty: Bool) -> Ternary {
    if hasNull { return .yes }
    return pass.isThreeValued && !isEmpty ? .unknown : .no
  }
}

/// A hashed list of values for IN.
struct MembershipTable {
  private enum Key: Hashable {
    case integer(Int64)
    case double(UInt64)
    case bytes([UInt8])
    case uuid(UUID)
    case object(ObjectReference)
    case date(Double)
  }

  private enum Family {
    case number, string, uuid, object, date
  }

  private let keys: Set<Key>
  private let family: Family
  private let folding: TextFolding

  /// Hashes a list whose members are all of one kind; nil for lists that are short or mixed.
  init?(_ values: [Value], folding: TextFolding) {
    guard values.count > 4, let first = values.first(where: { !$0.isNull }),
      let family = Self.family(of: first)
    else { return nil }
    var keys = Set<Key>(minimumCapacity: values.count)
    for value in values where !value.isNull {
      guard Self.family(of: value) == family, let key = Self.key(of: value, folding) else { return nil }
      if case .object(let reference) = value, reference.isUnresolved { return nil }
      keys.insert(key)
    }
    self.keys = keys
    self.family = family
    self.folding = folding
  }

  /// Whether a value is in the list; nil when the table cannot tell.
  func contains(_ value: Value) -> Bool? {
    guard Self.family(of: value) == family, let key = Self.key(of: value, folding) else { return nil }
    if case .object(let reference) = value, reference.isUnresolved { return nil }
    return keys.contains(key)
  }

  private static func family(of value: Value) -> Family? {
    switch value {
    case .bool, .int, .double: .number
    case .string: .string
    case .uuid: .uuid
    case .object: .object
    case .date: .date
    default: nil
    }
  }

  private static func key(of value: Value, _ folding: TextFolding) -> Key? {
    switch value {
    case .bool(let value): return .integer(value ? 1 : 0)
    case .int(let value): return .integer(value)
    case .double(let value):
      if value.isNaN { return nil }
      return Int64(exactly: value).map(Key.integer) ?? .double(value.bitPattern)
    case .string(var value):
      return value.withUTF8 { text in folding.withKey(of: text) { .bytes(Array($0)) } }
    case .uuid(let value): return .uuid(value)
    case .object(let value): return .object(value)
    case .date(let value): return .date(value.timeIntervalSinceReferenceDate)
    default: return nil
    }
  }
}
