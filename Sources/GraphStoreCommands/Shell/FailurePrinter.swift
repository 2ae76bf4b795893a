/// Shows failures: as text with a caret under the place, or as one line of JSON.
struct FailurePrinter: Sendable {
  enum Format: String, Sendable {
    case text, json
  }

  var format = Format.text
  var isColored = false

  private static let longestLine = 160

  /// - Parameters:
  ///   - statement: what failed; nil if no statement could be made.
  ///   - place: where, if not in a word of the statement.
  /// - Returns: one or more lines, each with its newline.
  func print(_ failure: StatementFailure, in statement: ShellStatement?, at place: ShellPlace? = nil)
    -> String
  {
    let place = place ?? statement.map { Self.place(of: failure, in: $0) }
    switch format {
    case .text: return text(failure, place: place)
    case .json: return json(failure, place: place, statement: statement)
    }
  }

  // MARK: Text

  private func text(_ failure: StatementFailure, place: ShellPlace?) -> String {
    var lines: [String] = []
    var prefix = ""
    if let place, let name = place.source.name {
      prefix = "\(name):\(place.source.position(at: place.range.lowerBound)): "
    }
    let label = isColored ? "\u{1B}[1;31merror:\u{1B}[0m" : "error:"
    lines.append("\(prefix)\(label) \(failure.message)   [\(failure.code)]")
    if let place { lines += excerpt(place) }
    lines += failure.details.map { "  " + $0 }
    var hints: [String] = []
    if !failure.suggestions.isEmpty {
      hints.append("did you mean \(Self.alternatives(failure.suggestions))?")
    }
    if let hint = failure.hint { hints.append(hint) }
    if !hints.isEmpty {
      let label = isColored ? "\u{1B}[1mhint:\u{1B}[0m" : "hint:"
      lines.append("\(label) \(hints.joined(separator: "  "))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The line and a row of carets; of a script with its number.
  private func excerpt(_ place: ShellPlace) -> [String] {
    let source = place.source
    let line = Array(source.line(at: place.range.lowerBound))
    let position = source.position(at: place.range.lowerBound)
    let start = min(position.column - 1, line.count)
    let length = min(
      max(source.text(in: place.range).prefix { $0 != "\n" }.count, 1), max(line.count - start, 1))
    var first = 0
    var shown = line[...]
    var lead = ""
    if line.count > Self.longestLine {
      first = max(0, min(start - 40, line.count - Self.longestLine))
      shown = line[first..<min(line.count, first + Self.longestLine)]
      if first > 0 { lead = "… " }
    }
    let before = shown.prefix(start - first)
    let marked = shown.dropFirst(start - first).prefix(length)
    let gap = lead.map { _ in " " }.joined() + before.map(Self.blank).joined()
    let width = max(1, marked.reduce(0) { $0 + Self.width($1) })
    let carets = gap + String(repeating: "^", count: width)
    let text = lead + shown.map(Self.visible).joined()
    guard source.name != nil else { return ["  " + text, "  " + carets] }
    let number = String(position.line)
    let padding = String(repeating: " ", count: number.count)
    return ["  \(number) | \(text)", "  \(padding) | \(carets)"]
  }

  private static func alternatives(_ names: [String]) -> String {
    let quoted = names.map { "\"\($0)\"" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func place(of failure: StatementFailure, in statement: ShellStatement) -> ShellPlace {
    guard let place = failure.place, statement.words.indices.contains(place.word) else {
      return ShellPlace(source: statement.source, range: statement.words.first?.range ?? 0..<0)
    }
    let word = statement.words[place.word]
    return ShellPlace(
      source: statement.source, range: place.range.map { word.sourceRange(of: $0) } ?? word.range)
  }

  /// Control characters would act on the terminal, so their symbols are shown.
  private static func visible(_ character: Character) -> String {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else {
      return String(character)
    }
    if character == "\t" { return "\t" }
    switch scalar.value {
    case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) } ?? "?"
    case 0x7F: return "\u{2421}"
    case 0x80..<0xA0: return "\u{FFFD}"
    default: return String(character)
    }
  }

  private static func blank(_ character: Character) -> String {
    character == "\t" ? "\t" : String(repeating: " ", count: width(character))
  }

  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }

  // MARK: JSON

  private func json(_ failure: StatementFailure, place: ShellPlace?, statement: ShellStatement?) -> String {
    var members = ["\"code\":\(Self.quote(failure.code))", "\"message\":\(Self.quote(failure.message))"]
    members += failure.fields.map { "\(Self.quote($0.name)):\($0.json)" }
    if let word = failure.place {
      if let name = word.name { members.append("\"source\":\(Self.quote(name))") }
      if let range = word.range {
        members += ["\"offset\":\(range.lowerBound)", "\"length\":\(range.count)"]
      }
    }
    if let place, let name = place.source.name {
      let position = place.source.position(at: place.range.lowerBound)
      members += [
        "\"file\":\(Self.quote(name))", "\"line\":\(position.line)", "\"column\":\(position.column)",
      ]
    }
    if !failure.suggestions.isEmpty {
      members.append("\"suggestions\":[\(failure.suggestions.map(Self.quote).joined(separator: ","))]")
    }
    if let hint = failure.hint { members.append("\"hint\":\(Self.quote(hint))") }
    members.append("\"exit\":\(failure.exitCode)")
    return "{\"error\":{\(members.joined(separator: ","))}}\n"
  }

  private static func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
