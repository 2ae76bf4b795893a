import GraphStorePredicates

extension ModelReader {
  /// The members of an object with the keys it may and must have; nil when it is no object.
  mutating func object(
    _ node: JSONNode, at path: ModelPath, keys: [String], required: [String]
  ) -> Fields? {
    guard case .object(let members) = node.content else {
      reportType(node, expected: "an object", at: path)
      return nil
    }
    for member in members where !keys.contains(member.key) {
      reportUnknownKey(member.key, at: path, keys: keys)
    }
    let fields = Fields(path: path, members: members)
    for key in required where fields[key] == nil {
      let suggestion = nearest(to: key, among: members.map(\.key))
      problemPaths.insert(path.key(key))
      problems.append(
        ModelProblem(
          .missingKey, at: path, message: "The key \"\(key)\" is missing.",
          remedy: suggestion.map { "Is \"\($0)\" meant to be it?" } ?? "Add it."))
    }
    return fields
  }

  private mutating func reportUnknownKey(_ key: String, at path: ModelPath, keys: [String]) {
    if key == "default", keys == ModelKeys.relationship || keys == ModelKeys.fetchedProperty {
      report(
        .notApplicable, at: path.key(key), value: key, "Only an attribute can have a default.",
        remedy: "Make the objects at the other end in code, when the object is made.")
      return
    }
    let remedy = ModelKeySlip.remedy(for: key, among: keys)
    report(
      .unknownKey, at: path.key(key), value: key, "There is no key \"\(key)\" here.",
      suggestion: remedy == nil ? nearest(to: key, among: keys) : nil, remedy: remedy)
  }

  mutating func string(_ key: String, in fields: Fields) -> String? {
    guard let node = fields[key] else { return nil }
    guard case .string(let text) = node.content else {
      reportType(node, expected: "a string", at: fields.path.key(key))
      return nil
    }
    return text
  }

  mutating func bool(_ key: String, in fields: Fields, default fallback: Bool) -> Bool {
    guard let node = fields[key] else { return fallback }
    guard case .bool(let flag) = node.content else {
      reportType(node, expected: "a boolean", at: fields.path.key(key))
      return fallback
    }
    return flag
  }

  mutating func integer(_ key: String, in fields: Fields) -> Int? {
    guard let node = fields[key] else { return nil }
    guard case .number(let text) = node.content else {
      reportType(node, expected: "a whole number", at: fields.path.key(key))
      return nil
    }
    guard let number = DecimalNumeral(text)?.wholeNumber else {
      report(
        .badValue, at: fields.path.key(key), value: text, "A whole number of 64 bits is expected here.")
      return nil
    }
    return Int(number)
  }

  /// One of the words of an enumeration.
  mutating func word<Words: RawRepresentable & CaseIterable>(
    _ key: String, in fields: Fields, default fallback: Words, otherSpellings: [String: Words] = [:]
  ) -> Words where Words.RawValue == String {
    guard let text = string(key, in: fields) else { return fallback }
    if let word = Words(rawValue: text) { return word }
    let words = Words.allCases.map(\.rawValue)
    report(
      .badValue, at: fields.path.key(key), value: text,
      "\"\(text)\" is not one of \(words.joined(separator: ", ")).",
      suggestion: otherSpellings[text.lowercased()]?.rawValue
        ?? nearest(to: text, among: words))
    return fallback
  }

  mutating func list<Item>(
    _ key: String, in fields: Fields, _ read: (inout ModelReader, JSONNode, ModelPath) -> Item?
  ) -> [Item] {
    guard let node = fields[key] else { return [] }
    return items(node, at: fields.path.key(key), read)
  }

  mutating func items<Item>(
    _ node: JSONNode, at path: ModelPath, _ read: (inout ModelReader, JSONNode, ModelPath) -> Item?
  ) -> [Item] {
    guard case .array(let items) = node.content else {
      reportType(node, expected: "a list", at: path)
      return []
    }
    var result: [Item] = []
    result.reserveCapacity(items.count)
    for (position, item) in items.enumerated() {
      if let value = read(&self, item, path.index(position)) { result.append(value) }
    }
    return result
  }

  mutating func strings(_ key: String, in fields: Fields) -> [String] {
    list(key, in: fields) { $0.text($1, at: $2) }
  }

  /// A string; the empty one, with a problem recorded, for anything else, so that positions in lists stay.
  mutating func text(_ node: JSONNode, at path: ModelPath) -> String {
    guard case .string(let text) = node.content else {
      reportType(node, expected: "a string", at: path)
      return ""
    }
    return text
  }

  mutating func anyObject(_ key: String, in fields: Fields) -> [String: JSONValue] {
    guard let node = fields[key] else { return [:] }
    guard case .object(let members) = node.value else {
      reportType(node, expected: "an object", at: fields.path.key(key))
      return [:]
    }
    return members
  }

  mutating func texts(_ key: String, in fields: Fields) -> [String: String] {
    guard let node = fields[key] else { return [:] }
    let path = fields.path.key(key)
    guard case .object(let members) = node.content else {
      reportType(node, expected: "an object", at: path)
      return [:]
    }
    var texts: [String: String] = [:]
    for member in members { texts[member.key] = text(member.value, at: path.key(member.key)) }
    return texts
  }
}
