import GraphStorePredicates

/// A key of a model file with its value as text; nil where it has none.
struct ComparedField {
  var key: String
  var text: String?

  init(_ key: String, _ text: String?) {
    self.key = key
    self.text = text
  }

  init(_ key: String, _ value: JSONValue?) { self.init(key, value.map(Self.json)) }

  init(_ key: String, _ flag: Bool) { self.init(key, flag ? "true" : "false") }

  init(_ key: String, _ number: Int?) { self.init(key, number.map(String.init)) }

  init(_ key: String, _ texts: [String]) {
    self.init(key, texts.isEmpty ? nil : texts.joined(separator: ", "))
  }

  init(_ key: String, _ rules: [ValidationDefinition]) {
    let texts = rules.map { rule in
      rule.predicate + (rule.message.map { " (\(JSONWriter.quoted($0)))" } ?? "")
    }
    self.init(key, texts.isEmpty ? nil : texts.joined(separator: "; "))
  }

  /// One field for each key of a free object, in byte order.
  static func each(_ key: String, _ values: [String: JSONValue]) -> [ComparedField] {
    values.sorted { VersionHash.precedes($0.key, $1.key) }.map { ComparedField("\(key).\($0)", $1) }
  }

  /// A field that has another value.
  typealias Difference = (key: String, old: String?, new: String?)

  /// The fields that differ, in the order of the new ones, removed ones last.
  static func differences(_ old: [ComparedField], _ new: [ComparedField]) -> [Difference] {
    let before = Dictionary(old.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first })
    let after = Set(new.map(\.key))
    var differences: [Difference] = []
    for field in new {
      let former = before[field.key] ?? nil
      if !isSame(former, field.text) { differences.append((field.key, former, field.text)) }
    }
    for field in old where !after.contains(field.key) && field.text != nil {
      differences.append((field.key, field.text, nil))
    }
    return differences
  }

  /// Whether two texts are the same scalar by scalar, as hashes see them.
  static func isSame(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.hasSameScalars(as: right)
  }

  /// JSON on one line, keys in byte order.
  private static func json(_ value: JSONValue) -> String {
    switch value {
    case .array(let items): return "[" + items.map(json).joined(separator: ", ") + "]"
    case .object(let members):
      let sorted = members.sorted { VersionHash.precedes($0.key, $1.key) }
      return "{" + sorted.map { "\(JSONWriter.quoted($0)): \(json($1))" }.joined(separator: ", ") + "}"
    default: return JSONWriter.text(value)
    }
  }
}
