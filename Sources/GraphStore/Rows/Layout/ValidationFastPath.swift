import Foundation
import GraphStoreModel

/// Fast path of validation: tests one attribute over the words of a row, so that a value that is allowed
/// costs no object of any kind. A value that it does not accept gets the full validation.
package final class ValidationFastPath: Sendable {
  package let attribute: AttributeDescription
  package let number: Int
  package let slot: Int
  package let kind: SlotKind
  private let isRequired: Bool
  private let constraints: AttributeConstraints
  /// The whole numbers inside the limits of a decimal; nil where the limits are not whole numbers.
  private let wholeRange: ClosedRange<Int64>?

  /// Nil for an attribute about which the model says nothing, and of which every value that can be set is
  /// allowed.
  package init?(_ attribute: AttributeDescription, _ property: PropertyLayout) {
    constraints = attribute.constraints
    guard property.slot >= 0, !attribute.isDerived,
      constraints.isRequired || !constraints.isEmpty || property.kind == .uri
    else { return nil }
    self.attribute = attribute
    number = property.number
    slot = property.slot
    kind = property.kind
    isRequired = constraints.isRequired
    wholeRange = Self.wholeRange(constraints)
  }

  private static func wholeRange(_ constraints: AttributeConstraints) -> ClosedRange<Int64>? {
    let least = constraints.decimalMinimum.map { Int64(exactly: $0) } ?? .min
    let greatest = constraints.decimalMaximum.map { Int64(exactly: $0) } ?? .max
    guard let least, let greatest, least <= greatest else { return nil }
    return least...greatest
  }

  /// Whether the row's value is certainly allowed; if not, it needs the full check.
  @inline(__always)
  package func passes(_ row: Row) -> Bool {
    row.block.isNull(row.index, slot) ? !isRequired : allows(row)
  }

  private func allows(_ row: Row) -> Bool {
    if kind == .uri, unsafe row.block.bytes(row.index, slot).isEmpty { return false }
    if constraints.isEmpty { return true }
    if constraints.checksPredicates { return false }
    if constraints.checksNumber, !allowsNumber(row) { return false }
    guard kind == .string else { return true }
    let text = unsafe row.block.bytes(row.index, slot)
    if constraints.checksLength, constraints.allows(utf8Count: text.count) != true { return false }
    return unsafe !constraints.checksPattern || attribute.matchesPattern(utf8: text) == true
  }

  private func allowsNumber(_ row: Row) -> Bool {
    let word = row.block.word(row.index, slot)
    switch kind {
    case .int16, .int32, .int64: return constraints.allows(Int64(bitPattern: word))
    case .double, .float, .date: return constraints.allows(Double(bitPattern: word))
    default:
      if let wholeRange, let whole = row.block.decimalWhole(word) {
        return wholeRange.contains(whole)
      }
      return constraints.allows(row.block.decimal(row.index, slot))
    }
  }
}

/// Data of a property with which a save calls a class's rule for it: values alone, as it is read for each
/// object.
package struct ValidatedProperty {
  package let number: Int
  package let name: String
  package let isToMany: Bool
}
