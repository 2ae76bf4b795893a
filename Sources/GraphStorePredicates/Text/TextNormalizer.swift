import Foundation

/// A transform that brings text into the form in which an application searches it.
///
/// ```swift
/// print(TextNormalizer.standard.normalize("Łukasiewicz"))  // lukasiewicz
/// let noPunctuation = try TextNormalizer(transform: "Lower; [:Punctuation:] Remove")
/// print(noPunctuation.normalize("O'Neill"))  // oneill
/// ```
public struct TextNormalizer: Hashable, Sendable {
  /// The transform in the syntax of ICU.
  public let transform: String

  /// Latin letters without accents, in lower case: `Any-Latin; Latin-ASCII; Lower`.
  public static let standard = TextNormalizer(checked: "Any-Latin; Latin-ASCII; Lower")
  /// As ``standard``, with everything but letters removed.
  public static let lettersOnly = TextNormalizer(checked: "Any-Latin; Latin-ASCII; Lower; [:^Letter:] Remove")

  private init(checked transform: String) {
    self.transform = transform
  }

  /// Makes a normaliser of a transform's text. Throws `unsupported-function` when there is no such transform.
  public init(transform: String) throws(QueryPredicateError) {
    guard "a".applyingTransform(StringTransform(transform), reverse: false) != nil else {
      throw QueryPredicateError(
        .unsupportedFunction, "\(Value.string(transform).literal) is no transform of text.",
        hint: "Write one such as \"Any-Latin; Latin-ASCII; Lower\".",
        subject: Value.string(transform).literal)
    }
    self.transform = transform
  }

  /// The text in normal form; empty when the transform fails.
  public func normalize(_ text: String) -> String {
    text.applyingTransform(StringTransform(transform), reverse: false) ?? ""
  }
}
