import GraphStoreModel

/// Names of a model as names in Swift.
enum SwiftName {
  /// Names that cannot be declared at all, even in backticks.
  private static let impossible: Set<String> = ["_", "Type", "Protocol", "self", "Self", "init"]

  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
    "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
    "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript",
    "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// A name as it is declared: in quotes if it is a keyword, with an underscore behind it if it is taken.
  static func declared(_ name: String, taken: Set<String> = []) -> String {
    var free = identifier(name)
    while impossible.contains(free) || taken.contains(free) { free += "_" }
    return keywords.contains(free) ? "`\(free)`" : free
  }

  /// A declared name without its quotes.
  static func plain(_ name: String) -> String { name.filter { $0 != "`" } }

  /// A text as an identifier: a character that is not allowed in one becomes an underscore.
  private static func identifier(_ text: String) -> String {
    let letters = text.unicodeScalars.map { scalar -> Character in
      scalar == "_" || scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        ? Character(scalar) : "_"
    }
    guard let first = letters.first else { return "_" }
    return (first.isNumber ? "_" : "") + String(letters)
  }

  /// A name with its first letter in upper case, for the middle of another.
  static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// The parameter for a variable of a predicate: `MIN_SALARY` is `minSalary`, `Name` is `name`.
  static func parameter(_ variable: String) -> String {
    let words = variable.split(separator: "_").map(String.init)
    guard let first = words.first else { return "value" }
    guard variable == variable.uppercased() else {
      return variable.prefix(1).lowercased() + variable.dropFirst(1)
    }
    return words.dropFirst().reduce(first.lowercased()) { $0 + capitalized($1.lowercased()) }
  }
}

/// The Swift types of attributes (MDL-132).
enum SwiftType {
  /// The type that an attribute reads as.
  static func name(of type: AttributeType) -> String {
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
    case .transformable, .undefined, .composite: "Any"
    }
  }

  /// Whether a `TransformableKey` names the attribute: its values are of any type.
  static func needsTransformableKey(_ type: AttributeType) -> Bool {
    type == .transformable || type == .undefined
  }
}

/// Names of the types that generated code uses, with their modules where a class of the model has the same
/// name.
struct TypeNames: Sendable {
  private static let names = [
    "Swift": [
      "Bool", "Double", "Float", "Hashable", "Int16", "Int32", "Int64", "Result", "Sendable", "Sequence",
      "Set",
      "String",
    ],
    "Foundation": ["Data", "Date", "Decimal", "URL", "UUID"],
    "GraphStore": [
      "AttributeKey", "CompositeKey", "CompositePath", "CompositeSteps", "CompositeValue", "FetchRequest",
      "FetchedPropertyKey",
      "KeyPathNaming", "ManagedObject", "ManagedObjectModel", "ObjectModel", "OpaquePath", "OrderedSet",
      "PropertyKeyPaths", "ToManyKey", "ToManyPath", "ToOneKey", "ToOnePath", "ToOneSteps",
      "TransformableKey",
      "ValueConvertible", "ValuePath",
    ],
  ]

  private let classes: Set<String>

  init(classes: Set<String>) { self.classes = classes }

  subscript(_ name: String) -> String {
    guard classes.contains(name), let module = Self.names.first(where: { $0.value.contains(name) })?.key
    else { return name }
    return "\(module).\(name)"
  }

  /// Whether a name is that of a class of the model, or of a type that generated code uses.
  func isTaken(_ name: String) -> Bool {
    classes.contains(name) || name == keys || name == "Any"
      || Self.names.values.contains { $0.contains(name) }
  }

  /// The name of the type that holds the names of properties inside of each class.
  var keys: String { classes.contains("Keys") ? "PropertyKeys" : "Keys" }
}
