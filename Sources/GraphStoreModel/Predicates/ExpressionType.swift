import GraphStorePredicates

/// Static type of an expression over an entity.
package indirect enum ExpressionType: Hashable, Sendable {
  /// Not known before evaluation; it compares with everything.
  case anything
  /// True or false.
  case boolean
  /// Whole numbers.
  case integer
  /// Doubles.
  case double
  /// Single-precision numbers.
  case float
  /// Decimal numbers.
  case decimal
  /// Text.
  case string
  /// Moments.
  case date
  /// UUIDs.
  case uuid
  /// URIs.
  case uri
  /// Bytes.
  case data
  /// Values that a transformer turns into bytes.
  case transformable
  /// A composite attribute as a whole.
  case composite
  /// An entity, or its name.
  case entity
  /// An object or its identifier; nil where its entity is not known.
  case object(EntityDescription?)
  /// Values by name.
  case dictionary
  /// Several values.
  case collection(ExpressionType, isOrdered: Bool)

  /// The type of an attribute's values.
  package init(_ type: AttributeType) {
    switch type {
    case .int16, .int32, .int64: self = .integer
    case .decimal: self = .decimal
    case .double: self = .double
    case .float: self = .float
    case .string: self = .string
    case .boolean: self = .boolean
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .binary: self = .data
    case .transformable: self = .transformable
    case .composite: self = .composite
    case .undefined: self = .anything
    }
  }

  /// The type of a registered function's result.
  package init(_ result: PredicateFunctions.SQLForm.ResultType) {
    switch result {
    case .boolean: self = .boolean
    case .integer: self = .integer
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .data: self = .data
    }
  }

  /// Whether values are numbers; Booleans are, as 0 and 1.
  package var isNumber: Bool {
    switch self {
    case .boolean, .integer, .double, .float, .decimal: true
    default: false
    }
  }

  /// The members' type of a collection, nil for everything else.
  package var member: ExpressionType? {
    if case .collection(let member, _) = self { return member }
    return nil
  }

  /// Whether values have an order, so that `<` means something.
  var isOrdered: Bool {
    switch self {
    case .object, .composite, .dictionary, .collection, .entity: false
    default: true
    }
  }

  /// Whether a value of this type can be compared with one of the other.
  func compares(with other: ExpressionType) -> Bool {
    switch (self, other) {
    case (.anything, _), (_, .anything): true
    case (.composite, _), (_, .composite): false
    case (.object, .object), (.collection, .collection): true
    case (.entity, .string), (.string, .entity): true
    case (.transformable, .data), (.data, .transformable): true
    default: self == other || (isNumber && other.isNumber)
    }
  }
}

extension ExpressionType: CustomStringConvertible {
  /// The type in words, as an error names it.
  package var description: String {
    switch self {
    case .anything: "a value"
    case .boolean: "a Boolean"
    case .integer: "an integer"
    case .double, .float: "a number"
    case .decimal: "a decimal"
    case .string: "a string"
    case .date: "a date"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .data: "data"
    case .transformable: "a transformable value"
    case .composite: "a composite value"
    case .entity: "an entity"
    case .object(let entity): entity.map { "an object of \($0.name)" } ?? "an object"
    case .dictionary: "a dictionary"
    case .collection(let member, _): "a collection (each member \(member))"
    }
  }
}
