import GraphStorePredicates

/// A key path whose every step is known.
package struct ResolvedKeyPath: Sendable {
  /// Resolved step of the path.
  package enum Step: Sendable {
    /// An attribute; several when it is declared by several sub-entities of the step's entity.
    case attribute([AttributeDescription])
    /// A member of a composite attribute.
    case element(AttributeDescription)
    /// A relationship; several when it is declared by several sub-entities of the step's entity.
    case relationship([RelationshipDescription])
    /// A fetched property.
    case fetchedProperty(FetchedPropertyDescription)
    /// The object itself, by its identifier.
    case objectID
    /// The object's entity.
    case entity
    /// The number of UTF-16 units of a text.
    case length
  }

  /// A collection operator with a fixed meaning.
  package enum Operator: String, Sendable, CaseIterable {
    /// The number of members.
    case count
    /// Their sum.
    case sum
    /// Their mean.
    case average = "avg"
    /// The least.
    case minimum = "min"
    /// The greatest.
    case maximum = "max"
    /// The values, each once.
    case distinctUnionOfObjects
    /// The values.
    case unionOfObjects
    /// The values of nested lists, each once.
    case distinctUnionOfArrays
    /// The values of nested lists.
    case unionOfArrays
    /// The values of nested sets, each once.
    case distinctUnionOfSets
    /// The values of nested sets.
    case unionOfSets
  }

  /// The steps up to the end or the operator, without steps that lead nowhere (`self`).
  package var steps: [Step] = []
  /// The collection operator.
  package var collectionOperator: Operator?
  /// The steps after the operator, from each member.
  package var operand: [Step] = []
  /// The type of what the path yields.
  package var type: ExpressionType
  /// The path as keys, in the form that evaluates the same everywhere: `entity.name` is `entity`.
  package var keys: [QueryKeyPath.Step] = []
}

extension ResolvedKeyPath.Step {
  /// The relationship, when there is exactly one.
  package var relationship: RelationshipDescription? {
    if case .relationship(let found) = self, found.count == 1 { return found.first }
    return nil
  }

  /// Whether the step leads to several objects.
  package var isToMany: Bool {
    switch self {
    case .relationship(let found): found.first?.isToMany == true
    case .fetchedProperty: true
    default: false
    }
  }

  /// The property of the step that no store holds: a transient one or a fetched property.
  package var unstoredProperty: PropertyDescription? {
    switch self {
    case .attribute(let found): found.first { $0.isTransient }
    case .element(let element): element.isTransient ? element : nil
    case .relationship(let found): found.first { $0.isTransient }
    case .fetchedProperty(let property): property
    case .objectID, .entity, .length: nil
    }
  }
}

extension ResolvedKeyPath {
  /// The first property on the way that no store holds.
  package var unstoredProperty: PropertyDescription? {
    for step in steps { if let property = step.unstoredProperty { return property } }
    for step in operand { if let property = step.unstoredProperty { return property } }
    return nil
  }

  /// Whether the path contains a fetched property, which objects alone have.
  package var hasFetchedProperty: Bool {
    (steps + operand).contains { if case .fetchedProperty = $0 { true } else { false } }
  }

  /// Whether the path yields values of an attribute of single precision, as they are stored: not what is
  /// computed of them.
  package var isSinglePrecision: Bool {
    switch collectionOperator {
    case .sum, .average, .count: return false
    default: break
    }
    switch operand.last ?? steps.last {
    case .attribute(let found): return !found.isEmpty && found.allSatisfy { $0.type == .float }
    case .element(let element): return element.type == .float
    default: return false
    }
  }
}
