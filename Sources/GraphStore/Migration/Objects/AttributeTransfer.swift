import GraphStoreModel
import GraphStorePredicates

/// Transfer of attributes to the destination objects of one entity mapping, by the slots of rows.
///
/// The destination's row has its defaults already (MIG-192).
struct AttributeTransfer {
  /// Step that fills a slot, or the slots of a composite attribute.
  private enum Step {
    /// Takes a value of the same kind. A missing one leaves the default of a mandatory attribute in place
    /// (MIG-079).
    case copy(PropertyLayout, to: PropertyLayout, keepsDefault: Bool)
    /// Takes a number of another type, which has to convert exactly (MIG-080), or data with another storage.
    case convert(PropertyLayout, to: PropertyLayout, keepsDefault: Bool)
    /// Takes what an expression yields; nil stays nil (MIG-167).
    case compute(MappingExpression, to: PropertyLayout)
  }

  private var steps: [Step] = []
  private let mapping: CheckedEntityMapping
  private let allowsInexact: Bool
  /// Attributes that have become mandatory without a default, whose values may be missing (MIG-104).
  private(set) var demands: [PropertyLayout] = []

  /// - Parameter expression: Compiles the expression of a property.
  init(
    _ mapping: CheckedEntityMapping, from source: EntityLayout?, to destination: EntityLayout,
    allowsInexact: Bool, expression: (QueryExpression, _ property: String) throws -> MappingExpression
  ) throws {
    self.mapping = mapping
    self.allowsInexact = allowsInexact
    for attribute in mapping.attributes {
      guard let target = destination.property(named: attribute.attribute.name), target.isPersistent else {
        continue
      }
      if case .expression(let tree) = attribute.value {
        steps.append(.compute(try expression(tree, target.name), to: target))
        continue
      }
      guard case .attribute(let origin) = attribute.value, let source,
        let from = source.property(named: origin.name)
      else { continue }
      try add(attribute, from, to: target)
    }
  }

  private mutating func add(
    _ mapping: CheckedAttributeMapping, _ source: PropertyLayout, to target: PropertyLayout
  ) throws {
    if target.isDerived { return }
    if source.kind == .none || target.kind == .none {
      throw Self.unheld(source.kind == .none ? source : target)
    }
    guard target.kind == .composite else { return add(source, to: target) }
    for (element, target) in zip(mapping.elements, target.elements) {
      guard case .attribute(let origin) = element.value,
        let from = source.elements.first(where: { $0.key == origin.name })
      else { continue }
      try add(element, from, to: target)
    }
  }

  private mutating func add(_ source: PropertyLayout, to target: PropertyLayout) {
    let keepsDefault = !target.isOptional && target.attribute?.defaultValue.isNull == false
    if source.isOptional, !target.isOptional, !keepsDefault { demands.append(target) }
    steps.append(
      source.kind == target.kind
        ? .copy(source, to: target, keepsDefault: keepsDefault)
        : .convert(source, to: target, keepsDefault: keepsDefault))
  }

  private static func unheld(_ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(
      .notSupported,
      "Values of \(property.name) cannot be read or written: how Core Data stores them is not known.",
      remedy: "Leave the attribute out of the new model, or state its value in a mapping.",
      entity: property.attribute?.entity.name, property: property.name)
  }

  // MARK: Filling

  /// Fills a row of a new destination object.
  ///
  /// - Parameters:
  ///   - id: Names the source object.
  ///   - findings: Takes numbers that do not convert exactly.
  /// - Throws: `migration-failed` for a value of a stated expression that the attribute does not hold
  ///   (MIG-166).
  func fill(_ row: Row, from source: Row, _ id: () -> ManagedObjectID, _ findings: MigrationFindings) throws {
    for step in steps {
      switch step {
      case .copy(let from, let target, let keepsDefault):
        if source.block.isNull(source.index, from.slot) {
          if !keepsDefault { row.block.setNull(row.index, target.slot) }
        } else {
          row.block.takeValue(of: from, in: source, as: target, inRow: row.index)
        }
      case .convert(let from, let target, let keepsDefault):
        if source.block.isNull(source.index, from.slot) {
          if !keepsDefault { row.block.setNull(row.index, target.slot) }
        } else {
          try convert(from, of: source, to: target, row, id, findings)
        }
      case .compute(let expression, let target):
        try set(target, of: row, to: value(of: expression, target, id), id)
      }
    }
  }

  private func convert(
    _ source: PropertyLayout, of row: Row, to target: PropertyLayout, _ result: Row,
    _ id: () -> ManagedObjectID, _ findings: MigrationFindings
  ) throws {
    if source.kind.isInteger, target.kind.isInteger {
      let word = row.block.word(row.index, source.slot)
      if target.kind.holds(Int64(bitPattern: word)) {
        return result.block.setWord(result.index, target.slot, word)
      }
    }
    let value = try row.value(of: source)
    if case .data = value { return result.block.setValue(value, of: target, inRow: result.index) }
    guard let attribute = target.attribute,
      let number = MigrationFunctions.number(value, as: attribute.type, allowsInexact: allowsInexact)
    else {
      let types = (source.attribute?.type ?? .undefined, target.attribute?.type ?? .undefined)
      findings.add(
        .inexactNumber(types.0, types.1), entity: mapping.destination, property: target.name, id(),
        value: value.shownText)
      return
    }
    if allowsInexact, MigrationFunctions.number(value, as: attribute.type, allowsInexact: false) == nil {
      findings.add(
        .inexactNumber(source.attribute?.type ?? .undefined, attribute.type), entity: mapping.destination,
        property: target.name, id(), value: value.shownText, isAllowed: true)
    }
    result.block.setValue(number, of: target, inRow: result.index)
  }

  // MARK: Expressions

  private func value(
    of expression: MappingExpression, _ target: PropertyLayout, _ id: () -> ManagedObjectID
  ) throws -> Value {
    do {
      return try expression.operand().value
    } catch {
      throw GraphStoreError.failedExpression(error, of: target.name, in: mapping, id())
    }
  }

  private func set(
    _ target: PropertyLayout, of row: Row, to value: Value, _ id: () -> ManagedObjectID
  ) throws {
    if target.kind == .composite {
      guard value.isNull || value.isDictionary else { throw refusal(of: value, target, id()) }
      let members: [String: Value] = if case .dictionary(let members) = value { members } else { [:] }
      for name in members.keys where !target.elements.contains(where: { $0.key == name }) {
        throw refusal(of: value, target, id())
      }
      for element in target.elements { try set(element, of: row, to: members[element.key] ?? .null, id) }
      return
    }
    if value.isNull { return row.block.setNull(row.index, target.slot) }
    guard let type = target.attribute?.type, let exact = value.exactly(as: type) else {
      throw refusal(of: value, target, id())
    }
    row.block.setValue(exact, of: target, inRow: row.index)
  }

  private func refusal(of value: Value, _ target: PropertyLayout, _ id: ManagedObjectID) -> GraphStoreError {
    GraphStoreError(
      .migrationFailed,
      "\(mapping.name): the value of \(target.name) for \(id.shortForm) is \(value.shownText), which an attribute of type "
        + "\(target.attribute?.type.rawValue ?? "\(target.kind)") does not hold.",
      remedy: "Convert it in the expression, with CAST or TERNARY for instance.",
      entity: mapping.destination?.name,
      property: target.name, objectID: id, value: value)
  }
}

extension GraphStoreError {
  /// The error that the expression of a property mapping failed.
  static func failedExpression(
    _ cause: any Error, of property: String, in mapping: CheckedEntityMapping, _ id: ManagedObjectID?
  ) -> GraphStoreError {
    GraphStoreError(
      .migrationPolicy,
      "\(mapping.name): the expression of \(property) failed\(id.map { " for \($0.shortForm)" } ?? ""): \(cause)",
      remedy: "Correct the expression, or the objects that it looks at.", entity: mapping.destination?.name,
      property: property, objectID: id, underlying: cause)
  }
}

extension Value {
  fileprivate var isDictionary: Bool { if case .dictionary = self { true } else { false } }

  /// The value as an attribute of a type holds it; nil for one that is neither of the type nor a number that
  /// converts exactly.
  func exactly(as type: AttributeType) -> Value? {
    switch (type, self) {
    case (.string, .string), (.uri, .uri), (.uuid, .uuid), (.binary, .data), (.transformable, .data):
      return self
    case (.date, .date(let date)): return date.timeIntervalSinceReferenceDate.isFinite ? self : nil
    case (.decimal, _):
      guard case .decimal(let number)? = MigrationFunctions.number(self, as: type, allowsInexact: false),
        number.isFinite, number.fitsStore
      else { return nil }
      return .decimal(number)
    default: return MigrationFunctions.number(self, as: type, allowsInexact: false)
    }
  }
}

extension SlotKind {
  fileprivate var isInteger: Bool {
    switch self {
    case .int16, .int32, .int64: true
    default: false
    }
  }
}

/// Transfer of the members of one relationship to the destination objects of one entity mapping.
final class RelationshipTransfer {
  /// Source of members.
  enum Source {
    /// Nowhere: the relationship was stated to be empty.
    case nothing
    /// The objects that any mapping made for the members of a relationship of the source.
    case relationship(RelationshipLayout)
    /// The objects that one mapping made for those that an expression yields.
    case objects(of: MappingWork, MappingExpression)
    /// The destination objects that an expression yields.
    case expression(MappingExpression)
  }

  /// Role in setting the links.
  enum Role {
    /// Links are set.
    case sets
    /// The inverse, which is stated too, sets the links; both have to agree (MIG-176).
    case compares
    /// The inverse sets the links; what is added is the order.
    case follows
  }

  let relationship: RelationshipLayout
  let source: Source
  let isStated: Bool
  /// The source's relationship, where none has been stated.
  let origin: RelationshipDescription?
  /// Whether members drop out whose objects the relationship does not lead to any more: its destination as a
  /// whole did not become another, so that they are those of entities which left its tree, and the plan lists
  /// them (MIG-088).
  let dropsStrangers: Bool
  var role = Role.sets
  /// The number of members of the source without a destination object (MIG-174).
  var droppedCount = 0

  init(
    _ relationship: RelationshipLayout, _ source: Source, isStated: Bool,
    origin: RelationshipDescription? = nil, dropsStrangers: Bool = false
  ) {
    self.relationship = relationship
    self.source = source
    self.isStated = isStated
    self.origin = origin
    self.dropsStrangers = dropsStrangers
  }

  /// Whether the links of two ends, of which neither was stated, are set from this one.
  var isCanonical: Bool {
    guard let inverse = relationship.inverseDescription else { return true }
    if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
    let own = (relationship.description.entityIndex, relationship.description.number)
    return own <= (inverse.entity.index, inverse.number)
  }
}
