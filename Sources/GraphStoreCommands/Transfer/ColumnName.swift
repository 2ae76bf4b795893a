import GraphStore
import GraphStoreReports

/// Name of a column as people write it: `First Name` for `firstName`.
enum ColumnName {
  /// The letters and digits of a name, in lower case.
  static func letters(_ name: String) -> String {
    String(
      name.lowercased().unicodeScalars.filter {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      })
  }

  /// The one of some keys that a name has the letters of; nil where none has, or several.
  static func key(of name: String, among keys: [String]) -> String? {
    let wanted = letters(name)
    let found = wanted.isEmpty ? [] : keys.filter { letters($0) == wanted }
    return found.count == 1 ? found[0] : nil
  }

  /// The key that a column has in the records of any entity: `entity`, or one of those of ids.
  static func sharedKey(of name: String) -> String {
    key(of: name, among: ["entity", "id", "objectID"]) ?? name
  }
}

extension EntityDescription {
  /// The key that the name of a column means: itself where it is one, else the one with its letters; a path
  /// by each of its names.
  func key(meantBy name: String) -> String {
    if property(named: name) != nil || isIdentifierKey(name) || name == "entity" { return name }
    let keys = properties.map(\.name)
    if let key = ColumnName.key(of: name, among: keys) { return key }
    if let dot = name.firstIndex(of: "."),
      let first = ColumnName.key(of: String(name[..<dot]), among: keys)
    {
      let rest = String(name[name.index(after: dot)...])
      guard let destination = relationship(named: first)?.destination else { return first + "." + rest }
      return first + "." + destination.key(meantBy: rest)
    }
    let shared = ColumnName.sharedKey(of: name)
    return isIdentifierKey(shared) || shared == "entity" ? shared : name
  }
}
