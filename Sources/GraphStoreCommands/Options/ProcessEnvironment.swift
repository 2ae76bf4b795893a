import CGraphStoreShims

/// The variables of the environment that the process was started in.
enum ProcessEnvironment {
  /// The variables by name, read without Foundation, which makes a table of its own first.
  static var variables: [String: String] {
    var variables: [String: String] = [:]
    guard var entry = gs_environment() else { return variables }
    while let text = entry.pointee {
      let bytes = UnsafeRawBufferPointer(start: text, count: length(text))
      if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(decoding: bytes[..<equals], as: UTF8.self)
        variables[name] = String(decoding: bytes[(equals + 1)...], as: UTF8.self)
      }
      entry += 1
    }
    return variables
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while text[length] != 0 { length += 1 }
    return length
  }
}
