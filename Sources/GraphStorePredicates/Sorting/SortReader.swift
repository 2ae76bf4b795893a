/// Parser of the text form of sort descriptors: keys with modifiers behind colons, and commas between them.
struct SortReader {
  private let text: String
  private let bytes: [UInt8]
  /// The names of results, which are keys of their own, whatever is in them.
  private let results: Set<String>

  init(_ text: String, results: Set<String> = []) {
    self.text = text
    bytes = Array(text.utf8)
    self.results = results
  }

  func list() throws(QueryPredicateError) -> [QuerySortDescriptor] {
    var descriptors: [QuerySortDescriptor] = []
    for part in parts(of: 0..<bytes.count, separatedBy: UInt8(ascii: ",")) {
      descriptors.append(try descriptor(in: part))
    }
    return descriptors
  }

  func descriptor(in range: Range<Int>) throws(QueryPredicateError) -> QuerySortDescriptor {
    let whole = trimmed(range)
    var start = whole.lowerBound
    var direction: Bool?
    if let sign = bytes[whole].first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      direction = sign == UInt8(ascii: "+")
      start += 1
    }
    let split = split(start..<whole.upperBound)
    var parts = split.modifiers
    // The customary name of a comparator ends with a colon of its own.
    if parts.count > 1, parts.last?.isEmpty == true, customary(string(parts[parts.count - 2])) != nil {
      parts.removeLast()
    }
    var comparator: QuerySortDescriptor.Comparator?
    var nilPlacement: QuerySortDescriptor.NilPlacement?
    let key = try expression(split.key)
    for part in parts {
      try read(part, direction: &direction, comparator: &comparator, nilPlacement: &nilPlacement)
    }
    return QuerySortDescriptor(
      expression: key, ascending: direction ?? true, comparator: comparator ?? .compare,
      nilPlacement: nilPlacement, sourceRange: sourceRange(whole))
  }

  // MARK: Parts

  /// The parts of a range between separators that stand in no brackets and quotes.
  private func parts(of range: Range<Int>, separatedBy separator: UInt8) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var depth = 0
    var quote: UInt8?
    var position = start
    while position < range.upperBound {
      let byte = bytes[position]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { position += 1 } else if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote = byte
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case separator where depth <= 0:
          parts.append(start..<position)
          start = position + 1
        default: break
        }
      }
      position += 1
    }
    parts.append(start..<range.upperBound)
    return parts
  }

  /// A key, and the modifiers behind it. A colon before a parenthesis belongs to the name of a function.
  private func split(_ range: Range<Int>) -> (key: Range<Int>, modifiers: [Range<Int>]) {
    let parts = parts(of: range, separatedBy: UInt8(ascii: ":"))
    func upTo(_ last: Int) -> (key: Range<Int>, modifiers: [Range<Int>]) {
      (range.lowerBound..<parts[last].upperBound, Array(parts[(last + 1)...]))
    }
    let least = parts.indices.dropFirst().last { bytes[trimmed(parts[$0])].first == UInt8(ascii: "(") } ?? 0
    return upTo(parts.indices[least...].last { results.contains(string(upTo($0).key)) } ?? least)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let scalars = String(decoding: bytes[range], as: UTF8.self).unicodeScalars
    let leading = scalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
    guard range.lowerBound + leading < range.upperBound else { return range.upperBound..<range.upperBound }
    let trailing = scalars.reversed().prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
    return range.lowerBound + leading..<range.upperBound - trailing
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func sourceRange(_ range: Range<Int>) -> SourceRange {
    SourceRange(offset: range.lowerBound, length: range.count)
  }

  // MARK: Keys

  /// The key: the name of a result, a key path, or another expression.
  private func expression(_ range: Range<Int>) throws(QueryPredicateError) -> QueryExpression {
    let key = string(range)
    if results.contains(key) { return QueryExpression(.keyPath(QueryKeyPath(steps: [.key(key)]))) }
    if let steps = QueryKeyPath.steps(parsing: key) {
      return QueryExpression(.keyPath(QueryKeyPath(fromSelf: steps, of: key)))
    }
    if let hint = Self.hint(forOptionsIn: key) { throw notKey(range, hint: hint) }
    do throws(QueryPredicateError) {
      // Blanks keep the places of what is parsed.
      return try QueryExpression(parsing: String(repeating: " ", count: range.lowerBound) + key)
    } catch {
      if let hint = hint(forWordsIn: key) { throw notKey(range, hint: hint) }
      // What has a call was meant as an expression.
      guard key.contains("(") else { throw notKey(range) }
      throw error.located(in: text)
    }
  }

  /// Whether the text of an expression would be read as another key: `nil` as the key of that name.
  static func isReadAsOtherKey(_ text: String) -> Bool {
    QueryKeyPath.steps(parsing: text) != nil || hint(forOptionsIn: text) != nil
  }

  private func notKey(_ range: Range<Int>, hint: String? = nil) -> QueryPredicateError {
    QueryPredicateError(
      .syntax, "A sort key must be a key path or an expression; expected keys joined by dots.", source: text,
      range: sourceRange(range), expected: "a key path", hint: hint)
  }

  /// A hint for the words of SQL: `name desc nulls last`.
  private func hint(forWordsIn text: String) -> String? {
    var words = text.split(separator: " ").map(String.init)
    var modifiers = ""
    if words.count > 2, words[words.count - 2].lowercased() == "nulls",
      let placement = QuerySortDescriptor.NilPlacement(
        rawValue: "nulls-\(words[words.count - 1].lowercased())")
    {
      modifiers = ":\(placement.rawValue)"
      words.removeLast(2)
    }
    if words.count > 1, let word = words.last?.lowercased(),
      ["asc", "desc", "ascending", "descending"].contains(word)
    {
      modifiers = (word.hasPrefix("a") ? ":asc" : ":desc") + modifiers
      words.removeLast()
    }
    return modifiers.isEmpty ? nil : "Write \(words.joined(separator: " "))\(modifiers)."
  }

  /// A hint for the options of a comparison behind a key: `name[cd]`.
  private static func hint(forOptionsIn text: String) -> String? {
    guard text.hasSuffix("]"), let bracket = text.firstIndex(of: "["), !text.contains("("),
      text[bracket...].dropFirst().dropLast().allSatisfy({ "cdnlCDNL".contains($0) })
    else { return nil }
    return "Write \(text[..<bracket]):caseInsensitive, or :localizedStandard."
  }

  // MARK: Modifiers

  /// The comparator of a customary name without its colon, such as `localizedStandardCompare`.
  private func customary(_ name: String) -> QuerySortDescriptor.Comparator? {
    try? QuerySortDescriptor.Comparator(selector: name + ":")
  }

  private func read(
    _ part: Range<Int>, direction: inout Bool?, comparator: inout QuerySortDescriptor.Comparator?,
    nilPlacement: inout QuerySortDescriptor.NilPlacement?
  ) throws(QueryPredicateError) {
    let modifier = string(part)
    let word = modifier.lowercased()
    if word == "asc" || word == "desc" {
      guard direction == nil else { throw repeated(part) }
      direction = word == "asc"
    } else if let found = QuerySortDescriptor.NilPlacement(rawValue: word) {
      guard nilPlacement == nil else { throw repeated(part) }
      nilPlacement = found
    } else if let found = QuerySortDescriptor.Comparator(rawValue: modifier) ?? customary(modifier) {
      guard comparator == nil else { throw repeated(part) }
      comparator = found
    } else {
      throw unknown(part)
    }
  }

  private func unknown(_ part: Range<Int>) -> QueryPredicateError {
    let modifier = string(part)
    let names =
      ["asc", "desc"] + QuerySortDescriptor.NilPlacement.allCases.map(\.rawValue)
      + QuerySortDescriptor.Comparator.allCases.map(\.rawValue)
    let expected = names.joined(separator: ", ")
    if modifier.isEmpty {
      return QueryPredicateError(
        .syntax, "A modifier must follow the colon.", source: text, range: sourceRange(part),
        expected: expected, hint: "The modifiers are \(expected).")
    }
    return QueryPredicateError(
      .unsupportedSort, "unsupported NSSortDescriptor selector: \(modifier)", source: text,
      range: sourceRange(part), expected: expected,
      hint: "The modifiers are \(expected); sort the result by anything else.",
      suggestions: NearestNames.names(near: modifier, among: names))
  }

  private func repeated(_ part: Range<Int>) -> QueryPredicateError {
    QueryPredicateError(
      .syntax, "The modifier \(string(part)) repeats or contradicts what stands before it.", source: text,
      range: sourceRange(part))
  }
}
