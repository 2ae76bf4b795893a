/// What a fetch is to return.
enum FetchOutput: Sendable, Hashable {
  case rows
  case identifiers
  case count
  /// The values of key paths.
  case fields([String])
}
