/// A table from integer keys to plain values: pages of eight keys in sequence, found by open addressing.
///
/// Keys as stores hand them out, one after the other, are looked for once a page: the page used last is tried
/// first. Pointers are valid until a key is added or removed.
@safe package final class KeyTable<Value: BitwiseCopyable> {
  private struct Header {
    /// The keys of the page without their lowest three bits.
    var number: Int64
    /// A bit for each key that is there; 0 for a slot without a page.
    var used: UInt64
  }

  /// By position; apart from the values, so that a search for a page runs over little memory.
  @exclusivity(unchecked) private var headers: UnsafeMutablePointer<Header>
  /// Eight at each position.
  @exclusivity(unchecked) private var values: UnsafeMutablePointer<Value>
  @safe @exclusivity(unchecked) private var mask: Int
  /// The shift that reduces a number's hash to a position.
  @safe @exclusivity(unchecked) private var shift: UInt64
  @safe @exclusivity(unchecked) private var pageCount = 0
  /// The position of the page used last.
  @safe @exclusivity(unchecked) private var recent = 0
  @safe @exclusivity(unchecked) package private(set) var count = 0
  private let empty: Value

  /// Makes an empty table; the value is what an added key has at first.
  package init(empty: Value) {
    self.empty = empty
    mask = 3
    shift = 62
    unsafe (headers, values) = unsafe Self.allocate(mask + 1)
  }

  deinit {
    unsafe headers.deallocate()
    unsafe values.deallocate()
  }

  /// The value of a key, or nil if the table does not have it.
  @inline(__always)
  package func find(_ key: Int64) -> UnsafeMutablePointer<Value>? {
    let page = page(key >> 3)
    return unsafe page >= 0 && headers[page].used & Self.bit(key) != 0 ? value(page, key) : nil
  }

  /// The value of a key, which is added with the empty value if the table does not have it.
  @inline(__always)
  package func add(_ key: Int64) -> UnsafeMutablePointer<Value> {
    var page = page(key >> 3)
    if page < 0 { page = addPage(key >> 3) }
    let value = unsafe value(page, key)
    if unsafe headers[page].used & Self.bit(key) == 0 {
      unsafe headers[page].used |= Self.bit(key)
      count += 1
      unsafe value.pointee = empty
    }
    return unsafe value
  }

  /// Takes a key out, if the table has it.
  @inline(__always)
  package func remove(_ key: Int64) {
    let page = page(key >> 3)
    guard page >= 0, unsafe headers[page].used & Self.bit(key) != 0 else { return }
    unsafe headers[page].used &= ~Self.bit(key)
    count -= 1
    if unsafe headers[page].used == 0 { closeGap(page) }
  }

  package func forEach(_ body: (Int64, UnsafeMutablePointer<Value>) -> Void) {
    for page in 0...mask {
      let header = unsafe headers[page]
      for low in 0..<Int64(8) where header.used & Self.bit(low) != 0 {
        unsafe body(header.number << 3 | low, value(page, low))
      }
    }
  }

  // MARK: Pages

  @inline(__always)
  private static func bit(_ key: Int64) -> UInt64 { 1 << UInt64(truncatingIfNeeded: key & 7) }

  @inline(__always)
  private func value(_ page: Int, _ key: Int64) -> UnsafeMutablePointer<Value> {
    unsafe values + (page << 3 | Int(key & 7))
  }

  /// The position of a page that has keys, or -1.
  @inline(__always)
  private func page(_ number: Int64) -> Int {
    let header = unsafe headers[recent]
    return header.number == number && header.used != 0 ? recent : search(number)
  }

  @inline(never)
  private func search(_ number: Int64) -> Int {
    let position = position(of: number)
    if unsafe headers[position].used == 0 { return -1 }
    recent = position
    return position
  }

  /// The position of a page, or of the gap where it would be put.
  @inline(__always)
  private func position(of number: Int64) -> Int {
    var position = home(number)
    while unsafe headers[position].used != 0, unsafe headers[position].number != number {
      position = (position + 1) & mask
    }
    return position
  }

  /// The highest bits of a multiple of the golden ratio, which spread numbers in sequence evenly.
  @inline(__always)
  private func home(_ number: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  /// The position of a new page; the caller adds its first key.
  @inline(never)
  private func addPage(_ number: Int64) -> Int {
    if (pageCount + 1) * 5 > (mask + 1) * 4 { grow() }
    pageCount += 1
    recent = position(of: number)
    unsafe headers[recent].number = number
    return recent
  }

  /// Moves pages up that follow an emptied slot because of it, so that no tombstones gather.
  @inline(never)
  private func closeGap(_ emptied: Int) {
    pageCount -= 1
    var gap = emptied
    var position = gap
    while true {
      position = (position + 1) & mask
      if unsafe headers[position].used == 0 { break }
      if unsafe (position &- home(headers[position].number)) & mask >= (position &- gap) & mask {
        unsafe headers[gap] = unsafe headers[position]
        unsafe (values + gap << 3).update(from: values + position << 3, count: 8)
        gap = position
      }
    }
    unsafe headers[gap].used = 0
  }

  private func grow() {
    let (oldHeaders, oldValues, oldCount) = unsafe (headers, values, mask + 1)
    mask = oldCount * 2 - 1
    shift -= 1
    unsafe (headers, values) = unsafe Self.allocate(mask + 1)
    recent = 0
    for page in 0..<oldCount where unsafe oldHeaders[page].used != 0 {
      let position = unsafe position(of: oldHeaders[page].number)
      unsafe headers[position] = unsafe oldHeaders[page]
      unsafe (values + position << 3).update(from: oldValues + page << 3, count: 8)
    }
    unsafe oldHeaders.deallocate()
    unsafe oldValues.deallocate()
  }

  /// Checks that every page is found at its position, and that the counts are true. Costs a walk of the
  /// table.
  package func checkInvariants() throws(InvariantViolation) {
    var (pages, keys) = (0, 0)
    for page in 0...mask where unsafe headers[page].used != 0 {
      pages += 1
      unsafe keys += headers[page].used.nonzeroBitCount
      try unsafe InvariantViolation.check(
        headers[page].used >> 8 == 0, "page \(page) has more than eight keys")
      try unsafe InvariantViolation.check(
        position(of: headers[page].number) == page, "page \(page) is not found where it lies")
    }
    try InvariantViolation.check(pages == pageCount, "\(pages) pages are counted as \(pageCount)")
    try InvariantViolation.check(keys == count, "\(keys) keys are counted as \(count)")
    try InvariantViolation.check(pages * 5 <= (mask + 1) * 4, "\(pages) pages in room for \(mask + 1)")
  }

  private static func allocate(
    _ count: Int
  ) -> (UnsafeMutablePointer<Header>, UnsafeMutablePointer<Value>) {
    let headers = UnsafeMutablePointer<Header>.allocate(capacity: count)
    unsafe headers.initialize(repeating: Header(number: 0, used: 0), count: count)
    return unsafe (headers, .allocate(capacity: count << 3))
  }
}
