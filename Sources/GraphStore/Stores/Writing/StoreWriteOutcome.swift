/// Outcome of writing the rows of a save to one store.
package enum StoreWriteOutcome {
  /// The rows are written, and ``WriteSession/complete(_:)`` writes the rest.
  case written(WrittenRows)
  /// Other writers have changed records; the writes until then have to be rolled back.
  case conflicts([RowConflict])
}

/// A save whose rows are written to one store, and whose links, order, versions and derived values are not
/// yet.
package struct WrittenRows {
  /// Phantoms that a check has found: members that other writers have added since the delete rules were
  /// applied, or records that refer to a changed one without being its partner. They have lost their
  /// references.
  package struct Phantoms {
    package let check: SaveRequest.PhantomCheck
    package let links: [LinkRow]
  }

  package var record: CommitRecord
  package var phantoms: [Phantoms] = []
  package let tracker: DerivedValueTracker?
  package let deleters: [any RecordDeleting]
}
