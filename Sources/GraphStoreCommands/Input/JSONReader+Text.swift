extension JSONReader {
  /// The bytes of a string that was read; the escapes, if it has any, are resolved into `scratch`, and the bytes are then
  /// valid until `scratch` changes.
  func text(_ slice: StringSlice, scratch: ByteScratch) -> UnsafeBufferPointer<UInt8> {
    guard slice.hasEscapes else {
      return unsafe UnsafeBufferPointer(rebasing: bytes[slice.start..<slice.end])
    }
    scratch.count = 0
    let place = unsafe JSONScan.unescape(bytes, slice, into: scratch)
    return unsafe UnsafeBufferPointer(start: scratch.base + place.start, count: place.count)
  }

  /// A string that was read, as a Swift string.
  func string(_ slice: StringSlice) -> String {
    guard slice.hasEscapes else {
      return unsafe String(decoding: bytes[slice.start..<slice.end], as: UTF8.self)
    }
    let scratch = ByteScratch(capacity: slice.end - slice.start + 1)
    return withExtendedLifetime(scratch) {
      unsafe String(decoding: text(slice, scratch: scratch), as: UTF8.self)
    }
  }

  /// The bytes of a number that was read.
  func digits(_ slice: NumberSlice) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(rebasing: bytes[slice.start..<slice.end])
  }
}
