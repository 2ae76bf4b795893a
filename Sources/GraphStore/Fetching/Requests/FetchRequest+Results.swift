import GraphStoreModel
import GraphStorePredicates

/// The options of a request that say what is returned, where that is not the objects themselves.
struct ResultOptions: Sendable, Hashable {
  var resultType = FetchRequestResultType.managedObject
  var propertiesToFetch: [ResultProperty]?
  var propertiesToGroupBy: [ResultProperty]?
  var havingPredicate: QueryPredicate?
  var returnsDistinctResults = false
}

extension FetchRequest {
  /// The type of the results.
  ///
  /// ``ManagedObjectContext/fetchResults(_:)`` returns results of every type;
  /// ``ManagedObjectContext/fetchDictionaries(_:)`` and the other calls those of one, and throw
  /// `result-type-mismatch` for a request of another.
  public var resultType: FetchRequestResultType {
    get { resultOptions.resultType }
    set { resultOptions.resultType = newValue }
  }

  /// The values of the dictionaries, in order; nil for all stored attributes of the entity, or for the
  /// properties that the results are grouped by.
  ///
  /// Has no effect on other results than dictionaries.
  public var propertiesToFetch: [ResultProperty]? {
    get { resultOptions.propertiesToFetch }
    set { resultOptions.propertiesToFetch = newValue }
  }

  /// The properties by which rows are grouped: each group yields one dictionary.
  ///
  /// A path across a to-many, such as `orders.note`, makes a group of each value, of the objects that have
  /// it, once each; objects without members are in the group of nil, as by a LEFT JOIN. Aggregates are over
  /// the objects of a group.
  ///
  /// Nil equals nil here, and texts are equal if their bytes are. With any other result than dictionaries
  /// `group-by-needs-dictionaries` is thrown.
  public var propertiesToGroupBy: [ResultProperty]? {
    get { resultOptions.propertiesToGroupBy }
    set { resultOptions.propertiesToGroupBy = newValue }
  }

  /// The condition on groups: over what they are grouped by, aggregates of keys, and the names of the
  /// results, written plainly or as `$name`.
  ///
  /// It follows three-valued logic. Anything else in it throws `invalid-having`.
  public var havingPredicate: QueryPredicate? {
    get { resultOptions.havingPredicate }
    set { resultOptions.havingPredicate = newValue }
  }

  /// Whether dictionaries that are equal in all values to another one are left out.
  public var returnsDistinctResults: Bool {
    get { resultOptions.returnsDistinctResults }
    set { resultOptions.returnsDistinctResults = newValue }
  }
}

/// Results of a request, by their type.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.resultType = .managedObjectID
/// switch try context.fetchResults(request) {
/// case .objects(let objects): print(objects.count, "objects")
/// case .identifiers(let identifiers): print(identifiers)
/// case .dictionaries(let rows): print(rows.map(\.values))
/// case .count(let numbers): print(numbers[0])
/// }
/// ```
public enum FetchResults {
  /// The results of a request for objects.
  case objects([ManagedObject])
  /// The results of one for identifiers.
  case identifiers([ManagedObjectID])
  /// The results of one for dictionaries.
  case dictionaries([ResultDictionary])
  /// The result of one for a count: a list of one number.
  case count([Int])
}

extension FetchResults {
  /// The number of results.
  public var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .identifiers(let identifiers): identifiers.count
    case .dictionaries(let dictionaries): dictionaries.count
    case .count(let numbers): numbers.count
    }
  }
}

/// One value of the dictionaries that a request returns, or one of those that it groups by.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.resultType = .dictionary
/// request.propertiesToFetch = [
///   "department.name", .expression(try ExpressionDescription(name: "total", parsing: "sum:(salary)")),
/// ]
/// request.propertiesToGroupBy = ["department.name"]
/// ```
public enum ResultProperty: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name of an attribute or of a to-one relationship, a key path through to-one relationships or
  /// composite attributes, or `objectID`; or the name of an expression of the same request. Where rows are
  /// grouped by it, a path across to-many relationships too.
  case keyPath(String)
  /// A value that is computed.
  case expression(ExpressionDescription)

  /// Makes a key path.
  public init(stringLiteral value: String) { self = .keyPath(value) }

  /// The key in the dictionaries: the path as written, or the name of the expression.
  public var name: String {
    switch self {
    case .keyPath(let path): path
    case .expression(let description): description.name
    }
  }
}

/// A computed value of a dictionary: its name, the expression, and the type of the values.
///
/// The expression may be a key path, a constant, arithmetic, a function, a conditional, or an aggregate over
/// any of these: `sum:(salary * 12)` over the rows of a group, `count:(distinct:(name))` over different
/// values, `reports.@count` over the members that one object has.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.resultType = .dictionary
/// request.propertiesToFetch = [
///   "name", .expression(try ExpressionDescription(name: "yearly", parsing: "salary * 12")),
/// ]
/// for row in try context.fetchDictionaries(request) { print(row["name"] ?? "-", row["yearly"] ?? 0) }
/// ```
public struct ExpressionDescription: Sendable, Hashable {
  /// The key in the dictionaries.
  public var name: String
  /// The expression that is computed.
  public var expression: QueryExpression
  /// The type that values are converted to; nil keeps what the expression yields.
  ///
  /// A value that does not fit throws `value-out-of-range`.
  public var resultType: AttributeType?

  /// Makes a description of its parts.
  public init(name: String, expression: QueryExpression, resultType: AttributeType? = nil) {
    self.name = name
    self.expression = expression
    self.resultType = resultType
  }

  /// Makes a description of the expression's text.
  ///
  /// - Parameters:
  ///   - name: The key in the dictionaries; nil for the text.
  ///   - text: The expression, such as `sum:(salary)`.
  ///   - resultType: The type that values are converted to; nil keeps what the expression yields.
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` with the position.
  public init(
    name: String? = nil, parsing text: String, resultType: AttributeType? = nil
  ) throws(QueryPredicateError) {
    self.init(
      name: name ?? text, expression: try QueryExpression(parsing: text), resultType: resultType)
  }
}
