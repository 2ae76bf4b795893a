/// Rows on their way from a store to a context.
final class RowBatch {
  private(set) var keys: [Int64] = []
  private(set) var rows: [Row] = []

  static let capacity = RowBlock.capacity

  init() {
    keys.reserveCapacity(Self.capacity)
    rows.reserveCapacity(Self.capacity)
  }

  var count: Int { keys.count }
  var isFull: Bool { keys.count >= Self.capacity }

  func append(_ key: Int64, _ row: Row) {
    keys.append(key)
    rows.append(row)
  }

  func removeAll() {
    keys.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }
}
