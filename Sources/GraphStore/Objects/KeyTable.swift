/// A table from integer keys to plain values: open addressing, no key is 0.
///
/// Eight keys in sequence have their homes side by side, so that keys as stores hand them out share memory lines.
/// Positions are good until a key is added or removed.
final class KeyTable<Value: BitwiseCopyable> {
  private struct Entry {
    var key: Int64
    var value: Value
  }

  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
  @exclusivity(unchecked) private var mask: Int
  @exclusivity(unchecked) private(set) var count = 0
  private let empty: Entry

  /// Makes an empty table; the value fills places that hold nothing.
  init(empty value: Value) {
    empty = Entry(key: 0, value: value)
    mask = 15
    entries = .allocate(capacity: 16)
    entries.initialize(repeating: empty, count: 16)
  }

  deinit { entries.deallocate() }

  @inline(__always)
  private func home(_ key: Int64) -> Int {
    let mixed = UInt64(bitPattern: key >> 3) &* 0x9E37_79B9_7F4A_7C15
    return (Int(truncatingIfNeeded: mixed >> 20) << 3 | Int(key & 7)) & mask
  }

  /// The place of a key, or of the gap where it would be put.
  @inline(__always)
  private func place(_ key: Int64) -> Int {
    var position = home(key)
    while entries[position].key != 0, entries[position].key != key { position = (position + 1) & mask }
    return position
  }

  /// The value at a position that ``position(of:)`` or ``add(_:)`` gave.
  @inline(__always)
  subscript(at position: Int) -> Value {
    get { entries[position].value }
    set { entries[position].value = newValue }
  }

  @inline(__always)
  func position(of key: Int64) -> Int? {
    let position = place(key)
    return entries[position].key == key ? position : nil
  }

  /// The position of a key, which is added with an empty value if the table does not have it.
  @inline(__always)
  func add(_ key: Int64) -> Int {
    if (count + 1) * 5 > (mask + 1) * 4 { grow() }
    let position = place(key)
    if entries[position].key == 0 {
      entries[position].key = key
      count += 1
    }
    return position
  }

  /// Takes an entry out and closes the gap, so that no tombstones gather.
  func remove(at removed: Int) {
    count -= 1
    var gap = removed
    var position = removed
    while true {
      position = (position + 1) & mask
      let key = entries[position].key
      if key == 0 { break }
      if (position &- home(key)) & mask >= (position &- gap) & mask {
        entries[gap] = entries[position]
        gap = position
      }
    }
    entries[gap] = empty
  }

  func forEach(_ body: (Int64, Value) -> Void) {
    for position in 0...mask where entries[position].key != 0 {
      body(entries[position].key, entries[position].value)
    }
  }

  private func grow() {
    let (old, oldMask) = (entries, mask)
    mask = (mask + 1) * 2 - 1
    entries = .allocate(capacity: mask + 1)
    entries.initialize(repeating: empty, count: mask + 1)
    for position in 0...oldMask where old[position].key != 0 {
      entries[place(old[position].key)] = old[position]
    }
    old.deallocate()
  }
}
