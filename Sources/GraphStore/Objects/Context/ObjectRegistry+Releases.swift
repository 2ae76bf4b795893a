/// The releases that a registry has deferred, all of rows of one store.
struct WaitingReleases {
  var rows: [RowRelease] = []
  var store = 0
  /// Whether that store's row cache knows that there are some.
  var isAnnounced = false
  /// Whether other contexts release rows at the same time, so that releases are deferred.
  var isUsed = false
}

/// Objects that are released remove their rows from the row cache, unless others hold them too.
///
/// Where contexts on several threads release objects at once, they would wait for each other at every object.
/// A registry that meets another one then defers its releases and carries them out by the few dozen; a
/// request to the row cache has them carried out before, so that it never yields a row without a holder.
extension ObjectRegistry: ReleaseSource {
  private static let releaseCapacity = 64

  /// Counts one holder of a row less.
  ///
  /// - Precondition: the registry's lock is held.
  /// - Returns: The block of a row that leaves with its last holder, to be released.
  @inline(__always)
  func lockedReleaseRow(_ key: Int64, root: Int, store: Int) -> UnsafeMutableRawPointer? {
    if waiting.isUsed {
      putOff(RowRelease(root: root, key: key), store: store)
      return nil
    }
    let (block, isContended) = unsafe heldCaches[store]
      ._withUnsafeGuaranteedRef { unsafe $0.release(root, key, by: ObjectIdentifier(self)) }
    if isContended { lockedBeginPuttingOff() }
    return unsafe block
  }

  /// No thread waits for a registry whose context is gone: it defers nothing.
  @inline(never)
  private func lockedBeginPuttingOff() {
    waiting.isUsed = unsafe context != nil
  }

  private func putOff(_ release: RowRelease, store: Int) {
    if store != waiting.store || waiting.rows.count == Self.releaseCapacity {
      if waiting.isAnnounced { lockedDrainReleases(staysWaiting: store == waiting.store) }
    }
    if !waiting.isAnnounced {
      waiting.isAnnounced = true
      waiting.store = store
      waiting.rows.reserveCapacity(Self.releaseCapacity)
      caches[store].beginWaiting(self)
    }
    waiting.rows.append(release)
  }

  /// Carries out the releases that were deferred.
  func drainReleases() {
    lock.withLock { if waiting.isAnnounced { lockedDrainReleases(staysWaiting: false) } }
  }

  private func lockedDrainReleases(staysWaiting: Bool) {
    waiting.isAnnounced = staysWaiting
    let isContended = caches[waiting.store].release(waiting.rows, by: self, staysWaiting: staysWaiting)
    waiting.rows.removeAll(keepingCapacity: true)
    if !isContended { waiting.isUsed = false }
  }

  /// Detaches the registry from its context, which is released: nothing is deferred any more.
  func endContext() {
    lock.withLock {
      if waiting.isAnnounced { lockedDrainReleases(staysWaiting: false) }
      waiting.isUsed = false
      unsafe context = nil
    }
  }
}
