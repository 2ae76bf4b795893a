/// Rows by key with the number of their holders: open addressing, no key is 0.
final class RowTable {
  private var keys = [Int64](repeating: 0, count: 16)
  private var blocks = [RowBlock?](repeating: nil, count: 16)
  private var rows = [Int32](repeating: 0, count: 16)
  private var holders = [Int32](repeating: 0, count: 16)
  private var count = 0
  private(set) var rowCount = 0

  @inline(__always)
  private func home(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 20) & (keys.count - 1)
  }

  private func position(_ key: Int64) -> Int? {
    var position = home(key)
    while keys[position] != 0 {
      if keys[position] == key { return position }
      position = (position + 1) & (keys.count - 1)
    }
    return nil
  }

  func row(_ key: Int64) -> Row? {
    guard let position = position(key), let block = blocks[position] else { return nil }
    return Row(block: block, index: Int(rows[position]))
  }

  /// Puts a row in place of any other and adds holders; without any the row is not kept.
  func put(_ row: Row, _ key: Int64, holders more: Int32) {
    if (count + 1) * 4 > keys.count * 3 { grow() }
    var position = home(key)
    while keys[position] != 0, keys[position] != key { position = (position + 1) & (keys.count - 1) }
    if keys[position] == 0 {
      guard more > 0 else { return }
      keys[position] = key
      count += 1
    }
    if blocks[position] == nil { rowCount += 1 }
    blocks[position] = row.block
    rows[position] = Int32(row.index)
    holders[position] += more
  }

  func release(_ key: Int64) {
    guard let position = position(key) else { return }
    holders[position] -= 1
    if holders[position] <= 0 { remove(at: position) }
  }

  func forget(_ key: Int64) {
    guard let position = position(key), blocks[position] != nil else { return }
    blocks[position] = nil
    rowCount -= 1
  }

  private func remove(at removed: Int) {
    if blocks[removed] != nil { rowCount -= 1 }
    count -= 1
    let mask = keys.count - 1
    var gap = removed
    var position = removed
    while true {
      position = (position + 1) & mask
      if keys[position] == 0 { break }
      if (position &- home(keys[position])) & mask >= (position &- gap) & mask {
        move(from: position, to: gap)
        gap = position
      }
    }
    keys[gap] = 0
    blocks[gap] = nil
    holders[gap] = 0
  }

  private func move(from: Int, to: Int) {
    keys[to] = keys[from]
    blocks[to] = blocks[from]
    rows[to] = rows[from]
    holders[to] = holders[from]
  }

  private func grow() {
    let old = (keys, blocks, rows, holders)
    let capacity = keys.count * 2
    keys = [Int64](repeating: 0, count: capacity)
    blocks = [RowBlock?](repeating: nil, count: capacity)
    rows = [Int32](repeating: 0, count: capacity)
    holders = [Int32](repeating: 0, count: capacity)
    for index in old.0.indices where old.0[index] != 0 {
      var position = home(old.0[index])
      while keys[position] != 0 { position = (position + 1) & (capacity - 1) }
      keys[position] = old.0[index]
      blocks[position] = old.1[index]
      rows[position] = old.2[index]
      holders[position] = old.3[index]
    }
  }
}
