import GraphStorePredicates

/// The names of the sections that objects belong to: the text of a key path's value (FET-179).
struct SectionNaming {
  let keyPath: String
  /// Whether stores have the values.
  let isStored: Bool
  /// Whether it is a value of the listed objects themselves.
  let isOfOwnValue: Bool
  private let evaluator: ExpressionEvaluator

  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` for a key path that the entity does not have;
  ///   `invalid-request` for one that leads to objects.
  init(_ keyPath: String, of entity: EntityLayout) throws {
    self.keyPath = keyPath
    let resolved = try PredicateTypeChecker(entity: entity.entity, purpose: .evaluation).resolve(
      keyPath: keyPath)
    guard resolved.collectionOperator == nil, !resolved.steps.contains(where: \.isToMany),
      !resolved.leadsToObject
    else {
      throw GraphStoreError(
        .invalidRequest, "\(keyPath) of \(entity.entity.name) is no single value, which names a section.",
        remedy: "Name an attribute, of the entity or of one that to-one relationships lead to.",
        entity: entity.entity.name, property: keyPath)
    }
    isOfOwnValue = resolved.steps.count == 1
    isStored = resolved.steps.allSatisfy { $0.unstoredProperty == nil }
    evaluator = try ExpressionEvaluator(QueryExpression(.keyPath(try QueryKeyPath(parsing: keyPath))))
  }

  func name(of object: ManagedObject) throws -> String {
    try evaluator.value(for: .source(object)).text ?? ""
  }
}

/// Reads the names of the sections of objects in their order: most have that of the object before.
struct SectionNameReader {
  private let naming: SectionNaming
  private var last: (object: ManagedObject, name: String, property: PropertyLayout)?

  init(_ naming: SectionNaming) { self.naming = naming }

  mutating func name(of object: ManagedObject) throws -> String {
    if let last, last.object.layout === object.layout, let row = object.currentRow,
      let former = last.object.currentRow, row.hasEqualValue(former, last.property)
    {
      return last.name
    }
    let name = try naming.name(of: object)
    last = naming.isOfOwnValue ? Self.valueInRow(naming.keyPath, object).map { (object, name, $0) } : nil
    return name
  }

  /// The attribute whose value in the row is what the key path yields; nil where code of a class yields it.
  private static func valueInRow(_ key: String, _ object: ManagedObject) -> PropertyLayout? {
    guard object.declarations == nil, let property = object.layout.property(named: key), property.isInRow,
      property.kind != .toOne, property.isPersistent
    else { return nil }
    return property
  }
}

extension ResolvedKeyPath {
  /// Whether the path ends at an object.
  fileprivate var leadsToObject: Bool {
    switch steps.last {
    case nil, .relationship, .objectID: true
    default: false
    }
  }
}
