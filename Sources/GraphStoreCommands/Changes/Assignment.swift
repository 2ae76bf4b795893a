import GraphStore
import GraphStoreReports

/// Assignment of a value to a key, as one word of a command.
struct Assignment {
  /// What stands behind the key.
  enum Content {
    /// `key=text`
    case text(String)
    /// `key:=JSON`
    case json(JSONValue)
    /// `key=@FILE`
    case file(AssignedFile)
    /// `key?=PREDICATE`: the object that it selects.
    case match(String)
    /// `key+=n`: added to what is there.
    case added(String)
  }

  var key: String
  var content: Content
  /// The word as it was given.
  var word: String

  /// Reads the words of a command, and the files that they name: a change that has begun waits for no one.
  static func list(_ words: some Sequence<String>) throws -> [Assignment] {
    var seen: Set<String> = []
    return try words.map { word in
      let assignment = try Assignment(word)
      guard seen.insert(assignment.key).inserted else {
        throw Diagnostic(
          code: "usage", message: "\(assignment.key) is given twice", property: assignment.key,
          exitCode: .usage)
      }
      return assignment
    }
  }

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
    case ":": content = .json(try Self.json(value, key: key, word: word))
    case "?": content = .match(value)
    case "+": content = .added(value)
    default:
      key = String(word[..<equals])
      content = value.hasPrefix("@") ? try Self.file(String(value.dropFirst()), key) : .text(value)
    }
  }

  /// Whether the last word of a text assigns a value to a key.
  static func ends(_ text: String) -> Bool {
    guard let word = text.split(separator: " ").last, let equals = word.firstIndex(of: "="),
      let first = word.first
    else { return false }
    return equals > word.startIndex && first.isLetter && !word[equals...].hasPrefix("==")
      && !"<>!".contains(word[word.index(before: equals)])
  }

  private static func file(_ path: String, _ key: String) throws -> Content {
    do throws(InputError) {
      return .file(try AssignedFile(path: path))
    } catch {
      var diagnostic = DiagnosticMapper.diagnostic(for: error)
      diagnostic.location = nil
      diagnostic.property = key
      diagnostic.hints.append("a text that begins with @ is written as JSON: \(key):='\"@\(path)\"'")
      throw diagnostic
    }
  }

  private static func json(_ text: String, key: String, word: String) throws -> JSONValue {
    do {
      return try JSONText.value(Array(text.utf8))
    } catch {
      throw Diagnostic(
        code: "json-syntax", message: "\(key): \(error.message)",
        source: Diagnostic.Source(label: "\(key):=", text: text, offset: error.offset, length: 1),
        hints: ["text is written with quotes in JSON: \(key):='\"text\"'; without JSON: \(key)=text"],
        property: key,
        exitCode: .usage)
    }
  }
}
