import GraphStorePredicates

/// Properties of a source entity that the mappings of its objects read.
struct MappingReadings {
  private var properties: Set<PropertyDescription> = []
  /// The properties that expressions begin with.
  private var keys: Set<String> = []
  /// Whether an expression passes the object itself to a function, which may read anything.
  private var isWhole = false
  /// The relationships that get the members of an old one as they are, by its name.
  private var successors: [String: [RelationshipDescription]] = [:]
  private var elements: [PropertyDescription: [CheckedAttributeMapping]] = [:]

  init(_ mappings: [CheckedEntityMapping]) {
    for mapping in mappings {
      for attribute in mapping.attributes { add(attribute) }
      for relationship in mapping.relationships { add(relationship) }
    }
  }

  func reads(_ property: PropertyDescription) -> Bool {
    isWhole || properties.contains(property) || keys.contains(property.name)
      || successors[property.name] != nil
  }

  /// Whether the members of an ordered relationship become members of unordered ones only.
  func losesOrder(of relationship: RelationshipDescription) -> Bool {
    let successors = successors(of: relationship)
    return !successors.isEmpty && successors.allSatisfy { $0.isToMany && !$0.isOrdered }
  }

  /// The relationships that get the members of an old one without more ado.
  func successors(of relationship: RelationshipDescription) -> [RelationshipDescription] {
    keys.contains(relationship.name) || isWhole ? [] : successors[relationship.name] ?? []
  }

  /// The elements of a composite attribute that are lost where the rest of it is kept, by their paths.
  func lostElements(of property: PropertyDescription) -> [String] {
    guard let attribute = property as? AttributeDescription, let mappings = elements[property],
      !isWhole, !keys.contains(property.name)
    else { return [] }
    return Self.lost(attribute.elements, mappings, path: "")
  }

  private static func lost(
    _ old: [AttributeDescription], _ mappings: [CheckedAttributeMapping], path: String
  ) -> [String] {
    old.flatMap { element -> [String] in
      let readers = mappings.filter { $0.origin === element }
      guard !readers.isEmpty else { return [path + element.name] }
      guard element.type == .composite else { return [] }
      return lost(element.elements, readers.flatMap(\.elements), path: "\(path)\(element.name).")
    }
  }

  private mutating func add(_ mapping: CheckedAttributeMapping) {
    switch mapping.value {
    case .attribute(let origin):
      properties.insert(origin)
      if origin.type == .composite { elements[origin, default: []] += mapping.elements }
    case .expression(let expression): add(expression)
    case .defaultValue, .derived: return
    }
  }

  private mutating func add(_ mapping: CheckedRelationshipMapping) {
    switch mapping.value {
    case .relationship(let origin):
      successors[origin.name, default: []].append(mapping.relationship)
    case .objects(_, let expression):
      // The destination of the object itself is looked up by its identity.
      if case .variable("source") = expression.kind { return }
      if let key = expression.keyOfSource {
        successors[key, default: []].append(mapping.relationship)
      } else {
        add(expression)
      }
    case .expression(let expression): add(expression)
    case .empty: return
    }
  }

  private mutating func add(_ expression: QueryExpression) {
    var collector = SourceKeyCollector()
    expression.walk(&collector)
    keys.formUnion(collector.keys)
    isWhole = isWhole || collector.readsObject
  }
}

extension QueryExpression {
  /// The key of `$source.KEY`; nil for every other form.
  package var keyOfSource: String? {
    guard case .keyPath(let path) = kind, case .variable("source")? = path.base?.kind, path.steps.count == 1,
      case .key(let key) = path.steps[0]
    else { return nil }
    return key
  }
}

extension CheckedAttributeMapping {
  /// The attribute whose values are taken.
  fileprivate var origin: AttributeDescription? {
    if case .attribute(let origin) = value { origin } else { nil }
  }
}

/// Collects the keys of `$source` in an expression.
private struct SourceKeyCollector: PredicateVisitor {
  private(set) var keys: Set<String> = []
  /// Whether `$source` occurs without a key.
  private(set) var readsObject = false
  /// The number of following variables that begin key paths.
  private var beginnings = 0

  mutating func visit(_ predicate: QueryPredicate) {}

  mutating func visit(_ expression: QueryExpression) {
    switch expression.kind {
    case .keyPath(let path):
      guard case .variable("source")? = path.base?.kind else { return }
      if case .key(let key)? = path.steps.first, key != "self" {
        keys.insert(key)
        beginnings += 1
      }
    case .variable("source"):
      if beginnings > 0 { beginnings -= 1 } else { readsObject = true }
    default: return
    }
  }
}
