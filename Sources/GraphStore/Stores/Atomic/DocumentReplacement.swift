import Foundation
import Glibc

/// Replacement of a store's document by a new one, so that at every instant the path has one complete
/// document (STO-056, MIG-266).
///
/// The old one is kept under another name first, and only then replaced: what cannot be made durable is taken
/// back.
struct DocumentReplacement {
  /// The path of the document, without symbolic links.
  let path: String

  /// Replaces whatever is at the path, in its turn.
  ///
  /// - Returns: The path of the old document.
  /// - Throws: As ``replace(by:keepingOldAs:timeout:ifIt:)``.
  func replaceInTurn(
    by new: TemporaryStore, keepingOldAs name: StoreReplacement.KeptName, timeout: Duration
  ) throws -> String {
    guard let turn = SavingTurn(at: path, timeout: timeout) else { throw GraphStoreError.beingSaved(path) }
    StoreReplacement(path: path).removeSecondNames()
    defer { withExtendedLifetime(turn) {} }
    return try replace(by: new, keepingOldAs: name, timeout: timeout) {}
  }

  /// Replaces the old document by a new one, which is whole; the caller has the turn to do so.
  ///
  /// - Parameter check: Throws where the old one is not what it should be; called last before it is replaced.
  /// - Returns: The path of the old document.
  /// - Throws: `disk-full`, `store-permission`, `store-save-failed`, `store-open`, `store-timeout`, and what
  ///   the check throws; the old document is at its path then.
  func replace(
    by new: TemporaryStore, keepingOldAs name: StoreReplacement.KeptName, timeout: Duration,
    ifIt check: () throws -> Void
  ) throws -> String {
    try check()
    new.adoptAttributes(of: path)
    try new.flush()
    return try PlacementLock.whileHeld(beside: path, timeout: timeout) {
      let kept = StoreReplacement(path: path).freeName(name)
      guard unsafe link(path, kept) == 0 else { throw SQLiteLayout.error(.system(errno), kept) }
      do {
        try check()
        guard unsafe rename(new.path, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
      } catch {
        unsafe unlink(kept)
        throw error
      }
      do { try flushFolder() } catch {
        guard unsafe rename(kept, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
        throw error
      }
      new.removeRest()
      return kept
    }
  }

  /// Moves the old document back to its path; the caller has the turn to do so.
  ///
  /// - Throws: `store-open`, `store-save-failed`.
  func putBack(_ kept: String) throws {
    guard unsafe rename(kept, path) == 0 else { throw SQLiteLayout.error(.system(errno), path) }
    try flushFolder()
  }

  /// Removes the old document.
  static func removeKept(_ kept: String) { unsafe unlink(kept) }

  private func flushFolder() throws {
    let failure = FolderEntries.flush(beside: path)
    guard failure == 0 else { throw GraphStoreError.unwritten(path, failure) }
  }
}
