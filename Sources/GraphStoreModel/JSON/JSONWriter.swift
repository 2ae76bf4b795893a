/// JSON serializer: pretty, two spaces a level, with the keys of free objects in byte order.
package struct JSONWriter {
  /// A JSON string with its quotes.
  static func quoted(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + 2)
    quote(text, to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends a JSON string with its quotes.
  package static func quote(_ text: String, to result: inout [UInt8]) {
    result.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22: result += [0x5C, 0x22]
      case 0x5C: result += [0x5C, 0x5C]
      case 0x0A: result += [0x5C, 0x6E]
      case 0x0D: result += [0x5C, 0x72]
      case 0x09: result += [0x5C, 0x74]
      case 0..<0x20, 0x7F: result += [0x5C, 0x75, 0x30, 0x30, byte.highDigit, byte.lowDigit]
      default: result.append(byte)
      }
    }
    result.append(0x22)
  }

  /// The text of a value that starts at some depth; short lists of plain values stay on one line.
  static func text(_ value: JSONValue, depth: Int = 0) -> String {
    switch value {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .number(let text): return text
    case .string(let text): return quoted(text)
    case .array(let items): return list(items.map { text($0, depth: depth + 1) }, depth: depth)
    case .object(let members):
      let keys = members.keys.sorted(by: VersionHash.precedes)
      return object(
        keys.map { ($0, text(members[$0] ?? .null, depth: depth + 1)) }, depth: depth)
    }
  }

  /// A list of texts: on one line when none of them is broken and all fit, else one a line.
  static func list(_ items: [String], depth: Int) -> String {
    guard !items.isEmpty else { return "[]" }
    return wrap(items, open: "[", close: "]", depth: depth)
  }

  /// An object of keys and texts in the passed order.
  static func object(_ members: [(String, String)], depth: Int) -> String {
    guard !members.isEmpty else { return "{}" }
    let items = members.map { "\(quoted($0.0)): \($0.1)" }
    return wrap(items, open: "{ ", close: " }", depth: depth)
  }

  private static func wrap(_ items: [String], open: String, close: String, depth: Int) -> String {
    let width = items.reduce(depth * 2) { $0 + $1.utf8.count + 2 }
    let isFlat = !items.contains { $0.utf8.contains(0x0A) }
    if isFlat, width <= 100 { return open + items.joined(separator: ", ") + close }
    let indent = String(repeating: "  ", count: depth + 1)
    let end = String(repeating: "  ", count: depth)
    return open.trimmed + "\n" + items.map { indent + $0 }.joined(separator: ",\n") + "\n" + end
      + close.trimmed
  }
}

extension String {
  fileprivate var trimmed: String { replacing(" ", with: "") }
}
