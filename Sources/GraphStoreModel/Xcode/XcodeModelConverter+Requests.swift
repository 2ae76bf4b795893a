import GraphStorePredicates

extension XcodeModelConverter {
  mutating func readFetchRequest(_ element: MarkupElement, kept: inout [String: JSONValue]) {
    let path = ModelPath().item("fetchRequests", definition.fetchRequests.count)
    var fields = fields(of: element, at: path)
    var request = FetchRequestDefinition(fields.consume("name") ?? "", entity: fields.consume("entity") ?? "")
    origin(path, fields: fields)
    request.predicate = text("predicateString", in: &fields)
    request.limit = number("fetchLimit", in: &fields)
    request.batchSize = number("fetchBatchSize", in: &fields)
    if let word = fields.consume("resultType") {
      if let type = XcodeText.resultTypes[word] {
        request.resultType = type
        fields.keep(word, of: "resultType", unless: type == .objects ? nil : word)
      } else {
        refuse(word, of: "resultType", in: &fields, "is no kind of result; objects are taken")
      }
    }
    if let text = fields.consume("includeSubentities") {
      request.includesSubentities = XcodeText.flag(text) ?? true
      fields.keep(text, of: "includeSubentities", unless: request.includesSubentities ? nil : "NO")
    }
    // Distinct results of another kind than dictionaries are what a request returns anyway.
    if request.resultType == .dictionaries {
      request.distinct = flag("returnDistinctResults", in: &fields)
    }
    var xcode = finish(fields, XMLAttributeNames.fetchRequest)
    var unknown: [JSONValue] = []
    for child in element.children { keepUnknown(child, at: path, in: &unknown) }
    if !unknown.isEmpty { xcode[XcodeKey.droppedElements] = .array(unknown) }
    if !xcode.isEmpty { kept[request.name] = .object(xcode) }
    definition.fetchRequests.append(request)
  }

  mutating func readFetchedProperty(
    _ element: MarkupElement, at path: ModelPath
  ) -> FetchedPropertyDefinition {
    var fields = fields(of: element, at: path)
    var property = FetchedPropertyDefinition(fields.consume("name") ?? "", entity: "")
    origin(path, fields: fields)
    property.isOptional = flag("optional", in: &fields)
    property.renamingIdentifier = text("elementID", in: &fields)
    property.versionHashModifier = text("versionHashModifier", in: &fields)
    var kept: [JSONValue] = []
    var request: [String: JSONValue] = [:]
    var isRead = false
    for child in element.children {
      switch child.name {
      case "userInfo": readUserInfo(child, at: path, into: &property.userInfo)
      case "fetchRequest" where !isRead:
        isRead = true
        request = readRequest(child, of: &property, at: path)
      default: keepUnknown(child, at: path, in: &kept)
      }
    }
    property.xcode = finish(fields, XMLAttributeNames.fetchedProperty)
    if !request.isEmpty { property.xcode[XcodeKey.fetchRequest] = .object(request) }
    if !kept.isEmpty { property.xcode[XcodeKey.droppedElements] = .array(kept) }
    return property
  }

  private mutating func readRequest(
    _ element: MarkupElement, of property: inout FetchedPropertyDefinition, at path: ModelPath
  ) -> [String: JSONValue] {
    var fields = fields(of: element, at: path)
    if let name = fields.consume("name") {
      fields.keep(name, of: "name", unless: "fetchedPropertyFetchRequest")
    }
    property.entity = fields.consume("entity") ?? ""
    property.predicate = text("predicateString", in: &fields)
    property.limit = number("fetchLimit", in: &fields)
    var request = finish(fields, XMLAttributeNames.fetchRequest)
    var unknown: [JSONValue] = []
    for child in element.children { keepUnknown(child, at: path, in: &unknown) }
    if !unknown.isEmpty { request[XcodeKey.droppedElements] = .array(unknown) }
    return request
  }

  mutating func readConfiguration(_ element: MarkupElement, kept: inout [String: JSONValue]) {
    let path = ModelPath().item("configurations", definition.configurations.count)
    var fields = fields(of: element, at: path)
    var configuration = ConfigurationDefinition(fields.consume("name") ?? "", entities: [])
    origin(path, fields: fields)
    var unknown: [JSONValue] = []
    for child in element.children {
      guard child.name == "memberEntity" else {
        keepUnknown(child, at: path, in: &unknown)
        continue
      }
      guard !isDropped(child) else {
        unknown.append(child.json)
        continue
      }
      let place = path.item("entities", configuration.entities.count)
      origin(place, fields: self.fields(of: child, at: place))
      configuration.entities.append(child["name"] ?? "")
    }
    var xcode = finish(fields, XMLAttributeNames.configuration)
    if !unknown.isEmpty { xcode[XcodeKey.droppedElements] = .array(unknown) }
    if !xcode.isEmpty { kept[configuration.name] = .object(xcode) }
    definition.configurations.append(configuration)
  }

  private mutating func number(_ name: String, in fields: inout XcodeFields) -> Int {
    guard let text = fields.consume(name) else { return 0 }
    guard let number = XcodeText.count(text), number >= 0 else {
      refuse(text, of: name, in: &fields, "is no number of objects")
      return 0
    }
    fields.keep(text, of: name, unless: number == 0 ? nil : String(number))
    return number
  }
}
