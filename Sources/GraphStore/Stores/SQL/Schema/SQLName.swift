/// Names of tables, columns and indexes in statements.
package enum SQLName {
  /// The name as written in a statement: bare where it consists of letters of ASCII, digits and underscores,
  /// else in double quotes with quotes within it doubled.
  ///
  /// Names of the layout begin with `Z`, which no reserved word does, so bare ones are safe.
  package static func quoted(_ name: String) -> String {
    isPlain(name) ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// The part of a name from an entity's or property's name: the name in capitals.
  package static func stem(_ name: String) -> String { name.uppercased() }

  /// Whether `left` precedes `right` by the bytes of their UTF-8.
  package static func precedes(_ left: String, _ right: String) -> Bool {
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

/// Names that are taken within one table, or among tables and indexes; engines compare them without regard to
/// the case of ASCII letters.
package struct SQLNameSpace {
  private let naming: any SQLNaming
  private var taken: Set<String> = []

  package init(_ naming: any SQLNaming, reserved: [String] = []) {
    self.naming = naming
    for name in reserved { taken.insert(Self.key(name)) }
  }

  /// Takes the name, or, if that is taken, the name with the first of the numbers 1, 2, 3 … that is free.
  package mutating func claim(_ name: String) -> String { claim([name])[0] }

  /// Takes all the names with one number: none, or the first of 1, 2, 3 … with which all are free.
  package mutating func claim(_ names: [String]) -> [String] {
    var number = 0
    var claimed = names.map { naming.name($0, number: 0) }
    while claimed.contains(where: { taken.contains(Self.key($0)) }) {
      number += 1
      claimed = names.map { naming.name($0, number: number) }
    }
    for name in claimed { taken.insert(Self.key(name)) }
    return claimed
  }

  private static func key(_ name: String) -> String {
    String(decoding: name.utf8.map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }
}
