/// What an import has done so far.
package struct ImportCounts: Sendable {
  package var inserted = 0
  package var updated = 0
  /// Records whose object was there already and that changed nothing.
  package var ignored = 0

  package init() {}

  /// Adds what another part of the import has done.
  package mutating func add(_ other: ImportCounts) {
    inserted += other.inserted
    updated += other.updated
    ignored += other.ignored
  }
}
