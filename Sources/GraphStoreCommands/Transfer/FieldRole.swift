import GraphStore

/// What a field of a record is to an entity.
enum FieldRole {
  case attribute(FieldReader)
  case toOne(LinkRole)
  case toMany(LinkRole)
  /// The record's own id.
  case label
  /// The name of the record's entity.
  case entity
  /// No key of the entity, which is left out.
  case ignored
  /// No key of the entity.
  case unknown(FieldProblem)
  /// A key of the entity that takes no value; a missing one passes.
  case unsettable(FieldProblem)

  /// A relationship, and the attribute of its destination by which links are given, if not by ids.
  struct LinkRole {
    let number: Int
    let name: String
    let destination: String
    let lookup: Int?
  }
}

/// Why a field cannot be taken.
struct FieldProblem: Error {
  var code: String
  var message: String
  var key: String?
  var value: String?
  var suggestions: [String] = []
  var hints: [String] = []
  /// The place of the field in the record; nil concerns the record.
  var field: Int?
}
