import Foundation

/// The locale of the process, by which text is compared where no other is asked for.
///
/// ```swift
/// let collation = Collation.standard(locale: ProcessLocale.current)
/// let names = department.employees.map(\.name).sorted { collation.order($0, $1) == .orderedAscending }
/// ```
public enum ProcessLocale {
  /// The locale that `LC_ALL`, `LC_COLLATE` or `LANG` names, the first of them that is not empty;
  /// Foundation's current one where they name none, and for `C` and `POSIX`. Looked up once.
  public static let current = locale(ofVariable: EnvironmentVariable.value) ?? .current

  /// The locale of an environment; nil for `C`, `POSIX` and what is no locale's name.
  static func locale(ofVariable variable: (String) -> String?) -> Locale? {
    guard let text = name(fromVariables: ["LC_ALL", "LC_COLLATE", "LANG"], in: variable),
      let name = LocaleName(ofEnvironment: text), !["C", "POSIX"].contains(name.identifier)
    else { return nil }
    return Locale(identifier: name.identifier)
  }

  /// The value of the first of some variables that is not empty.
  package static func name(fromVariables names: [String], in variable: (String) -> String?) -> String? {
    names.lazy.compactMap(variable).first { !$0.isEmpty }
  }
}
