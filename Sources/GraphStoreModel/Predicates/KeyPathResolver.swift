import GraphStorePredicates

/// Name resolution of key paths, starting from a type.
struct KeyPathResolver {
  /// Whether keys that only sub-entities have are known (PRD-287); sorts do not know them (FET-244).
  var findsKeysOfSubentities = true
  /// Keys beside its properties that the class of an entity has accessors for; what they yield is not known
  /// before.
  var declaredKeys: @Sendable (EntityDescription) -> Set<String> = { _ in [] }
  /// The composite attribute that the path begins at a value of.
  var composite: AttributeDescription?

  /// Error of a path, with the step it is at.
  struct Failure: Error {
    var step: Int
    var code: QueryPredicateError.Code
    var message: String
    var hint: String?
    var suggestions: [String] = []
  }

  /// Follows the steps from an object of an entity.
  func resolve(
    _ path: [QueryKeyPath.Step], from start: ExpressionType
  ) throws(Failure) -> ResolvedKeyPath {
    var walk = Walk(resolver: self, type: start)
    for (index, step) in path.enumerated() {
      switch step {
      case .variable(let name):
        throw Failure(
          step: index, code: .unboundVariable, message: "The variable $\(name) has no value.",
          hint: "Give it one before the predicate is used.")
      case .collectionOperator(let name):
        return try walk.finish(with: name, at: index, rest: Array(path[(index + 1)...]))
      case .key(let key):
        try walk.follow(key, at: index)
      }
    }
    return ResolvedKeyPath(steps: walk.steps, type: walk.type, keys: walk.keys)
  }
}

extension KeyPathResolver {
  private struct Walk {
    let resolver: KeyPathResolver
    var type: ExpressionType
    var steps: [ResolvedKeyPath.Step] = []
    var keys: [QueryKeyPath.Step] = []
    private var composite: AttributeDescription?

    init(resolver: KeyPathResolver, type: ExpressionType) {
      self.resolver = resolver
      self.type = type
      composite = resolver.composite
    }

    mutating func follow(_ key: String, at index: Int) throws(Failure) {
      if key == "self" || key == "SELF" { return }
      let member = type.member ?? type
      switch member {
      case .object(let entity?):
        try follow(key, of: entity, at: index)
      case .composite:
        guard let element = composite?.elements.first(where: { $0.name == key }) else {
          throw unknown(
            key, at: index, owner: composite.map { "the composite attribute \($0.name)" } ?? "a composite",
            candidates: composite?.elements.map(\.name) ?? [])
        }
        composite = element.type == .composite ? element : nil
        advance(.element(element), to: ExpressionType(element.type), key)
      case .entity where key == "name":
        return
      case .string where key == "length":
        advance(.length, to: .integer, key)
      case .anything, .dictionary, .object(nil):
        type = type.member == nil ? .anything : .collection(.anything, isOrdered: false)
        keys.append(.key(key))
      default:
        let hint = key == "count" && type.member != nil ? "Write .@count." : nil
        throw Failure(
          step: index, code: .unknownKey, message: "\(capitalised(member.description)) has no key \(key).",
          hint: hint)
      }
    }

    private mutating func follow(
      _ key: String, of entity: EntityDescription, at index: Int
    ) throws(Failure) {
      if let property = entity.property(named: key), property.name.hasSameScalars(as: key) {
        return advance([property], key)
      }
      switch key {
      case "objectID": return advance(.objectID, to: .object(entity), key)
      case "entity": return advance(.entity, to: .entity, key)
      default: break
      }
      var found: [PropertyDescription] = []
      for descendant in entity.descendants {
        if let property = descendant.property(named: key), property.name.hasSameScalars(as: key),
          !found.contains(property)
        {
          found.append(property)
        }
      }
      if resolver.findsKeysOfSubentities, !found.isEmpty, agree(found) { return advance(found, key) }
      guard found.isEmpty else {
        let names = found.map(\.entity.name).joined(separator: ", ")
        throw Failure(
          step: index, code: .unknownKey,
          message: resolver.findsKeysOfSubentities
            ? "The key \(key) has different types in the sub-entities \(names) of \(entity.name)."
            : "The entity \(entity.name) has no key \(key); its sub-entities \(names) have it.",
          hint: "Name the sub-entity as the entity to fetch.")
      }
      if resolver.declaredKeys(entity).contains(key) {
        type = type.member == nil ? .anything : .collection(.anything, isOrdered: false)
        return keys.append(.key(key))
      }
      if key == "count", type.member != nil {
        throw Failure(
          step: index, code: .unknownKey, message: "The entity \(entity.name) has no key count.",
          hint: "Write .@count.")
      }
      throw unknown(
        key, at: index, owner: "the entity \(entity.name)",
        candidates: entity.properties.map(\.name) + resolver.declaredKeys(entity).sorted())
    }

    private mutating func advance(_ found: [PropertyDescription], _ key: String) {
      if let attributes = found as? [AttributeDescription], let first = attributes.first {
        composite = first.type == .composite ? first : nil
        advance(.attribute(attributes), to: ExpressionType(first.type), key)
      } else if let relationships = found as? [RelationshipDescription], let first = relationships.first {
        advance(
          .relationship(relationships), to: .object(first.destination), key, isToMany: first.isToMany,
          isOrdered: first.isOrdered)
      } else if let property = found.first as? FetchedPropertyDescription {
        advance(
          .fetchedProperty(property), to: .object(property.destination), key, isToMany: true,
          isOrdered: true)
      }
    }

    private mutating func advance(
      _ step: ResolvedKeyPath.Step, to end: ExpressionType, _ key: String, isToMany: Bool = false,
      isOrdered: Bool = false
    ) {
      steps.append(step)
      keys.append(.key(key))
      if case .collection(_, let wasOrdered) = type {
        type = .collection(end, isOrdered: wasOrdered && (isOrdered || !isToMany))
      } else {
        type = isToMany ? .collection(end, isOrdered: isOrdered) : end
      }
    }

    private func agree(_ found: [PropertyDescription]) -> Bool {
      if let attributes = found as? [AttributeDescription] {
        guard let first = attributes.first else { return false }
        return attributes.allSatisfy {
          ExpressionType($0.type) == ExpressionType(first.type) && $0.elements.isEmpty
        }
      }
      guard let relationships = found as? [RelationshipDescription], let first = relationships.first else {
        return found.count == 1
      }
      return relationships.allSatisfy {
        $0.destination === first.destination && $0.isToMany == first.isToMany
          && $0.isOrdered == first.isOrdered
      }
    }

    mutating func finish(
      with name: String, at index: Int, rest: [QueryKeyPath.Step]
    ) throws(Failure) -> ResolvedKeyPath {
      guard let collectionOperator = ResolvedKeyPath.Operator(rawValue: name) else {
        let known = ResolvedKeyPath.Operator.allCases.map(\.rawValue)
        throw Failure(
          step: index, code: .unknownFunction, message: "There is no collection operator @\(name).",
          suggestions: NearestNames.names(near: name, among: known).map { "@\($0)" })
      }
      let member: ExpressionType
      if let found = type.member {
        member = found
      } else if case .anything = type {
        member = .anything
      } else {
        throw Failure(
          step: index, code: .toManyPath,
          message: "@\(name) needs a collection, and what stands before it is \(type).",
          hint: "Put a to-many relationship before it.")
      }
      keys.append(.collectionOperator(name))
      var path = ResolvedKeyPath(
        steps: steps, collectionOperator: collectionOperator, type: .integer, keys: keys)
      if collectionOperator == .count {
        guard rest.allSatisfy({ $0 == .key("self") }) else {
          throw Failure(
            step: index + 1, code: .invalidKeyPath, message: "@count is a number, and no key follows it.",
            hint: "Leave out what stands behind @count.")
        }
        return path
      }
      guard !rest.isEmpty else {
        throw Failure(
          step: index, code: .invalidKeyPath, message: "@\(name) needs a key after it.",
          hint: "Write @\(name).self for the members themselves.")
      }
      let operand: ResolvedKeyPath
      do throws(Failure) {
        operand = try resolver.resolve(rest, from: member)
      } catch {
        throw Failure(
          step: index + 1 + error.step, code: error.code, message: error.message, hint: error.hint,
          suggestions: error.suggestions)
      }
      path.operand = operand.steps
      path.keys += operand.keys.isEmpty ? [.key("self")] : operand.keys
      path.type = try outcome(collectionOperator, over: operand.type.member ?? operand.type, at: index)
      return path
    }

    private func outcome(
      _ collectionOperator: ResolvedKeyPath.Operator, over value: ExpressionType, at index: Int
    ) throws(Failure) -> ExpressionType {
      let isAnything = value == .anything
      switch collectionOperator {
      case .sum, .average:
        guard value.isNumber || isAnything else {
          throw Failure(
            step: index, code: .typeMismatch,
            message: "@\(collectionOperator.rawValue) needs numbers, and the key's value is \(value).")
        }
        if isAnything { return .anything }
        if value == .decimal { return .decimal }
        if collectionOperator == .average { return .double }
        return value == .integer || value == .boolean ? .integer : .double
      case .minimum, .maximum:
        guard value.isOrdered else {
          throw Failure(
            step: index, code: .typeMismatch,
            message: "@\(collectionOperator.rawValue) needs values with an order, and the key's is \(value).")
        }
        return value
      default: return .collection(value, isOrdered: false)
      }
    }

    private func unknown(
      _ key: String, at index: Int, owner: String, candidates: [String]
    ) -> Failure {
      Failure(
        step: index, code: .unknownKey, message: "\(capitalised(owner)) has no key \(key).",
        suggestions: (key == "id" ? ["objectID"] : []) + NearestNames.names(near: key, among: candidates))
    }

    private func capitalised(_ text: String) -> String {
      text.prefix(1).uppercased() + text.dropFirst()
    }
  }
}
