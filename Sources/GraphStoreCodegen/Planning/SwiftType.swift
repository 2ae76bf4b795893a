import GraphStoreModel

/// The Swift types of attributes (MDL-132).
enum SwiftType {
  /// The type that an attribute reads as; nil for one that objects do not hold.
  static func name(of type: AttributeType) -> String? {
    switch type {
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .uuid: "UUID"
    case .uri: "URL"
    case .binary: "Data"
    case .transformable, .composite, .undefined: nil
    }
  }
}
