import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Correspondence of what a new store holds with what an old one held, by which statements over sets fill the
/// new one.
protocol MigrationPairing: Sendable {
  /// The old entity that a new one continues; nil for one without objects so far.
  func source(of entity: EntityDescription) -> EntityDescription?
  /// The new entities that an old one became.
  func destinations(of entity: EntityDescription) -> [EntityDescription]
  /// The old property whose values or members a new one continues.
  func source(of property: PropertyDescription, in entity: EntityDescription) -> PropertyDescription?
  /// The path of the element of an old composite attribute that an element of a new one continues.
  func source(
    ofElements path: [AttributeDescription], of new: AttributeDescription, in old: AttributeDescription
  ) -> [AttributeDescription]?
  /// The constant value of a new attribute in every object.
  func constant(of attribute: AttributeDescription, in entity: EntityDescription) -> Value?
  /// Whether a missing value of an old attribute becomes the default of the new one, which is mandatory.
  func putsDefault(into attribute: AttributeDescription, in entity: EntityDescription) -> Bool
  /// The new entity whose object a relationship leads to, where that is made of the same old object.
  func twin(of relationship: RelationshipDescription, in entity: EntityDescription) -> EntityDescription?
  /// Whether the new model's rules are checked that the old model had too.
  var checksOldRules: Bool { get }
}

/// An inferred step.
extension ModelPairing: MigrationPairing {
  func destinations(of entity: EntityDescription) -> [EntityDescription] {
    destination(of: entity).map { [$0] } ?? []
  }

  func constant(of attribute: AttributeDescription, in entity: EntityDescription) -> Value? { nil }

  func putsDefault(into attribute: AttributeDescription, in entity: EntityDescription) -> Bool { true }

  func twin(of relationship: RelationshipDescription, in entity: EntityDescription) -> EntityDescription? {
    nil
  }

  var checksOldRules: Bool { false }
}

/// Text of a statement of a migration, with the values of its parameters.
struct MigrationText {
  /// The name under which the old store is attached to the new one.
  static let oldSchema = "old"

  private(set) var bindings: [SQLBinding] = []

  /// The parameter for a value.
  mutating func parameter(_ binding: SQLBinding) -> String {
    if binding == .null { return "NULL" }
    if let position = bindings.firstIndex(of: binding) { return "?\(position + 1)" }
    bindings.append(binding)
    return "?\(bindings.count)"
  }

  /// The name of a table of the old store.
  static func old(_ table: SQLTable) -> String { "\(oldSchema).\(table.quotedName)" }

  /// The name of a table of pairs of the old store.
  static func old(_ table: SQLJoinTable) -> String { "\(oldSchema).\(table.quotedName)" }

  /// A list of numbers in parentheses.
  static func list(_ numbers: [Int]) -> String { "(\(numbers.map(String.init).joined(separator: ", ")))" }

  /// The value among several by the entity of the row `s`; plain where it is the same for all.
  ///
  /// - Parameters:
  ///   - values: The values by the old numbers of entities.
  ///   - numbers: The old numbers of all entities whose rows are taken.
  static func byEntity(_ values: [(number: Int, text: String)], among all: [Int]) -> String {
    guard let first = values.first else { return "NULL" }
    if values.count == all.count, values.allSatisfy({ $0.text == first.text }) { return first.text }
    var order: [String] = []
    var numbers: [String: [Int]] = [:]
    for (number, text) in values {
      if numbers[text] == nil { order.append(text) }
      numbers[text, default: []].append(number)
    }
    if order == ["NULL"] { return "NULL" }
    let branches = order.filter { $0 != "NULL" }.map { text in
      "WHEN s.Z_ENT IN \(list(numbers[text] ?? [])) THEN \(text)"
    }
    return "CASE \(branches.joined(separator: " ")) END"
  }
}

extension SQLiteConnection {
  /// Runs a statement of a migration to its end.
  func run(_ sql: String, _ text: MigrationText) throws {
    try withStatement(sql) { statement in
      for (position, binding) in text.bindings.enumerated() { try statement.bind(binding, at: position + 1) }
      try statement.run()
    }
  }
}
