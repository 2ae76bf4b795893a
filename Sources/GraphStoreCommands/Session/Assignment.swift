import GraphStore

/// A word of a command that gives a key a value.
struct Assignment {
  /// What stands behind the key.
  enum Content {
    /// `key=text`
    case text(String)
    /// `key:=JSON`
    case json(JSONValue)
    /// `key=@FILE`
    case file(String)
    /// `key?=PREDICATE`: the object that it selects.
    case match(String)
    /// `key+=n`: added to what is there.
    case added(String)
  }

  var key: String
  var content: Content
  /// The word as it was given.
  var word: String

  /// Reads a word; keys end at the first `=`, and the character before it may be `:`, `?` or `+`.
  init(_ word: String) throws {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
      throw Diagnostic(
        code: "usage", message: "\"\(word)\" gives no key a value",
        hints: ["write key=value, key:=JSON, key=@FILE, key+=n, or key?=PREDICATE for a relationship"],
        exitCode: .usage)
    }
    self.word = word
    let value = String(word[word.index(after: equals)...])
    let before = word.index(before: equals)
    key = String(word[..<before])
    switch word[before] {
    case ":": content = .json(try Self.json(value, key, word))
    case "?": content = .match(value)
    case "+": content = .added(value)
    default:
      key = String(word[..<equals])
      content = value.hasPrefix("@") ? .file(String(value.dropFirst())) : .text(value)
    }
  }

  private static func json(_ text: String, _ key: String, _ word: String) throws -> JSONValue {
    do {
      return try JSONText.value(Array(text.utf8))
    } catch {
      throw Diagnostic(
        code: "json-syntax", message: "\(key): \(error.message)",
        source: Diagnostic.Source(label: "\(key):=", text: text, offset: error.offset, length: 1),
        hints: ["text is written with quotes in JSON: \(key):='\"text\"'; without JSON: \(key)=text"],
        key: key,
        exitCode: .usage)
    }
  }
}
