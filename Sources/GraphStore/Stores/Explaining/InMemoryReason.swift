/// Why a part of a request cannot run in its store; the raw value is what people read (DGN-071).
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
  /// What the context has changed and not saved, which no statement can see.
  case unsavedChanges = "unsaved changes"
  /// More than one store, whose answers are merged.
  case severalStores = "several stores"
}
