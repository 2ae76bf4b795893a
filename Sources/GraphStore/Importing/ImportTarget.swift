import GraphStorePredicates

/// What a link in a record names.
enum ImportTarget: Hashable {
  /// Nothing: the link is cleared.
  case nothing
  /// `Employee/p2`: a record of the input with that id, else the object with that key.
  case reference(entity: Int, number: Int64)
  /// Any other text: a record of the input with that id.
  case label([UInt8])
  /// An object by the value of an attribute, by the attribute's number; the text is what the input says.
  case lookup(attribute: Int, text: String)
}

/// A link of one record.
struct ImportLink {
  let property: Int
  let target: ImportTarget
}

/// A link between two objects that have keys.
struct ImportConnection {
  let owner: RecordReference
  let property: Int
  var members: [RecordReference]
  /// Whether the members take the place of those that there are.
  var isExact: Bool
  let record: Int
  let line: Int
}

/// A link that waits for the end of the input.
struct ImportPendingLink {
  let owner: RecordReference
  let property: Int
  let target: ImportTarget
  let record: Int
  let line: Int
}

/// The values of a record's key, compared as the store compares them: text by its bytes.
struct ImportKey: Hashable {
  private enum Part: Hashable {
    case text([UInt8])
    case other(Value)
  }

  private let parts: [Part]

  /// Nil where a value is missing: such a record equals none.
  init?(_ values: [Value]) {
    guard !values.contains(where: \.isNull) else { return nil }
    parts = values.map { value in
      if case .string(let text) = value { return .text(Array(text.utf8)) }
      return .other(value)
    }
  }
}
