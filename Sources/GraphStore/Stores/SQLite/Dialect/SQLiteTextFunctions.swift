import GraphStorePredicates
import GraphStoreSQLite

/// SQL functions over texts, in the meaning of predicates.
///
/// They work on the UTF-8 that SQLite holds, and a pattern that stays the same is prepared once for a
/// statement. The options are a number: 1 for `[c]`, 2 for `[d]`, 3 for both.
enum SQLiteTextFunctions {
  /// Whether the text has the pattern in it: text, pattern, options.
  static let containsName = "gs_contains"
  /// Whether the text begins with the pattern: text, pattern, options.
  static let beginsName = "gs_begins"
  /// Whether the text ends with the pattern: text, pattern, options.
  static let endsName = "gs_ends"
  /// Whether the text is like the pattern: text, pattern, options.
  static let likeName = "gs_like"
  /// Whether the text matches the regular expression: text, pattern, options.
  static let matchesName = "gs_matches"
  /// The key of a text: text, options.
  static let foldName = "gs_fold"
  /// The text in capitals.
  static let upperName = "gs_upper"
  /// The text in small letters.
  static let lowerName = "gs_lower"
  /// The number of UTF-16 units of the text.
  static let lengthName = "gs_length"

  /// Makes a function known to a connection: its name in SQL, the number of its arguments, and what it does.
  typealias Registration = (String, Int, @escaping SQLiteConnection.ScalarFunction) throws -> Void

  static func install(on connection: SQLiteConnection) throws {
    try forEach { name, argumentCount, body in
      try connection.register(function: name, argumentCount: argumentCount, body)
    }
  }

  /// Hands out every function.
  static func forEach(_ register: Registration) throws {
    try registerSearch(containsName, .contains, by: register)
    try registerSearch(beginsName, .beginsWith, by: register)
    try registerSearch(endsName, .endsWith, by: register)
    try registerSearch(likeName, .like, by: register)
    try registerMatches(by: register)
    try register(foldName, 2) { arguments, result in
      guard !arguments.isNull(at: 0) else { return }
      unsafe folding(arguments.int64(at: 1)).withKey(of: arguments.text(at: 0)) {
        unsafe result.set(text: $0)
      }
    }
    try register(upperName, 1) { arguments, result in
      guard !arguments.isNull(at: 0) else { return }
      unsafe result.set(String(decoding: arguments.text(at: 0), as: UTF8.self).uppercased())
    }
    try register(lowerName, 1) { arguments, result in
      guard !arguments.isNull(at: 0) else { return }
      unsafe result.set(CaseMapping.lowercased(String(decoding: arguments.text(at: 0), as: UTF8.self)))
    }
    try register(lengthName, 1) { arguments, result in
      guard !arguments.isNull(at: 0) else { return }
      var count: Int64 = 0
      // A scalar of four bytes has two units, every other one.
      unsafe arguments.text(at: 0).forEach { byte in
        if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
      }
      result.set(count)
    }
  }

  static func folding(_ code: Int64) -> TextFolding {
    TextFolding(foldsCase: code & 1 != 0, foldsDiacritics: code & 2 != 0)
  }

  private final class Prepared<Pattern> {
    let pattern: Pattern

    init(_ pattern: Pattern) {
      self.pattern = pattern
    }
  }

  private static func registerSearch(
    _ name: String, _ operation: TextMatcher.Operation, by register: Registration
  ) throws {
    try register(name, 3) { arguments, result in
      guard !arguments.isNull(at: 0), !arguments.isNull(at: 1) else { return }
      let prepared = arguments.cached(at: 1) {
        unsafe Prepared(
          TextMatcher(
            operation, pattern: String(decoding: arguments.text(at: 1), as: UTF8.self),
            folding: folding(arguments.int64(at: 2))))
      }
      unsafe result.set(prepared.pattern.matches(arguments.text(at: 0)))
    }
  }

  private static func registerMatches(by register: Registration) throws {
    try register(matchesName, 3) { arguments, result in
      guard !arguments.isNull(at: 0), !arguments.isNull(at: 1) else { return }
      let prepared = arguments.cached(at: 1) {
        let code = arguments.int64(at: 2)
        var options: QueryComparison.Options = []
        if code & 1 != 0 { options.insert(.caseInsensitive) }
        if code & 2 != 0 { options.insert(.diacriticInsensitive) }
        let pattern = unsafe String(decoding: arguments.text(at: 1), as: UTF8.self)
        return Prepared(try? RegularExpression(pattern, options: options))
      }
      let text = unsafe String(decoding: arguments.text(at: 0), as: UTF8.self)
      result.set(try prepared.pattern?.matches(text) ?? false)
    }
  }
}
