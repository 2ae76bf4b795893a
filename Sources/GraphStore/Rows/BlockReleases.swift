import CGraphStoreShims

/// Releases of row blocks that wait until a lock is free; those of one block that follow each other are carried out as one.
@safe struct BlockReleases: ~Copyable {
  private var block: UnsafeMutableRawPointer?
  private var count: UInt32 = 0

  /// Adds releases of a block.
  @inline(__always)
  mutating func add(_ added: UnsafeMutableRawPointer, count more: UInt32 = 1) {
    if unsafe added != block {
      carryOut()
      unsafe block = unsafe added
      count = 0
    }
    count += more
  }

  @inline(__always)
  private func carryOut() {
    if let block = unsafe block { unsafe gs_release_n(block, count) }
  }

  deinit { carryOut() }
}
