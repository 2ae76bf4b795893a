import CFloors
import Foundation

/// Names to search in.
enum Words {
  static let count: Int64 = 200_000

  /// How many names hold an `e` of either case with any mark. Foundation is asked, once for each name without
  /// its number.
  static func answer(ascii: Bool) -> Answer {
    var known: [Substring: Bool] = [:]
    var found: Int64 = 0
    for row in 1...count {
      let words = name(row, ascii: ascii).prefix { !$0.isNumber }
      let holds = known[words] ?? contains(words)
      known[words] = holds
      if holds { found += 1 }
    }
    return Answer(count: found)
  }

  private static func contains(_ words: Substring) -> Bool {
    words.range(of: "e", options: [.caseInsensitive, .diacriticInsensitive]) != nil
  }

  private static func name(_ row: Int64, ascii: Bool) -> String {
    var data = data_word_row()
    data_word(row, ascii ? 1 : 0, &data)
    return withUnsafeBytes(of: data.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
