import Foundation

/// Comparison of text by the rules of a locale.
///
/// A locale that is not known has the root collation. Making a collation for rules that were used before
/// costs one look-up; a comparison takes no lock, and any thread may make it.
///
/// ```swift
/// let swedish = Collation(locale: Locale(identifier: "sv_SE"))
/// let names = ["Öst", "Zell", "Ahl"].sorted { swedish.order($0, $1) == .orderedAscending }
/// print(names)  // ["Ahl", "Zell", "Öst"]
/// ```
public struct Collation: Sendable {
  /// The locale.
  public let locale: Locale
  private let collator: Collator

  /// Makes a collation that counts all differences, or leaves out case or diacritics.
  public init(locale: Locale, ignoresCase: Bool = false, ignoresDiacritics: Bool = false) {
    let rules: Collator.Rules =
      switch (ignoresCase, ignoresDiacritics) {
      case (false, false): .allDifferences
      case (true, false): .withoutCase
      case (false, true): .withoutDiacritics
      case (true, true): .lettersAlone
      }
    self.init(locale: locale, rules)
  }

  private init(locale: Locale, _ rules: Collator.Rules) {
    self.locale = locale
    collator = Collator.shared(localeIdentifier: LocaleName(locale).identifier, rules)
  }

  /// The order of file browsers: runs of digits by value, then accents, case (lower first), width and bytes,
  /// so that different texts are never equal.
  public static func standard(locale: Locale) -> Collation { Collation(locale: locale, .fileBrowser) }

  /// The order of two texts.
  public func order(_ left: String, _ right: String) -> ComparisonResult {
    var left = left
    var right = right
    return left.withUTF8 { leftBytes in right.withUTF8 { unsafe order(leftBytes, $0) } }
  }

  /// The order of two texts, passed as well-formed UTF-8.
  public func order(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> ComparisonResult {
    unsafe collator.order(left, right)
  }

  /// Bytes whose order is that of the texts: what a sort of many compares.
  package func sortKey(of text: String) -> [UInt8] { collator.sortKey(of: text) }
}

extension Collation: Hashable {
  /// Whether both have the same locale and rules.
  public static func == (left: Collation, right: Collation) -> Bool { left.collator === right.collator }

  /// Hashes the locale and rules.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(collator)) }
}

extension Collation {
  /// Names the rules by which texts of a locale are ordered: another text than before means that the
  /// collation library, or its rules for the locale, have changed, and what was ordered by them has to be
  /// ordered anew.
  ///
  /// No more can be read out of it. It is the same in every process with the same library.
  public static func version(for locale: Locale) -> String {
    Collator.shared(localeIdentifier: LocaleName(locale).identifier, .allDifferences).version
  }
}
