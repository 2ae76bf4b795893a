/// Reading of one key from any result of an expression.
enum KeyWalk {
  static func operand(of operand: QueryOperand, _ key: PropertyKey, _ range: SourceRange?) throws
    -> QueryOperand
  {
    if key.isSelf { return operand }
    switch operand {
    case .source(let source):
      return try self.operand(of: source, key, range)
    case .collection(let members, let isOrdered):
      return .collection(try flat(members, key: key, range: range), isOrdered: isOrdered)
    case .value(.list(let values)):
      return .collection(try flat(values.map(QueryOperand.value), key: key, range: range), isOrdered: true)
    case .value(.null):
      return .null
    case .value(.dictionary(let values)):
      return .value(values[key.name] ?? .null)
    case .value(.string(let text)) where key.name == "length":
      return .value(.int(Int64(text.utf16.count)))
    case .value(.object) where key.name == "objectID":
      return operand
    case .value(let value):
      throw QueryPredicateError(
        .unknownKey, "The value \(value.literal) has no key \(key.name).", range: range, subject: key.name)
    }
  }

  /// The value of a source's key; an error gets the range of the key.
  static func operand(
    of source: any PropertySource, _ key: PropertyKey, _ range: SourceRange?
  ) throws -> QueryOperand {
    do {
      return try source._operand(forKey: key)
    } catch let error as QueryPredicateError {
      throw error.placed(at: range)
    }
  }

  /// The name of an entity, which is what its key yields already.
  static func entityName(
    of owner: QueryOperand, entityKey entity: PropertyKey, nameKey name: PropertyKey, range: SourceRange?
  ) throws -> QueryOperand {
    let found = try operand(of: owner, entity, range)
    switch (owner, found) {
    case (.source, .value(.string)): return found
    case (.collection(let members, let isOrdered), .collection):
      return .collection(
        try members.map { try entityName(of: $0, entityKey: entity, nameKey: name, range: range) },
        isOrdered: isOrdered)
    default: return try operand(of: found, name, range)
    }
  }

  private static func flat(
    _ members: [QueryOperand], key: PropertyKey, range: SourceRange?
  ) throws -> [QueryOperand] {
    var ends: [QueryOperand] = []
    ends.reserveCapacity(members.count)
    for member in members {
      let end = try operand(of: member, key, range)
      if let inner = end.members { ends += inner } else { ends.append(end) }
    }
    return ends
  }
}
