/// Indexes in which a store of the wanted version differs from its model (MDL-290).
package struct PendingIndexes {
  let made: [String]
  let removed: [String]

  /// Indexes by their names.
  package init(made: [String], removed: [String]) {
    self.made = made
    self.removed = removed
  }

  /// Whether nothing is to be done.
  package var isEmpty: Bool { made.isEmpty && removed.isEmpty }
}
