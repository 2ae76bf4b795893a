/// Growable memory for bytes that had to be rewritten, reused from record to record.
@safe final class ByteScratch {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many bytes are in use.
  var count = 0

  init(capacity: Int = 4096) {
    self.capacity = capacity
    unsafe base = .allocate(capacity: capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// Makes room for more bytes; pointers into the memory taken before are invalid afterwards.
  func reserve(_ additional: Int) {
    guard count + additional > capacity else { return }
    capacity = max(capacity * 2, count + additional)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = unsafe larger
  }
}
