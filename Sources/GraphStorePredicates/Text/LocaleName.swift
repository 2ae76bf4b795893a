import Foundation

/// The name of a locale in the form that the Unicode library, and SQL, take.
package struct LocaleName {
  /// The name; empty for the root collation.
  package let identifier: String

  /// The name of a locale of the application's; that of the root collation for what can be no locale's name.
  package init(_ locale: Locale) {
    let name = locale.identifier
    identifier = name.utf8.allSatisfy(Self.isPartOfIdentifier) ? name : ""
  }

  /// The name that a variable of the environment has, such as `de_DE.UTF-8@euro`, without encoding and
  /// modifier; nil for what can be no locale's name.
  init?(ofEnvironment text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let names = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let tags = names[0].split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
    guard parts.count <= 2, names.count <= 2, tags.count <= 5, !tags[0].isEmpty,
      (tags + parts.dropFirst()).allSatisfy(Self.isTag), names.dropFirst().allSatisfy(Self.isEncoding)
    else { return nil }
    identifier = String(names[0])
  }

  /// Whether a text is short enough for each part of a name: the library has room for eleven letters of a
  /// language.
  private static func isTag(_ text: Substring) -> Bool {
    text.utf8.count <= 8 && text.utf8.allSatisfy(isLetterOrDigit)
  }

  private static func isEncoding(_ text: Substring) -> Bool {
    text.utf8.count <= 20 && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isPartOfIdentifier(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || "_-@=;.".utf8.contains(byte)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
