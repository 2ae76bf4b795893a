import GraphStorePredicates

extension JSONValue {
  /// Reads a text that is one JSON value.
  ///
  /// - Throws: ``ValueConversionError`` with what is wrong with the text and at which byte.
  package init(json bytes: [UInt8]) throws(ValueConversionError) {
    do {
      self = try JSONParser.parse(bytes).value
    } catch {
      throw ValueConversionError(
        code: .type, value: "byte \(error.offset)", message: "byte \(error.offset): \(error.message)")
    }
  }

  /// The value as JSON in one line, with the keys of objects in order.
  package var compactText: String {
    var text: [UInt8] = []
    appendCompactText(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private func appendCompactText(to text: inout [UInt8]) {
    switch self {
    case .null: text += "null".utf8
    case .bool(let flag): text += (flag ? "true" : "false").utf8
    case .number(let number): text += number.utf8
    case .string(let string): JSONWriter.quote(string, to: &text)
    case .array(let items):
      text.append(0x5B)
      for (index, item) in items.enumerated() {
        if index > 0 { text.append(0x2C) }
        item.appendCompactText(to: &text)
      }
      text.append(0x5D)
    case .object(let members):
      text.append(0x7B)
      for (index, (key, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text.append(0x2C) }
        JSONWriter.quote(key, to: &text)
        text.append(0x3A)
        value.appendCompactText(to: &text)
      }
      text.append(0x7D)
    }
  }

  /// A value of an attribute in the form that ``AttributeDescription/value(fromJSON:)`` reads; nil for one
  /// that no attribute has.
  package init?(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .number(String(number))
    case .double(let number): self = number.isFinite ? .number("\(number)") : .string("\(number)")
    case .decimal(let number): self = .string("\(number)")
    case .string(let text): self = .string(text)
    case .date(let date):
      guard let text = DateText.text(of: date.timeIntervalSinceReferenceDate) else { return nil }
      self = .string(text)
    case .uuid(let uuid): self = .string(uuid.uuidString)
    case .uri(let uri): self = .string(uri.absoluteString)
    case .data(let data): self = .string(data.base64EncodedString())
    case .dictionary(let members):
      var values: [String: JSONValue] = [:]
      for (key, member) in members {
        guard let value = JSONValue(member) else { return nil }
        values[key] = value
      }
      self = .object(values)
    default: return nil
    }
  }
}
