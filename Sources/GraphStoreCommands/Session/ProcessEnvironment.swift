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
        variables[name] = unsafe value(bytes[(equals + 1)...])
      }
      unsafe entry += 1
    }
    return variables
  }

  /// Makes sure that the settings of the command are text.
  ///
  /// - Throws: `config` for a variable whose value is not UTF-8.
  static func check() throws(Diagnostic) {
    guard var entry = unsafe gs_environment() else { return }
    while let text = unsafe entry.pointee {
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length(text))
      if unsafe bytes.starts(with: "GRAPHSTORE_".utf8),
        let equals = unsafe bytes.firstIndex(of: UInt8(ascii: "=")),
        unsafe value(bytes[(equals + 1)...]) == nil
      {
        let name = unsafe String(decoding: bytes[..<equals], as: UTF8.self)
        let value = unsafe Array(bytes[(equals + 1)...])
        throw Diagnostic(
          code: "config", message: "\(name) is not UTF-8: \(ProcessArguments.text(of: value))",
          hints: ["set it to text in UTF-8"], exitCode: .configuration)
      }
      unsafe entry += 1
    }
  }

  /// A value as text; one that is no text is none: as a path it would name another file.
  private static func value(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
    unsafe String(validating: bytes, as: UTF8.self)
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while unsafe text[length] != 0 { length += 1 }
    return length
  }
}
