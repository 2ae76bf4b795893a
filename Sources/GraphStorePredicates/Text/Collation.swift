import Foundation

/// Comparison of text by the rules of a locale.
public struct Collation: Hashable, Sendable {
  /// The locale.
  public let locale: Locale
  private let options: String.CompareOptions.RawValue

  /// Makes a collation that counts all differences, or leaves out case or diacritics.
  public init(locale: Locale, ignoresCase: Bool = false, ignoresDiacritics: Bool = false) {
    self.locale = locale
    var options: String.CompareOptions = []
    if ignoresCase { options.insert(.caseInsensitive) }
    if ignoresDiacritics { options.insert(.diacriticInsensitive) }
    self.options = options.rawValue
  }

  private init(locale: Locale, options: String.CompareOptions) {
    self.locale = locale
    self.options = options.rawValue
  }

  /// The order of file browsers: runs of digits by value, without case and width.
  public static func standard(locale: Locale) -> Collation {
    Collation(locale: locale, options: [.caseInsensitive, .widthInsensitive, .numeric, .forcedOrdering])
  }

  /// The order of two texts.
  public func order(_ left: String, _ right: String) -> ComparisonResult {
    left.compare(right, options: String.CompareOptions(rawValue: options), range: nil, locale: locale)
  }
}
