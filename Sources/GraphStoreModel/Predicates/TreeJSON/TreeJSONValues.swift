import Foundation
import GraphStorePredicates

/// Decoder of the constants of trees from JSON.
struct TreeJSONValues {
  typealias Failure = QueryPredicateError

  let reader: TreeJSONReader

  func value(_ node: JSONNode) throws(Failure) -> Value {
    switch node.content {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .string(let text): return .string(text)
    case .number(let text):
      if let integer = Int64(text) { return .int(integer) }
      guard let double = Double(text), double.isFinite else {
        throw reader.error("The number \(text) is too large; write {\"$decimal\": text}.", at: node.offset)
      }
      return .double(double)
    case .array(let items):
      var members: [Value] = []
      members.reserveCapacity(items.count)
      for item in items { members.append(try value(item)) }
      return .list(members)
    case .object(let members):
      guard members.count == 1, let member = members.first else {
        throw reader.error("A constant's object has one key, such as \"$date\".", at: node.offset)
      }
      return try tagged(member)
    }
  }

  private func tagged(_ member: JSONNode.Member) throws(Failure) -> Value {
    if member.key == "$dictionary" { return try dictionary(member.value) }
    guard let type = Self.types[member.key] else {
      let known = (Self.types.keys + ["$dictionary"]).sorted().joined(separator: ", ")
      throw reader.error(
        "There is no constant \"\(member.key)\"; there are \(known).", at: member.keyOffset)
    }
    guard case .string(let text) = member.value.content else {
      throw reader.error("A string is expected, not \(member.value.typeName).", at: member.value.offset)
    }
    if member.key == "$date", let seconds = Double(text) {
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
    if type == .objectID { return .object(ObjectReference(UnresolvedObjectIdentifier(uriText: text))) }
    let value = Value.string(text).cast(to: type)
    guard !value.isNull else {
      throw reader.error("\"\(text)\" cannot be read as \(member.key).", at: member.value.offset)
    }
    return value
  }

  private func dictionary(_ node: JSONNode) throws(Failure) -> Value {
    guard case .object(let members) = node.content else {
      throw reader.error("An object is expected, not \(node.typeName).", at: node.offset)
    }
    var values: [String: Value] = [:]
    for member in members { values[member.key] = try value(member.value) }
    return .dictionary(values)
  }

  private static let types: [String: QueryCastType] = [
    "$double": .double, "$decimal": .decimal, "$date": .date, "$uuid": .uuid, "$url": .uri, "$data": .data,
    "$object": .objectID,
  ]
}
