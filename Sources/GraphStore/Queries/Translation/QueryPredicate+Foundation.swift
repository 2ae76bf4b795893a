import Foundation
import GraphStorePredicates

extension QueryPredicate {
  /// Translates a predicate of Foundation into the tree that its text would give.
  ///
  /// ```swift
  /// let predicate = try QueryPredicate(#Predicate<Employee> { $0.salary > 50_000 && $0.department?.name == "Sales" })
  /// ```
  ///
  /// Key paths become the names that the class declares (``KeyPathNaming``), values that the closure captures constants. From
  /// then on the rules of requests hold: a comparison with a missing value selects nothing, `!` stops nothing, and texts
  /// are compared scalar by scalar.
  ///
  /// - Throws: `unsupported-syntax` for what a request cannot say, with the part; `unknown-key` for a key path that is
  ///   not declared.
  public init<Object: ManagedObject>(_ predicate: Predicate<Object>) throws(QueryPredicateError) {
    self = try PredicateTranslator.translate(predicate)
  }
}

extension TypedPredicate {
  /// Translates a predicate of Foundation, so that it can be combined with conditions made of keys.
  ///
  /// - Throws: `unsupported-syntax` for what a request cannot say, with the part; `unknown-key` for a key path that is
  ///   not declared.
  public init(_ predicate: Predicate<Object>) throws(QueryPredicateError) {
    self.init(try QueryPredicate(predicate))
  }
}

extension QuerySortDescriptor {
  /// Translates a sort descriptor of Foundation by a key path that the class declares (``KeyPathNaming``).
  ///
  /// - Throws: `unsupported-sort` for one without a key path; `unknown-key` for a key path that is not declared, such as
  ///   one through a relationship.
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
