import GraphStorePredicates

extension CompiledModelReader {
  private static let indexKeys: Set = [
    "NSIndexName", "NSIndexElements", "NSEntity", "NSPartialIndexPredicate",
  ]
  private static let elementKeys: Set = [
    "NSPropertyName", "NSIndexedProperty", "NSFetchIndexElementType", "NSAscending",
    "NSFetchIndexDescription",
  ]

  /// The indexes of an entity: those with names, then in the old forms those of single attributes and of several.
  mutating func indexes(
    of archived: ArchivedEntity, _ entity: EntityDefinition
  ) throws(KeyedArchiveError) -> [IndexDefinition] {
    let fields = archived.object.fields
    var indexes: [IndexDefinition] = []
    if case .list(let nodes) = try archive.value(at: fields["NSFetchIndexDescriptions"]) {
      for node in nodes { if let index = try index(node, archived.place) { indexes.append(index) } }
    }
    var old: [[String]] = []
    for (name, node) in archived.properties where entity.attributes.contains(where: { $0.name == name }) {
      if case .object(let object) = try archive.value(at: node), try flag(object.fields["NSIsIndexed"]) {
        old.append([name])
      }
    }
    old += try lists(fields["NSCompoundIndexes"])
    for names in old {
      try archive.spend(indexes.count)
      let isThere = indexes.contains { $0.predicate == nil && $0.elements.map(\.property) == names }
      guard !isThere else { continue }
      indexes.append(
        IndexDefinition(
          Self.indexName(names, besides: indexes), elements: names.map { IndexDefinition.Element($0) }))
    }
    return indexes
  }

  private static func indexName(_ properties: [String], besides indexes: [IndexDefinition]) -> String {
    let name = "by" + properties.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "And")
    guard indexes.contains(where: { $0.name == name }) else { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { name in !indexes.contains { $0.name == name } } ?? name
  }

  private mutating func index(
    _ node: PropertyListNode, _ place: Place
  ) throws(KeyedArchiveError) -> IndexDefinition? {
    guard case .object(let object) = try archive.value(at: node),
      let name = try filledText(object.fields["NSIndexName"]),
      case .list(let nodes) = try archive.value(at: object.fields["NSIndexElements"])
    else {
      findings.add("compiled-unknown-part", place, "An index without name or elements is left out.")
      return nil
    }
    findings.addUnknownKeys(of: object, besides: Self.indexKeys, place)
    let indexPlace = Place(path: place.path, name: "the index \(place.name).\(name)")
    var index = IndexDefinition(name, elements: [])
    for node in nodes {
      // An index without one of its elements is another index.
      guard let element = try element(node, indexPlace) else { return nil }
      index.elements.append(element)
    }
    let condition = object.fields["NSPartialIndexPredicate"]
    if case .null = try archive.value(at: condition) { return index }
    index.predicate = try text(condition)
    guard index.predicate == nil else { return index }
    let predicates = predicates
    let predicate = try known("The index", indexPlace) { () throws(KeyedArchiveError) in
      try predicates.predicate(at: condition)
    }
    guard let predicate, let text = printed(predicate, indexPlace) else { return nil }
    index.predicate = text
    return index
  }

  private mutating func element(
    _ node: PropertyListNode, _ place: Place
  ) throws(KeyedArchiveError) -> IndexDefinition.Element? {
    guard case .object(let object) = try archive.value(at: node) else {
      findings.add("compiled-unknown-part", place, "An element is not known; the index is left out.")
      return nil
    }
    findings.addUnknownKeys(of: object, besides: Self.elementKeys, place)
    var element = IndexDefinition.Element()
    if let ascending = object.fields["NSAscending"], try !flag(ascending) { element.order = .descending }
    if try integer(object.fields["NSFetchIndexElementType"]) == 1 { element.kind = .rtree }
    element.property = try filledText(object.fields["NSPropertyName"])
    if case .object(let property) = try archive.value(at: object.fields["NSIndexedProperty"]) {
      let node = property.fields["NSExpression"]
      let predicates = predicates
      let expression = try known("The index", place) { () throws(KeyedArchiveError) in
        try predicates.expression(at: node)
      }
      if let expression {
        element.property = nil
        element.expression = expression.expressionFormat
      } else if element.property == nil {
        element.property = try filledText(property.fields["NSPropertyName"])
      }
    }
    guard element.property != nil || element.expression != nil else {
      findings.add("compiled-unknown-part", place, "An element is not known; the index is left out.")
      return nil
    }
    return element
  }
}
