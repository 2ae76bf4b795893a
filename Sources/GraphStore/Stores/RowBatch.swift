/// Rows on their way from a store to a context: keys, and the rows as runs of neighbours in their blocks.
final class RowBatch {
  /// Rows that lie side by side in one block, for keys that lie side by side in the batch.
  struct Run {
    let block: RowBlock
    let firstRow: Int
    let firstKey: Int
    var count: Int
  }

  static let capacity = RowBlock.capacity

  private(set) var keys: [Int64] = []
  private(set) var runs: [Run] = []

  init() { keys.reserveCapacity(Self.capacity) }

  var count: Int { keys.count }
  var isFull: Bool { keys.count >= Self.capacity }

  /// The keys of one of the batch's runs.
  func keys(of run: Run) -> ArraySlice<Int64> { keys[run.firstKey..<run.firstKey + run.count] }

  @inline(__always)
  func append(_ key: Int64, _ block: RowBlock, _ row: Int) {
    let last = runs.count - 1
    if last >= 0, runs[last].block === block, runs[last].firstRow + runs[last].count == row {
      runs[last].count += 1
    } else {
      runs.append(Run(block: block, firstRow: row, firstKey: keys.count, count: 1))
    }
    keys.append(key)
  }

  func forEach(_ body: (_ key: Int64, _ row: Row) throws -> Void) rethrows {
    for run in runs {
      for offset in 0..<run.count {
        try body(keys[run.firstKey + offset], Row(block: run.block, index: run.firstRow + offset))
      }
    }
  }

  func removeAll() {
    keys.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
  }
}
