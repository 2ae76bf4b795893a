import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Derived attribute of a model, resolved: what its values are computed from, whichever store keeps them.
package struct DerivedAttribute: Sendable {
  /// Source of a derived value.
  package enum Source: Sendable {
    /// The save itself.
    case save
    /// An attribute at the end of to-one steps.
    case attribute([RelationshipDescription], AttributeDescription)
    /// The members of a to-many, and one of their attributes where it is summed up.
    case members(RelationshipDescription, AttributeDescription?)
  }

  /// The attribute, as the entity declares it.
  package let attribute: AttributeDescription
  package let source: Source
  /// The value as an expression over an object; nil for the time of a save.
  package let expression: QueryExpression?

  /// Nil for an attribute that is not derived, or from what its model does not have.
  package init?(_ attribute: AttributeDescription) {
    guard let derivation = attribute.derivation.flatMap(Derivation.init),
      let source = Self.source(derivation, attribute.entity)
    else { return nil }
    self.attribute = attribute
    self.source = source
    expression = derivation.expression
  }

  package var entity: EntityDescription { attribute.entity }

  private static func source(_ derivation: Derivation, _ entity: EntityDescription) -> Source? {
    switch derivation {
    case .now: return .save
    case .path(let keys), .text(_, let keys):
      var steps: [RelationshipDescription] = []
      for key in keys.dropLast() {
        guard let step = (steps.last?.destination ?? entity).relationship(named: key) else { return nil }
        steps.append(step)
      }
      guard let last = keys.last, let end = (steps.last?.destination ?? entity).attribute(named: last) else {
        return nil
      }
      return .attribute(steps, end)
    case .count(let name): return entity.relationship(named: name).map { .members($0, nil) }
    case .sum(let name, let key):
      guard let relationship = entity.relationship(named: name),
        let summed = relationship.destination.attribute(named: key)
      else { return nil }
      return .members(relationship, summed)
    }
  }

  /// A computed value as the attribute holds it: of a fraction that an integer is to hold, its whole part.
  ///
  /// - Throws: `value-out-of-range` for a number that does not fit.
  package func value(_ computed: Value) throws -> Value {
    switch attribute.type {
    case .int16: try whole(computed, Int64(Int16.min)...Int64(Int16.max))
    case .int32: try whole(computed, Int64(Int32.min)...Int64(Int32.max))
    case .int64: try whole(computed, .min ... .max)
    case .double: computed.doubleValue.map(Value.double) ?? .null
    case .float: computed.doubleValue.map { .double(Double(Float($0))) } ?? .null
    case .decimal:
      switch computed {
      case .int(let number): .decimal(Decimal(number))
      case .double(let number): .decimal(Decimal(shortestTextOf: number))
      default: computed
      }
    default: computed
    }
  }

  private func whole(_ computed: Value, _ range: ClosedRange<Int64>) throws -> Value {
    let number: Int64? =
      switch computed {
      case .null: nil
      case .int(let number): number
      case .decimal(let number): number.truncatedInteger
      default: computed.doubleValue.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
      }
    guard !computed.isNull else { return .null }
    guard let number, range.contains(number) else { throw outOfRange(computed) }
    return .int(number)
  }

  /// The error of a number that the attribute does not hold.
  package func outOfRange(_ computed: Value? = nil) -> GraphStoreError {
    GraphStoreError(
      .valueOutOfRange, "\(attribute.description), which is derived, becomes a number that does not fit it.",
      remedy: "Give the attribute a wider type in the model; nothing was written.", entity: entity.name,
      property: attribute.name, value: computed)
  }
}

/// The value of a derived attribute of one record.
package struct DerivedValue {
  package let root: Int
  package let key: Int64
  package let attribute: AttributeDescription
  package let value: Value

  package init(root: Int, key: Int64, attribute: AttributeDescription, value: Value) {
    self.root = root
    self.key = key
    self.attribute = attribute
    self.value = value
  }
}

extension Array where Element == DerivedValue {
  /// The keys of the records, by entity tree.
  package var keysByRoot: [(root: Int, keys: [Int64])] {
    Dictionary(grouping: self, by: \.root).map { root, values in
      (root, Swift.Array(Set(values.map(\.key))))
    }
  }
}

extension Value {
  fileprivate var doubleValue: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): number.nearestDouble
    default: nil
    }
  }
}
