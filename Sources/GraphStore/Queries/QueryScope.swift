/// PathScope of a typed expression: the class of the objects under test, and whether the expression has one value for each of
/// them or one for each member of a relationship.
public protocol QueryScope {
  /// The class of the objects under test.
  associatedtype Object: ManagedObject
}

/// PathScope of expressions that no quantifier stands over.
public protocol SingleQueryScope: QueryScope {}

/// PathScope of expressions that have one value for each object: `Keys.salary`, `Keys.department.name`.
public enum SingleValue<Object: ManagedObject>: SingleQueryScope {}

/// PathScope of expressions under a quantifier, which have a value for each member: `Keys.projects.any.title`.
///
/// They can be compared with values and with expressions of ``SingleValue``, and neither sorted by nor compared with each
/// other (PRD-141).
public enum QuantifiedValues<Object: ManagedObject>: QueryScope {}

/// How many members of a relationship a condition has to be true for.
public enum Quantifier: Sendable {
  /// At least one member.
  case any
  /// Every member; true where there is none.
  case all
  /// No member.
  case none
}
