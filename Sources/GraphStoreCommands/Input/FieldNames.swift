/// Interning table of field names: a small number each, so that names are compared with a model once and not
/// once a record.
@safe final class FieldNames {
  /// More names than this are refused: data with keys of its own in every record would fill the memory.
  static let limit = 65_536

  @safe private struct Entry {
    var bytes: UnsafeMutableBufferPointer<UInt8>
    var hash: UInt64
    var lastRecord: Int
  }

  /// In plain memory, because an array inside of a class costs a check and a reference count at every touch.
  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 32
  private(set) var count = 0
  private var slots: ContiguousArray<Int32> = ContiguousArray(repeating: -1, count: 64)

  init() {
    unsafe entries = .allocate(capacity: capacity)
  }

  deinit {
    for index in 0..<count { unsafe entries[index].bytes.deallocate() }
    unsafe entries.deallocate()
  }

  subscript(index: Int) -> String { unsafe String(decoding: entries[index].bytes, as: UTF8.self) }

  /// The number of a name, if it has one.
  func index(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { unsafe find($0, hash: Self.hash($0)) }
  }

  /// Whether the name of that number is spelled so.
  @inline(__always)
  func matches(_ index: Int32, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let bytes = unsafe entries[Int(index)].bytes
    guard bytes.count == name.count else { return false }
    return unsafe Self.areEqual(bytes.baseAddress, name.baseAddress, name.count)
  }

  /// The number of a name, which is given one if it has none yet; nil if there are too many names.
  func intern(_ name: UnsafeBufferPointer<UInt8>) -> Int32? {
    let hash = unsafe Self.hash(name)
    if let index = unsafe find(name, hash: hash) { return Int32(truncatingIfNeeded: index) }
    guard count < Self.limit else { return nil }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count)
    _ = unsafe copy.initialize(from: name)
    unsafe append(Entry(bytes: copy, hash: hash, lastRecord: -1))
    if count * 2 > slots.count { grow() } else { place(Int32(count - 1), hash: hash) }
    return Int32(count - 1)
  }

  private func append(_ entry: Entry) {
    if count == capacity {
      let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
      unsafe larger.moveInitialize(from: entries, count: count)
      unsafe entries.deallocate()
      unsafe entries = unsafe larger
      capacity *= 2
    }
    unsafe (entries + count).initialize(to: entry)
    count += 1
  }

  /// Records that a record has a field of that name; false if it had one already. `record` is another number
  /// every time.
  @inline(__always)
  func mark(_ index: Int32, record: Int) -> Bool {
    if unsafe entries[Int(index)].lastRecord == record { return false }
    unsafe entries[Int(index)].lastRecord = record
    return true
  }

  private func find(_ name: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0 {
      let entry = unsafe entries[Int(slots[slot])]
      if entry.hash == hash, unsafe entry.bytes.count == name.count,
        unsafe Self.areEqual(entry.bytes.baseAddress, name.baseAddress, name.count)
      {
        return Int(slots[slot])
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private func place(_ index: Int32, hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    slots[slot] = index
  }

  private func grow() {
    slots = ContiguousArray(repeating: -1, count: slots.count * 2)
    for index in 0..<count { unsafe place(Int32(index), hash: entries[index].hash) }
  }

  private static func areEqual(_ a: UnsafePointer<UInt8>?, _ b: UnsafePointer<UInt8>?, _ count: Int) -> Bool {
    guard count > 0, let a = unsafe a, let b = unsafe b else { return count == 0 }
    var index = 0
    while index < count {
      if unsafe a[index] != b[index] { return false }
      index += 1
    }
    return true
  }

  private static func areEqual(
    _ a: UnsafeMutablePointer<UInt8>?, _ b: UnsafePointer<UInt8>?, _ count: Int
  ) -> Bool {
    unsafe areEqual(a.map { unsafe UnsafePointer($0) }, unsafe b, count)
  }

  /// FNV-1a, finished so that the low bits depend on all.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in name.indices { hash = unsafe (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
    return hash ^ (hash >> 32)
  }
}
