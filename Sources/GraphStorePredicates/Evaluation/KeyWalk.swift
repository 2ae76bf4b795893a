/// Reading of one key from whatever an expression yields.
enum KeyWalk {
  static func operand(of operand: Operand, _ key: PropertyKey, _ range: SourceRange?) throws -> Operand {
    if key.name == "self" { return operand }
    switch operand {
    case .source(let source):
      return try source.operand(forKey: key)
    case .collection(let members, let isOrdered):
      return .collection(try flat(members, key, range), isOrdered: isOrdered)
    case .value(.list(let values)):
      return .collection(try flat(values.map(Operand.value), key, range), isOrdered: true)
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

  private static func flat(
    _ members: [Operand], _ key: PropertyKey, _ range: SourceRange?
  ) throws -> [Operand] {
    var ends: [Operand] = []
    ends.reserveCapacity(members.count)
    for member in members {
      let end = try operand(of: member, key, range)
      if let inner = end.members { ends += inner } else { ends.append(end) }
    }
    return ends
  }
}
