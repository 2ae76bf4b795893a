/// Serializer of models into the XML that Xcode reads and writes.
///
/// Settings that XML cannot express are stored in the user information of the part they belong to, where
/// ``XcodeModelReader`` finds them again; the tools of others keep them and do not read them.
struct XcodeModelWriter {
  /// The XML of a model, in UTF-8.
  static func xml(of definition: ModelDefinition) -> [UInt8] { written(definition).xml }

  /// The XML of a model, and what the tools of others will not apply.
  static func written(_ definition: ModelDefinition) -> (xml: [UInt8], findings: [ModelProblem]) {
    var writer = XcodeModelWriter(definition)
    let plain = MarkupWriter.document(writer.model())
    guard let reading = try? XcodeModelReader.read(plain, file: nil) else { return (plain, []) }
    let extras = XcodeExtras.texts(for: definition, reading: reading.definition)
    guard !extras.isEmpty else { return (plain, []) }
    writer = XcodeModelWriter(definition, extras: extras)
    return (MarkupWriter.document(writer.model()), XcodeExtras.findings(extras))
  }

  let definition: ModelDefinition
  private let extras: [ModelPath: String]
  /// The composites that attributes are made of, in the order of their first use.
  var composites: [(name: String, elements: [AttributeDefinition])] = []

  private init(_ definition: ModelDefinition, extras: [ModelPath: String] = [:]) {
    self.definition = definition
    self.extras = extras
  }

  private mutating func model() -> MarkupElement {
    var attributes = XMLAttributeList(header)
    attributes.set("name", definition.name) { $0.isEmpty && definition.name == nil }
    attributes.set("type", "com.apple.IDECoreDataModeler.DataModel") { _ in true }
    attributes.set("documentVersion", "1.0") { _ in true }
    attributes.set("userDefinedModelVersionIdentifier", definition.version ?? "")
    var root = MarkupElement(name: "model", attributes: attributes.list(XMLAttributeNames.model))
    root.children = definition.entities.enumerated().map {
      entity($1, at: ModelPath().item("entities", $0))
    }
    var made = 0
    // A composite may hold attributes that are composites, which add to the list.
    while made < composites.count {
      let composite = composites[made]
      root.children.append(
        MarkupElement(
          name: "composite", attributes: [.init(name: "name", value: composite.name)],
          children: composite.elements.map { attribute($0, at: nil) }))
      made += 1
    }
    root.children += definition.fetchRequests.map(fetchRequest)
    root.children += definition.configurations.map(configuration)
    addDropped(definition.xcode, to: &root)
    if let info = userInfo(definition.userInfo, at: ModelPath()) { root.children.append(info) }
    root.children.append(layout)
    return root
  }

  /// The header of the tools that wrote the model; for a model that no tool wrote, that of today's.
  private var header: [String: JSONValue] {
    let hasHeader = XMLAttributeNames.defaultHeader.keys.contains { definition.xcode[$0] != nil }
    return hasHeader
      ? definition.xcode : definition.xcode.merging(XMLAttributeNames.defaultHeader) { own, _ in own }
  }

  /// The position of each entity in the editor's drawing, four in a row.
  private var layout: MarkupElement {
    let elements = definition.entities.enumerated().map { number, entity in
      let count = entity.attributes.count + entity.relationships.count + entity.fetchedProperties.count
      let values = [
        ("name", entity.name), ("positionX", String(number % 4 * 180 - 270)),
        ("positionY", String(number / 4 * 216 - 216)), ("width", "128"), ("height", String(44 + 15 * count)),
      ]
      return MarkupElement(name: "element", attributes: values.map { .init(name: $0, value: $1) })
    }
    return MarkupElement(name: "elements", children: elements)
  }

  /// The user information of a part with its extras; nil when there is none.
  func userInfo(_ userInfo: [String: JSONValue], at path: ModelPath?) -> MarkupElement? {
    var entries = userInfo.map { key, value -> (String, String) in
      if case .string(let text) = value { return (key, text) }
      return (key, JSONWriter.text(value))
    }
    if let text = path.flatMap({ extras[$0] }) {
      entries.removeAll { $0.0 == XcodeKey.extras }
      entries.append((XcodeKey.extras, text))
    }
    guard !entries.isEmpty else { return nil }
    let elements = entries.sorted { VersionHash.precedes($0.0, $1.0) }.map { key, value in
      MarkupElement(
        name: "entry", attributes: [.init(name: "key", value: key), .init(name: "value", value: value)])
    }
    return MarkupElement(name: "userInfo", children: elements)
  }

  /// Adds the elements that made no sense when they were read; lists join those of their name.
  func addDropped(_ xcode: [String: JSONValue], to element: inout MarkupElement) {
    for json in xcode.list(XcodeKey.droppedElements) {
      guard let dropped = MarkupElement(json: json) else { continue }
      let isList = dropped.name == "compoundIndexes" || dropped.name == "uniquenessConstraints"
      if isList, let place = element.children.firstIndex(where: { $0.name == dropped.name }) {
        element.children[place].children += dropped.children
      } else {
        element.children.append(dropped)
      }
    }
  }
}
