/// Names in SQL text.
public enum SQLiteName {
  /// The name in double quotes, quotes within it doubled; safe for any name without NUL.
  public static func quoted(_ name: String) -> String {
    var result = "\""
    for character in name.unicodeScalars {
      if character == "\"" { result.unicodeScalars.append("\"") }
      result.unicodeScalars.append(character)
    }
    return result + "\""
  }
}
