/// Indexes in which a store of the wanted version differs from its model (MDL-290).
package struct PendingIndexes {
  package let made: [String]
  package let removed: [String]

  package init(made: [String], removed: [String]) {
    self.made = made
    self.removed = removed
  }

  package var isEmpty: Bool { made.isEmpty && removed.isEmpty }
}
