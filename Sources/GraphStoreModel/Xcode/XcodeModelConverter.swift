/// Conversion of the elements of a model of Xcode's into a definition.
///
/// A part that an earlier reading found to make no sense is left out and kept under `xcode`.
struct XcodeModelConverter {
  /// Origin in the XML of a part of the definition.
  struct Origin {
    /// The element to leave out when the part makes no sense.
    var element: Int
    /// The attribute of it to leave out; nil for the whole element.
    var attribute: String?
    /// The offset to report.
    var offset: Int
  }

  /// A finding and the offset it is about.
  struct LocatedProblem {
    var finding: ModelProblem
    var offset: Int
  }

  /// Key for a whole element in ``drops``.
  static let wholeElement = "*"
  /// The most elements that the composites of a model may have together, since each use of one repeats it.
  static let maximumCompositeElements = 10_000

  let root: MarkupElement
  /// The names of attributes to leave out, by the offset of their element.
  let drops: [Int: Set<String>]
  /// Whether ``origins`` is filled, which only a model with problems needs.
  let keepsOrigins: Bool
  var warnings: [LocatedProblem] = []
  /// Problems that no later check would find.
  var problems: [ModelProblem] = []
  var origins: [ModelPath: Origin] = [:]
  var definition = ModelDefinition()
  var composites: [String: MarkupElement] = [:]
  /// The offsets of the relationships' elements, for each entity.
  var relationshipOffsets: [[Int]] = []
  var usedComposites: Set<String> = []
  var compositeElements = 0

  init(_ root: MarkupElement, drops: [Int: Set<String>] = [:], keepsOrigins: Bool = false) {
    self.root = root
    self.drops = drops
    self.keepsOrigins = keepsOrigins
  }

  /// Reads the model.
  mutating func read() {
    for composite in root.children(named: "composite") {
      if let name = composite["name"], composites[name] == nil { composites[name] = composite }
    }
    var fields = fields(of: root, at: ModelPath())
    readHeader(&fields)
    var kept: [JSONValue] = []
    var requests: [String: JSONValue] = [:]
    var configurations: [String: JSONValue] = [:]
    var userInfo: [String: JSONValue] = [:]
    for child in root.children {
      switch child.name {
      case "elements", "composite": continue
      case "userInfo": readUserInfo(child, at: ModelPath(), into: &userInfo)
      case _ where isDropped(child): kept.append(child.json)
      case "entity": definition.entities.append(readEntity(child))
      case "fetchRequest": readFetchRequest(child, kept: &requests)
      case "configuration": readConfiguration(child, kept: &configurations)
      default: keepUnknown(child, at: ModelPath(), in: &kept)
      }
    }
    keepUnusedComposites(&kept)
    definition.userInfo = userInfo
    definition.xcode = finish(fields, XMLAttributeNames.model)
    dropDefaultHeader()
    if !requests.isEmpty { definition.xcode[XcodeKey.fetchRequests] = .object(requests) }
    if !configurations.isEmpty { definition.xcode[XcodeKey.configurations] = .object(configurations) }
    if !kept.isEmpty { definition.xcode[XcodeKey.droppedElements] = .array(kept) }
    resolveInverses()
    definition = XcodeExtras.apply(to: definition) ?? definition
  }

  private mutating func readHeader(_ fields: inout XcodeFields) {
    if let name = fields.consume("name") {
      definition.name = name.isEmpty ? nil : name
      fields.keep(name, of: "name", unless: definition.name)
    }
    if let version = fields.consume("userDefinedModelVersionIdentifier"), !version.isEmpty {
      definition.version = version
    }
    for (name, usual) in [
      ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
    ] {
      if let text = fields.consume(name) { fields.keep(text, of: name, unless: usual) }
    }
  }

  private mutating func dropDefaultHeader() {
    let header = definition.xcode.filter { XMLAttributeNames.model.contains($0.key) && $0.key != "name" }
    guard header == XMLAttributeNames.defaultHeader else { return }
    for name in header.keys { definition.xcode[name] = nil }
  }

  private mutating func keepUnusedComposites(_ kept: inout [JSONValue]) {
    for composite in root.children(named: "composite") {
      let name = composite["name"] ?? ""
      for child in composite.children where child.name != "attribute" {
        record(
          "foreign-unknown", at: ModelPath(), offset: child.offset,
          message: "The element <\(child.name)> is not known in a composite; it is left out.")
      }
      if usedComposites.contains(name), composites[name]?.offset == composite.offset { continue }
      record(
        "foreign-dropped", at: ModelPath(), offset: composite.offset,
        message: "The composite \"\(name)\" is used by no attribute; it is kept for writing back only.")
      kept.append(composite.json)
    }
  }

  // MARK: - What every part needs

  func isDropped(_ element: MarkupElement) -> Bool {
    drops[element.offset]?.contains(Self.wholeElement) ?? false
  }

  func fields(of element: MarkupElement, at path: ModelPath) -> XcodeFields {
    XcodeFields(element, at: path, dropped: drops[element.offset] ?? [])
  }

  mutating func record(_ rule: String, at path: ModelPath, offset: Int, message: String) {
    warnings.append(
      LocatedProblem(
        finding: ModelProblem.warning(ModelProblem.Code(rule), at: path, message: message), offset: offset)
    )
  }

  mutating func origin(_ path: ModelPath, fields: XcodeFields, attribute: String? = nil) {
    guard keepsOrigins else { return }
    let offset = attribute.map { fields.offset(of: $0) } ?? fields.element.offset
    origins[path] = Origin(element: fields.element.offset, attribute: attribute, offset: offset)
  }

  /// A boolean; a text that is none is refused.
  mutating func flag(_ name: String, in fields: inout XcodeFields) -> Bool {
    guard let text = fields.consume(name) else { return false }
    if let flag = XcodeText.flag(text) { return flag }
    refuse(text, of: name, in: &fields, "is neither YES nor NO")
    return false
  }

  /// A text; an empty one is none.
  func text(_ name: String, in fields: inout XcodeFields) -> String? {
    guard let text = fields.consume(name) else { return nil }
    guard text.isEmpty else { return text }
    fields.keep(text, of: name, unless: nil)
    return nil
  }

  mutating func refuse(
    _ text: String, of name: String, in fields: inout XcodeFields, _ reason: String
  ) {
    fields.refuse(text, of: name)
    record(
      "foreign-dropped", at: fields.path, offset: fields.offset(of: name),
      message: "\(name) \"\(text)\" \(reason); it is left out.")
  }

  mutating func mend(_ name: String, in fields: XcodeFields, _ message: String) {
    record("foreign-mended", at: fields.path, offset: fields.offset(of: name), message: message)
  }

  /// Returns the remaining attributes, for `xcode`; those that are not known are recorded.
  mutating func finish(_ fields: XcodeFields, _ known: [String]) -> [String: JSONValue] {
    var xcode = fields.spellings
    for attribute in fields.rest {
      xcode[attribute.name] = .string(attribute.value)
      guard !known.contains(attribute.name) else { continue }
      record(
        "foreign-unknown", at: fields.path, offset: attribute.offset,
        message:
          "The attribute \(attribute.name) of <\(fields.element.name)> is not known; it is kept for writing back."
      )
    }
    if !fields.refused.isEmpty { xcode[XcodeKey.dropped] = .object(fields.refused) }
    if !fields.element.text.isEmpty {
      record(
        "foreign-unknown", at: fields.path, offset: fields.element.offset,
        message: "The text in <\(fields.element.name)> means nothing; it is left out.")
    }
    return xcode
  }

  mutating func keepUnknown(_ element: MarkupElement, at path: ModelPath, in kept: inout [JSONValue]) {
    record(
      "foreign-unknown", at: path, offset: element.offset,
      message: "The element <\(element.name)> is not known here; it is kept for writing back.")
    kept.append(element.json)
  }

  mutating func readUserInfo(
    _ element: MarkupElement, at path: ModelPath, into userInfo: inout [String: JSONValue]
  ) {
    for entry in element.children {
      guard entry.name == "entry", let key = entry["key"], entry.attributes.count <= 2, entry.children.isEmpty
      else {
        record(
          "foreign-dropped", at: path.key("userInfo"), offset: entry.offset,
          message: "Only entries with a key and a value stand in user information; this one is left out.")
        continue
      }
      if userInfo[key] != nil {
        record(
          "foreign-mended", at: path.key("userInfo").key(key), offset: entry.offset,
          message: "The key \"\(key)\" occurs twice in the user information; the last value counts.")
      }
      userInfo[key] = .string(entry["value"] ?? "")
    }
  }
}
