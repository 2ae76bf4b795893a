import ArgumentParser

/// The word `where` on a command line: the predicate behind it is taken as by `--where`, as in scripts and in
/// the shell.
enum WhereKeyword {
  /// Whether a word is the keyword, in either case of letters.
  static func isKeyword(_ word: String) -> Bool {
    word.utf8.count == 5 && word.caseInsensitiveEquals("where")
  }

  /// The command line with `--where` in place of the keyword, and its predicate as one word.
  ///
  /// The predicate reaches up to the next option of the command. The first word behind the command is its
  /// entity, whatever it is called.
  static func spelledOut(_ words: [String]) -> [String] {
    guard words.dropFirst(2).contains(where: isKeyword),
      let command = RootCommand.command(named: words[0])
    else { return words }
    let table = OptionTable(of: command)
    guard table.contains("--where") else { return words }
    let operands = table.operandPlaces(in: words)
    guard let place = operands.dropFirst(2).first(where: { isKeyword(words[$0]) }) else { return words }
    let predicate = words[(place + 1)...].prefix { !$0.hasPrefix("--") && !table.contains($0) }
    guard !predicate.isEmpty else { return words }
    return words[..<place] + ["--where", predicate.joined(separator: " ")] + words[predicate.endIndex...]
  }
}
