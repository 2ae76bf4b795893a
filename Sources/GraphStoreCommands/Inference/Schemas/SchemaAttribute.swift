import GraphStore
import GraphStoreModel

/// Attribute of a schema of plain values.
struct SchemaAttribute {
  private let schema: JSONNode

  init(_ schema: JSONNode) { self.schema = schema }

  func definition(_ name: String, isOptional: Bool, _ choice: inout Choice) -> AttributeDefinition {
    let (type, reason) = type
    choice.reason = "\(reason), \(choice.reason)"
    var attribute = AttributeDefinition(name, type, isOptional: isOptional)
    switch type {
    case .string: addLimits(ofTextTo: &attribute, &choice)
    case .int16, .int32, .int64, .double, .decimal, .float: addLimits(ofNumberTo: &attribute, &choice)
    default: break
    }
    addDefault(to: &attribute)
    if let values = schema["enum"]?.items {
      choice.remarks.append(
        "its \(values.count) values are not checked: add a validation where they have to be")
    }
    return attribute
  }

  private var typeNames: [String] {
    let names = schema["type"]?.text.map { [$0] } ?? schema["type"]?.items?.compactMap(\.text) ?? []
    return names.filter { $0 != "null" }
  }

  private var type: (AttributeType, String) {
    let format = schema["format"]?.text ?? ""
    let names = typeNames
    guard names.count <= 1 else {
      return names.allSatisfy({ $0 == "integer" || $0 == "number" })
        ? (.double, "numbers") : (.transformable, "values of the types \(names.joined(separator: ", "))")
    }
    switch names.first {
    case "string"?: return text(format)
    case "integer"?: return integer(format)
    case "number"?: return number(format)
    case "boolean"?: return (.boolean, "type boolean")
    case "array"?: return (.transformable, "lists of plain values")
    case "object"?: return (.transformable, "objects of which no properties are told")
    case let other?: return (.transformable, "the type \(other), which is none of JSON's")
    case nil: return untyped
    }
  }

  private func text(_ format: String) -> (AttributeType, String) {
    if schema["contentEncoding"]?.text == "base64" { return (.binary, "bytes in Base64") }
    switch format {
    case "date-time", "date": return (.date, "format \(format)")
    case "uuid": return (.uuid, "format uuid")
    case "uri", "url", "uri-reference", "iri": return (.uri, "format \(format)")
    case "byte", "binary": return (.binary, "format \(format)")
    case "decimal": return (.decimal, "format decimal")
    default: return (.string, format.isEmpty ? "type string" : "type string of the format \(format)")
    }
  }

  private func integer(_ format: String) -> (AttributeType, String) {
    switch format {
    case "int16": (.int16, "format int16")
    case "int32": (.int32, "format int32")
    default: (.int64, "type integer")
    }
  }

  private func number(_ format: String) -> (AttributeType, String) {
    if format == "float" { return (.float, "format float") }
    if format == "decimal" { return (.decimal, "format decimal") }
    if case .number(let step)? = schema["multipleOf"]?.content, step.hasPrefix("0.") {
      return (.decimal, "multiples of \(step), which stay exact")
    }
    return (.double, "type number")
  }

  /// The type of what says values alone, or nothing.
  private var untyped: (AttributeType, String) {
    if let values = schema["enum"]?.items, !values.isEmpty, values.allSatisfy({ $0.text != nil }) {
      return (.string, "one of \(values.count) texts")
    }
    if schema["const"]?.text != nil { return (.string, "always one text") }
    if schema["format"] != nil { return text(schema["format"]?.text ?? "") }
    return (.transformable, "no type is told, so that anything may come")
  }

  // MARK: Limits

  private func addLimits(ofTextTo attribute: inout AttributeDefinition, _ choice: inout Choice) {
    if let least = integer(at: "minLength"), least > 0 { attribute.minLength = least }
    if let most = integer(at: "maxLength"), most >= attribute.minLength ?? 1 { attribute.maxLength = most }
    guard let pattern = schema["pattern"]?.text else { return }
    // That of a schema is looked for in the text, that of a model is the whole of it.
    guard pattern.hasPrefix("^"), pattern.hasSuffix("$"), !pattern.hasSuffix("\\$"),
      !pattern.contains("|"), (try? Regex(String(pattern))) != nil
    else {
      choice.remarks.append("the pattern \(pattern) is not taken over")
      return
    }
    attribute.pattern = String(pattern.dropFirst().dropLast())
  }

  private func addLimits(ofNumberTo attribute: inout AttributeDefinition, _ choice: inout Choice) {
    let (least, most) = (number(at: "minimum"), number(at: "maximum"))
    func fits(_ text: String) -> Bool {
      guard let range = attribute.type.integerRange else { return Double(text)?.isFinite == true }
      return Int64(text).map(range.contains) ?? false
    }
    if let least, fits(least) { attribute.minimum = .number(least) }
    if let most, fits(most), least.flatMap(Double.init) ?? -.infinity <= Double(most) ?? .infinity {
      attribute.maximum = .number(most)
    }
    for word in ["exclusiveMinimum", "exclusiveMaximum"] where schema[word] != nil {
      choice.remarks.append("\(word) is not taken over")
    }
  }

  private func integer(at key: String) -> Int? { number(at: key).flatMap { Int($0) } }

  private func number(at key: String) -> String? {
    if case .number(let text)? = schema[key]?.content { text } else { nil }
  }

  /// A default of the attribute's own type.
  private func addDefault(to attribute: inout AttributeDefinition) {
    guard let value = schema["default"]?.value else { return }
    switch (attribute.type, value) {
    case (.string, .string(let text)):
      let isShort = attribute.minLength.map { text.utf16.count < $0 } ?? false
      let isLong = attribute.maxLength.map { text.utf16.count > $0 } ?? false
      if !isShort, !isLong, attribute.pattern == nil { attribute.defaultValue = value }
    case (.boolean, .bool): attribute.defaultValue = value
    case (.int16, .number(let text)), (.int32, .number(let text)), (.int64, .number(let text)):
      guard let number = Int64(text), attribute.type.integerRange?.contains(number) == true,
        attribute.minimum == nil, attribute.maximum == nil
      else { return }
      attribute.defaultValue = value
    case (.double, .number), (.decimal, .number):
      if attribute.minimum == nil, attribute.maximum == nil { attribute.defaultValue = value }
    default: break
    }
  }
}
