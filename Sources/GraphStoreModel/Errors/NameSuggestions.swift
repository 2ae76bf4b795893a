import GraphStorePredicates

/// Finds names that were probably meant, up to a number of comparisons, so that a file full of problems is read as fast as a
/// good one.
struct NameSuggestions {
  private var comparisonsLeft = 20_000

  /// The candidate next to a name; nil where none is near, and when there were too many comparisons before.
  mutating func nearest(to name: String, among candidates: [String]) -> String? {
    comparisonsLeft -= candidates.count
    guard comparisonsLeft >= 0 else { return nil }
    return NearestNames.names(near: name, among: candidates).first
  }
}
