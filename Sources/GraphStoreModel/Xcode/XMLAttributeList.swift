/// The attributes of one element while it is written.
struct XMLAttributeList {
  private let xcode: [String: JSONValue]
  private var values: [String: String] = [:]
  private var decided: Set<String> = []

  /// - Parameter xcode: what Xcode said about the part.
  init(_ xcode: [String: JSONValue] = [:]) { self.xcode = xcode }

  /// Sets an attribute; nil leaves it out.
  mutating func set(_ name: String, _ value: String?) {
    decided.insert(name)
    values[name] = value
  }

  /// Sets a boolean; false is left out.
  mutating func set(_ name: String, _ flag: Bool) { set(name, flag ? "YES" : nil) }

  /// Sets an attribute in the spelling it had, as long as that still means the same.
  mutating func set(_ name: String, _ value: String?, ifSpelled: (String) -> Bool) {
    if let text = xcode.text(name), ifSpelled(text) { return set(name, text) }
    set(name, value)
  }

  /// Puts back a text that made no sense, where the value is still the one that was taken instead.
  mutating func restoreNonsense(_ name: String, takenFor taken: String) {
    if values[name] == taken, let text = xcode.object(XcodeKey.dropped).text(name) { values[name] = text }
  }

  /// The attributes in the order of the tools, with those that Xcode said and that mean nothing here.
  func list(_ order: [String]) -> [MarkupElement.Attribute] {
    var values = values
    for (name, value) in xcode where !decided.contains(name) && MarkupParser.isName(name) {
      if case .string(let text) = value { values[name] = text }
    }
    // An empty text is kept beside a value that is none, and replaces it.
    for (name, value) in xcode where value == "" && values[name] == nil && MarkupParser.isName(name) {
      values[name] = ""
    }
    for (name, value) in xcode.object(XcodeKey.dropped) where values[name] == nil && MarkupParser.isName(name)
    {
      if case .string(let text) = value { values[name] = text }
    }
    let known = order.compactMap { name in values[name].map { MarkupElement.Attribute(name: name, value: $0) }
    }
    let others = values.keys.filter { !order.contains($0) }.sorted(by: VersionHash.precedes)
    return known + others.map { MarkupElement.Attribute(name: $0, value: values[$0] ?? "") }
  }
}
