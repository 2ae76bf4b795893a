import GraphStore
import GraphStoreReports

extension SessionExecutor: ContextExecutor {
  func makeContext(named name: String?, isScratch: Bool) throws {
    let name = name ?? contexts.freeName(isScratch ? "scratch" : "context")
    if contexts.named(name) != nil {
      throw ShellError(
        code: .wrongArgument, message: "there is a context \(name) already",
        hint: "write .context switch \(name), or take another name")
    }
    let made = try session.makeContext(named: name, isScratch: isScratch)
    if let made, let transaction = made.context.coordinator.currentTransaction, atScript != nil {
      try transaction.join(made.context)
    }
  }

  func switchContext(to name: String) throws {
    let context = try existing(name)
    if context === present { return }
    // What a script does is taken back as a whole, which changes from before it are not part of.
    if atScript?.isUnfinished(context) == true {
      throw ShellError(
        code: .unclosedTransaction,
        message: "the context \(name) has unsaved changes from before the script, which is one transaction",
        hint: "switch to it before .read, or .commit or .rollback them first")
    }
    contexts.makePresent(context)
  }

  func dropContext(_ name: String) throws -> ContextStatus {
    let context = try existing(name)
    let status = ContextStatus(context, isPresent: context === present)
    if context === contexts.all[0] {
      throw ShellError(
        code: .wrongArgument, message: "\(name) is the context that the session begins and ends with",
        hint: status.unsavedCount > 0 ? ".rollback drops its unsaved changes" : nil)
    }
    let children = contexts.children(of: context).map(\.name)
    if let child = children.first {
      throw ShellError(
        code: .wrongArgument,
        message: "\(name) has scratch contexts: \(children.joined(separator: ", "))",
        hint: "write .context drop \(child) first")
    }
    if status.unsavedCount > 0 {
      let object = "\(name) with \(status.unsavedCount.counted("unsaved change"))"
      try session.requireConsent(for: "dropping \(object)", or: ".commit or .rollback them there first")
      try session.confirm("drop \(object)")
    }
    contexts.remove(context)
    return status
  }

  func rollbackAll() throws {
    for context in contexts.upwards where context.isUnfinished {
      context.rollback()
      context.isChangedElsewhere = false
    }
  }

  private func existing(_ name: String) throws(ShellError) -> SessionContext {
    if let context = contexts.named(name) { return context }
    let names = contexts.tree.map(\.name)
    throw ShellError(
      code: .wrongArgument, message: "there is no context \"\(name)\"",
      hint: "there are: \(names.joined(separator: ", "))",
      suggestions: NearestNames.names(near: name, among: names))
  }

  // MARK: Scratch contexts

  /// Saves a scratch context into its parent, where its changes are unsaved ones, and one statement to undo.
  func commitScratch() throws -> CommitOutcome {
    guard let parent = present.parent else { return CommitOutcome() }
    guard present.context.hasChanges else {
      present.end()
      return CommitOutcome(savedInto: parent.name)
    }
    let isBegun = !parent.keepsChanges
    if isBegun {
      parent.readAnew()
      parent.isChangedElsewhere = false
    }
    try session.settleConflicts(of: present, with: parent, by: policy)
    if isBegun { parent.begin() }
    parent.history.begin()
    do {
      try present.context.save()
      try parent.history.end(isSaved: false)
    } catch {
      parent.history.takeBack(in: parent.context)
      if isBegun { parent.end() }
      throw error
    }
    parent.history.name(".commit of \(present.name)")
    // All may have given way to what others have made of it.
    if isBegun, !parent.context.hasChanges { parent.end() }
    let summary = present.context.lastSave
    present.end()
    present.context.renewObjects()
    present.isChangedElsewhere = false
    return CommitOutcome(summary: summary, savedInto: parent.name)
  }
}
