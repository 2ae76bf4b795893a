/// Names of fields that identify a record, or that refer to another one by its key.
enum KeyNames {
  private static let keys: Set<String> = ["id", "uuid", "guid"]

  /// Whether a field is named like the key of records of an entity: `id`, `uuid`, `employee_id`.
  static func isKey(_ name: String, of entity: String) -> Bool {
    let plain = letters(of: name)
    return keys.contains(plain) || plain == letters(of: entity) + "id"
  }

  /// Whether a field is named by the word for keys alone.
  static func isPlainKey(_ name: String) -> Bool { keys.contains(letters(of: name)) }

  /// What a field named like a reference refers to: `department_id` and `departmentId` to a `department`,
  /// `tagIds` to a `tag`; nil for other names.
  static func stem(ofReference name: String) -> [String]? {
    var words = Words.words(of: name)
    guard words.count > 1, let last = words.popLast() else { return nil }
    guard ["id", "ids", "uuid", "guid"].contains(last.lowercased()) else { return nil }
    return words
  }

  private static func letters(of name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}
