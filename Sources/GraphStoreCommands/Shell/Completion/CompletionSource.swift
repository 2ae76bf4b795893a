/// Source of completion candidates: the command tree and the loaded model; never the disk.
protocol CompletionSource {
  var commands: [CompletionCommand] { get }
  /// The model's entities in the order they are offered.
  var entities: [String] { get }
  /// The keys of an entity, inherited ones included, in model order; empty for an unknown entity.
  func keys(of entity: String) -> [CompletionKey]
  /// The ids of objects of an entity that are in memory.
  func objects(of entity: String) -> [String]
  /// The names of the model's fetch requests for an entity.
  func templates(of entity: String) -> [String]
  /// Functions that aggregate, with their colon.
  var functions: [String] { get }
  /// Names of variables that are set, without `$`.
  var variables: [String] { get }
  /// Functions behind a to-many relationship, with their `@`.
  var aggregates: [String] { get }
}

/// Signature of a command, as completion needs it.
struct CompletionCommand: Hashable, Sendable {
  /// What a word stands for.
  enum Kind: Hashable, Sendable {
    case entity
    /// An entity's name or an object's id.
    case entityOrObject
    /// An object's id.
    case object
    /// A relationship of an object, `Project/p1.members`.
    case relationship
    /// The name of a fetch request.
    case template
    /// Aggregates such as `sum:salary`, separated by commas.
    case aggregates
    /// Key paths that have an order, separated by commas; `-` may precede them.
    case sortKeys
    /// `key=value` for the entity of the statement.
    case assignment
    /// Keys or key paths, separated by commas; `-` may precede them.
    case keyPaths
    case predicate
    case file
    case choice([String])
    case value
  }

  /// An option with its dashes.
  struct Option: Hashable, Sendable {
    var name: String
    /// The kind of its value; nil for a flag.
    var value: Kind?
    var help = ""
  }

  var name: String
  var help = ""
  var options: [Option] = []
  var arguments: [Kind] = []
  /// True if any number of words may follow that are like the last argument.
  var repeatsLastArgument = false
  var subcommands: [CompletionCommand] = []
}

/// Key of an entity, as completion needs it.
struct CompletionKey: Hashable, Sendable {
  /// The families of attribute types that take the same operators.
  enum AttributeType: Hashable, Sendable {
    case text, number, date, boolean, identifier, data, other
  }

  enum Kind: Hashable, Sendable {
    case attribute(AttributeType)
    case toOne(String)
    case toMany(String)
  }

  var name: String
  var kind: Kind

  var isRelationship: Bool {
    if case .attribute = kind { false } else { true }
  }
}
