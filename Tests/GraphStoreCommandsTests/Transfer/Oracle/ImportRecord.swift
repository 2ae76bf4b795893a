import Foundation

/// One record of an input that the oracle understands.
struct ImportRecord {
  /// What a field of an attribute says.
  enum Field {
    case null
    /// As JSON and cells write it, and as the oracle compares it.
    case value(json: String, cell: String, text: String)
    /// A value that the attribute does not take.
    case wrong(json: String, cell: String, codes: Set<String>)
  }

  /// What a link names.
  enum Reference: Hashable {
    case label(String)
    /// An id that is written as a number in JSON.
    case number(Int)
    case key(entity: String, Int)
    /// The value of an attribute, for a relationship that is linked so.
    case lookup(String)

    var text: String {
      switch self {
      case .label(let text): text
      case .number(let number): "\(number)"
      case .key(let entity, let key): "\(entity)/p\(key)"
      case .lookup(let value): value
      }
    }

    var json: String {
      switch self {
      case .number(let number): "\(number)"
      case .lookup(let value) where Int(value) != nil: value
      default: "\"\(text)\""
      }
    }

    /// What stands between several of its kind in a cell.
    var separator: String {
      if case .lookup = self { return ";" }
      return " "
    }
  }

  /// What a record says of a relationship.
  struct Link {
    var name: String
    var isToMany: Bool
    var references: [Reference]

    var json: String {
      isToMany ? "[\(references.map(\.json).joined(separator: ","))]" : references.first?.json ?? "null"
    }
  }

  /// A way in which the text of a record is broken.
  enum Breakage: CaseIterable {
    case syntax, notAnObject, twice, notUTF8
  }

  /// As the record says it; nil where it says none.
  var entity: String?
  var label: Reference?
  var fields: [(name: String, field: Field)] = []
  /// Present ones only; an empty list is a null.
  var links: [Link] = []
  var breakage: Breakage?
  var unknownKey: String?
}

/// An input of records in one of the forms.
struct ImportText {
  var bytes: [UInt8] = []
  /// The line of each record.
  var lines: [Int] = []

  init(_ records: [ImportRecord], format: String, namesEntity: Bool) {
    switch format {
    case "ndjson", "json": writeJSON(records, isArray: format == "json", namesEntity)
    default: writeTable(records, isTSV: format == "tsv", namesEntity)
    }
  }

  private mutating func writeJSON(_ records: [ImportRecord], isArray: Bool, _ namesEntity: Bool) {
    if isArray { bytes += Array("[\n".utf8) }
    for (index, record) in records.enumerated() {
      lines.append(isArray ? index + 2 : index + 1)
      bytes += Self.json(record, namesEntity)
      if isArray, index < records.count - 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(0x0A)
    }
    if isArray { bytes += Array("]\n".utf8) }
  }

  static func json(_ record: ImportRecord, _ namesEntity: Bool) -> [UInt8] {
    var members: [String] = []
    if namesEntity, let entity = record.entity { members.append("\"entity\":\"\(entity)\"") }
    if let label = record.label { members.append("\"id\":\(label.json)") }
    for (name, field) in record.fields {
      switch field {
      case .null: members.append("\"\(name)\":null")
      case .value(let json, _, _), .wrong(let json, _, _): members.append("\"\(name)\":\(json)")
      }
    }
    for link in record.links { members.append("\"\(link.name)\":\(link.json)") }
    if let key = record.unknownKey { members.append("\"\(key)\":1") }
    switch record.breakage {
    case nil: return Array("{\(members.joined(separator: ","))}".utf8)
    case .syntax: return Array("{\(members.joined(separator: ",")) \"k\" 5}".utf8)
    case .notAnObject: return Array("[5]".utf8)
    case .twice: return Array("{\((members + ["\"k\":1", "\"k\":2"]).joined(separator: ","))}".utf8)
    case .notUTF8: return Array("{\"k\":\"".utf8) + [0xFF] + Array("\"}".utf8)
    }
  }

  private mutating func writeTable(_ records: [ImportRecord], isTSV: Bool, _ namesEntity: Bool) {
    var columns: [String] = []
    func addColumn(_ name: String) { if !columns.contains(name) { columns.append(name) } }
    addColumn("k")
    if namesEntity { addColumn("entity") }
    for record in records {
      if record.label != nil { addColumn("id") }
      for field in record.fields { addColumn(field.name) }
      for link in record.links { addColumn(link.name) }
      if let key = record.unknownKey { addColumn(key) }
    }
    let separator: UInt8 = isTSV ? 0x09 : UInt8(ascii: ",")
    bytes += Array(columns.joined(separator: String(UnicodeScalar(separator))).utf8) + [0x0A]
    for (index, record) in records.enumerated() {
      lines.append(index + 2)
      var cells = columns.map { Self.cell($0, of: record, isTSV: isTSV) }
      switch record.breakage {
      case .notUTF8: cells[0] = [UInt8(ascii: "x"), 0xFF]
      case .some: cells.append(Array("more".utf8))
      case nil: break
      }
      bytes += Array(cells.joined(separator: [separator])) + [0x0A]
    }
  }

  private static func cell(_ column: String, of record: ImportRecord, isTSV: Bool) -> [UInt8] {
    var text: String?
    if column == "entity" { text = record.entity }
    if column == "id" { text = record.label?.text }
    if column == record.unknownKey { text = "1" }
    for (name, field) in record.fields where name == column {
      switch field {
      case .null: break
      case .value(_, let cell, _), .wrong(_, let cell, _): text = cell
      }
    }
    for link in record.links where link.name == column && !link.references.isEmpty {
      text = link.references.map(\.text).joined(separator: link.references[0].separator)
    }
    guard let text else { return isTSV ? Array("\\N".utf8) : [] }
    if isTSV {
      return Array(
        text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n").utf8)
    }
    return Array("\"\(text.replacing("\"", with: "\"\""))\"".utf8)
  }
}
