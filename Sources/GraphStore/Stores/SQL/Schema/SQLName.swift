/// Names of tables, columns and indexes in statements.
enum SQLName {
  /// The name as it stands in a statement: bare where it consists of letters of ASCII, digits and underscores,
  /// else in double quotes with quotes within it doubled.
  ///
  /// Names of the layout begin with `Z`, which no reserved word does, so bare ones are safe.
  static func quoted(_ name: String) -> String {
    isPlain(name) ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// The part of a name that an entity's or property's name gives: the name in capitals.
  static func stem(_ name: String) -> String { name.uppercased() }

  /// Whether `left` comes before `right` by the bytes of their UTF-8.
  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f: true
      default: false
      }
    }
  }
}
