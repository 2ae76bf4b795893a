/// The words of a command line in its plain form, read from left to right.
///
/// The package's parser makes the types of all options while it runs, which takes longer than a query does. Words in
/// their plain form need none of that: long options and single short ones that are known, each value in a word of its
/// own or behind `=`, nothing given twice. Everything else is left to the package's parser, errors above all, so
/// that both ways give the same command or one and the same message.
struct FastPathArguments {
  private let words: [String]
  private var position: Int
  /// The value behind the `=` of the option that is read now.
  private var attached: String?
  /// Options that take one value or none, and were given.
  private var given: [String] = []
  /// The words that belong to no option.
  private(set) var operands: [String] = []
  /// False as soon as a word has to be judged by the package's parser.
  private(set) var isPlain = true

  init(_ words: [String], from start: Int) {
    self.words = words
    position = start
  }

  /// The name of the next option, after the operands before it; nil at the end, or where the form is not plain.
  mutating func nextOption() -> String? {
    while isPlain, position < words.count {
      let word = words[position]
      position += 1
      guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else {
        operands.append(word)
        continue
      }
      return option(word)
    }
    return nil
  }

  private mutating func option(_ word: String) -> String? {
    guard word.hasPrefix("--") else {
      guard word.utf8.count == 2 else { return refuse() }
      return word
    }
    guard word.utf8.count > 2 else { return refuse() }
    guard let equals = word.firstIndex(of: "=") else { return word }
    attached = String(word[word.index(after: equals)...])
    return String(word[..<equals])
  }

  /// Leaves the line to the package's parser.
  @discardableResult
  mutating func refuse() -> String? {
    isPlain = false
    return nil
  }

  /// An option without a value.
  mutating func flag(_ name: String) -> Bool {
    if attached != nil { refuse() }
    note(name)
    return true
  }

  /// The one value of an option.
  ///
  /// - Parameter isUnconditional: whether the next word is the value even if it looks like an option.
  mutating func text(_ name: String, isUnconditional: Bool = false) -> String? {
    note(name)
    return value(isUnconditional)
  }

  /// One more value of an option that may be repeated, whatever it looks like.
  mutating func add(to values: inout [String]) {
    if let value = value(true) { values.append(value) }
  }

  /// A whole number.
  mutating func integer(_ name: String) -> Int? {
    guard let text = text(name, isUnconditional: true) else { return nil }
    let number = Int(text)
    if number == nil { refuse() }
    return number
  }

  /// A number.
  mutating func number(_ name: String) -> Double? {
    guard let text = text(name, isUnconditional: true) else { return nil }
    let number = Double(text)
    if number == nil { refuse() }
    return number
  }

  /// One of several words.
  mutating func word<Word: RawRepresentable<String>>(_ name: String) -> Word? {
    guard let text = text(name) else { return nil }
    let word = Word(rawValue: text)
    if word == nil { refuse() }
    return word
  }

  private mutating func note(_ name: String) {
    if given.contains(name) { refuse() }
    given.append(name)
  }

  private mutating func value(_ isUnconditional: Bool) -> String? {
    if let value = attached {
      attached = nil
      return value.isEmpty ? refuse() : value
    }
    guard position < words.count else { return refuse() }
    let word = words[position]
    guard word != "--", isUnconditional || word.utf8.first != UInt8(ascii: "-") else { return refuse() }
    position += 1
    return word
  }
}
