import Foundation

/// Functions of texts that take more than one value. Places and lengths count UTF-16 units, as `length:`
/// does, and no character outside of the first plane is cut in two.
enum TextFunctions {
  /// The body of a function of texts; nil for one that is none.
  static func body(_ function: QueryFunction) -> (([Value]) -> Value)? {
    switch function {
    case .trimmed: { text($0) { .string($0[0].trimmingCharacters(in: .whitespacesAndNewlines)) } }
    case .concatenated: { text($0) { .string($0.joined()) } }
    case .replaced:
      {
        text($0) {
          $0[1].isEmpty ? .string($0[0]) : .string(pieces($0[0], by: $0[1]).joined(separator: $0[2]))
        }
      }
    case .firstPart: { text($0) { .string(pieces($0[0], by: $0[1])[0]) } }
    case .lastPart: { text($0) { .string(pieces($0[0], by: $0[1]).last ?? "") } }
    case .substring: substring
    default: nil
    }
  }

  private static func text(_ values: [Value], _ body: ([String]) -> Value) -> Value {
    var texts: [String] = []
    for value in values {
      guard case .string(let text) = value else { return .null }
      texts.append(text)
    }
    return body(texts)
  }

  /// The parts of a text between separators, which are compared by their bytes.
  private static func pieces(_ text: String, by separator: String) -> [String] {
    guard !separator.isEmpty else { return [text] }
    let (bytes, mark) = (Array(text.utf8), Array(separator.utf8))
    var pieces: [String] = []
    var (start, place) = (0, 0)
    while place + mark.count <= bytes.count {
      guard bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) else {
        place += 1
        continue
      }
      pieces.append(String(decoding: bytes[start..<place], as: UTF8.self))
      place += mark.count
      start = place
    }
    return pieces + [String(decoding: bytes[start...], as: UTF8.self)]
  }

  /// The text from a place on, 0 for its beginning and -1 for its last unit, and of a length or to its end.
  private static func substring(_ values: [Value]) -> Value {
    guard case .string(let text) = values[0], let place = values[1].truncatedNumber else { return .null }
    let units = text.utf16
    let count = units.count
    let start = place < 0 ? max(0, Int64(count) &+ place) : min(place, Int64(count))
    var length = Int64(count) - start
    if values.count == 3 {
      guard let wanted = values[2].truncatedNumber, wanted >= 0 else { return .null }
      length = min(length, wanted)
    }
    let first = units.index(units.startIndex, offsetBy: Int(start))
    let last = units.index(first, offsetBy: Int(length))
    // A place within a surrogate pair is rounded: the character in front is left out, the one behind too.
    let lower = first.samePosition(in: text.unicodeScalars) ?? units.index(after: first)
    let upper = last.samePosition(in: text.unicodeScalars) ?? units.index(before: last)
    return .string(lower < upper ? String(text.unicodeScalars[lower..<upper]) : "")
  }
}
