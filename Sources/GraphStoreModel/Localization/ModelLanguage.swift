import GraphStorePredicates
import Synchronization

/// The language that localized texts are read in.
///
/// ```swift
/// ModelLanguage.current = "de"
/// print(model.localizedName(of: try model.entity(named: "Employee")))
/// ```
public enum ModelLanguage {
  private static let chosen = Mutex<String?>(nil)
  private static let ofEnvironment = language(ofVariable: EnvironmentVariable.value)

  /// The language in force, such as `de` or `pt_BR`: what was set here; else that of the environment's
  /// `LC_ALL`, `LC_MESSAGES` or `LANG`, the first that is not empty; nil for none.
  ///
  /// Setting it changes the texts of all models at once; nil restores that of the environment. Any thread may
  /// use it.
  public static var current: String? {
    get { chosen.withLock { $0 } ?? ofEnvironment }
    set { chosen.withLock { $0 = newValue } }
  }

  /// The language of an environment; nil for `C`, `POSIX` and what is no language.
  static func language(ofVariable variable: (String) -> String?) -> String? {
    let name = ProcessLocale.name(fromVariables: ["LC_ALL", "LC_MESSAGES", "LANG"], in: variable)
    guard let language = name?.prefix(while: { $0 != "." && $0 != "@" }), language != "C", language != "POSIX"
    else { return nil }
    return isLanguage(language) ? String(language) : nil
  }

  /// The folders of a language, the most general first: `pt.lproj`, `pt_BR.lproj`, `pt-BR.lproj`.
  static func folders(for language: String) -> [String] {
    guard isLanguage(language[...]) else { return [] }
    let general = language.prefix { $0 != "_" && $0 != "-" }
    var names = [String(general)]
    if general.count < language.count {
      names += [language.replacing("-", with: "_"), language.replacing("_", with: "-")]
    }
    return names.map { $0 + ".lproj" }
  }

  /// A language becomes a part of a path, so it is letters, digits, `_` and `-`.
  private static func isLanguage(_ name: Substring) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
      }
  }
}
