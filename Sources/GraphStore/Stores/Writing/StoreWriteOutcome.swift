/// What has come of writing a save to one store.
enum StoreWriteOutcome {
  /// Everything is written.
  case written(CommitRecord, phantoms: [Phantoms])
  /// Other writers have changed records; what was written until then is to be taken back.
  case conflicts([RowConflict])

  /// Phantoms that a check has found: members that other writers have added since the delete rules were
  /// applied, or records that refer to a changed one without being its partner.
  struct Phantoms {
    let check: SaveRequest.PhantomCheck
    let links: [LinkRow]
  }
}
