import Foundation
import GraphStorePredicates

/// Request to a store: the records of one entity that meet a condition, in an order and a window, and the
/// output.
///
/// Its predicate and sort descriptors are checked against the entity and have no variables.
package struct StoreRequest: Sendable {
  /// Output of a request; of a statement, its columns.
  package enum Output: Sendable, Hashable {
    /// `Z_PK`, `Z_ENT`, `Z_OPT`, then the value columns of the entity (and of its sub-entities, if they
    /// count) in the order of their table.
    case rows
    /// Rows with the columns of the named properties alone: the others are missing in the rows, which are
    /// only for filtering and sorting, and enter no row cache.
    case partialRows(Set<String>)
    /// `Z_PK`, `Z_ENT`.
    case identifiers
    /// The number of matching rows.
    case count
    /// `Z_PK`, `Z_ENT`, then a column (for a to-one, its key and its entity number) for each key path.
    case fields([String])
    /// The values of dictionaries.
    case results(ResultQuery)
    /// The number of dictionaries.
    case resultCount(ResultQuery)
  }

  package var entityName: String
  package var output: Output
  package var predicate: QueryPredicate?
  package var sortDescriptors: [QuerySortDescriptor] = []
  /// The most results to return; 0 means no limit.
  package var fetchLimit = 0
  package var fetchOffset = 0
  /// The keys of the records that are wanted, which come in the order of their keys then; nil for all.
  package var keys: ClosedRange<Int64>?
  /// Whether records come in the order of their keys where no descriptor says another one.
  package var isOrderedByKey = false
  /// Whether records of sub-entities count.
  package var includesSubentities = true
  package var inMemoryEvaluation = InMemoryEvaluation.allowed
  /// Whether unsaved changes of parent contexts count.
  package var includesPendingChanges = true
  /// The time of `now()`, in store and memory alike.
  package var now: Date
  package var locale: Locale
  /// The functions that `FUNCTION` calls.
  package var functions: PredicateFunctions

  package init(
    entityName: String, _ output: Output, includesSubentities: Bool = true, now: Date = Date(),
    locale: Locale = ProcessLocale.current, functions: PredicateFunctions = .standard
  ) {
    self.entityName = entityName
    self.output = output
    self.includesSubentities = includesSubentities
    self.now = now
    self.locale = locale
    self.functions = functions
  }

  /// How predicate and order are evaluated, in store and memory alike.
  package var evaluation: EvaluationOptions {
    EvaluationOptions(logic: .threeValued, locale: locale, now: now, functions: functions)
  }

  /// Whether all results are returned.
  package var hasNoWindow: Bool { fetchLimit == 0 && fetchOffset == 0 }

  /// The count of all records of the entity.
  package var countOfAll: StoreRequest {
    StoreRequest(entityName: entityName, .count, includesSubentities: includesSubentities)
  }
}

extension StoreRequest.Output {
  private var query: ResultQuery? {
    switch self {
    case .results(let query), .resultCount(let query): query
    case .rows, .partialRows, .identifiers, .count, .fields: nil
    }
  }

  /// Whether dictionaries, or their number, are asked for.
  package var isOfResults: Bool { query != nil }

  /// Whether dictionaries are asked for in an order of their own.
  package var hasRequestedOrder: Bool { query?.hasRequestedOrder ?? false }
  /// Whether results represent several rows, so that a window of them reads all rows.
  package var joinsRows: Bool { query?.joinsRows ?? false }
}

/// Type of the results of a request.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.resultType = .dictionary
/// request.propertiesToFetch = ["name", "department.name"]
/// let rows = try context.fetchDictionaries(request)
/// ```
public enum FetchRequestResultType: String, Hashable, Sendable, CaseIterable {
  /// Objects, faults by default.
  case managedObject
  /// Their identifiers.
  case managedObjectID
  /// Dictionaries of values that the store has, without objects.
  case dictionary
  /// One number.
  case count
}

/// Whether parts of a request that a store cannot run may be evaluated over the rows that it returns.
///
/// A fetch that refuses it throws before it reads anything:
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.predicate = try QueryPredicate("name MATCHES[c] %@", "a.*")
/// request.inMemoryEvaluation = .refused
/// do {
///   print(try context.fetch(request).count)
/// } catch let error as QueryPredicateError where error.code == .unsupportedInStore {
///   print(error.message)
/// }
/// ```
public enum InMemoryEvaluation: Sendable {
  /// They are evaluated in memory.
  case allowed
  /// They are refused with `unsupported-in-store`.
  case refused
}
