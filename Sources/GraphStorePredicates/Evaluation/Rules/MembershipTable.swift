import Foundation

/// Hash table of a list for IN: for each kind of value that is looked for, what equals a member.
final class MembershipTable {
  /// Lists that are no longer are compared member by member.
  private static let shortest = 5

  private let members: [Value]
  private let folding: TextFolding
  /// Whether fractions among the members represent the decimals that name them, and decimals for the doubles
  /// that are nearest to them (PRD-062).
  private let areLiterals: Bool

  /// Hashes the members of a list or collection; nil for one that is short or holds lists.
  init?(_ container: QueryOperand, folding: TextFolding, areLiterals: Bool) {
    guard let operands = container.members, operands.count >= Self.shortest else { return nil }
    var members: [Value] = []
    members.reserveCapacity(operands.count)
    for operand in operands {
      guard let value = operand.identity else { return nil }
      members.append(value)
    }
    self.members = members
    self.folding = folding
    self.areLiterals = areLiterals
  }

  /// Whether a value or object is in the list; nil when the table cannot decide.
  func contains(_ element: QueryOperand) -> Bool? {
    switch element.identity {
    case .bool(let flag): return integers.contains(flag ? 1 : 0)
    case .int(let number): return integers.contains(number)
    case .double(let number): return doubles.contains(number)
    case .decimal(let number):
      guard let decimals, let numeral = DecimalNumeral(number) else { return nil }
      return decimals.contains(numeral)
    case .string(let text): return contains(text)
    case .date(let date): return dates.contains(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid): return uuids.contains(uuid)
    case .uri(let uri): return locators.contains(Array(uri.absoluteString.utf8))
    case .data(let data): return runs.contains(data)
    case .object(let reference): return objects.contains(reference)
    case .null, .list, .dictionary, nil: return nil
    }
  }

  private func contains(_ text: String) -> Bool {
    if texts.contains(key(of: text)) { return true }
    if holdsUUIDs, let uuid = UUID(uuidString: text), members.contains(.uuid(uuid)) { return true }
    return holdsLocators
      && members.contains { if case .uri = $0 { $0.isEqual(to: .string(text)) } else { false } }
  }

  private func key(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { text in unsafe folding.withKey(of: text) { unsafe Array($0) } }
  }

  // MARK: What equals a member, by kind

  private lazy var integers = Set(
    members.compactMap { member -> Int64? in
      switch member {
      case .bool(let flag): flag ? 1 : 0
      case .int(let number): number
      case .double(let number): Int64(exactly: number)
      case .decimal(let number): DecimalNumeral(number)?.wholeNumber
      default: nil
      }
    })

  private lazy var doubles = Set(
    members.compactMap { member -> Double? in
      switch member {
      case .bool(let flag): return flag ? 1 : 0
      case .int(let number): return Double(exactly: number)
      case .double(let number): return number.isNaN ? nil : number
      case .decimal(let number):
        let nearest = number.nearestDouble
        return areLiterals || ExactNumber.order(number, nearest) == .orderedSame ? nearest : nil
      default: return nil
      }
    })

  /// Nil where a decimal has to be compared with each member.
  private lazy var decimals: Set<DecimalNumeral>? = {
    var found: Set<DecimalNumeral> = []
    for member in members where member.isNumber && !member.isNaN {
      if member.isDouble, !areLiterals { return nil }
      // A double that no decimal names equals none.
      guard let number = member.decimalNumber else { continue }
      guard let numeral = DecimalNumeral(number) else { return nil }
      found.insert(numeral)
    }
    return found
  }()

  private lazy var texts = Set(
    members.compactMap { member -> [UInt8]? in
      if case .string(let text) = member { return key(of: text) }
      return nil
    })

  private lazy var uuids = Set(
    members.compactMap { member -> UUID? in
      switch member {
      case .uuid(let uuid): uuid
      case .string(let text): UUID(uuidString: text)
      default: nil
      }
    })

  private lazy var locators = Set(
    members.compactMap { member -> [UInt8]? in
      switch member {
      case .uri(let uri): Array(uri.absoluteString.utf8)
      case .string(let text): Array(text.utf8)
      default: nil
      }
    })

  private lazy var dates = Set(
    members.compactMap { member -> Double? in
      if case .date(let date) = member { return date.timeIntervalSinceReferenceDate }
      return nil
    })

  private lazy var runs = Set(
    members.compactMap { member -> Data? in
      if case .data(let data) = member { return data }
      return nil
    })

  private lazy var objects = Set(
    members.compactMap { member -> ObjectReference? in
      if case .object(let reference) = member { return reference }
      return nil
    })

  private lazy var holdsUUIDs = members.contains { if case .uuid = $0 { true } else { false } }
  private lazy var holdsLocators = members.contains { if case .uri = $0 { true } else { false } }
}

extension QueryOperand {
  /// The single value, or the object by its reference; nil for collections and for objects without one.
  fileprivate var identity: Value? {
    switch self {
    case .value(.list), .value(.dictionary), .collection: nil
    case .value(let value): value
    case .source(let source): source._objectReference.map(Value.object)
    }
  }
}
