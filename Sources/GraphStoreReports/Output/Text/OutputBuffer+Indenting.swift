extension OutputBuffer {
  /// JSON that stands on one line, laid out with a line for each member and element.
  ///
  /// - Parameter depth: How deep the value itself stands.
  func append(indenting json: UnsafeBufferPointer<UInt8>, depth: Int) {
    var depth = depth
    var index = 0
    while index < json.count {
      let byte = unsafe json[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): unsafe append(stringOf: json, behind: &index)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        append(byte: byte)
        // An empty one stays on its line.
        if index < json.count, unsafe json[index] == byte + 2 { break }
        depth += 1
        append(lineWithIndent: depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if unsafe index < 2 || json[index - 2] != byte - 2 {
          depth -= 1
          append(lineWithIndent: depth)
        }
        append(byte: byte)
      case UInt8(ascii: ","):
        append(byte: byte)
        append(lineWithIndent: depth)
      case UInt8(ascii: ":"): append(literal: ": ")
      case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: break
      default: append(byte: byte)
      }
    }
  }

  private func append(lineWithIndent depth: Int) {
    append(byte: 0x0A)
    append(spaces: 2 * depth)
  }

  /// A string whose opening quote is in front of `index`, which is left behind the closing one.
  private func append(stringOf json: UnsafeBufferPointer<UInt8>, behind index: inout Int) {
    let start = index - 1
    while index < json.count, unsafe json[index] != UInt8(ascii: "\"") {
      unsafe index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index = min(index + 1, json.count)
    unsafe append(UnsafeBufferPointer(rebasing: json[start..<index]))
  }
}
