import Foundation
import GraphStore
import GraphStoreReports

/// Writer of records for an import: an object a line, which names its entity and has a label of its own.
final class PlannedRecordWriter {
  private let output: OutputBuffer
  private let kept: KeptValues
  /// By entity: under which number the labels of objects within records are kept that are written.
  private var written: [String: Int] = [:]
  private var lastNumber = 0

  init(_ output: OutputBuffer, keeping kept: KeptValues) {
    self.output = output
    self.kept = kept
  }

  /// Writes a record, and before it the objects within it; returns its label.
  @discardableResult
  func write(_ members: [SampleMember], as plan: PlannedEntity) throws -> String {
    let label = label(of: members, in: plan)
    let line = OutputBuffer.memory()
    var json = JSONBuilder(line)
    json.beginObject()
    json.member("entity", plan.name)
    json.member("objectID", label)
    for member in members where member.value != .null {
      guard let field = plan.fieldsByName[member.name] else { continue }
      try write(member.value, of: field, to: &json)
    }
    for (property, number) in plan.keptLinks {
      let targets = try kept.targets(of: String(label.dropFirst()), number)
      if !targets.isEmpty { json.member(property, targets.map { "=" + $0 }) }
    }
    json.endObject()
    unsafe output.append(line.bytes)
    output.append(byte: 0x0A)
    return label
  }

  /// What others refer to a record by: its key behind a sign, so that no key is taken for the id of a stored
  /// object.
  private func label(of members: [SampleMember], in plan: PlannedEntity) -> String {
    if let key = plan.key, let text = members.first(where: { $0.name == key })?.value.keyText {
      return "=" + text
    }
    lastNumber += 1
    return "#\(lastNumber)"
  }

  private func write(_ value: SampleValue, of field: PlannedField, to json: inout JSONBuilder) throws {
    switch field.content {
    case .omitted: break
    case .attribute(let attribute):
      json.key(field.property)
      Self.write(value, as: attribute.type, to: &json)
    case .composite(_, let elements):
      guard case .object(let members) = value else { return }
      json.key(field.property)
      try write(members, elements: elements, to: &json)
    case .reference(let isList):
      json.key(field.property)
      if isList, case .list(let items) = value {
        json.value(Self.distinct(items.compactMap { $0.keyText.map { "=" + $0 } }))
      } else {
        json.value("=" + (value.keyText ?? ""))
      }
    case .nested(let plan, let isList):
      json.key(field.property)
      if isList, case .list(let items) = value {
        json.value(Self.distinct(try items.compactMap { try writeNested($0, as: plan) }))
      } else if let label = try writeNested(value, as: plan) {
        json.value(label)
      } else {
        json.null()
      }
    }
  }

  private static func distinct(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// Writes an object within a record, once where it has a key; returns its label.
  private func writeNested(_ value: SampleValue, as plan: PlannedEntity) throws -> String? {
    guard case .object(let members) = value else { return nil }
    guard plan.key != nil else { return try write(members, as: plan) }
    let label = label(of: members, in: plan)
    let number = written[plan.name] ?? kept.newNumber()
    written[plan.name] = number
    if try kept.insert(label, of: number) { try write(members, as: plan) }
    return label
  }

  private func write(_ members: [SampleMember], elements: [PlannedField], to json: inout JSONBuilder) throws {
    json.beginObject()
    for member in members where member.value != .null {
      guard let field = elements.first(where: { $0.field == member.name }) else { continue }
      try write(member.value, of: field, to: &json)
    }
    json.endObject()
  }

  // MARK: Values

  private static func write(_ value: SampleValue, as type: AttributeType, to json: inout JSONBuilder) {
    switch type {
    case .transformable: writeJSON(value, to: &json)
    case .boolean: json.value(isTrue(value))
    case .int16, .int32, .int64, .double, .float, .decimal:
      let digits = value.keyText ?? "null"
      json.value { $0.append(digits) }
    case .binary: json.value(Data(bytes(of: value)).base64EncodedString())
    case .uuid: json.value(uuidText(of: value))
    default: json.value(text(of: value))
    }
  }

  private static func isTrue(_ value: SampleValue) -> Bool {
    if case .bool(let flag) = value { return flag }
    return ["true", "1"].contains(value.keyText?.lowercased())
  }

  private static func text(of value: SampleValue) -> String {
    if case .bool(let flag) = value { return "\(flag)" }
    return value.keyText ?? ""
  }

  private static func bytes(of value: SampleValue) -> [UInt8] {
    if case .data(let bytes) = value { return bytes }
    return Array(text(of: value).utf8)
  }

  private static func uuidText(of value: SampleValue) -> String {
    guard case .data(let bytes) = value, bytes.count == 16 else { return text(of: value) }
    let digits = bytes.map { String(UInt16($0) + 256, radix: 16).suffix(2) }.joined()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-").uppercased()
  }

  private static func writeJSON(_ value: SampleValue, to json: inout JSONBuilder) {
    switch value {
    case .null: json.null()
    case .bool(let flag): json.value(flag)
    case .number(let text): json.value { $0.append(text) }
    case .string(let text), .cell(let text): json.value(text)
    case .data(let bytes): json.value(Data(bytes).base64EncodedString())
    case .list(let items):
      json.beginArray()
      for item in items { writeJSON(item, to: &json) }
      json.endArray()
    case .object(let members):
      json.beginObject()
      for member in members {
        json.key(member.name)
        writeJSON(member.value, to: &json)
      }
      json.endObject()
    }
  }
}
