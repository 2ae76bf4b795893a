import GraphStore

/// A slip that is often made in a predicate, and that the error of its reader does not tell: what was read is
/// not what was meant.
struct PredicateSlip {
  private let located: LocatedPredicateError
  private let text: PlainText
  /// The place of the error, in UTF-8 bytes.
  private let offset: Int

  /// What to write instead of what stands at the place of an error; nil where no slip is seen.
  static func hint(for located: LocatedPredicateError) -> String? {
    let slip = PredicateSlip(
      located: located, text: PlainText(located.text), offset: located.error.offset ?? 0)
    return slip.plainIdentifier ?? slip.plainDate ?? slip.plainArgument ?? slip.option
  }

  /// `department == Department/p1`, which is read as a key that is divided.
  private var plainIdentifier: String? {
    guard let model = located.entity?.model else { return nil }
    let names = Set(model.entities.map(\.name))
    for word in text.words where word.range.contains(offset) {
      let parts = word.text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, names.contains(String(parts[0].split(separator: ":").last ?? "")),
        let kind = parts[1].first, kind == "p" || kind == "t", parts[1].dropFirst().allSatisfy(\.isNumber)
      else { continue }
      return "an id stands in quotes: \"\(word.text)\""
    }
    return nil
  }

  /// `birthday > 1980-01-01`, which is read as a difference.
  private var plainDate: String? {
    guard located.error.code != .unknownKey else { return nil }
    let date = text.words.first { word in
      guard let match = word.text.firstMatch(of: /\d{4}-\d{1,2}-\d{1,2}/) else { return false }
      return match.range.lowerBound == word.text.startIndex
    }
    return date.map { "a date stands in quotes: \"\($0.text)\"" }
  }

  /// `sum:salary * 2`, whose function lacks parentheses.
  private var plainArgument: String? {
    guard located.error.code == .syntax else { return nil }
    let rest = String(decoding: Array(located.text.utf8).dropFirst(offset), as: UTF8.self)
    guard let match = rest.prefixMatch(of: /([a-zA-Z]+):\s*([^(\s,][^,]*)/) else { return nil }
    // An aggregate is all there is; elsewhere the argument ends where a comparison may begin.
    let argument = located.label == "--aggregate" ? match.2 : match.2.prefix { $0 != " " }
    return "the argument of a function stands in parentheses: \(match.1):(\(argument))"
  }

  /// `salary > 5 -f ids`, whose option is read as a part of the predicate.
  private var option: String? {
    guard located.label == "--where" || located.label == "--having" else { return nil }
    let option = text.words.first { word in
      word.text.count == 2 && word.text.first == "-" && word.text.last?.isLetter == true
        && word.range.lowerBound <= offset
    }
    return option.map {
      "\($0.text) is read as a part of the predicate: short options stand before it, long ones (--) may stand behind"
    }
  }
}

/// The words of a predicate that stand in no quotes.
private struct PlainText {
  /// The words, with their places in UTF-8 bytes.
  private(set) var words: [(text: String, range: Range<Int>)] = []

  init(_ text: String) {
    var quote: UInt8?
    var word: [UInt8] = []
    let bytes = Array(text.utf8) + [UInt8(ascii: " ")]
    for (index, byte) in bytes.enumerated() {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      let isQuote = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
      guard isQuote || " \t\n(){}[],=<>!".utf8.contains(byte) else {
        word.append(byte)
        continue
      }
      if !word.isEmpty {
        words.append((String(decoding: word, as: UTF8.self), index - word.count..<index))
      }
      word = []
      if isQuote { quote = byte }
    }
  }
}
