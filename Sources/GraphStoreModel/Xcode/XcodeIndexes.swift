/// The indexes of an entity in the forms they had in the XML.
struct XcodeIndexes {
  /// The names of the attributes that are said to be indexed.
  private(set) var attributes: Set<String> = []
  /// The elements for all other indexes.
  private(set) var elements: [MarkupElement] = []

  init(_ entity: EntityDefinition) {
    var rest = entity.indexes
    for attribute in entity.attributes {
      guard let name = attribute.xcode.text("indexed"),
        let place = rest.firstIndex(of: IndexDefinition(name, elements: [.init(attribute.name)]))
      else { continue }
      rest.remove(at: place)
      attributes.insert(attribute.name)
    }
    let names = Set(entity.xcode.list(XcodeKey.compoundIndexes))
    let compounds = rest.filter { names.contains(.string($0.name)) && Self.isPlain($0) }
    let more = entity.xcode.object(XcodeKey.fetchIndexes)
    let compoundNames = Set(compounds.map(\.name))
    elements = rest.filter { !compoundNames.contains($0.name) }.map {
      Self.fetchIndex($0, more.object($0.name))
    }
    if !compounds.isEmpty {
      elements.append(MarkupElement(name: "compoundIndexes", children: compounds.map(Self.compoundIndex)))
    }
  }

  private static func isPlain(_ index: IndexDefinition) -> Bool {
    index.predicate == nil
      && index.elements.allSatisfy { $0.property != nil && $0.order == .ascending && $0.kind == .binary }
  }

  private static func compoundIndex(_ index: IndexDefinition) -> MarkupElement {
    let elements = index.elements.map {
      MarkupElement(name: "index", attributes: [.init(name: "value", value: $0.property ?? "")])
    }
    return MarkupElement(name: "compoundIndex", children: elements)
  }

  private static func fetchIndex(_ index: IndexDefinition, _ xcode: [String: JSONValue]) -> MarkupElement {
    var attributes = XMLAttributeList(xcode)
    attributes.set("name", index.name)
    attributes.set("partialIndexPredicateString", index.predicate)
    var result = MarkupElement(
      name: "fetchIndex", attributes: attributes.list(XMLAttributeNames.fetchIndex))
    let more = xcode.list("elements")
    for (number, element) in index.elements.enumerated() {
      var known: [String: JSONValue] = [:]
      if number < more.count, case .object(let members) = more[number] { known = members }
      var attributes = XMLAttributeList(known)
      attributes.set("property", element.property)
      attributes.set("expression", element.expression)
      if let expression = element.expression {
        attributes.set("expressionType", XcodeText.expressionType(expression)) { _ in true }
      }
      attributes.set("type", element.kind == .rtree ? "RTree" : "Binary")
      attributes.restoreNonsense("type", takenFor: "Binary")
      attributes.set("order", element.order.rawValue)
      attributes.restoreNonsense("order", takenFor: "ascending")
      result.children.append(
        MarkupElement(
          name: "fetchIndexElement", attributes: attributes.list(XMLAttributeNames.fetchIndexElement)))
    }
    for json in xcode.list(XcodeKey.droppedElements) {
      if let dropped = MarkupElement(json: json) { result.children.append(dropped) }
    }
    return result
  }
}
