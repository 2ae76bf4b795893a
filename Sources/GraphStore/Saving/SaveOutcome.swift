/// Outcome of a save.
enum SaveOutcome {
  /// Everything is saved: the parts of the stores, none where the parent is a context or nothing was to be
  /// written.
  case saved([StoreSave])
  /// Nothing is written: other writers have changed records.
  case conflicts([StoreSave])
  /// Nothing is written: a store has refused something, or could not be written.
  case refused([StoreSave], any Error)
  /// Some stores have their part, and others have not.
  case incomplete([StoreSave], any Error)

  /// The error that kept the save, or a part of it, from being made.
  var failure: (any Error)? {
    switch self {
    case .saved, .conflicts: nil
    case .refused(_, let error), .incomplete(_, let error): error
    }
  }

  /// The saves that were attempted without effect, and the error of a store.
  var attempt: (saves: [StoreSave], failure: (any Error)?) {
    switch self {
    case .saved, .incomplete: ([], nil)
    case .conflicts(let saves): (saves, nil)
    case .refused(let saves, let error): (saves, error)
    }
  }

  /// Whether something was to be written and nothing was.
  var isRefused: Bool {
    switch self {
    case .saved, .incomplete: false
    case .conflicts, .refused: true
    }
  }
}
