import ArgumentParser

/// Cursor over the words of a plain command line, from left to right.
///
/// The package's parser makes the types of all options while it runs, which takes longer than a query does.
/// Words in their plain form need none of that: long options and single short ones that are known, each value
/// in a word of its own or behind `=`, nothing given twice. Everything else is left to the package's parser,
/// errors above all, so that both ways give the same command or one and the same message.
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

  /// The name of the next option, after the operands before it; nil at the end, or where the form is not
  /// plain.
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
    recordGiven(name)
    return true
  }

  /// The one value of an option.
  ///
  /// - Parameter isUnconditional: whether the next word is the value even if it looks like an option.
  mutating func text(_ name: String, isUnconditional: Bool = false) -> String? {
    recordGiven(name)
    return value(isUnconditional)
  }

  /// One more value of an option that may be repeated.
  ///
  /// - Parameter isUnconditional: whether the next word is the value even if it looks like an option.
  mutating func add(to values: inout [String], isUnconditional: Bool = true) {
    if let value = value(isUnconditional) { values.append(value) }
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

  /// Remembers an option that may be given once.
  private mutating func recordGiven(_ name: String) {
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

/// Options that can be read from a plain command line.
protocol FastPathOptions: ParsableArguments {
  /// The options as they are when none is given.
  static var plain: Self { get }

  /// Consumes an option if it is one of these.
  /// - Returns: whether it is.
  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool

  /// Checks the options together, as the package's parser does when all are read.
  mutating func validateAll() throws
}

extension FastPathOptions {
  mutating func validateAll() throws { try validate() }
}

/// Command that can be read from a plain command line.
protocol FastPathCommand: StoreCommand, FastPathOptions where Options: FastPathOptions {
  var options: Options { get set }

  /// Consumes the words that belong to no option.
  /// - Returns: whether they are as many as the command needs.
  mutating func consume(operands: [String]) -> Bool
}

extension FastPathCommand {
  /// Reads the command from the words behind its name; nil for a line that the package's parser has to judge.
  static func read(_ words: [String]) -> Self? {
    var command = plain
    var line = FastPathArguments(words, from: 1)
    while let option = line.nextOption() {
      guard command.consume(option, from: &line) else { return nil }
    }
    guard line.isPlain, command.consume(operands: line.operands), (try? command.validateAll()) != nil else {
      return nil
    }
    return command
  }
}

/// Fast-path command whose one operand names an entity.
protocol FastPathEntityCommand: FastPathCommand {
  var entity: String { get set }
}

extension FastPathEntityCommand {
  mutating func consume(operands: [String]) -> Bool {
    guard operands.count == 1 else { return false }
    entity = operands[0]
    return true
  }
}

/// Command that prints objects and can be read from a plain command line.
protocol FastPathObjectCommand: FastPathCommand, ObjectCommand {
  var output: OutputOptions { get set }
  var identifiers: IdentifierOptions { get set }
  var archives: ArchiveOptions { get set }
}

extension FastPathObjectCommand {
  /// Sets the options that every command of objects has as they are when none is given.
  mutating func clearShared() {
    options = .plain
    output = .plain
    identifiers = .plain
    archives = .plain
  }

  /// Consumes an option that every command of objects has.
  mutating func consumeShared(_ option: String, from line: inout FastPathArguments) -> Bool {
    output.consume(option, from: &line) || identifiers.consume(option, from: &line)
      || archives.consume(option, from: &line)
      || options.consume(option, from: &line)
  }
}
