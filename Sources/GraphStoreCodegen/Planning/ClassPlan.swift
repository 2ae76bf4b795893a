import GraphStoreModel

/// A class to be written, and the entities it represents.
struct ClassPlan: Sendable {
  /// The name as it is declared.
  var name: String
  /// The name under which it is registered; nil for a class that represents nothing by itself.
  var registeredName: String?
  /// The entities, in the order of the model.
  var entities: [EntityDescription]
  /// The name of the class it inherits from.
  var superclass: String
  /// Whether the author of the model writes the class.
  var isManual: Bool
  /// Whether people get a file of their own to write in.
  var hasHumanFile: Bool
  /// The properties that the class declares.
  var members: [MemberPlan] = []
  /// Keys of properties that a class above declares: the member's name, the type of the key, and the class.
  var inheritedKeys: [(name: String, type: String, owner: String)] = []

  /// The base name of the class's files.
  var fileName: String { SwiftName.plain(name) }
}

/// A property of a class to be written.
struct MemberPlan: Sendable {
  /// How the property is read and set.
  enum Access: Hashable, Sendable {
    /// An attribute; nil where no value is stored.
    case optional
    /// An attribute; the zero of its type where no value is stored.
    case defaultValued
    /// A relationship to one object.
    case toOne
    /// A relationship to several objects.
    case toMany(isOrdered: Bool)
  }

  /// The name as it is declared.
  var name: String
  /// The name in the model.
  var key: String
  /// The type of the value without its optionality; of a to-many, the class of the members.
  var type: String
  /// The type of the key.
  var keyType: String
  var access: Access
  /// Whether the value is computed by the store.
  var isReadOnly = false
  /// What the property is, in words.
  var summary: String
  /// Whether the methods that change a to-many can have their names.
  var hasMethods = true
}
