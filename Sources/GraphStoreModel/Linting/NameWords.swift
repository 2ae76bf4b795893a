/// The words that a name is made of.
enum NameWords {
  /// The words of a name in lower case: `unitPrice`, `unit_price` and `UNIT_PRICE` are two.
  static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var before: Character?
    let letters = Array(name)
    for (position, letter) in letters.enumerated() {
      let isBoundary =
        letter == "_"
        || letter.isUppercase
          && (before?.isUppercase != true || letters.dropFirst(position + 1).first?.isLowercase == true)
        || letter.isNumber != (before?.isNumber ?? letter.isNumber)
      if isBoundary, !word.isEmpty {
        words.append(word)
        word = ""
      }
      if letter != "_" { word += letter.lowercased() }
      before = letter
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
