import GraphStore

/// Status of one context of a session: for the prompt, `.context list` and leaving.
struct ContextStatus: Hashable, Sendable {
  var name: String
  /// The context that a scratch context saves into; nil for one over the store.
  var parent: String?
  /// How many contexts it reads through.
  var depth = 0
  /// Whether statements run in it.
  var isPresent = false
  /// Whether it keeps changes until they are saved or rolled back.
  var keepsChanges = false
  var inserted = 0
  var updated = 0
  var deleted = 0

  var isScratch: Bool { parent != nil }

  /// The number of objects with unsaved changes.
  var unsavedCount: Int { inserted + updated + deleted }

  /// Whether somebody has yet to decide on changes: within `.begin`, or in a scratch context with some.
  var isUnfinished: Bool { isScratch ? unsavedCount > 0 : keepsChanges }

  /// `draft, a scratch of main`, for messages.
  var title: String { parent.map { "\(name), a scratch of \($0)" } ?? name }

  /// `2 inserted, 1 deleted`, or that nothing is unsaved.
  var changes: String {
    let parts = [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")].filter { $0.0 > 0 }
    return parts.isEmpty ? "no unsaved changes" : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

extension ContextStatus {
  init(_ session: SessionContext, isPresent: Bool) {
    (name, parent, depth) = (session.name, session.parent?.name, session.ancestors.count)
    (self.isPresent, keepsChanges) = (isPresent, session.keepsChanges)
    guard session.context.hasChanges else { return }
    inserted = session.context.insertedObjects.count
    updated = session.context.updatedObjects.count
    deleted = session.context.deletedObjects.count
  }
}
