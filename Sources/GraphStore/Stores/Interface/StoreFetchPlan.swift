import GraphStorePredicates

/// Plan by which one session of a store runs a request, and the work left for memory; it runs itself.
package protocol StoreFetchPlan {
  var entity: EntityLayout { get }
  /// The part of the predicate to be evaluated over the rows that the store returns.
  var residual: QueryPredicate? { get }
  var isSortedByStore: Bool { get }
  var isWindowedByStore: Bool { get }
  /// The parts: what runs where and why, for people.
  var parts: [FetchExplanation.Part] { get }
  /// Whether every requested field is read from the store.
  var hasAllFields: Bool { get }

  /// Hands over matching rows by the few dozen; a batch that the receiver wants to keep it replaces by
  /// another.
  func rows(_ receive: (inout RowBatch) throws -> Void) throws
  func identifiers() throws -> [ObjectKey]
  func count() throws -> Int
  /// Hands over the requested fields of matching records, one record at a time, without making objects.
  func fields(_ receive: (any FieldRow) throws -> Void) throws
  /// Explains how the store would run the request; no statement is counted.
  ///
  /// - Throws: `not-supported` where it cannot say.
  func explanation() throws -> FetchExplanation
}

extension StoreFetchPlan {
  /// Whether nothing is left to do in memory.
  package var runsInStore: Bool { hasAllFields && residual == nil && isSortedByStore && isWindowedByStore }
}

/// Reason why a part of a request cannot run in its store; the raw value is its readable name.
///
/// ```swift
/// let explanation = try context.explain(Employee.fetchRequest())
/// for part in explanation.parts {
///   if let reason = part.reason { print(part.text, "runs in memory:", reason.rawValue) }
/// }
/// ```
public enum InMemoryReason: String, Hashable, Sendable, CaseIterable {
  /// A pattern that is another one for each object.
  case regularExpression = "regular expression"
  /// A comparison by the rules of a locale that the store cannot make.
  case localizedComparison = "localized comparison"
  /// A path over several to-many relationships that has no form in the store.
  case toManySteps = "more than one to-many step"
  /// A function that the store does not compute exactly.
  case function = "function not known to SQL"
  /// A function of the application.
  case customFunction = "custom function"
  /// A form whose answer for missing values would be another one.
  case missingValues = "meaning differs for missing values"
  /// A decimal that the store cannot compare exactly.
  case longDecimal = "long decimal"
  /// A sort or window that depends on a part in memory.
  case mixed = "mixed with a part that is in memory"
  /// A collection that is made of others, a member at a position, or another value that is no single one.
  case collection = "collection made in memory"
  /// Values of kinds that the store cannot compare exactly.
  case differentKinds = "values of different kinds"
  /// A value that the store's row does not have.
  case notInRow = "value that is not in the store's row"
  /// A closure.
  case closure = "closure"
  /// More than one statement can hold.
  case tooLarge = "too large for one statement"
  /// Unsaved changes of the context, which no statement can see.
  case unsavedChanges = "unsaved changes"
  /// More than one store, whose answers are merged.
  case severalStores = "several stores"
  /// A store of a custom type that does not say that it can.
  case capability = "not among the store's capabilities"
}
