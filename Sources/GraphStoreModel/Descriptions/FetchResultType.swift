/// What a stored fetch request returns; the raw value is the word used in model files.
public enum FetchResultType: String, CaseIterable, Hashable, Sendable {
  /// Managed objects.
  case objects
  /// Object identifiers.
  case ids
  /// Dictionaries of the properties asked for.
  case dictionaries
  /// The number of matches.
  case count
}
