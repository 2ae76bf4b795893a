import GraphStorePredicates

/// Checks of the expressions of mappings (MIG-137, MIG-161 to MIG-175).
extension MappingChecker {
  /// Position of an expression, and the property it computes.
  struct ExpressionSite {
    let mapping: ListedEntityMapping
    /// The property of the destination.
    let property: PropertyDescription
    let path: ModelPath

    /// The variables there are (MIG-162).
    var variables: [String: ExpressionType] {
      var variables: [String: ExpressionType] = [
        "manager": .anything, "entityMapping": .anything, "propertyMapping": .anything,
        "entityPolicy": .anything,
      ]
      if let source = mapping.source { variables["source"] = .object(source) }
      if property is RelationshipDescription, let destination = mapping.destination {
        variables["destination"] = .object(destination)
      }
      return variables
    }
  }

  /// Checks the expression that computes a property's value.
  mutating func checkExpression(
    of mapping: PropertyMapping, for property: PropertyDescription, at path: ModelPath,
    in found: ListedEntityMapping
  ) {
    switch mapping.value {
    case .inferred, .none: return
    case .expression(let expression):
      let site = ExpressionSite(mapping: found, property: property, path: path.key("value"))
      if let type = type(of: expression, at: site) { checkValue(expression, type, at: site) }
    case .objects(let name, let expression):
      let target = checkReference(to: name, at: path.key("mapping"), in: found)
      let site = ExpressionSite(mapping: found, property: property, path: path.key("from"))
      if let type = type(of: expression, at: site) { checkObjects(type, of: target, named: name, at: site) }
    }
  }

  /// Checks the predicate that chooses the objects of an entity mapping (MIG-156).
  mutating func checkFilter(of found: ListedEntityMapping) {
    guard let filter = found.mapping.filter, let source = found.source else { return }
    let problems = PredicateTypeChecker(entity: source).problems(in: filter)
    for problem in problems {
      report(problem, filter.predicateFormat, at: found.path.key("where"), in: found)
    }
  }

  // MARK: Names and types

  /// The type of an expression; nil where something is wrong with it.
  private mutating func type(of expression: QueryExpression, at site: ExpressionSite) -> ExpressionType? {
    let count = problems.count
    checkVariables(of: expression, at: site)
    var calls = MappingCallCollector()
    expression.walk(&calls)
    if let range = calls.bareKey {
      report(
        .mappingBadExpression, "An expression of a mapping has no object of its own.", at: site,
        offset: range.offset,
        remedy: "Begin key paths with $source.")
    }
    for call in calls.calls { check(call, at: site) }
    guard problems.count == count else { return nil }
    var checker = PredicateTypeChecker(
      entity: site.mapping.source ?? site.property.entity, purpose: .evaluation)
    checker.variables = site.variables
    checker.functions = Self.functions(calls.calls)
    do throws(QueryPredicateError) {
      return try checker.check(expression).type
    } catch {
      report(error, expression.expressionFormat, at: site.path, in: site.mapping)
      return nil
    }
  }

  private mutating func checkVariables(of expression: QueryExpression, at site: ExpressionSite) {
    let known = site.variables
    for name in expression.names.variables where known[name] == nil {
      let message: String
      var remedy: String?
      switch name {
      case "source": message = "The entity mapping has no source, so there is no $source."
      case "destination":
        message = "There is no $destination in the value of an attribute: the object is being made."
        remedy = "Begin key paths with $source."
      default: message = "There is no variable $\(name) in mappings."
      }
      let names = known.keys.sorted()
      report(
        .mappingBadExpression, message, at: site, value: "$\(name)",
        suggestion: remedy == nil ? NearestNames.names(near: name, among: names).first.map { "$\($0)" } : nil,
        remedy: remedy)
    }
  }

  private mutating func check(_ call: MappingCall, at site: ExpressionSite) {
    switch call.target {
    case "manager": checkManagerCall(call, at: site)
    case "entityPolicy":
      if site.mapping.mapping.policyName == nil {
        report(
          .mappingBadExpression,
          "The entity mapping has no policy that could have the function \(call.name).",
          at: site, value: call.name, offset: call.range?.offset, remedy: "Name its \"policy\".")
      }
    default: return
    }
  }

  /// Checks a call of `$manager` (MIG-168 to MIG-172).
  private mutating func checkManagerCall(_ call: MappingCall, at site: ExpressionSite) {
    guard let function = MappingFunction(rawValue: call.name) else {
      let names = MappingFunction.allCases.map(\.rawValue)
      report(
        .mappingBadExpression, "$manager has no function \(call.name).", at: site, value: call.name,
        offset: call.range?.offset,
        suggestion: NearestNames.names(near: call.name, among: names).first ?? names.first)
      return
    }
    guard call.arguments.count == 2 else {
      report(
        .mappingBadExpression,
        "\(function.rawValue) takes the name of an entity mapping and objects, not \(call.arguments.count) arguments.",
        at: site, value: call.name, offset: call.range?.offset)
      return
    }
    if case .constant(.string(let name)) = call.arguments[0].kind {
      checkReference(to: name, at: site.path, in: site.mapping)
    }
  }

  /// The registered functions, and those that the manager and the policy answer to.
  private static func functions(_ calls: [MappingCall]) -> PredicateFunctions {
    var functions = PredicateFunctions.standard
    for call in calls where call.target != nil { functions.register(call.name) { _, _ in .null } }
    return functions
  }

  // MARK: Values

  /// Refuses a value that can never be one of the property (MIG-166).
  private mutating func checkValue(
    _ expression: QueryExpression, _ type: ExpressionType, at site: ExpressionSite
  ) {
    switch site.property {
    case let attribute as AttributeDescription where !attribute.accepts(type):
      report(
        .mappingBadValue, "The value is \(type), and \(attribute) is of type \(attribute.type.rawValue).",
        at: site,
        value: expression.expressionFormat, remedy: "Write CAST(…, \"TYPE\") to make one of the other.")
    case let relationship as RelationshipDescription:
      checkMembers(expression, type, of: relationship, at: site)
    default: return
    }
  }

  private mutating func checkMembers(
    _ expression: QueryExpression, _ type: ExpressionType, of relationship: RelationshipDescription,
    at site: ExpressionSite
  ) {
    if expression.constantValue?.isNull == true { return }
    switch type.objects {
    case .anything: return
    case .object(let entity?) where entity.model === source:
      let remedy =
        nearestMapping(from: entity, to: relationship.destination).map {
          "Write \"mapping\": \"\($0)\", \"from\": \"\(expression.expressionFormat)\"."
        } ?? "Write \"mapping\": NAME, \"from\": \"\(expression.expressionFormat)\"."
      report(
        .mappingBadValue, "The value is made of objects of the source, not of those that were made of them.",
        at: site, value: expression.expressionFormat, remedy: remedy)
    case .object(let entity?) where !isRelated(entity, relationship.destination):
      report(
        .mappingBadValue, "Objects of \(entity.name) cannot be members of \(relationship).", at: site,
        value: expression.expressionFormat)
    case .object: return
    default:
      report(
        .mappingBadValue, "The value is \(type), and \(relationship) has objects as members.", at: site,
        value: expression.expressionFormat)
    }
  }

  /// Refuses objects that a mapping never takes, and members that a relationship never has (MIG-170).
  private mutating func checkObjects(
    _ type: ExpressionType, of target: MappingTarget?, named name: String, at site: ExpressionSite
  ) {
    switch type.objects {
    case .anything: break
    case .object(let entity):
      if let entity, let taken = target?.source, !isRelated(entity, taken) {
        report(
          .mappingBadValue, "The mapping \(name) takes objects of \(taken.name), never of \(entity.name).",
          at: site,
          value: name)
      }
    default:
      report(.mappingBadValue, "The value is \(type), and objects of the source are needed.", at: site)
    }
    guard let made = target?.destination, let relationship = site.property as? RelationshipDescription,
      !isRelated(made, relationship.destination)
    else { return }
    report(
      .mappingBadValue,
      "The mapping \(name) makes objects of \(made.name), which cannot be members of \(relationship).",
      at: site,
      value: name)
  }

  private func isRelated(_ one: EntityDescription, _ other: EntityDescription) -> Bool {
    one.isKind(of: other) || other.isKind(of: one)
  }

  /// The name of a mapping that makes members of a relationship of objects of an entity.
  private func nearestMapping(from entity: EntityDescription, to destination: EntityDescription) -> String? {
    targets.sorted { $0.key < $1.key }.first { _, target in
      guard let taken = target.source, let made = target.destination else { return false }
      return isRelated(taken, entity) && made.isKind(of: destination)
    }?.key
  }

  // MARK: Reports

  private mutating func report(
    _ code: ModelProblem.Code, _ message: String, at site: ExpressionSite, value: String? = nil,
    offset: Int? = nil, suggestion: String? = nil, remedy: String? = nil
  ) {
    report(
      ModelProblem(
        code, at: site.path, value: value, message: message, suggestion: suggestion, remedy: remedy,
        offset: offset),
      in: site.mapping.part)
  }

  private mutating func report(
    _ error: QueryPredicateError, _ text: String, at path: ModelPath, in found: ListedEntityMapping
  ) {
    report(ModelProblem(mapping: error, in: text, at: path), in: found.part)
  }
}

extension AttributeDescription {
  /// Whether values of a type can be values of the attribute; numbers convert where they do so exactly
  /// (MIG-166).
  fileprivate func accepts(_ type: ExpressionType) -> Bool {
    let own = ExpressionType(self.type)
    if own == type || own == .anything || type == .anything { return true }
    if own.isNumber, type.isNumber { return true }
    switch (own, type) {
    case (.transformable, _): return type.objects.isValue
    case (.composite, .dictionary): return true
    default: return false
    }
  }
}

extension ExpressionType {
  /// The type itself, or that of the members of a collection.
  fileprivate var objects: ExpressionType { member ?? self }

  fileprivate var isValue: Bool { if case .object = self { false } else { true } }
}
