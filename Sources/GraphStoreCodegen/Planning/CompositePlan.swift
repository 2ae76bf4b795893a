import GraphStoreModel

/// Structure to be written for a composite attribute, inside the class that has it.
struct CompositePlan: Sendable {
  /// An element of the attribute, as a member of the structure.
  struct Element: Sendable {
    /// The name as it is declared.
    var name: String
    /// The name in the model.
    var key: String
    /// The type without its optionality.
    var type: String
    var summary: String
    /// The structure of an element that is composite itself.
    var nested: CompositePlan?
  }

  /// The name as it is declared.
  let name: String
  /// The summary of its owner, in words.
  let summary: String
  let elements: [Element]

  /// - Parameter taken: Names that the structure cannot have.
  init(_ attribute: AttributeDescription, types: TypeNames, taken: Set<String>) {
    name = Self.name(attribute, types: types, taken: taken)
    summary = "The value of `\(attribute.name)`: its elements, nil where they have no value."
    var names = Self.members
    var elements: [Element] = []
    for element in attribute.elements {
      let name = SwiftName.declared(element.name, taken: names)
      names.insert(SwiftName.plain(name))
      let nested =
        element.type == .composite
        ? CompositePlan(element, types: types, taken: names.union(attribute.elements.map(\.name))) : nil
      if let nested { names.insert(nested.name) }
      elements.append(
        Element(
          name: name, key: element.name, type: nested?.name ?? types[SwiftType.name(of: element.type)],
          summary: PropertySummary.text(element, nil), nested: nested))
    }
    self.elements = elements
  }

  /// The members of every structure.
  private static let members: Set<String> = ["elements", "keyPaths"]

  private static func name(
    _ attribute: AttributeDescription, types: TypeNames, taken: Set<String>
  ) -> String {
    var name = SwiftName.capitalized(SwiftName.plain(SwiftName.declared(attribute.name)))
    if types.isTaken(name) || taken.contains(name) { name += "Value" }
    while types.isTaken(name) || taken.contains(name) { name += "_" }
    return SwiftName.declared(name)
  }

  /// Whether all values can be compared, and handed to other threads.
  var isPlain: Bool {
    elements.allSatisfy { $0.nested?.isPlain ?? ($0.type != "Any") }
  }
}
