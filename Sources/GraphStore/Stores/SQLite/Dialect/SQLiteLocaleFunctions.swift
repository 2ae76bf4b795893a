import Foundation
import GraphStorePredicates
import GraphStoreSQLite

/// Text by the rules of a locale: SQL functions with the locale's identifier as their fourth argument, and
/// collations whose names say locale and form.
///
/// Collations are made when a statement first names one; nothing in a store's file does (PRD-254).
enum SQLiteLocaleFunctions {
  /// Form of a collation's comparison.
  enum Form: String, CaseIterable {
    /// All differences count.
    case full
    /// Case does not count.
    case c
    /// Accents do not count.
    case d
    /// Neither case nor accents count.
    case cd
    /// The order of file browsers.
    case standard
  }

  private static let prefix = "gs_localized"

  /// The name of a collation.
  static func collation(_ form: Form, _ locale: Locale) -> String {
    "\(prefix)_\(form.rawValue)_\(LocaleName(locale).identifier)"
  }

  static func install(on connection: SQLiteConnection) throws {
    unsafe connection.provideCollations { name in unsafe comparison(named: name) }
    for (name, operation): (String, TextMatcher.Operation) in [
      (SQLiteTextFunctions.containsName, .contains), (SQLiteTextFunctions.beginsName, .beginsWith),
      (SQLiteTextFunctions.endsName, .endsWith), (SQLiteTextFunctions.likeName, .like),
    ] {
      try register(name, operation, on: connection)
    }
  }

  private static func register(
    _ name: String, _ operation: TextMatcher.Operation, on connection: SQLiteConnection
  ) throws {
    try connection.register(function: name, argumentCount: 4) { arguments, result in
      guard !arguments.isNull(at: 0), !arguments.isNull(at: 1) else { return }
      // The locale is always a parameter, so that the test is made once for a statement.
      let test = arguments.cached(at: 3) {
        var options: QueryComparison.Options = [.localized, .caseInsensitive]
        if arguments.int64(at: 2) & 2 != 0 { options.insert(.diacriticInsensitive) }
        let locale = unsafe Locale(identifier: String(decoding: arguments.text(at: 3), as: UTF8.self))
        return EngineTextTest(operation, options: options, locale: locale)
      }
      let kind = SQLiteValueKind.string
      result.set(try test.matches(kind.value(arguments, 0), kind.value(arguments, 1)))
    }
  }

  private static func comparison(named name: String) -> SQLiteConnection.Collation? {
    let parts = name.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, name.hasPrefix(prefix), let form = Form(rawValue: String(parts[2])) else {
      return nil
    }
    let locale = Locale(identifier: String(parts[3]))
    let order = order(form, locale)
    return { left, right in
      unsafe order(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)).rawValue
    }
  }

  private static func order(_ form: Form, _ locale: Locale) -> (String, String) -> ComparisonResult {
    if form == .standard {
      let descriptor = QuerySortDescriptor(
        keyPath: QueryKeyPath(steps: []), comparator: .localizedStandard)
      return { descriptor.order(.string($0), .string($1), locale: locale) }
    }
    let collation = Collation(
      locale: locale, ignoresCase: form == .c || form == .cd, ignoresDiacritics: form == .d || form == .cd)
    return { collation.order($0, $1) }
  }
}
