/// Parser of the text form of sort descriptors.
struct SortReader {
  private let text: String
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func list() throws(QueryPredicateError) -> [QuerySortDescriptor] {
    var descriptors: [QuerySortDescriptor] = []
    var start = 0
    while true {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
      descriptors.append(try descriptor(from: start, to: end))
      guard end < bytes.count else { return descriptors }
      start = end + 1
    }
  }

  mutating func descriptor(from start: Int, to end: Int) throws(QueryPredicateError) -> QuerySortDescriptor {
    var first = start
    var last = end
    trimSpace(&first, &last)
    var direction: Bool?
    let whole = SourceRange(offset: first, length: last - first)
    if first < last, bytes[first] == UInt8(ascii: "-") || bytes[first] == UInt8(ascii: "+") {
      direction = bytes[first] == UInt8(ascii: "+")
      first += 1
    }
    var parts: [(text: String, range: SourceRange)] = []
    var partStart = first
    for index in first...last where index == last || bytes[index] == UInt8(ascii: ":") {
      let range = SourceRange(offset: partStart, length: index - partStart)
      parts.append((String(decoding: bytes[partStart..<index], as: UTF8.self), range))
      partStart = index + 1
    }
    guard let keyPart = parts.first, let steps = QueryKeyPath.steps(parsing: keyPart.text) else {
      throw QueryPredicateError(
        .syntax, "A sort key must be a key path; expected keys joined by dots.", source: text,
        range: parts.first?.range ?? whole, expected: "a key path",
        hint: parts.first.flatMap { Self.hint(for: $0.text) })
    }
    var comparator: QuerySortDescriptor.Comparator?
    // The customary name of a comparator ends with a colon of its own.
    if parts.count > 2, parts.last?.text.isEmpty == true, Self.customary(parts[parts.count - 2].text) != nil {
      parts.removeLast()
    }
    for part in parts.dropFirst() {
      try read(part.text, range: part.range, direction: &direction, comparator: &comparator)
    }
    return QuerySortDescriptor(
      keyPath: QueryKeyPath(fromSelf: steps, of: keyPart.text), ascending: direction ?? true,
      comparator: comparator ?? .compare,
      sourceRange: whole)
  }

  /// The comparator of a customary name without its colon, such as `localizedStandardCompare`.
  private static func customary(_ name: String) -> QuerySortDescriptor.Comparator? {
    try? QuerySortDescriptor.Comparator(selector: name + ":")
  }

  /// A hint for the spellings of other languages: `name desc`, `name[cd]`.
  private static func hint(for text: String) -> String? {
    let words = text.split(separator: " ").map(String.init)
    if words.count == 2, ["asc", "desc", "ascending", "descending"].contains(words[1].lowercased()) {
      return "Write \(words[0]):\(words[1].lowercased().hasPrefix("a") ? "asc" : "desc")."
    }
    if text.hasSuffix("]"), let bracket = text.firstIndex(of: "[") {
      return "Write \(text[..<bracket]):caseInsensitive, or :localizedStandard."
    }
    return nil
  }

  private func trimSpace(_ first: inout Int, _ last: inout Int) {
    let scalars = String(decoding: bytes[first..<last], as: UTF8.self).unicodeScalars
    let leading = scalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
    guard first + leading < last else {
      first = last
      return
    }
    first += leading
    last -= scalars.reversed().prefix { $0.properties.isWhitespace }.reduce(0) { $0 + UTF8.width($1) }
  }

  private func read(
    _ modifier: String, range: SourceRange, direction: inout Bool?,
    comparator: inout QuerySortDescriptor.Comparator?
  ) throws(QueryPredicateError) {
    let word = modifier.lowercased()
    if word == "asc" || word == "desc" {
      guard direction == nil else { throw repeated(modifier, range) }
      direction = word == "asc"
    } else if let found = QuerySortDescriptor.Comparator(rawValue: modifier) ?? Self.customary(modifier) {
      guard comparator == nil else { throw repeated(modifier, range) }
      comparator = found
    } else {
      throw unknown(modifier, range)
    }
  }

  private func unknown(_ modifier: String, _ range: SourceRange) -> QueryPredicateError {
    let names = ["asc", "desc"] + QuerySortDescriptor.Comparator.allCases.map(\.rawValue)
    let expected = names.joined(separator: ", ")
    if modifier.isEmpty {
      return QueryPredicateError(
        .syntax, "A modifier must follow the colon.", source: text, range: range, expected: expected,
        hint: "The modifiers are \(expected).")
    }
    return QueryPredicateError(
      .unsupportedSort, "unsupported NSSortDescriptor selector: \(modifier)", source: text, range: range,
      expected: expected, hint: "The modifiers are \(expected); sort the result by anything else.",
      suggestions: NearestNames.names(near: modifier, among: names))
  }

  private func repeated(_ modifier: String, _ range: SourceRange) -> QueryPredicateError {
    QueryPredicateError(
      .syntax, "The modifier \(modifier) repeats or contradicts what stands before it.", source: text,
      range: range)
  }
}
