import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Query for objects of an old store that a new model does not allow (MIG-121).
struct MigrationDataCheck {
  /// Rule that objects break.
  enum Rule: Hashable {
    case inexactNumber(AttributeType, AttributeType)
    case missingValue
    case severalMembers
    case missingMember
    case tooFewMembers(Int)
    case tooManyMembers(Int)
    case wrongMember(String)
    case disagreeingLinks(String)
    case abstractEntity
    case duplicate([String])
  }

  /// The number of objects that are named.
  static let exampleLimit = 10

  let rule: Rule
  /// The new entity.
  let entity: EntityDescription
  let property: String?
  /// Selects the number of the old entity as `e`, the key as `k` and the value as `v`.
  let query: String
  let text: MigrationText

  init(
    _ rule: Rule, entity: EntityDescription, property: String?, query: String,
    text: MigrationText = MigrationText()
  ) {
    self.rule = rule
    self.entity = entity
    self.property = property
    self.query = query
    self.text = text
  }

  /// Runs the query.
  ///
  /// - Returns: The failure; nil where no object breaks the rule.
  func run(_ connection: SQLiteConnection, from source: SQLSchema, identifier: UUID) throws
    -> MigrationFinding?
  {
    var count = 0
    var examples: [MigrationFinding.Example] = []
    try connection.withStatement(
      "SELECT e, k, v, count(*) OVER () FROM (\(query)) LIMIT \(Self.exampleLimit)"
    ) { row in
      for (position, binding) in text.bindings.enumerated() { try row.bind(binding, at: position + 1) }
      while try row.step() {
        count = Int(row.int64(at: 3))
        let name = source.entity(numbered: Int(row.int64(at: 0)))?.entity.name ?? entity.name
        let uri = "x-coredata://\(identifier.uuidString)/\(name)/p\(row.int64(at: 1))"
        examples.append(MigrationFinding.Example(uri: uri, value: row.isNull(at: 2) ? nil : shown(row)))
      }
    }
    guard count > 0 else { return nil }
    return MigrationFinding(
      rule: rule.sentence, entity: entity.name, property: property, count: count, examples: examples,
      remedy: rule.remedy)
  }

  private func shown(_ row: SQLiteStatement) -> String {
    switch row.type(at: 2) {
    case .integer: String(row.int64(at: 2))
    case .real: "\(row.double(at: 2))"
    case .blob:
      unsafe StoredDecimal.decimal(text: row.blob(at: 2)).map { "\($0)" } ?? "\(row.blob(at: 2).count) bytes"
    default: row.string(at: 2).map { "\"\($0.prefix(100))\"" } ?? "nil"
    }
  }
}

extension MigrationDataCheck.Rule {
  /// Whether inexact conversion, where that is allowed, makes do with such data (MIG-123).
  var isOfInexactConversion: Bool {
    switch self {
    case .inexactNumber, .severalMembers: true
    default: false
    }
  }

  /// The violation, as words that follow "objects".
  var sentence: String {
    switch self {
    case .inexactNumber(let old, let new):
      "whose value does not convert exactly from \(old.rawValue) to \(new.rawValue)"
    case .missingValue: "without a value, which is mandatory"
    case .severalMembers: "with more than one member of what is to-one now"
    case .missingMember: "without a member, which is mandatory"
    case .tooFewMembers(let least): "with fewer members than \(least)"
    case .tooManyMembers(let most): "with more members than \(most)"
    case .wrongMember(let name): "with members that are not of \(name)"
    case .disagreeingLinks(let inverse): "whose links are not those that \(inverse) has"
    case .abstractEntity: "of exactly this entity, which is abstract now"
    case .duplicate(let names):
      "with the same \(names.joined(separator: ", ")) as another one, which is to be unique"
    }
  }

  /// What to do about it.
  var remedy: String {
    switch self {
    case .inexactNumber:
      "Change the values with the old model, keep the type, or allow inexact conversion, which rounds."
    case .severalMembers:
      "Leave one member to each with the old model, keep the relationship to-many, or allow inexact conversion, which "
        + "keeps the first."
    case .missingValue, .missingMember, .tooFewMembers:
      "Fill in what is missing with the old model, or write a mapping for this step."
    case .tooManyMembers: "Remove members with the old model, or raise the greatest number."
    case .wrongMember: "Remove those members with the old model, or keep the destination."
    case .disagreeingLinks: "Make both sides agree with the old model, or write a mapping for this step."
    case .abstractEntity:
      "Delete the objects with the old model, or write a mapping that makes others of them."
    case .duplicate: "Change or delete the duplicates with the old model, or leave out the constraint."
    }
  }
}
