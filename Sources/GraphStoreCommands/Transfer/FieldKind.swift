import GraphStore

/// How the bytes of a field become a value of an attribute.
enum FieldKind {
  case integer(ClosedRange<Int64>)
  case boolean
  case double
  case decimal
  case string
  case date
  /// By way of the model's own reader of values.
  case other

  init(_ type: AttributeType) {
    switch type {
    case .int16, .int32, .int64: self = .integer(type.integerRange ?? Int64.min...Int64.max)
    case .boolean: self = .boolean
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .float, .uuid, .uri, .binary, .transformable, .composite, .undefined: self = .other
    }
  }
}
