import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Writer of the text of a JSON store: keys in one order, one object a line, a new line at the end.
struct JSONStoreWriter {
  private typealias Key = JSONStoreFormat.Key

  private(set) var bytes: [UInt8] = []

  mutating func write(_ content: AtomicContent) throws {
    let metadata = content.metadata
    add("{\n  ")
    member(Key.format, "\(JSONStoreFormat.version)")
    member(Key.writer, quoting: LibraryVersion.name)
    member(Key.identifier, quoting: metadata.identifier.uuidString)
    key(Key.metadata)
    write(metadata.values.filter { $0.key != StoreMetadata.Key.model })
    key(Key.model, after: ",\n  ")
    let model = metadata.modelText ?? "null"
    add(model.hasSuffix("\n") ? String(model.dropLast()) : model)
    key(Key.keys, after: ",\n  ")
    add("{")
    for (position, highest) in content.highestKeys.enumerated() {
      if position > 0 { add(", ") }
      quote(highest.root)
      add(": \(highest.key)")
    }
    add("}")
    key(Key.objects, after: ",\n  ")
    add("[")
    var isFirst = true
    try content.forEachObject { key, row in
      add(isFirst ? "\n    " : ",\n    ")
      isFirst = false
      try write(row, key, content)
    }
    add(isFirst ? "]\n}\n" : "\n  ]\n}\n")
  }

  // MARK: Text

  private mutating func add(_ text: String) { bytes += text.utf8 }

  private mutating func quote(_ text: String) { JSONWriter.quote(text, to: &bytes) }

  private mutating func key(_ name: String, after separator: String = "") {
    add(separator)
    quote(name)
    add(": ")
  }

  private mutating func member(_ name: String, _ value: String) {
    key(name)
    add(value)
    add(",\n  ")
  }

  private mutating func member(_ name: String, quoting value: String) {
    key(name)
    quote(value)
    add(",\n  ")
  }

  /// Writes metadata, one a line.
  private mutating func write(_ metadata: [String: Value]) {
    add("{")
    for (position, (name, value)) in metadata.sorted(by: { $0.key < $1.key }).enumerated() {
      key(name, after: position > 0 ? ",\n    " : "\n    ")
      add(JSONMetadata.json(value).compactText)
    }
    add(metadata.isEmpty ? "}" : "\n  }")
  }

  // MARK: Objects

  private mutating func write(_ row: Row, _ key: Int64, _ content: AtomicContent) throws {
    add("{")
    quote(Key.id)
    add(":")
    reference(row.layout.entity, key)
    add(",\"\(Key.version)\":\(row.version)")
    for property in row.layout.properties where property.isPersistent {
      if let relationship = AtomicContent.relationship(property, of: row.layout) {
        write(property, relationship, of: key, row, content)
      } else {
        try write(property, of: row)
      }
    }
    add("}")
  }

  private mutating func reference(_ entity: EntityDescription, _ key: Int64) {
    add("\"\(entity.name)/p\(key)\"")
  }

  private mutating func begin(_ name: String) {
    add(",")
    quote(name)
    add(":")
  }

  private mutating func write(
    _ property: PropertyLayout, _ relationship: RelationshipLayout, of key: Int64, _ row: Row,
    _ content: AtomicContent
  ) {
    guard relationship.isToMany else {
      guard let destination = content.destination(property, of: row) else { return }
      begin(property.name)
      return reference(destination.entity, destination.key)
    }
    guard AtomicContent.isWritten(relationship) else { return }
    let members = content.members(relationship, of: key)
    if members.isEmpty { return }
    begin(property.name)
    for (position, member) in members.enumerated() {
      add(position > 0 ? "," : "[")
      reference(member.entity, member.key)
    }
    add("]")
  }

  private mutating func write(_ property: PropertyLayout, of row: Row) throws {
    guard row.hasValue(of: property) else { return }
    begin(property.name)
    try writeValue(property, of: row)
  }

  private mutating func writeValue(_ property: PropertyLayout, of row: Row) throws {
    guard property.kind == .composite else { return write(try row.value(of: property), of: property.kind) }
    add("{")
    var isFirst = true
    for element in property.elements where row.hasValue(of: element) {
      if !isFirst { add(",") }
      isFirst = false
      quote(element.key)
      add(":")
      try writeValue(element, of: row)
    }
    add("}")
  }

  private mutating func write(_ value: Value, of kind: SlotKind) {
    switch value {
    case .string(let text): quote(text)
    case .double(let number) where kind == .float && number.isFinite: add("\(Float(number))")
    case .date(let date) where JSONValue(value) == nil: add("\(date.timeIntervalSinceReferenceDate)")
    default: add((JSONValue(value) ?? .null).compactText)
    }
  }
}
