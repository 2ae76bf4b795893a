/// The releases that a registry has deferred, all of rows of one store.
struct DeferredReleases {
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
    if deferred.isUsed {
      deferRelease(RowRelease(root: root, key: key), store: store)
      return nil
    }
    let (block, isContended) = unsafe heldCaches[store]
      ._withUnsafeGuaranteedRef { unsafe $0.release(root, key, by: ObjectIdentifier(self)) }
    if isContended { lockedBeginDeferring() }
    return unsafe block
  }

  /// No thread waits for a registry whose context is gone: it defers nothing.
  @inline(never)
  private func lockedBeginDeferring() {
    deferred.isUsed = unsafe context != nil
  }

  private func deferRelease(_ release: RowRelease, store: Int) {
    if store != deferred.store || deferred.rows.count == Self.releaseCapacity {
      if deferred.isAnnounced { lockedDrainReleases(staysDeferring: store == deferred.store) }
    }
    if !deferred.isAnnounced {
      deferred.isAnnounced = true
      deferred.store = store
      deferred.rows.reserveCapacity(Self.releaseCapacity)
      caches[store].beginDeferring(self)
    }
    deferred.rows.append(release)
  }

  /// Carries out the releases that were deferred.
  func drainReleases() {
    lock.withLock { if deferred.isAnnounced { lockedDrainReleases(staysDeferring: false) } }
  }

  private func lockedDrainReleases(staysDeferring: Bool) {
    deferred.isAnnounced = staysDeferring
    let isContended = caches[deferred.store].release(deferred.rows, by: self, staysDeferring: staysDeferring)
    deferred.rows.removeAll(keepingCapacity: true)
    if !isContended { deferred.isUsed = false }
  }

  /// Detaches the registry from its context, which is released: nothing is deferred any more.
  func endContext() {
    lock.withLock {
      if deferred.isAnnounced { lockedDrainReleases(staysDeferring: false) }
      deferred.isUsed = false
      unsafe context = nil
    }
  }
}
