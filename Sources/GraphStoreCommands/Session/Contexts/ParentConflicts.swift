import GraphStore
import GraphStoreReports

/// The conflicts of a scratch context with its parent, in the words of the command.
struct ParentConflicts {
  private let scratch: SessionContext
  private let parent: SessionContext
  private let conflicts: [MergeConflict]

  init(_ conflicts: [MergeConflict], of scratch: SessionContext, with parent: SessionContext) {
    (self.conflicts, self.scratch, self.parent) = (conflicts, scratch, parent)
  }

  /// The error by the policy that settles nothing.
  var refusal: Diagnostic {
    var diagnostic = DiagnosticMapper.diagnostic(MergeConflict.error(conflicts))
    diagnostic.message =
      "Could not save \(scratch.name) into \(parent.name): \(Self.names(conflicts)) changed there, or in the "
      + "store, since it was read."
    let isKept = conflicts.contains { !$0.isDeletedByOthers }
    diagnostic.hints = [
      (isKept ? ".refresh keeps the changes on top of what is there now; .policy memory overwrites it, " : "")
        + ".policy store gives way to it; nothing was saved"
    ]
    return diagnostic
  }

  /// What is told before the policy settles them. No policy brings back what others have deleted.
  func warnings(by policy: SaveConflictPolicy) -> [Diagnostic] {
    let name = scratch.name
    guard policy == .memory || policy == .overwrite else {
      return warning(conflicts) { "\(name) gives way to what others have made of \($0) since it was read" }
    }
    let kept = warning(conflicts.filter { !$0.isDeletedByOthers }) {
      "\(name) overwrites what others have made of \($0) since it was read"
    }
    let pending = Set(parent.context.deletedObjects.map(\.objectID))
    let gone = conflicts.filter(\.isDeletedByOthers)
    let dropped = warning(gone.filter { pending.contains($0.sourceObjectID) }) {
      "the changes of \(name) are dropped where \(parent.name) deletes the object: \($0)"
    }
    let lost = warning(gone.filter { !pending.contains($0.sourceObjectID) }) {
      "\(name) has changed what others have deleted since it was read: \($0)"
    }
    return kept + dropped + lost
  }

  private func warning(_ conflicts: [MergeConflict], _ message: (String) -> String) -> [Diagnostic] {
    guard !conflicts.isEmpty else { return [] }
    var diagnostic = DiagnosticMapper.diagnostic(MergeConflict.error(conflicts))
    diagnostic.severity = .warning
    diagnostic.message = message(Self.names(conflicts))
    diagnostic.hints = []
    return [diagnostic]
  }

  private static func names(_ conflicts: [MergeConflict]) -> String {
    let ids = conflicts.prefix(5).map(\.sourceObjectID.shortForm).joined(separator: ", ")
    return conflicts.count > 5 ? ids + " and \(conflicts.count - 5) more" : ids
  }
}

extension MergeConflict {
  fileprivate var isDeletedByOthers: Bool { newVersionNumber == 0 }
}
