import CGraphStoreShims

/// Rows that are kept in the row caches although there is no object for them: those of an identifier result.
///
/// They are counted as held until it is released (FET-073).
@safe package final class HeldRows {
  private struct Group {
    let cache: RowCache
    let root: Int
    var keys: [Int64]
  }

  private var groups: [Group] = []

  deinit {
    for group in groups { group.cache.release(group.root, keys: group.keys) }
  }

  /// Puts the rows of a batch into a row cache.
  package func hold(_ batch: RowBatch, in cache: RowCache, from origin: RowCache.Origin) {
    for run in batch.runs where !run.block.isPrivate {
      let keys = unsafe batch.keys + run.firstKey
      unsafe gs_retain_n(Unmanaged.passUnretained(run.block).toOpaque(), UInt32(run.count))
      unsafe cache.put(run, keys: keys, isHolder: 0, from: origin)
      unsafe note(UnsafeBufferPointer(start: keys, count: run.count), run.block.layout.rootIndex, cache)
    }
  }

  /// Puts a row into a row cache.
  package func hold(_ row: Row, key: Int64, in cache: RowCache, from origin: RowCache.Origin) {
    if row.block.isPrivate { return }
    cache.put(row, key: key, holders: 1, from: origin)
    note(CollectionOfOne(key), row.layout.rootIndex, cache)
  }

  private func note(_ keys: some Collection<Int64>, _ root: Int, _ cache: RowCache) {
    if let last = groups.last, last.root == root, last.cache === cache {
      groups[groups.count - 1].keys += keys
    } else {
      groups.append(Group(cache: cache, root: root, keys: Array(keys)))
    }
  }
}
