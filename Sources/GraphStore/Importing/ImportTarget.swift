/// What a link in a record names.
enum ImportTarget: Hashable {
  /// Nothing: the link is cleared.
  case nothing
  /// `Employee/p2`: a record of the input with that id, else the object with that key.
  case reference(entity: Int, number: Int64)
  /// Any other text: a record of the entity tree with that id; the tree by its root.
  case label(tree: Int, name: [UInt8])
  /// An object by the value of an attribute, by the attribute's number; the text is what the input says.
  case lookup(attribute: Int, text: String)
}

/// A link of one record.
struct ImportLink {
  let property: Int
  let target: ImportTarget
}

/// A link between two objects that have keys.
struct ImportConnection {
  let owner: ObjectKey
  let property: Int
  var members: [ObjectKey]
  /// Whether the members take the place of those that there are.
  var isExact: Bool
  let record: Int
  let line: Int
}

/// A link that waits for the end of the input.
struct ImportPendingLink {
  let owner: ObjectKey
  let property: Int
  let target: ImportTarget
  let record: Int
  let line: Int
}

/// A reference of one record to another one, by their places in the input.
struct ImportDependency {
  let record: Int
  let line: Int
  let target: Int
}

/// A record that took part in how many links an object has by a relationship, where the model limits that.
struct ImportTouch {
  /// What the record did.
  struct Role: OptionSet {
    let rawValue: Int
    /// It makes the object.
    static let maker = Role(rawValue: 1)
    /// It takes a link away from the object.
    static let taker = Role(rawValue: 2)
  }

  let object: ObjectKey
  /// The number of the relationship.
  let property: Int
  let record: Int
  let line: Int
  var role: Role = []
}
