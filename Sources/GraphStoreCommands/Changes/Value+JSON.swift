import GraphStore

extension Value {
  /// The value of JSON where no attribute says of which type it is to be.
  init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let text): self = Int64(text).map { .int($0) } ?? .double(Double(text) ?? 0)
    case .string(let text): self = .string(text)
    case .array(let items): self = .list(items.map { Value($0) })
    case .object(let members): self = .dictionary(members.mapValues { Value($0) })
    }
  }
}
