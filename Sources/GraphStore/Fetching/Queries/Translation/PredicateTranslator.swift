import Foundation
import GraphStorePredicates

/// Translation of Foundation's predicates: each form of expression says itself what it is in the language of
/// ``/GraphStorePredicates/QueryPredicate``.
struct PredicateTranslator {
  /// The expressions for the variables of the closures.
  private var variables: [PredicateExpressions.VariableID: QueryExpression] = [:]

  /// Translates the predicate of a class of objects.
  static func translate<Object: ManagedObject>(
    _ predicate: Predicate<Object>
  ) throws(QueryPredicateError) -> QueryPredicate {
    var translator = PredicateTranslator()
    translator.bind(predicate.variable, to: .evaluatedObject)
    return try translator.predicate(predicate.expression)
  }

  // MARK: Variables

  mutating func bind<Bound>(
    _ variable: PredicateExpressions.Variable<Bound>, to expression: QueryExpression
  ) {
    variables[variable.key] = expression
  }

  func expression<Bound>(
    of variable: PredicateExpressions.Variable<Bound>
  ) throws(QueryPredicateError) -> QueryExpression {
    if let bound = variables[variable.key] { return bound }
    throw Self.untranslatable("a variable of another predicate")
  }

  /// Names a member of a collection for as long as a test of it is translated: `x`, and inside of that `x1`,
  /// `x2` …
  mutating func withMember<Member, Result>(
    _ variable: PredicateExpressions.Variable<Member>,
    _ body: (inout PredicateTranslator, String) throws(QueryPredicateError) -> Result
  ) throws(QueryPredicateError) -> Result {
    let names = Set(variables.values.flatMap(\.names.variables))
    let name = names.isEmpty ? "x" : "x\(names.count)"
    bind(variable, to: .variable(name))
    defer { variables[variable.key] = nil }
    return try body(&self, name)
  }

  // MARK: Parts

  mutating func part(_ node: some PredicateExpression) throws(QueryPredicateError) -> TranslatedPart {
    if let node = node as? any TranslatableExpression { return try node.translate(&self) }
    throw Self.untranslatable(Self.form(node))
  }

  mutating func predicate(_ node: some PredicateExpression) throws(QueryPredicateError) -> QueryPredicate {
    switch try part(node) {
    case .predicate(let predicate): return predicate
    case .expression(let expression): return .compare(expression, .equal, .constant(true))
    case .optionalPredicate:
      throw Self.untranslatable(
        "a condition that may be nil", hint: "Say what it is without a value: `?? false`.")
    case .range: throw Self.untranslatable("a range as a condition")
    }
  }

  mutating func expression(_ node: some PredicateExpression) throws(QueryPredicateError) -> QueryExpression {
    try part(node).expression
  }

  // MARK: Errors

  /// The error for a part that the language has no form for.
  static func untranslatable(_ part: String, hint: String? = nil) -> QueryPredicateError {
    QueryPredicateError(
      .unsupportedSyntax, "A predicate of a request cannot say \(part).",
      hint: hint ?? "Write the condition with keys or as text, or filter the objects that were fetched.",
      subject: part)
  }

  /// A form of expression by its name without the types of its parts.
  private static func form(_ node: some PredicateExpression) -> String {
    let name = "\(type(of: node))"
    return "\(name.prefix { $0 != "<" })"
  }
}

/// A form of Foundation's predicates that has a translation.
protocol TranslatableExpression {
  /// The expression in the language of predicates.
  ///
  /// - Throws: `unsupported-syntax` and `unknown-key` for what cannot be said.
  func translate(_ translator: inout PredicateTranslator) throws(QueryPredicateError) -> TranslatedPart
}

/// Translation of a part of a predicate.
enum TranslatedPart {
  case predicate(QueryPredicate)
  case expression(QueryExpression)
  /// A condition on what may be nil, and the condition that it is not.
  case optionalPredicate(QueryPredicate, presence: QueryPredicate)
  /// A range, without a bound where it is open.
  case range(lower: QueryExpression?, upper: QueryExpression?, includesUpper: Bool)

  /// The value of the part; a condition is true or false.
  var expression: QueryExpression {
    get throws(QueryPredicateError) {
      switch self {
      case .expression(let expression): return expression
      case .predicate(.constant(let value)): return .constant(value)
      case .predicate(let predicate):
        return QueryExpression(
          .ternary(condition: predicate, then: .constant(true), otherwise: .constant(false)))
      case .optionalPredicate(let predicate, let presence):
        return QueryExpression(
          .ternary(
            condition: presence, then: try Self.predicate(predicate).expression, otherwise: .null))
      case .range: throw PredicateTranslator.untranslatable("a range as a value")
      }
    }
  }
}

/// Names of properties by the key paths of Swift that read them: what a predicate or sort descriptor of
/// Foundation is translated by.
public struct PropertyKeyPaths: ExpressibleByDictionaryLiteral, @unchecked Sendable {
  // Every key is Sendable, which the type of a dictionary's keys cannot say.
  private let names: [AnyKeyPath: String]

  /// Takes names by key paths, the first of several by one.
  public init(dictionaryLiteral elements: (any AnyKeyPath & Sendable, String)...) {
    names = Dictionary(elements.map { ($0 as AnyKeyPath, $1) }) { first, _ in first }
  }

  /// The name of the property that a key path reads; nil for one that is not declared.
  public subscript(keyPath: AnyKeyPath) -> String? { names[keyPath] }
}

/// Type whose properties can be used in predicates and sort descriptors of Foundation.
///
/// Generated code declares this once for the class at the top of a family, with the key paths of all classes
/// below it, and for each composite structure. A class by hand does the same; a class that is inherited from
/// can do so in a `class var` that subclasses override:
///
/// ```swift
/// final class Employee: ManagedObject, KeyPathNaming {
///   var name: String? { self["name"] as? String }
///   var salary: Decimal? { self["salary"] as? Decimal }
///
///   static let keyPaths: PropertyKeyPaths = [\Employee.name: "name", \Employee.salary: "salary"]
/// }
/// ```
///
/// A key path has the class that it is written for: `\Employee.name` and `\Person.name` are two.
public protocol KeyPathNaming {
  /// The names of the properties of the model by key paths.
  static var keyPaths: PropertyKeyPaths { get }
}

extension QueryPredicate {
  /// Translates a predicate of Foundation into the tree that its text would be parsed to.
  ///
  /// ```swift
  /// let predicate = try QueryPredicate(
  ///   #Predicate<Employee> { $0.salary > 50_000 && $0.department?.name == "Sales" })
  /// ```
  ///
  /// Key paths become the names that the class declares (``KeyPathNaming``), values that the closure captures
  /// constants. From then on the rules of requests hold: a comparison with a missing value selects nothing,
  /// `!` stops nothing, and texts are compared scalar by scalar.
  ///
  /// - Throws: `unsupported-syntax` for what a request cannot say, with the part; `unknown-key` for a key
  ///   path that is not declared.
  public init<Object: ManagedObject>(_ predicate: Predicate<Object>) throws(QueryPredicateError) {
    self = try PredicateTranslator.translate(predicate)
  }
}

extension TypedPredicate {
  /// Translates a predicate of Foundation, so that it can be combined with conditions made of keys.
  ///
  /// - Throws: `unsupported-syntax` for what a request cannot say, with the part; `unknown-key` for a key
  ///   path that is not declared.
  public init(_ predicate: Predicate<Object>) throws(QueryPredicateError) {
    self.init(try QueryPredicate(predicate))
  }
}

extension QuerySortDescriptor {
  /// Translates a sort descriptor of Foundation by a key path that the class declares (``KeyPathNaming``).
  ///
  /// - Throws: `unsupported-sort` for one without a key path; `unknown-key` for a key path that is not
  ///   declared, such as one through a relationship.
  public init<Object: ManagedObject>(_ descriptor: SortDescriptor<Object>) throws(QueryPredicateError) {
    guard let keyPath = descriptor.keyPath else {
      throw QueryPredicateError(
        .unsupportedSort, "A sort descriptor without a key path cannot sort a request.",
        hint: "Make it of a key path, or sort the objects that were fetched.")
    }
    let steps: [QueryKeyPath.Step] =
      PropertyName.isObjectID(keyPath, of: Object.self)
      ? [.key("objectID")] : [.key(try PropertyName.name(of: keyPath, in: Object.self))]

    self.init(keyPath: QueryKeyPath(steps: steps), ascending: descriptor.order == .forward)
  }
}

extension TypedSortDescriptor {
  /// Translates a sort descriptor of Foundation.
  ///
  /// - Throws: `unsupported-sort`, `unknown-key`.
  public init(_ descriptor: SortDescriptor<Object>) throws(QueryPredicateError) {
    self.init(try QuerySortDescriptor(descriptor))
  }
}
