import GraphStore

extension JSONValue {
  /// The value as JSON in one line, with the keys of objects in order.
  var compactText: String {
    let output = OutputBuffer.memory()
    var json = JSONBuilder(output)
    write(to: &json)
    return output.takeString()
  }

  private func write(to json: inout JSONBuilder) {
    switch self {
    case .null: json.null()
    case .bool(let flag): json.value(flag)
    case .number(let text):
      var text = text
      text.withUTF8 { unsafe json.raw($0) }
    case .string(let text): json.value(text)
    case .array(let items):
      json.beginArray()
      for item in items { item.write(to: &json) }
      json.endArray()
    case .object(let members):
      json.beginObject()
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        json.key(key)
        value.write(to: &json)
      }
      json.endObject()
    }
  }
}
