extension XcodeModelConverter {
  /// Reads the indexes of all forms: `fetchIndex`, `indexed="YES"` on an attribute, and compound indexes.
  mutating func readIndexes(
    _ element: MarkupElement, of entity: inout EntityDefinition, at path: ModelPath, kept: inout [JSONValue]
  ) {
    var rest: [String: JSONValue] = [:]
    for child in element.children(named: "fetchIndex") {
      if isDropped(child) {
        kept.append(child.json)
      } else {
        let place = path.item("indexes", entity.indexes.count)
        entity.indexes.append(readFetchIndex(child, at: place, rest: &rest))
      }
    }
    if !rest.isEmpty { entity.xcode[XcodeKey.fetchIndexes] = .object(rest) }
    readIndexedAttributes(element, of: &entity, at: path)
    readCompoundIndexes(element, of: &entity, at: path, kept: &kept)
  }

  private mutating func readFetchIndex(
    _ element: MarkupElement, at path: ModelPath, rest: inout [String: JSONValue]
  ) -> IndexDefinition {
    var fields = fields(of: element, at: path)
    var index = IndexDefinition(fields.consume("name") ?? "", elements: [])
    origin(path, fields: fields)
    index.predicate = text("partialIndexPredicateString", in: &fields)
    var kept: [JSONValue] = []
    var types: [JSONValue] = []
    for child in element.children {
      guard child.name == "fetchIndexElement" else {
        keepUnknown(child, at: path, in: &kept)
        continue
      }
      let place = path.item("elements", index.elements.count)
      index.elements.append(readIndexElement(child, at: place, types: &types))
    }
    var xcode = finish(fields, XMLAttributeNames.fetchIndex)
    if types.contains(where: { $0 != .null }) { xcode["elements"] = .array(types) }
    if !kept.isEmpty { xcode[XcodeKey.droppedElements] = .array(kept) }
    if !xcode.isEmpty { rest[index.name] = .object(xcode) }
    return index
  }

  private mutating func readIndexElement(
    _ element: MarkupElement, at path: ModelPath, types: inout [JSONValue]
  ) -> IndexDefinition.Element {
    var fields = fields(of: element, at: path)
    var result = IndexDefinition.Element(
      text("property", in: &fields), expression: text("expression", in: &fields))
    if let word = fields.consume("type"), word != "Binary" {
      if word == "RTree" {
        result.kind = .rtree
      } else {
        refuse(word, of: "type", in: &fields, "is no kind of index; Binary is taken")
      }
    }
    if let word = fields.consume("order"), word != "ascending" {
      if word == "descending" {
        result.order = .descending
      } else {
        refuse(word, of: "order", in: &fields, "is no order; ascending is taken")
      }
    }
    if let expression = result.expression, let word = fields.consume("expressionType") {
      fields.keep(word, of: "expressionType", unless: XcodeText.expressionType(expression))
    }
    let xcode = finish(fields, XMLAttributeNames.fetchIndexElement)
    types.append(xcode.isEmpty ? .null : .object(xcode))
    return result
  }

  private mutating func readIndexedAttributes(
    _ element: MarkupElement, of entity: inout EntityDefinition, at path: ModelPath
  ) {
    var names = FreeNames(besides: entity.indexes)
    let elements = element.children(named: "attribute").filter { !isDropped($0) }
    for (position, child) in elements.enumerated() where position < entity.attributes.count {
      guard XcodeText.flag(entity.attributes[position].xcode.text("indexed") ?? "") == true else { continue }
      let attribute = entity.attributes[position]
      let place = path.item("attributes", position)
      guard !attribute.isTransient, attribute.type != .composite else {
        record(
          "foreign-dropped", at: place, offset: child.offset,
          message: "\(entity.name).\(attribute.name) is not stored as one value and cannot be indexed.")
        continue
      }
      let capital = attribute.name.prefix(1).uppercased()
      let name = names.consume("by\(capital)\(attribute.name.dropFirst())Index")
      let index = path.item("indexes", entity.indexes.count)
      origin(index, fields: fields(of: child, at: index), attribute: "indexed")
      entity.indexes.append(IndexDefinition(name, elements: [.init(attribute.name)]))
      entity.attributes[position].xcode["indexed"] = .string(name)
    }
  }

  private mutating func readCompoundIndexes(
    _ element: MarkupElement, of entity: inout EntityDefinition, at path: ModelPath, kept: inout [JSONValue]
  ) {
    var names = FreeNames(besides: entity.indexes)
    var made: [JSONValue] = []
    for list in element.children(named: "compoundIndexes") {
      for item in list.children {
        let isKnown = item.name == "compoundIndex" && item.children.allSatisfy { $0.name == "index" }
        guard isKnown, !isDropped(item) else {
          let alone = MarkupElement(name: list.name, children: [item], offset: item.offset)
          if isKnown { kept.append(alone.json) } else { keepUnknown(alone, at: path, in: &kept) }
          continue
        }
        let name = names.consume("compoundIndex")
        let place = path.item("indexes", entity.indexes.count)
        origin(place, fields: fields(of: item, at: place))
        entity.indexes.append(
          IndexDefinition(name, elements: item.children.map { IndexDefinition.Element($0["value"] ?? "") }))
        made.append(.string(name))
      }
    }
    if !made.isEmpty { entity.xcode[XcodeKey.compoundIndexes] = .array(made) }
  }

}

/// Finds names that no index of an entity has yet.
private struct FreeNames {
  private var names: Set<String>
  private var numbers: [String: Int] = [:]

  init(besides indexes: [IndexDefinition]) { names = Set(indexes.map(\.name)) }

  /// The name, or where it is taken the name with a number.
  mutating func consume(_ name: String) -> String {
    var free = name
    while !names.insert(free).inserted {
      numbers[name, default: 0] += 1
      free = "\(name)\(numbers[name] ?? 0)"
    }
    return free
  }
}

extension [String: JSONValue] {
  /// The string under a key.
  func text(_ key: String) -> String? {
    if case .string(let text)? = self[key] { return text }
    return nil
  }

  /// The strings in the object under a key.
  func object(_ key: String) -> [String: JSONValue] {
    if case .object(let members)? = self[key] { return members }
    return [:]
  }

  /// The list under a key.
  func list(_ key: String) -> [JSONValue] {
    if case .array(let items)? = self[key] { return items }
    return []
  }
}
