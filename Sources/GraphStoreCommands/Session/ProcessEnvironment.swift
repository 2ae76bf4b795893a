import CGraphStoreShims

/// Environment variables of the process.
enum ProcessEnvironment {
  /// The variables by name, read without Foundation, which makes a table of its own first.
  static var variables: [String: String] {
    var variables: [String: String] = [:]
    guard var entry = unsafe gs_environment() else { return variables }
    while let text = unsafe entry.pointee {
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length(text))
      if let equals = unsafe bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = unsafe String(decoding: bytes[..<equals], as: UTF8.self)
        variables[name] = unsafe String(decoding: bytes[(equals + 1)...], as: UTF8.self)
      }
      unsafe entry += 1
    }
    return variables
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while unsafe text[length] != 0 { length += 1 }
    return length
  }
}
