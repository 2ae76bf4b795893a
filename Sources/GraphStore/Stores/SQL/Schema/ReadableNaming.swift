import GraphStoreModel

/// Names for people who read tables with other programs: `employee`, `first_name`, `manager_id`.
///
/// Names of the model in lower case, with `_` between their words, which need quotes only where they hold
/// other characters or are words of the language. Names beyond the engine's limit end with a number that
/// follows from all of their characters, so that the same name is always cut to the same one.
package struct ReadableNaming: SQLNaming {
  /// The first characters of tables that are no entity's.
  package static let reservedPrefix = "graphstore_"

  package let systemColumns = SQLSystemColumns(
    key: "object_id", entity: "object_entity", version: "object_version")
  package let keyCounter = SQLKeyCounter(
    table: reservedPrefix + "entities", entity: "number", last: "last_key")
  package let reservedTables: [String] = []
  package let reservedColumns: [String]
  package let distinguishesPairColumns = false
  /// The most bytes of a name.
  package let limit: Int

  /// - Parameter reservedColumns: Columns that every table of the engine has anyway.
  package init(limit: Int, reservedColumns: [String] = []) {
    self.limit = limit
    self.reservedColumns = reservedColumns
  }

  package func name(_ name: String, number: Int) -> String {
    let ending = number == 0 ? "" : "_\(number + 1)"
    guard name.utf8.count + ending.utf8.count > limit else { return name + ending }
    let mark = "_" + Self.mark(of: name) + ending
    var kept = name.unicodeScalars
    while String(kept).utf8.count + mark.utf8.count > limit { kept.removeLast() }
    return String(kept) + mark
  }

  package func table(of root: EntityDescription) -> String {
    stem(of: root)
  }

  package func column(of path: [AttributeDescription]) -> String {
    path.map { Self.words(of: $0.name) }.joined(separator: "_")
  }

  package func columns(ofToOne relationship: RelationshipDescription, root: Int) -> SQLReferenceNames {
    names(Self.words(of: relationship.name))
  }

  package func columns(ofOwner relationship: RelationshipDescription, owner: Int) -> SQLReferenceNames {
    names(qualified(relationship))
  }

  package func table(ofPairs relationship: RelationshipDescription, owner: Int) -> String {
    qualified(relationship)
  }

  package func ownerColumn(
    ofPairs relationship: RelationshipDescription, _ form: SQLJoinTable.Form, owner: Int
  ) -> String {
    guard form == .pair, isWithinTree(relationship), let inverse = relationship.inverse else {
      return Self.words(of: relationship.entity.name) + "_id"
    }
    return Self.words(of: inverse.name) + "_id"
  }

  package func memberColumn(
    ofPairs relationship: RelationshipDescription, _ form: SQLJoinTable.Form, member: Int
  ) -> String {
    let end = isWithinTree(relationship) ? relationship.name : relationship.destination.name
    return Self.words(of: end) + "_id"
  }

  package func placeColumn(ofPairs relationship: RelationshipDescription, member: String) -> String {
    Self.words(of: relationship.name) + "_position"
  }

  package func entityIndex(of table: String) -> String { "\(table)_entity_idx" }

  package func keyIndex(of table: String, _ column: String) -> String { "\(table)_\(column)_idx" }

  package func index(_ name: String, of entity: EntityDescription) -> String {
    "\(stem(of: entity))_\(Self.words(of: name))_idx"
  }

  package func uniqueIndex(of entity: EntityDescription, _ properties: [PropertyDescription]) -> String {
    ([stem(of: entity)] + properties.map { Self.words(of: $0.name) }).joined(separator: "_") + "_key"
  }

  private func names(_ stem: String) -> SQLReferenceNames {
    SQLReferenceNames(key: stem + "_id", entity: stem + "_entity", place: stem + "_position")
  }

  private func qualified(_ relationship: RelationshipDescription) -> String {
    stem(of: relationship.entity) + "_" + Self.words(of: relationship.name)
  }

  /// The words of an entity's name, which begin no name of a table that is no entity's.
  package func stem(of entity: EntityDescription) -> String {
    let words = Self.words(of: entity.name)
    return words.hasPrefix(Self.reservedPrefix) ? "entity_" + words : words
  }

  /// Whether owners and members are in one table, so that the names of their entities do not tell their keys
  /// apart.
  private func isWithinTree(_ relationship: RelationshipDescription) -> Bool {
    relationship.entity.rootEntity === relationship.destination.rootEntity
  }

  /// A name in lower case, with `_` between the words that capitals begin: `firstName`, `URLString` and
  /// `HTTP2Port` become `first_name`, `url_string` and `http2_port`.
  package static func words(of name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    var result = ""
    for (place, scalar) in scalars.enumerated() {
      if scalar.properties.isUppercase, place > 0, beginsWord(place, in: scalars) { result += "_" }
      // No text of an engine holds the character zero.
      result += scalar.value == 0 ? "_" : scalar.properties.lowercaseMapping
    }
    return result
  }

  private static func beginsWord(_ place: Int, in scalars: [Unicode.Scalar]) -> Bool {
    let before = scalars[place - 1].properties
    if before.isLowercase || before.numericType != nil { return true }
    guard before.isUppercase, place + 1 < scalars.count else { return false }
    return scalars[place + 1].properties.isLowercase
  }

  /// Eight digits that follow from all bytes of a name (FNV-1a).
  private static func mark(of name: String) -> String {
    let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
