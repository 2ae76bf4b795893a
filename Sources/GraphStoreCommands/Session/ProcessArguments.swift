import Foundation
import GraphStore
import GraphStoreReports

/// Arguments of the process behind the program's name.
///
/// The standard library repairs what is no UTF-8, so that another value would be stored and another file made
/// than was said. Here such an argument is told.
struct ProcessArguments {
  /// The arguments as text; U+FFFD stands for bytes that are none.
  let words: [String]
  /// The first that is no UTF-8: its position, from 1, and its bytes.
  private let malformed: (position: Int, bytes: [UInt8])?

  init() {
    var arguments: [[UInt8]] = []
    for position in 1..<max(1, Int(CommandLine.argc)) {
      guard let text = unsafe CommandLine.unsafeArgv[position] else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
      unsafe arguments.append(Array(bytes))
      unsafe Self.hidePasswords(in: text)
    }
    self.init(arguments)
  }

  /// Writes an argument with the address of a server anew, without passwords, which lists of processes show.
  private static func hidePasswords(in argument: UnsafeMutablePointer<CChar>) {
    let length = unsafe strlen(argument)
    guard unsafe strstr(argument, "://") != nil else { return }
    let hidden = Array(ServerAddress.hidingPasswords(in: unsafe String(cString: argument)).utf8)
    guard hidden.count < length else { return }
    for offset in 0..<length {
      unsafe argument[offset] = offset < hidden.count ? CChar(bitPattern: hidden[offset]) : 0
    }
  }

  init(_ arguments: [[UInt8]]) {
    words = arguments.map { String(decoding: $0, as: UTF8.self) }
    malformed = arguments.firstIndex { bytes in
      unsafe bytes.withUnsafeBytes { unsafe UTF8Text.string($0) } == nil
    }.map { ($0 + 1, arguments[$0]) }
  }

  /// - Throws: `not-utf8` for an argument that is no text.
  func check() throws(Diagnostic) {
    guard let malformed else { return }
    throw Diagnostic(
      code: "not-utf8",
      message: "argument \(malformed.position) is not UTF-8: \(Self.text(of: malformed.bytes))",
      hints: [
        "a value in another encoding is converted first, as by iconv -t UTF-8; a file is given by a name in UTF-8, such as that of a link"
      ], exitCode: .usage)
  }

  /// Bytes as text in which those that are none stand as `\xE9`; the beginning of many.
  static func text(of bytes: [UInt8]) -> String {
    let most = 80
    let shown = bytes.prefix(most).map { byte -> String in
      (0x20..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "\\x" + hexadecimal(byte)
    }
    return shown.joined() + (bytes.count > most ? "…" : "")
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
