/// Reads the language of Graphviz as far as drawings use it.
struct DotTokens {
  private var rest: Substring

  /// What is wrong with a text, nil for nothing: brackets and quotes that do not close, elements of labels
  /// that do not nest, characters that XML does not allow.
  static func problem(in text: String) -> String? {
    var tokens = DotTokens(rest: text[...])
    return tokens.read()
  }

  private mutating func read() -> String? {
    var open: [Character] = []
    while let character = rest.popFirst() {
      switch character {
      case "\"": if !skipString() { return "a string that does not end" }
      case "<": if let problem = skipLabel() { return problem }
      case "{", "[": open.append(character)
      case "}": if open.popLast() != "{" { return "a brace too many" }
      case "]": if open.popLast() != "[" { return "a bracket too many" }
      case "-", ">", "=", ",", ";", "#", ".", "_", " ", "\n": break
      default: if !character.isLetter && !character.isNumber { return "a stray \(character)" }
      }
    }
    return open.isEmpty ? nil : "a bracket that does not close"
  }

  private mutating func skipString() -> Bool {
    while let character = rest.popFirst() {
      if character == "\"" { return true }
      if character == "\\" { _ = rest.popFirst() }
      if character == "\n" { return false }
    }
    return false
  }

  private mutating func skipLabel() -> String? {
    var open: [Substring] = []
    while let character = rest.popFirst() {
      switch character {
      case ">": return open.isEmpty ? nil : "an element \(open.last ?? "") that does not close"
      case "<":
        guard let end = rest.firstIndex(of: ">") else { return "an element that does not end" }
        let tag = rest[..<end]
        rest = rest[rest.index(after: end)...]
        if tag.hasPrefix("/") {
          if open.popLast() != tag.dropFirst() { return "a closing \(tag)" }
        } else if !tag.hasSuffix("/") {
          open.append(tag.prefix { $0 != " " })
        }
      case "&":
        guard let end = rest.firstIndex(of: ";"), ["amp", "lt", "gt", "quot"].contains(rest[..<end]) else {
          return "a stray &"
        }
      default: if character.unicodeScalars.contains(where: { $0.value < 0x20 }) { return "a control" }
      }
    }
    return "a label that does not end"
  }
}
