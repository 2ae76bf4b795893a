/// Collects the members of an object that are not at their defaults.
struct JSONObjectText {
  let depth: Int
  private var members: [(String, String)] = []

  init(depth: Int) { self.depth = depth }

  var text: String { JSONWriter.object(members, depth: depth) }

  mutating func add(_ key: String, _ text: String?) {
    if let text { members.append((key, JSONWriter.quoted(text))) }
  }

  mutating func add(_ key: String, _ value: JSONValue?) {
    if let value { members.append((key, JSONWriter.text(value, depth: depth + 1))) }
  }

  mutating func add(_ key: String, _ flag: Bool, unless fallback: Bool) {
    if flag != fallback { members.append((key, flag ? "true" : "false")) }
  }

  mutating func add(_ key: String, _ number: Int?, unless fallback: Int? = nil) {
    if let number, number != fallback { members.append((key, String(number))) }
  }

  mutating func add(_ key: String, _ dictionary: [String: JSONValue]) {
    if !dictionary.isEmpty { add(key, JSONValue.object(dictionary)) }
  }

  mutating func add(_ key: String, _ texts: [String]) {
    if !texts.isEmpty { add(key, JSONValue.array(texts.map(JSONValue.string))) }
  }

  mutating func add<Item>(_ key: String, _ items: [Item], writing write: (Item, Int) -> String) {
    if !items.isEmpty { addAlways(key, items, writing: write) }
  }

  mutating func addAlways<Item>(_ key: String, _ items: [Item], writing write: (Item, Int) -> String) {
    members.append((key, JSONWriter.list(items.map { write($0, depth + 2) }, depth: depth + 1)))
  }
}
