import GraphStore
import GraphStoreModel

/// Names of properties, made valid identifiers and no words that mean something else.
struct PropertyNames {
  private var taken: Set<String> = []

  /// Words that predicates and key paths have a meaning of their own for.
  private static let reserved: Set<String> = [
    "and", "or", "not", "in", "any", "all", "some", "none", "between", "like", "matches", "contains",
    "beginswith", "endswith", "null", "nil", "self", "true", "false", "yes", "no", "truepredicate",
    "falsepredicate", "anykey", "caseinsensitive", "ci",
  ]

  /// Whether a text can stand as a name in a model as it is.
  static func isIdentifier(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
  }

  /// Whether a name means something else to predicates, to every object or to the command.
  static func isReserved(_ name: String) -> Bool {
    reserved.contains(name.lowercased()) || ObjectMemberNames.all.contains(name)
  }

  /// A name for a property of that name in the input, which no other property has.
  ///
  /// - Parameter place: The place of the field, from 1, for a name without a letter that can stand.
  mutating func name(for field: String, place: Int) -> String {
    var name = field
    if !Self.isIdentifier(name) {
      name = Words.camelCased(Words.words(of: field))
      if name.isEmpty { name = "field\(place)" }
      if name.first?.isNumber == true { name = "_" + name }
    }
    if Self.isReserved(name) { name += Self.isReserved(name + "Value") ? "Field" : "Value" }
    return take(name)
  }

  /// A name for a relationship, which gives way to attributes.
  mutating func name(forRelationship wanted: String) -> String {
    var name = wanted
    if Self.isReserved(name) { name += "Object" }
    if taken.contains(name) { name += "Object" }
    return take(name)
  }

  private mutating func take(_ name: String) -> String {
    let unique = EntityNames.unique(name, among: taken)
    taken.insert(unique)
    return unique
  }
}
