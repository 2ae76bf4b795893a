/// Finds the end of an array's element by brackets and quotes alone, however little of it is here yet; so that a faulty
/// element can be stepped over, and one that is not whole need not be read again and again.
struct JSONElementScanner {
  /// How many bytes of the element were looked at.
  private(set) var scanned = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Goes on through `bytes`, which begin with the element; gives the length of the element when its end is here.
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    while scanned < bytes.count {
      let byte = unsafe bytes[scanned]
      if isEscaped {
        isEscaped = false
      } else if isInString {
        if byte == UInt8(ascii: "\"") {
          isInString = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return scanned }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0: return scanned
        default: break
        }
      }
      scanned += 1
    }
    return nil
  }
}
