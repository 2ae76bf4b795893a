import GraphStore
import GraphStoreReports

extension CommandSession {
  /// Refuses, in a scratch context, what writes the store itself past all contexts.
  func refuseInScratchContext(_ command: any ExecutableCommand) throws(Diagnostic) {
    guard command.writesStoreItself, let present, present.isScratch else { return }
    let name = present.ancestors[0].name
    throw Diagnostic(
      code: "scratch-context",
      message: "the context \(present.name) is a scratch context, and this command writes the store itself",
      hints: [".context switch \(name) first, or run it outside of the session"], exitCode: .usage)
  }

  /// Has a scratch context settle, by its policy, what its save would overwrite of the contexts above and of
  /// the store, and tells what it overwrites or gives way to.
  ///
  /// - Throws: `merge-conflict` by the policy that settles nothing.
  func settleConflicts(
    of scratch: SessionContext, with parent: SessionContext, by policy: SaveConflictPolicy
  ) throws {
    let conflicts = try scratch.context.conflicts(with: parent.context)
    guard !conflicts.isEmpty else { return }
    let told = ParentConflicts(conflicts, of: scratch, with: parent)
    if policy == .error { throw told.refusal }
    for warning in told.warnings(by: policy) { report(warning) }
    scratch.context.mergePolicy = policy.mergePolicy
    try scratch.context.resolveConflicts(conflicts, with: parent.context)
  }
}
