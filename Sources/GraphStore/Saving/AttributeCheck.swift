import Foundation
import GraphStoreModel

/// What a save has to look at in one attribute, over the words of a row, so that a value that is allowed costs no
/// object of any kind.
struct AttributeCheck: Sendable {
  let attribute: AttributeDescription
  let number: Int
  let slot: Int
  let kind: SlotKind
  let isRequired: Bool
  private let constraints: AttributeConstraints

  /// Nil for an attribute about which the model says nothing.
  init?(_ attribute: AttributeDescription, _ property: PropertyPlan) {
    constraints = attribute.constraints
    guard property.slot >= 0, !attribute.isDerived, constraints.isRequired || !constraints.isEmpty else {
      return nil
    }
    self.attribute = attribute
    number = property.number
    slot = property.slot
    kind = property.kind
    isRequired = constraints.isRequired
  }

  /// Whether a value that is not nil is certainly allowed; if not, it has to be looked at more closely.
  func allows(_ row: Row) -> Bool {
    if constraints.isEmpty { return true }
    if constraints.checksPattern || constraints.checksPredicates { return false }
    if constraints.checksNumber, !allowsNumber(row) { return false }
    guard constraints.checksLength, kind == .string else { return true }
    return constraints.allows(utf8Count: row.block.bytes(row.index, slot).count) ?? false
  }

  private func allowsNumber(_ row: Row) -> Bool {
    let word = row.block.word(row.index, slot)
    switch kind {
    case .int16, .int32, .int64: return constraints.allows(Int64(bitPattern: word))
    case .double, .float, .date: return constraints.allows(Double(bitPattern: word))
    default: return constraints.allows(row.block.decimal(row.index, slot))
    }
  }
}
