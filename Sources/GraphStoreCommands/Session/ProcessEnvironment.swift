import CGraphStoreShims
import GraphStoreReports

/// Environment variables of the process, read without Foundation, which makes a table of its own first.
struct ProcessEnvironment {
  /// The variables by name, without those whose values are no text: as a path such a value would name another
  /// file.
  let variables: [String: String]
  /// A setting of the command that is no text.
  private let malformed: (name: String, bytes: [UInt8])?

  init() {
    var variables: [String: String] = [:]
    var malformed: (String, [UInt8])?
    var entries = unsafe gs_environment()
    while let entry = unsafe entries, let text = unsafe entry.pointee {
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Self.length(text))
      if let equals = unsafe bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = unsafe String(decoding: bytes[..<equals], as: UTF8.self)
        let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[(equals + 1)...])
        variables[name] = unsafe UTF8Text.string(value)
        if variables[name] == nil, name.hasPrefix("GRAPHSTORE_") { malformed = unsafe (name, Array(value)) }
      }
      unsafe entries = entry + 1
    }
    self.variables = variables
    self.malformed = malformed
  }

  /// Makes sure that the settings of the command are text.
  ///
  /// - Throws: `config` for a variable whose value is not UTF-8.
  func check() throws(Diagnostic) {
    guard let malformed else { return }
    throw Diagnostic(
      code: "config",
      message: "\(malformed.name) is not UTF-8: \(ProcessArguments.text(of: malformed.bytes))",
      hints: ["set it to text in UTF-8"], exitCode: .configuration)
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while unsafe text[length] != 0 { length += 1 }
    return length
  }
}

/// Bytes that are text in UTF-8.
enum UTF8Text {
  /// The text; nil for bytes that are none, which the standard library's decoding repairs.
  ///
  /// Most are ASCII, for which no types of the validating initializer have to be made at the start of the
  /// process.
  static func string(_ bytes: UnsafeRawBufferPointer) -> String? {
    if unsafe bytes.allSatisfy({ $0 < 0x80 }) { return unsafe String(decoding: bytes, as: UTF8.self) }
    return unsafe String(validating: bytes, as: UTF8.self)
  }
}
