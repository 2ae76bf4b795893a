import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Writer of the text of an XML store: one element a line, four blanks a level, a new line at the end.
struct XMLStoreWriter {
  private typealias Element = XMLStoreFormat.Element
  private typealias Key = XMLStoreFormat.Key
  private typealias Word = XMLStoreFormat.Word

  private(set) var bytes: [UInt8] = []
  private let content: AtomicContent
  private let names: XMLStoreNames
  private let numbers: XMLStoreNumbers
  /// By entity, the beginnings of the tags of its attributes, then of its relationships.
  private let tags: [[String]]

  init(_ content: AtomicContent) {
    self.content = content
    names = XMLStoreNames(content.layout.entities)
    numbers = XMLStoreNumbers(content)
    let names = names
    tags = names.entities.map { entity in
      (entity.attributes + entity.relationships).map { Self.tag(of: $0, names) }
    }
  }

  mutating func write() throws {
    add("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\(XMLStoreFormat.documentType)\n\n")
    add("<\(Element.database)>\n")
    writeInfo()
    try content.forEachObject { key, row in try write(row, key) }
    add("</\(Element.database)>\n")
  }

  // MARK: Text

  private mutating func add(_ text: String) { bytes += text.utf8 }

  /// The attribute of an element; nothing for a value that is nil.
  private static func pair(_ key: String, _ value: String?) -> String {
    value.map { " \(key)=\"\($0)\"" } ?? ""
  }

  private static func pair(_ key: String, _ name: XMLStoreNames.Name) -> String {
    pair(key, escaped(name.text)) + pair(Key.letterCase, name.isExact ? Word.exact : nil)
  }

  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    XMLStoreText.escape(text, inAttribute: true, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The start tag of a property, without what differs from object to object.
  private static func tag(of column: XMLStoreNames.Column, _ names: XMLStoreNames) -> String {
    let element = column.relationship == nil ? Element.attribute : Element.relationship
    let destination = column.relationship.map { names.entities[$0.destination].name.text }
    return "        <\(element)\(pair(Key.name, column.name))\(pair(Key.type, column.type))"
      + pair(Key.destination, destination.map(escaped))
  }

  // MARK: The store

  private mutating func writeInfo() {
    add("    <\(Element.info)>\n")
    for (name, text) in [
      (Element.version, "\(XMLStoreFormat.version)"),
      (Element.identifier, content.metadata.identifier.uuidString),
      (Element.nextObject, "\(numbers.last)"),
    ] { add("        <\(name)>\(text)</\(name)>\n") }
    add("        <\(Element.metadata)>\n            <plist version=\"1.0\">\n")
    XMLPropertyList.write(.dictionary(metadata), indent: "                ", to: &bytes)
    add("            </plist>\n        </\(Element.metadata)>\n    </\(Element.info)>\n")
  }

  /// The metadata but the type, which the document says; in one binary property list those that one in XML
  /// cannot hold.
  private var metadata: [String: Value] {
    let values = content.metadata.values.filter { $0.key != StoreMetadata.Key.type }
    let plain = values.filter { XMLStoreText.isAllowed($0.key) && XMLPropertyList.isExact($0.value) }
    let others = values.filter { plain[$0.key] == nil }
    guard !others.isEmpty else { return plain }
    let list = BinaryPropertyListWriter.bytes(of: BinaryStoreWriter.node(of: .dictionary(others)))
    return plain.merging([XMLStoreFormat.exactMetadata: .data(Data(list))]) { $1 }
  }

  // MARK: Objects

  private mutating func write(_ row: Row, _ key: Int64) throws {
    let entity = names.entities[row.layout.index]
    let number = numbers.number(row.layout.rootIndex, key)
    add("    <\(Element.object)\(Self.pair(Key.type, entity.name))\(Self.pair(Key.id, "z\(number)"))")
    add("\(Self.pair(Key.key, number == key ? nil : "\(key)"))>\n")
    let tags = tags[row.layout.index]
    for (position, column) in entity.attributes.enumerated() {
      try write(column.property, of: row, tags[position])
    }
    for (position, column) in entity.relationships.enumerated() {
      write(column, of: key, row, tags[entity.attributes.count + position])
    }
    add("    </\(Element.object)>\n")
  }

  private mutating func write(_ property: PropertyLayout, of row: Row, _ tag: String) throws {
    guard row.hasValue(of: property) else { return }
    let text = XMLStoreText.text(of: try row.value(of: property), property.kind)
    add(tag)
    if property.kind == .string, !XMLStoreText.isAllowed(text) {
      add("\(Self.pair(Key.encoding, Word.base64))>\(Data(text.utf8).base64EncodedString())")
    } else {
      add(">")
      XMLStoreText.escape(text, to: &bytes)
    }
    add("</\(Element.attribute)>\n")
  }

  private mutating func write(_ column: XMLStoreNames.Column, of key: Int64, _ row: Row, _ tag: String) {
    guard let relationship = column.relationship else { return }
    add(tag)
    if relationship.isToMany {
      let members = content.members(relationship, of: key)
      for (position, member) in members.enumerated() {
        add(position == 0 ? " \(Key.references)=\"" : " ")
        add("z\(numbers.number(member.entity.rootEntity.index, member.key))")
      }
      if !members.isEmpty { add("\"") }
    } else if let reference = row.reference(column.property.slot) {
      let root = content.layout.entities[reference.entity].rootIndex
      let number = numbers.number(root, reference.key)
      add(Self.pair(Key.references, "z\(number)"))
      // Of what is there its own element says the key.
      if number != reference.key, content.state.row(root, reference.key) == nil {
        add(Self.pair(Key.key, "\(reference.key)"))
      }
    }
    add("></\(Element.relationship)>\n")
  }
}
