/// Rows on their way from a store to a context: keys, and the rows as runs of neighbours in their blocks.
@safe package final class RowBatch {
  /// Adjacent rows of one block, for adjacent keys of the batch.
  package struct Run {
    package let block: RowBlock
    package let firstRow: Int
    package let firstKey: Int
    package var count: Int
  }

  /// At most 64 rows, whatever a block holds: the code that turns a batch into objects has one bit of a word
  /// for each row, for which of them are new and which are counted as holders (``ObjectMaterializer``,
  /// ``ObjectRegistry``).
  package static let capacity = UInt64.bitWidth

  /// As many as ``count`` says.
  package let keys: UnsafeMutablePointer<Int64>
  @safe @exclusivity(unchecked) package private(set) var count = 0
  /// The runs but for the last, which is still growing.
  @safe @exclusivity(unchecked) private var endedRuns: [Run] = []
  /// The start of the run that grows, and its block.
  @safe @exclusivity(unchecked) private var block: RowBlock?
  @exclusivity(unchecked) private var blockIdentity: UnsafeMutableRawPointer?
  @safe @exclusivity(unchecked) private var firstRow = 0
  @safe @exclusivity(unchecked) private var firstKey = 0

  package init() { unsafe keys = .allocate(capacity: Self.capacity) }

  deinit { unsafe keys.deallocate() }

  package var isFull: Bool { count >= Self.capacity }

  package var runs: [Run] {
    guard let block else { return [] }
    return endedRuns + [Run(block: block, firstRow: firstRow, firstKey: firstKey, count: count - firstKey)]
  }

  /// The first row, without a list of the runs.
  package var first: Row? {
    if let run = endedRuns.first { return Row(block: run.block, index: run.firstRow) }
    return block.map { Row(block: $0, index: firstRow) }
  }

  @inline(__always)
  package func append(_ key: Int64, _ block: RowBlock, _ row: Int) {
    assert(!isFull && row < block.count)
    if unsafe blockIdentity != Unmanaged.passUnretained(block).toOpaque()
      || firstRow + count - firstKey != row
    {
      beginRun(block, row)
    }
    unsafe keys[count] = key
    count += 1
  }

  @inline(never)
  private func beginRun(_ block: RowBlock, _ row: Int) {
    if let open = self.block {
      endedRuns.append(Run(block: open, firstRow: firstRow, firstKey: firstKey, count: count - firstKey))
    }
    self.block = block
    unsafe blockIdentity = unsafe Unmanaged.passUnretained(block).toOpaque()
    firstRow = row
    firstKey = count
  }

  package func forEach(_ body: (_ key: Int64, _ row: Row) throws -> Void) rethrows {
    for run in runs {
      for offset in 0..<run.count {
        try unsafe body(keys[run.firstKey + offset], Row(block: run.block, index: run.firstRow + offset))
      }
    }
  }

  package func removeAll() {
    count = 0
    block = nil
    unsafe blockIdentity = nil
    endedRuns.removeAll(keepingCapacity: true)
  }

  /// Checks that the runs have each key once, in order, and rows that their blocks have.
  package func checkInvariants() throws(InvariantViolation) {
    try InvariantViolation.check(count <= Self.capacity, "\(count) rows in one batch")
    var keys = 0
    for run in runs {
      try InvariantViolation.check(run.firstKey == keys && run.count > 0, "a run at key \(run.firstKey)")
      try InvariantViolation.check(
        run.firstRow >= 0 && run.firstRow + run.count <= run.block.count, "a run beyond its block")
      keys += run.count
    }
    try InvariantViolation.check(keys == count, "\(keys) keys are counted as \(count)")
  }
}
