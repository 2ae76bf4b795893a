import GraphStorePredicates

/// Writer of inferred mappings as they would be written by hand (MIG-144).
struct MappingDraft {
  private var checker: MappingChecker

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    checker = MappingChecker(from: source, to: destination)
    checker.check()
    checker.judgeEntities()
  }

  mutating func makeEntityMappings() -> [EntityMapping] { checker.unlisted.map(makeEntityMapping) }

  private func makeEntityMapping(_ pair: MappingChecker.Unlisted) -> EntityMapping {
    var mapping = EntityMapping(from: pair.source?.name, to: pair.destination?.name)
    guard let destination = pair.destination else { return mapping }
    let refusals = checker.refusals.filter { $0.entity == destination.name && $0.property == nil }
    mapping.userInfo = Self.note(refusals)
    guard let source = pair.source else { return mapping }
    var inference = EntityInference(
      from: source, to: destination, judgement: checker.judgement, allowsMissingValues: false)
    for attribute in destination.attributes where !attribute.isDerived && !attribute.isTransient {
      let count = inference.refusals.count
      let found = inference.map(attribute)
      let refusals = inference.refusals.dropFirst(count) + merges(of: attribute)
      mapping.attributeMappings.append(
        refusals.isEmpty
          ? Self.spell(found) : PropertyMapping(attribute.name, .none, userInfo: Self.note(refusals)))
    }
    for relationship in destination.relationships where !relationship.isTransient {
      let count = inference.refusals.count
      let found = inference.map(relationship, isReached: { _ in false })
      let refusals = inference.refusals.dropFirst(count)
      if !refusals.isEmpty {
        mapping.relationshipMappings.append(
          PropertyMapping(relationship.name, .none, userInfo: Self.note(refusals)))
      } else if let spelt = spell(found) {
        mapping.relationshipMappings.append(spelt)
      }
    }
    return mapping
  }

  private func merges(of attribute: AttributeDescription) -> [InferenceRefusal] {
    checker.refusals.filter { $0.entity == attribute.entity.name && $0.property == attribute.name }
  }

  private static func note(_ refusals: some Sequence<InferenceRefusal>) -> [String: JSONValue] {
    let text = refusals.map { "\($0.reason). \($0.remedy)" }.joined(separator: " ")
    return text.isEmpty ? [:] : ["note": .string(text)]
  }

  // MARK: Attributes

  private static func spell(_ mapping: CheckedAttributeMapping) -> PropertyMapping {
    let attribute = mapping.attribute
    // A value that no expression states, such as a composite value of other elements, is left to inference.
    guard attribute.type != .composite else { return PropertyMapping(attribute.name, .inferred) }
    guard case .attribute(let old) = mapping.value else {
      let value = attribute.defaultValue
      return PropertyMapping(
        attribute.name, value.isNull ? .none : .expression(QueryExpression(.constant(value))))
    }
    let converts = old.type != attribute.type
    guard !converts || (old.type != .boolean && attribute.type != .boolean) else {
      return PropertyMapping(attribute.name, .inferred)
    }
    let value = QueryExpression.source(old.name)
    guard old.isOptional, !attribute.isOptional, !attribute.defaultValue.isNull else {
      return PropertyMapping(attribute.name, .expression(value))
    }
    let condition = QueryPredicate.compare(value, .equal, .null)
    let fallback = QueryExpression(.constant(attribute.defaultValue))
    return PropertyMapping(
      attribute.name,
      .expression(QueryExpression(.ternary(condition: condition, then: fallback, otherwise: value))))
  }

  // MARK: Relationships

  /// - Returns: Nil for a side that follows from the other.
  private func spell(_ mapping: CheckedRelationshipMapping) -> PropertyMapping? {
    let relationship = mapping.relationship
    guard case .relationship(let old) = mapping.value else {
      return isFilledFromInverse(relationship) ? nil : PropertyMapping(relationship.name, .none)
    }
    let makers = checker.unlisted.filter { pair in
      pair.source?.isKind(of: old.destination) == true
        && pair.destination?.isKind(of: relationship.destination) == true
    }
    // Members of several mappings, and an order that there was not, are said by no expression.
    guard makers.count == 1, old.isOrdered || !relationship.isOrdered else {
      return PropertyMapping(relationship.name, .inferred)
    }
    return PropertyMapping(
      relationship.name, .objects(ofMapping: makers[0].name, from: .source(old.name)))
  }

  private func isFilledFromInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverse, inverse !== relationship else { return false }
    return inverse.entity.family.contains { checker.pairing.source(of: inverse, in: $0) != nil }
  }
}

extension QueryExpression {
  /// `$source.KEY`
  fileprivate static func source(_ key: String) -> QueryExpression {
    QueryExpression(.keyPath(QueryKeyPath(base: .variable("source"), steps: [.key(key)])))
  }
}
