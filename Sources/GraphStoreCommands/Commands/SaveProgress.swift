import CGraphStoreShims

/// How far the change of a command has come: what is said of it where the process is ended from outside.
enum SaveProgress: Int32, Sendable {
  /// Nothing is to be changed.
  case reading
  /// What is to be changed is not saved yet.
  case nothing
  /// All of it is saved.
  case all
  /// A part is saved for good, and more is to come.
  case part

  /// That of the process.
  static var current: SaveProgress {
    get { SaveProgress(rawValue: gs_progress()) ?? .reading }
    set { gs_set_progress(newValue.rawValue) }
  }

  /// Notes that something is going to be changed.
  static func begin() {
    if current == .reading { current = .nothing }
  }

  /// Runs a commit. A signal that comes meanwhile ends the process behind it, so that what is told is what is true.
  static func commit(reaching progress: SaveProgress, _ body: () throws -> Void) rethrows {
    gs_hold_ending()
    do {
      try body()
    } catch {
      gs_release_ending(gs_progress())
      throw error
    }
    gs_release_ending(progress.rawValue)
  }
}
