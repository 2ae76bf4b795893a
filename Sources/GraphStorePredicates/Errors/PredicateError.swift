/// The name under which the other floors know ``QueryPredicateError``.
public typealias PredicateError = QueryPredicateError
