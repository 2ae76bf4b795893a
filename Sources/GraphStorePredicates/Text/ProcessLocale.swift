import Foundation

/// The locale of the process, by which text is compared where no other is asked for.
public enum ProcessLocale {
  /// The locale that `LC_ALL`, `LC_COLLATE` or `LANG` names, the first of them that is not empty; Foundation's current one
  /// where they name none, and for `C` and `POSIX`. Looked up once.
  public static let current =
    locale(ofVariable: { unsafe getenv($0).map { unsafe String(cString: $0) } }) ?? .current

  /// The locale of an environment; nil for `C`, `POSIX` and what is no locale's name.
  static func locale(ofVariable variable: (String) -> String?) -> Locale? {
    let name = ["LC_ALL", "LC_COLLATE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    guard let identifier = name?.prefix(while: { $0 != "." && $0 != "@" }), !identifier.isEmpty,
      identifier != "C", identifier != "POSIX", identifier.utf8.allSatisfy(isPartOfName)
    else { return nil }
    return Locale(identifier: String(identifier))
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
