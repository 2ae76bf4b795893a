import GraphStore

/// Text of a query: what is asked of the objects of an entity, as somebody wrote it.
///
/// Errors call each part by the option of the command that gives it, such as `--where`.
package struct QueryText: Sendable {
  /// Conditions, which must all hold.
  package var predicates: [String]
  /// Texts to look for in attributes, such as `name=beziers`, which must all be found.
  package var searches: [String] = []
  /// Values of `$name`.
  package var variables: [String: Value] = [:]
  /// The names of variables that are refused where nothing asks for them: most often such a name is
  /// misspelled.
  package var requiredVariables: [String] = []
  /// Whether objects of sub-entities are meant too.
  package var includesSubentities = true
  /// The name of the fetch request of the model that the query begins with.
  package var template: String?
  /// Sort keys, such as `-salary,name`.
  package var sort: String?
  /// Lists of key paths and expressions that are shown.
  package var fields: [String] = []
  /// At most so many results; 0 asks for none.
  package var limit: Int?
  /// How many results are skipped first.
  package var offset: Int?
  /// Lists of relationships whose objects are read together.
  package var prefetched: [String] = []
  /// What results stand for several objects.
  package var groups = GroupText()
  /// Whether what the store cannot run itself is refused.
  package var isStrict = false

  /// A query for the objects of an entity that meet some conditions.
  package init(predicates: [String] = []) { self.predicates = predicates }
}

/// Text of what is shown of groups, of aggregates and of different values.
package struct GroupText: Sendable {
  /// Lists of what the objects of a group are equal in.
  package var keys: [String]
  /// Lists of aggregates, of each group or of all objects.
  package var aggregates: [String]
  /// Condition on groups.
  package var having: String?
  /// Whether equal rows are shown once.
  package var isDistinct: Bool

  /// Text that says nothing of groups, but for what is given.
  package init(
    keys: [String] = [], aggregates: [String] = [], having: String? = nil, isDistinct: Bool = false
  ) {
    self.keys = keys
    self.aggregates = aggregates
    self.having = having
    self.isDistinct = isDistinct
  }

  /// Whether rows are to stand for several objects.
  package var isGiven: Bool { isDistinct || having != nil || !keys.isEmpty || !aggregates.isEmpty }
}

extension [String] {
  /// The values of a part that may be given several times as one list; nil where it was not given.
  package var joinedList: String? { isEmpty ? nil : joined(separator: ",") }
}
