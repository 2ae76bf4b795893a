import GraphStorePredicates

/// Access paths of a predicate: by an index, or by reading all.
struct SearchKeys {
  /// A key that an index could begin with.
  struct Key {
    let entity: EntityDescription
    /// The attribute, or the attributes on the way to an element.
    let attributes: [AttributeDescription]

    /// The key path in its entity.
    var keyPath: String { attributes.map(\.name).joined(separator: ".") }

    /// The key with its entity.
    var label: String { "\(entity.name).\(keyPath)" }

    /// The entry of `indexes` that would serve the key.
    var indexEntry: String {
      let words = attributes.map { $0.name.prefix(1).uppercased() + $0.name.dropFirst() }.joined()
      return "{ \"name\": \"by\(words)\", \"elements\": [ { \"property\": \"\(keyPath)\" } ] }"
    }

    /// Whether an index or a uniqueness constraint begins with the key.
    var isIndexed: Bool {
      var place: EntityDescription? = entity
      while let current = place {
        if attributes.count == 1,
          current.ownUniquenessConstraints.contains(where: { $0.first === attributes[0] })
        {
          return true
        }
        if current.indexes.contains(where: { $0.elements.first.map(isServed) ?? false }) { return true }
        place = current.superentity
      }
      return false
    }

    private func isServed(by element: IndexDescription.Element) -> Bool {
      switch element.subject {
      case .property(let property): attributes.count == 1 && attributes[0] === property
      case .element(let path): path == attributes
      case .expression: false
      }
    }
  }

  /// Access path to objects.
  enum Access {
    /// By an index, or by the reference of a relationship.
    case index
    /// By reading all, though an index that begins with one of the keys would do.
    case scan([Key])
    /// By reading all, and no index would help.
    case none
  }

  private static let comparators: Set<QueryComparison.Operator> = [
    .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in, .beginsWith,
  ]
  private let entity: EntityDescription

  init(of entity: EntityDescription) { self.entity = entity }

  /// The access path of a fetch with a predicate.
  func access(of predicate: QueryPredicate) -> Access {
    switch predicate {
    case .constant, .block, .not: .none
    case .comparison(let comparison): access(of: comparison)
    case .and(let members): best(of: members.map(access))
    case .or(let members): worst(of: members.map(access))
    }
  }

  private func best(of members: [Access]) -> Access {
    var keys: [Key] = []
    for member in members {
      switch member {
      case .index: return .index
      case .scan(let found): keys += found
      case .none: continue
      }
    }
    return keys.isEmpty ? .none : .scan(keys)
  }

  /// Each alternative must be found by an index.
  private func worst(of members: [Access]) -> Access {
    var keys: [Key] = []
    for member in members {
      switch member {
      case .index: continue
      case .scan(let found): keys += found
      case .none: return .none
      }
    }
    return keys.isEmpty ? .index : .scan(keys)
  }

  private func access(of comparison: QueryComparison) -> Access {
    guard Self.comparators.contains(comparison.comparator), comparison.modifier != .all,
      comparison.options.isSubset(of: .normalized)
    else { return .none }
    switch (keys(of: comparison.left), keys(of: comparison.right)) {
    case (let keys?, nil) where isFixed(comparison.right): return access(of: keys)
    case (nil, let keys?) where isFixed(comparison.left) && comparison.comparator != .in:
      return access(of: keys)
    default: return .none
    }
  }

  private func keys(of expression: QueryExpression) -> [String]? {
    guard case .keyPath(let path) = expression.kind else { return nil }
    return path.plainKeys
  }

  /// Whether an expression is the same for every object that is searched, and not nil: few objects lack a
  /// value, or most.
  private func isFixed(_ expression: QueryExpression) -> Bool {
    if let value = expression.constantValue { return !value.isNull }
    return PredicateParts(expression).paths.isEmpty
  }

  private func access(of keys: [String]) -> Access {
    var owner = entity
    for (step, key) in keys.enumerated() {
      let isLast = step == keys.count - 1
      switch owner.property(named: key) {
      case let relationship as RelationshipDescription:
        if isLast { return .index }
        owner = relationship.destination
      case let attribute as AttributeDescription:
        return access(of: attribute, keys.dropFirst(step + 1), owner)
      default: return key == "objectID" ? .index : .none
      }
    }
    return .none
  }

  private func access(
    of attribute: AttributeDescription, _ rest: ArraySlice<String>, _ owner: EntityDescription
  ) -> Access {
    var path = [attribute]
    for key in rest {
      guard let element = path[path.count - 1].elements.first(where: { $0.name == key }) else { return .none }
      path.append(element)
    }
    let last = path[path.count - 1]
    // Half of all objects have either value of a boolean, and no object a derived one.
    guard !attribute.isTransient, !attribute.isDerived, last.type != .boolean, last.type != .composite,
      last.type != .binary,
      last.type != .transformable
    else { return .none }
    let key = Key(entity: owner, attributes: path)
    return key.isIndexed ? .index : .scan([key])
  }
}
