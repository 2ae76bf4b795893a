/// Parts of a model that XML cannot express: they are stored as JSON under one key of the user information of
/// the model, entity or property that they belong to.
///
/// Each key of a part is there with what it `is` and what the XML `reads`, so that a change made by another
/// tool wins.
enum XcodeExtras {
  /// The lists of properties of an entity.
  static let propertyLists = ["attributes", "relationships", "fetchedProperties"]

  /// The extras by the path of their part that make a model out of what was read from its XML.
  static func texts(for model: ModelDefinition, reading: ModelDefinition) -> [ModelPath: String] {
    var texts: [ModelPath: String] = [:]
    guard case .object(let wanted)? = tree(model), case .object(let found)? = tree(reading) else {
      return [:]
    }
    compare(wanted, found, without: ["entities"], at: ModelPath(), texts: &texts)
    for (number, entities) in zip(wanted.list("entities"), found.list("entities")).enumerated() {
      guard case (.object(let entity), .object(let found)) = entities else { continue }
      let wanted = withoutModule(entity)
      let path = ModelPath().item("entities", number)
      // Lists of one length are compared item by item.
      let lists = propertyLists.filter { wanted.list($0).count == found.list($0).count }
      compare(wanted, found, without: lists, at: path, texts: &texts)
      for list in lists {
        for (number, properties) in zip(wanted.list(list), found.list(list)).enumerated() {
          guard case (.object(let wanted), .object(let found)) = properties else { continue }
          compare(wanted, found, without: [], at: path.item(list, number), texts: &texts)
        }
      }
    }
    return texts
  }

  /// An entity whose class has the module among Xcode's own words, where reading finds it.
  private static func withoutModule(_ entity: [String: JSONValue]) -> [String: JSONValue] {
    guard let name = entity.text("className"), let plain = XcodeText.className(name), plain != name else {
      return entity
    }
    var entity = entity
    var xcode = entity.object("xcode")
    xcode["representedClassName"] = .string(name)
    entity["className"] = .string(plain)
    entity["xcode"] = .object(xcode)
    return entity
  }

  private static func compare(
    _ wanted: [String: JSONValue], _ found: [String: JSONValue], without: [String], at path: ModelPath,
    texts: inout [ModelPath: String]
  ) {
    var differences: [String: JSONValue] = [:]
    for key in Set(wanted.keys).union(found.keys) where !without.contains(key) && wanted[key] != found[key] {
      if key == "xcode", saysTheSame(wanted.object(key), found.object(key)) { continue }
      var difference: [String: JSONValue] = [:]
      difference["is"] = wanted[key]
      difference["reads"] = found[key]
      differences[key] = .object(difference)
    }
    if !differences.isEmpty { texts[path] = JSONWriter.text(.object(differences), depth: 0) }
  }

  /// Whether the contents of `xcode` are restored: what Xcode stated is in the XML already, where it still
  /// holds, and only what is not of Xcode has to be stored. So do elements that were left out when they were
  /// read with extras which made no sense, and make sense without.
  private static func saysTheSame(_ wanted: [String: JSONValue], _ found: [String: JSONValue]) -> Bool {
    wanted.values.allSatisfy(fitsXML) && found.keys.allSatisfy { wanted[$0] != nil }
      && XcodeKey.all.allSatisfy { wanted[$0] == nil || found[$0] != nil }
      && ownKeys(wanted) == ownKeys(found)
  }

  /// Whether every text of a value can be written in XML, which has no control characters.
  private static func fitsXML(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool, .number: true
    case .string(let text): text.unicodeScalars.allSatisfy(MarkupWriter.isAllowed)
    case .array(let items): items.allSatisfy(fitsXML)
    case .object(let members): members.allSatisfy { fitsXML(.string($0.key)) && fitsXML($0.value) }
    }
  }

  private static func ownKeys(_ part: [String: JSONValue]) -> [String: JSONValue] {
    part.filter { key, value in
      if XcodeKey.all.contains(key) { return false }
      guard case .string = value else { return true }
      // The name in the XML is always the part's own.
      return key == "name" || !XMLAttributeNames.all.contains(key)
    }
  }

  /// The findings that extras are: the tools of others do not apply them.
  static func findings(_ texts: [ModelPath: String]) -> [ModelProblem] {
    texts.sorted { VersionHash.precedes($0.key.description, $1.key.description) }.compactMap { path, text in
      guard case .object(let members)? = (try? JSONParser.parse(Array(text.utf8)))?.value else { return nil }
      let keys = members.keys.sorted(by: VersionHash.precedes).map { "\"\($0)\"" }
      return ModelProblem.warning(
        "foreign-extras", at: path,
        message:
          "Xcode has no words for \(keys.joined(separator: ", ")); this stands in the user information under "
          + "\"\(XcodeKey.extras)\", which other tools keep but do not apply.")
    }
  }

  /// The definition with its extras restored; nil when there are none.
  static func apply(to model: ModelDefinition) -> ModelDefinition? {
    guard hasExtras(model), case .object(var members)? = tree(model) else { return nil }
    patch(&members)
    members["entities"] = .array(
      members.list("entities").map { item in
        guard case .object(var entity) = item else { return item }
        patch(&entity)
        for list in propertyLists where entity[list] != nil {
          entity[list] = .array(
            entity.list(list).map { item in
              guard case .object(var property) = item else { return item }
              patch(&property)
              return .object(property)
            })
        }
        return .object(entity)
      })
    guard let node = try? JSONParser.parse(Array(JSONWriter.text(.object(members)).utf8)) else { return nil }
    var reader = ModelReader()
    let definition = reader.read(node)
    return reader.problems.isEmpty ? definition : nil
  }

  private static func hasExtras(_ model: ModelDefinition) -> Bool {
    let key = XcodeKey.extras
    return model.userInfo[key] != nil
      || model.entities.contains { entity in
        entity.userInfo[key] != nil || entity.attributes.contains { $0.userInfo[key] != nil }
          || entity.relationships.contains { $0.userInfo[key] != nil }
          || entity.fetchedProperties.contains { $0.userInfo[key] != nil }
      }
  }

  /// Restores the extras of a part, and removes them from the user information.
  private static func patch(_ part: inout [String: JSONValue]) {
    var userInfo = part.object("userInfo")
    guard let text = userInfo.text(XcodeKey.extras), let node = try? JSONParser.parse(Array(text.utf8)),
      case .object(let differences) = node.value
    else { return }
    userInfo[XcodeKey.extras] = nil
    part["userInfo"] = userInfo.isEmpty ? nil : .object(userInfo)
    for (key, difference) in differences {
      guard case .object(let difference) = difference, part[key] == difference["reads"] else { continue }
      part[key] = difference["is"]
    }
  }

  private static func tree(_ model: ModelDefinition) -> JSONValue? {
    (try? JSONParser.parse([UInt8](model.jsonData())))?.value
  }
}
