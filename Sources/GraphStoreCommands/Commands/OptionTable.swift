import ArgumentParser
import GraphStore
import GraphStoreReports

/// The options of a command, or of sets of them, as the argument parser describes them: which take a value,
/// and which take several.
struct OptionTable {
  private struct Entry {
    /// The name that errors use, the long one where there is one.
    var name: String
    var takesValue: Bool
    var isRepeating: Bool
  }

  private var entries: [String: Entry] = [:]

  /// That of what takes no options.
  static let empty = OptionTable()

  private init() {}

  init(of sets: any ParsableArguments.Type...) {
    for set in sets {
      guard case .object(let root)? = try? JSONText.value(Array(set._dumpHelp().utf8)),
        case .object(let description)? = root["command"],
        case .array(let arguments)? = description["arguments"]
      else { continue }
      for case .object(let argument) in arguments { add(argument) }
    }
    // Short forms are options of their own.
    for (short, long) in ShortStoreArguments.longNames where entries[short] != nil {
      entries[short] = entries[long]
    }
  }

  private mutating func add(_ argument: [String: JSONValue]) {
    guard case .string(let kind)? = argument["kind"], kind != "positional",
      case .array(let described)? = argument["names"]
    else { return }
    let names = described.compactMap { name -> String? in
      guard case .object(let parts) = name, case .string(let kind)? = parts["kind"],
        case .string(let text)? = parts["name"]
      else { return nil }
      return (kind == "long" ? "--" : "-") + text
    }
    let name = names.first { $0.hasPrefix("--") } ?? names.first ?? ""
    let entry = Entry(
      name: name, takesValue: kind == "option", isRepeating: argument["isRepeating"] == true)
    for name in names { entries[name] = entry }
  }

  /// Makes sure that no option of one value is given twice, of which the parser would take the last in
  /// silence.
  func checkRepetition(_ words: [String]) throws(Diagnostic) {
    var values: [String: String] = [:]
    for word in parts(of: words) {
      guard let option = word.option, let value = word.value, let entry = entries[option], !entry.isRepeating
      else { continue }
      if let first = values.updateValue(value, forKey: entry.name) {
        throw Diagnostic(
          code: "usage", message: "\(entry.name) is given twice, as \"\(first)\" and as \"\(value)\"",
          hints: ["it takes one value: leave one out"], exitCode: .usage)
      }
    }
  }

  /// Refuses options that the command does not have.
  ///
  /// - Parameter reason: why it has none of them.
  func refuse(_ others: OptionTable, in words: [String], because reason: String) throws(Diagnostic) {
    for case let option? in parts(of: words).map(\.option)
    where entries[option] == nil && others.entries[option] != nil {
      throw Diagnostic(
        code: "unknown-option", message: "unknown option '\(option)'",
        hints: [reason], exitCode: .usage)
    }
  }

  /// Whether one of the options has the name.
  func contains(_ option: String) -> Bool { entries[option] != nil || Self.ofEveryParser.contains(option) }

  /// The options that the argument parser adds.
  private static let ofEveryParser: Set<String> = [
    "-h", "--help", "-help", "--help-hidden", "--version", "--generate-completion-script",
    "--experimental-dump-help",
  ]

  /// The long options that are most like a word.
  func names(near word: String) -> [String] {
    NearestNames.names(near: word, among: entries.keys.filter { $0.hasPrefix("--") }.sorted())
  }

  /// The first of the options in front of the first other word that the table does not have.
  func unknownLeadingOption(in words: [String]) -> String? {
    parts(of: words).prefix { $0.option != nil }.compactMap(\.option).first { !contains($0) }
  }

  /// The first of the long options that the table does not have.
  func unknownLongOption(in words: [String]) -> String? {
    parts(of: words).compactMap(\.option).first { $0.hasPrefix("--") && !contains($0) }
  }

  /// The places of the words that are no options and no values of options.
  func operandPlaces(in words: [String]) -> [Int] {
    var places: [Int] = []
    var place = 0
    for part in parts(of: words) {
      if part.option == nil { places.append(place) }
      // An option's value stands in a word of its own, or behind its `=`.
      let isApart = part.option == words[place] && part.value != nil
      place += isApart ? 2 : 1
    }
    return places
  }

  /// The first word that is no option and no value of one.
  func firstOperand(of words: [String]) -> String? { parts(of: words).first { $0.option == nil }?.value }

  /// The words as options with their values; what is no option stands as a value alone.
  private func parts(of words: [String]) -> [(option: String?, value: String?)] {
    var parts: [(option: String?, value: String?)] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        parts += rest.map { (nil, $0) }
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        parts.append((nil, word))
        continue
      }
      let pieces = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if word.hasPrefix("--"), pieces.count == 2 {
        parts.append((pieces[0], pieces[1]))
      } else {
        parts.append((word, entries[word]?.takesValue == true ? rest.popFirst() : nil))
      }
    }
    return parts
  }
}
