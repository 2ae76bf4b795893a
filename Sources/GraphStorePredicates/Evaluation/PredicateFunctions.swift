import Synchronization

/// The functions an application has registered for `FUNCTION(target, "name:", …)`, by name.
///
/// Each context has functions of its own:
///
/// ```swift
/// context.functions.register("initial", isDeterministic: true) { target, _ in
///   guard case .value(.string(let name)) = target else { return .null }
///   return .value(.string(String(name.prefix(1))))
/// }
/// let predicate = try QueryPredicate(parsing: "FUNCTION(name, 'initial') == 'A'")
/// ```
public struct PredicateFunctions: Sendable {
  /// A function: from its target and arguments to its result.
  public typealias Body =
    @Sendable (_ target: QueryOperand, _ arguments: [QueryOperand]) throws -> QueryOperand

  private static let numbers = Atomic<Int>(0)

  private var functions: [String: RegisteredFunction] = [:]
  /// Whether one of them may run in a store.
  package private(set) var hasSQLForms = false

  /// The functions there are from the start: `uppercaseString` and `lowercaseString`.
  public static let standard: PredicateFunctions = {
    var functions = PredicateFunctions()
    functions.register("uppercaseString", equivalent: .uppercase) { target, _ in
      text(target) { $0.uppercased() }
    }
    functions.register("lowercaseString", equivalent: .lowercase) { target, _ in
      text(target, CaseMapping.lowercased)
    }
    return functions
  }()

  /// Registers a function under a name, replacing any other of that name.
  ///
  /// A function runs over the objects that a store returns, in memory. One that is marked deterministic and
  /// has an SQL form runs in a store too, where its target and arguments are single values: the store calls
  /// the same body, for each row and on the thread of the fetch, with a lock held; it must not use a context.
  ///
  /// - Parameters:
  ///   - name: The name in predicates.
  ///   - isDeterministic: Whether equal values always yield an equal result, whenever and however often it is
  ///     called.
  ///   - sqlForm: What the function is in SQL; nil for one that only runs in memory.
  ///   - body: What it does; what it throws, evaluations and fetches throw.
  public mutating func register(
    _ name: String, isDeterministic: Bool = false, sqlForm: SQLForm? = nil, _ body: @escaping Body
  ) {
    let number = Self.numbers.add(1, ordering: .relaxed).newValue
    functions[name] = RegisteredFunction(
      name: name, number: number, isDeterministic: isDeterministic, sqlForm: sqlForm, body: body)
    hasSQLForms = hasSQLForms || isDeterministic && sqlForm != nil
  }

  private mutating func register(
    _ name: String, equivalent: QueryFunction, _ body: @escaping Body
  ) {
    functions[name] = RegisteredFunction(
      name: name, number: 0, isDeterministic: true, sqlForm: nil, equivalent: equivalent, body: body)
  }

  /// The function of a name, when there is one.
  public subscript(name: String) -> Body? { functions[name]?.body }

  /// The registered names in order.
  public var names: [String] { functions.keys.sorted() }

  /// The function of a name as it was registered.
  package func function(named name: String) -> RegisteredFunction? { functions[name] }

  /// The functions that may run in a store.
  package var withSQLForms: [RegisteredFunction] {
    functions.values.filter { $0.isDeterministic && $0.sqlForm != nil }
  }

  private static func text(_ operand: QueryOperand, _ change: (String) -> String) -> QueryOperand {
    if case .value(.string(let text)) = operand { return .value(.string(change(text))) }
    return .null
  }
}

extension PredicateFunctions: Hashable {
  /// Whether both have the same registrations of the same names.
  public static func == (left: Self, right: Self) -> Bool {
    left.functions.mapValues(\.number) == right.functions.mapValues(\.number)
  }

  /// Feeds the names' registrations.
  public func hash(into hasher: inout Hasher) { hasher.combine(functions.mapValues(\.number)) }
}

extension PredicateFunctions {
  /// SQL form of a registered function: a function of the store's connection that calls the same body, of
  /// which the store has to know no more than the type of the results.
  public struct SQLForm: Hashable, Sendable {
    /// The types of results.
    public enum ResultType: String, Hashable, Sendable, CaseIterable {
      /// True or false.
      case boolean
      /// Whole numbers of 64 bits.
      case integer
      /// Doubles.
      case double
      /// Decimals.
      case decimal
      /// Text.
      case string
      /// Moments.
      case date
      /// UUIDs.
      case uuid
      /// URIs.
      case uri
      /// Bytes.
      case data
    }

    /// The type of every result that is not nil.
    public let result: ResultType

    /// The form of a function whose results are nil or of one type. A result of another type throws
    /// `type-mismatch`, in memory too.
    public static func returning(_ result: ResultType) -> SQLForm { SQLForm(result: result) }
  }
}

/// A function as it was registered.
package struct RegisteredFunction: Sendable {
  /// The name in predicates.
  package let name: String
  /// A number that no other registration of the process has, under the same name neither.
  package let number: Int
  /// Whether equal values always yield an equal result.
  package let isDeterministic: Bool
  /// The SQL form of the function.
  package let sqlForm: PredicateFunctions.SQLForm?
  /// The function of the language that it acts as.
  package var equivalent: QueryFunction?
  let body: PredicateFunctions.Body

  /// The result for a target and arguments.
  ///
  /// - Throws: What the function throws; `type-mismatch` for a result that is not of the registered type.
  package func result(_ target: QueryOperand, _ arguments: [QueryOperand]) throws -> QueryOperand {
    let result = try body(target, arguments)
    guard let type = sqlForm?.result, !type.holds(result) else { return result }
    throw QueryPredicateError(
      .typeMismatch,
      "The function \(name) is registered to give \(type.rawValue) or nil, and gave something else.",
      hint: "Register it with the type that it gives.", subject: name)
  }
}

extension PredicateFunctions.SQLForm.ResultType {
  fileprivate func holds(_ operand: QueryOperand) -> Bool {
    guard case .value(let value) = operand else { return false }
    return switch (self, value) {
    case (_, .null), (.boolean, .bool), (.integer, .int), (.double, .double), (.decimal, .decimal),
      (.string, .string), (.date, .date), (.uuid, .uuid), (.uri, .uri), (.data, .data):
      true
    default: false
    }
  }
}
