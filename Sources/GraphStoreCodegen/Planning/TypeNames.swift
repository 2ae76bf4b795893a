/// Names of the types that generated code uses, with their modules where a class of the model has the same name.
struct TypeNames: Sendable {
  private static let names = [
    "Swift": ["Bool", "Double", "Float", "Int16", "Int32", "Int64", "Result", "Sequence", "Set", "String"],
    "Foundation": ["Data", "Date", "Decimal", "URL", "UUID"],
    "GraphStore": [
      "AttributeKey", "ManagedObject", "ManagedObjectModel", "ObjectModel", "OrderedSet", "ToManyKey",
      "ToOneKey", "TypedFetchRequest", "ValueConvertible",
    ],
  ]

  private let classes: Set<String>

  init(classes: Set<String>) { self.classes = classes }

  subscript(_ name: String) -> String {
    guard classes.contains(name), let module = Self.names.first(where: { $0.value.contains(name) })?.key
    else { return name }
    return "\(module).\(name)"
  }

  /// What the names of properties are kept in, inside of each class.
  var keys: String { classes.contains("Keys") ? "PropertyKeys" : "Keys" }
}
