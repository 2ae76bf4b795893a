import GraphStorePredicates

extension CompiledModelReader {
  private static let indexKeys: Set = [
    "NSIndexName", "NSIndexElements", "NSEntity", "NSPartialIndexPredicate",
  ]
  private static let elementKeys: Set = [
    "NSPropertyName", "NSIndexedProperty", "NSFetchIndexElementType", "NSAscending",
    "NSFetchIndexDescription",
  ]

  /// Sets the indexes of an entity: those with names, then in the old forms those of single attributes and of
  /// several.
  ///
  /// The old forms get the names that Xcode's models get for them, and are marked alike.
  mutating func readIndexes(
    of archived: ArchivedEntity, into entity: inout EntityDefinition
  ) throws(KeyedArchiveError) {
    let fields = archived.object.fields
    if case .list(let nodes) = try archive.value(at: fields["NSFetchIndexDescriptions"]) {
      for node in nodes {
        if let index = try index(node, archived.place) { entity.indexes.append(index) }
      }
    }
    for (name, node) in archived.properties {
      guard case .object(let object) = try archive.value(at: node), try flag(object.fields["NSIsIndexed"]),
        let position = entity.attributes.firstIndex(where: { $0.name == name })
      else { continue }
      let stem = "by\(name.prefix(1).uppercased())\(name.dropFirst())Index"
      if let index = try addIndex([name], named: stem, to: &entity) {
        entity.attributes[position].xcode["indexed"] = .string(index)
      }
    }
    var compound: [JSONValue] = []
    for names in try lists(fields["NSCompoundIndexes"]) {
      if let index = try addIndex(names, named: "compoundIndex", to: &entity) {
        compound.append(.string(index))
      }
    }
    if !compound.isEmpty { entity.xcode["compoundIndexes"] = .array(compound) }
  }

  /// - Returns: The name of the index; nil where there is one of these properties already.
  private func addIndex(
    _ properties: [String], named stem: String, to entity: inout EntityDefinition
  ) throws(KeyedArchiveError) -> String? {
    try archive.spend(entity.indexes.count)
    let isThere = entity.indexes.contains { index in
      index.predicate == nil && index.elements == properties.map { IndexDefinition.Element($0) }
    }
    guard !isThere else { return nil }
    let names = Set(entity.indexes.map(\.name))
    var name = stem
    var number = 0
    while names.contains(name) {
      number += 1
      name = "\(stem)\(number)"
    }
    entity.indexes.append(
      IndexDefinition(name, elements: properties.map { IndexDefinition.Element($0) }))
    return name
  }

  private mutating func index(
    _ node: PropertyListNode, _ place: Place
  ) throws(KeyedArchiveError) -> IndexDefinition? {
    guard case .object(let object) = try archive.value(at: node),
      let name = try filledText(object.fields["NSIndexName"]),
      case .list(let nodes) = try archive.value(at: object.fields["NSIndexElements"])
    else {
      findings.add(
        "compiled-unknown-part", at: place, message: "An index without name or elements is left out.")
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
    let predicate = try known("The index", at: indexPlace) { () throws(KeyedArchiveError) in
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
      findings.add(
        "compiled-unknown-part", at: place, message: "An element is not known; the index is left out.")
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
      let expression = try known("The index", at: place) { () throws(KeyedArchiveError) in
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
      findings.add(
        "compiled-unknown-part", at: place, message: "An element is not known; the index is left out.")
      return nil
    }
    return element
  }
}
