import Foundation

extension Collation {
  /// Names the rules by which texts of a locale are ordered: another text than before means that the collation library,
  /// or its rules for the locale, have changed, and what was ordered by them has to be ordered anew.
  ///
  /// No more can be read out of it. It is the same in every process with the same library.
  public static func version(for locale: Locale) -> String {
    Collator.shared(localeIdentifier: locale.identifier, .allDifferences).version
  }
}
