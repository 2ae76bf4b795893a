/// Counts of an import so far.
package struct ImportCounts: Sendable {
  package var inserted = 0
  package var updated = 0
  /// Records whose object was there already and that changed nothing.
  package var ignored = 0

  /// By entity: objects that were made because links name them.
  package var created: [String: Int] = [:]

  package init() {}

  /// Adds what another part of the import has done.
  package mutating func add(_ other: ImportCounts) {
    inserted += other.inserted
    updated += other.updated
    ignored += other.ignored
    created.merge(other.created, uniquingKeysWith: +)
  }
}

/// A record that cannot be imported, and why.
package struct ImportFailure: Error {
  /// The record's position in the input, as the caller numbered it.
  package var record: Int
  /// The line on which it begins.
  package var line: Int
  package var error: GraphStoreError
}
