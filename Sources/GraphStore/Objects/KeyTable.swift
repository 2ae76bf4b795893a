/// A table from integer keys to pointers: open addressing, no key is 0.
///
/// It holds nothing alive; its owner pairs each entry with a retain or with a `deinit` that takes the entry out.
final class KeyTable {
  private var keys: UnsafeMutablePointer<Int64>
  private var values: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = 15
    keys = Self.emptyKeys(16)
    values = Self.emptyValues(16)
  }

  deinit {
    keys.deallocate()
    values.deallocate()
  }

  private static func emptyKeys(_ capacity: Int) -> UnsafeMutablePointer<Int64> {
    let keys = UnsafeMutablePointer<Int64>.allocate(capacity: capacity)
    keys.initialize(repeating: 0, count: capacity)
    return keys
  }

  private static func emptyValues(_ capacity: Int) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    let values = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: capacity)
    values.initialize(repeating: nil, count: capacity)
    return values
  }

  @inline(__always)
  private static func hash(_ key: Int64) -> Int {
    let mixed = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 20)
  }

  @inline(__always)
  subscript(key: Int64) -> UnsafeMutableRawPointer? {
    var position = Self.hash(key) & mask
    while keys[position] != 0 {
      if keys[position] == key { return values[position] }
      position = (position + 1) & mask
    }
    return nil
  }

  func insert(_ value: UnsafeMutableRawPointer, for key: Int64) {
    if (count + 1) * 4 > (mask + 1) * 3 { grow() }
    var position = Self.hash(key) & mask
    while keys[position] != 0 {
      if keys[position] == key {
        values[position] = value
        return
      }
      position = (position + 1) & mask
    }
    keys[position] = key
    values[position] = value
    count += 1
  }

  /// Takes an entry out and closes the gap, so that no tombstones gather.
  func remove(_ key: Int64) {
    var gap = Self.hash(key) & mask
    while keys[gap] != key {
      if keys[gap] == 0 { return }
      gap = (gap + 1) & mask
    }
    count -= 1
    var position = gap
    while true {
      position = (position + 1) & mask
      if keys[position] == 0 { break }
      let home = Self.hash(keys[position]) & mask
      if (position &- home) & mask >= (position &- gap) & mask {
        keys[gap] = keys[position]
        values[gap] = values[position]
        gap = position
      }
    }
    keys[gap] = 0
    values[gap] = nil
  }

  func forEach(_ body: (Int64, UnsafeMutableRawPointer) -> Void) {
    for position in 0...mask {
      if keys[position] != 0, let value = values[position] { body(keys[position], value) }
    }
  }

  private func grow() {
    let (oldKeys, oldValues, oldMask) = (keys, values, mask)
    mask = (mask + 1) * 2 - 1
    keys = Self.emptyKeys(mask + 1)
    values = Self.emptyValues(mask + 1)
    for old in 0...oldMask where oldKeys[old] != 0 {
      var position = Self.hash(oldKeys[old]) & mask
      while keys[position] != 0 { position = (position + 1) & mask }
      keys[position] = oldKeys[old]
      values[position] = oldValues[old]
    }
    oldKeys.deallocate()
    oldValues.deallocate()
  }
}
