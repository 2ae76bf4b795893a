import Foundation

/// The words of a name: `order_items`, `OrderItems` and `Order items` are two each.
enum Words {
  /// The words of a name in plain Latin letters and digits; letters of other scripts are left out.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var previous: Character?
    let letters = Array(plain(name))
    for (position, letter) in letters.enumerated() {
      guard letter.isASCII, letter.isLetter || letter.isNumber else {
        if !word.isEmpty { words.append(word) }
        (word, previous) = ("", nil)
        continue
      }
      let next = position + 1 < letters.count ? letters[position + 1] : nil
      let startsWord =
        letter.isUppercase && previous.map { $0.isLowercase || $0.isNumber } == true
        || letter.isUppercase && previous?.isUppercase == true && next?.isLowercase == true
      if startsWord {
        words.append(word)
        word = ""
      }
      word.append(letter)
      previous = letter
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// Letters without marks: `Größe` is `Grosse`, `Smørrebrød` `Smorrebrod`.
  private static func plain(_ name: String) -> String {
    var plain = ""
    for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars {
      if let letters = foreignLetters[scalar] {
        plain += letters
      } else if !scalar.properties.generalCategory.isMark {
        plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }

  private static let foreignLetters: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "Æ": "Ae", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "Oe", "ł": "l", "Ł": "L", "đ": "d",
    "Đ": "D", "ð": "d", "þ": "th", "ı": "i",
  ]

  /// The words as one name whose first letter is a capital.
  static func capitalized(_ words: [String]) -> String {
    words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The words as one name whose first letter is none.
  static func camelCased(_ words: [String]) -> String {
    guard let first = words.first else { return "" }
    let isAcronym = first.count > 1 && first.allSatisfy { $0.isUppercase || $0.isNumber }
    let start = isAcronym ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    return start + capitalized(Array(words.dropFirst()))
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isMark: Bool { self == .nonspacingMark || self == .enclosingMark || self == .spacingMark }
}
