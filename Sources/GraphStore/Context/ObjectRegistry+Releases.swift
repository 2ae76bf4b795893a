/// A holder that a cached row has lost.
struct RowRelease {
  let root: Int
  let key: Int64
}

/// Objects that go take their rows out of the row cache, unless others hold them too.
///
/// Where contexts on several threads let go of objects at once, they would wait for each other at every object. A registry
/// that meets another one then puts its releases off and carries them out by the few dozen; who asks the row cache for a row
/// has them carried out before, so that nobody sees a row that nobody holds.
extension ObjectRegistry {
  private static let releaseCapacity = 64

  /// Counts one holder of a row less, for who holds the registry's lock; gives the block of a row that goes with it, to be
  /// released.
  @inline(__always)
  func lockedReleaseRow(_ key: Int64, _ root: Int, _ store: Int) -> UnsafeMutableRawPointer? {
    if putsReleasesOff {
      putOff(RowRelease(root: root, key: key), store)
      return nil
    }
    let (block, isContended) = unsafe heldCaches[store]
      ._withUnsafeGuaranteedRef { unsafe $0.release(root, key, by: ObjectIdentifier(self)) }
    if isContended { lockedBeginPuttingOff() }
    return unsafe block
  }

  /// Nobody waits for a registry whose context is gone: it puts nothing off.
  @inline(never)
  private func lockedBeginPuttingOff() {
    putsReleasesOff = unsafe context != nil
  }

  private func putOff(_ release: RowRelease, _ store: Int) {
    if store != storeOfReleases || releases.count == Self.releaseCapacity {
      if isWaiting { lockedSettleReleases(staysWaiting: store == storeOfReleases) }
    }
    if !isWaiting {
      isWaiting = true
      storeOfReleases = store
      releases.reserveCapacity(Self.releaseCapacity)
      caches[store].beginWaiting(self)
    }
    releases.append(release)
  }

  /// Carries out the releases that were put off.
  func settleReleases() {
    lock.withLock { if isWaiting { lockedSettleReleases(staysWaiting: false) } }
  }

  private func lockedSettleReleases(staysWaiting: Bool) {
    isWaiting = staysWaiting
    let isContended = caches[storeOfReleases].release(releases, by: self, staysWaiting: staysWaiting)
    releases.removeAll(keepingCapacity: true)
    if !isContended { putsReleasesOff = false }
  }

  /// Ends what the registry knows of its context, which goes: nothing is put off any more.
  func endContext() {
    lock.withLock {
      if isWaiting { lockedSettleReleases(staysWaiting: false) }
      putsReleasesOff = false
      unsafe context = nil
    }
  }
}
