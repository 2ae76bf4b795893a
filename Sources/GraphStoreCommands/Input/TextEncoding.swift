import _FoundationICU
import GraphStore
import GraphStoreReports

/// Encoding of a text, by its name.
struct TextEncoding: Sendable, Equatable {
  /// The name as it was given.
  let name: String
  /// The name by which the Unicode library of Foundation knows it.
  private(set) var converterName: String

  static let utf8 = TextEncoding(name: "utf-8", converterName: "UTF-8")

  /// Names to choose from; all that the library knows are taken.
  static let wellKnown = [
    "utf-8", "utf-16", "utf-16le", "utf-16be", "utf-32", "latin-1", "iso-8859-1", "iso-8859-2", "iso-8859-15",
    "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1257",
    "macintosh", "ibm437", "ibm850", "ibm852", "koi8-r", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr",
  ]

  /// The encoding of a name, in which neither case nor signs matter; nil for one that there is not.
  init?(_ name: String) {
    guard name.contains(where: \.isLetter), let converter = unsafe Self.open(name) else { return nil }
    defer { unsafe swift_ucnv_close(converter) }
    var status = U_ZERO_ERROR
    guard let found = unsafe swift_ucnv_getName(converter, &status) else { return nil }
    self.init(name: name, converterName: unsafe String(cString: found))
  }

  private init(name: String, converterName: String) {
    self.name = name
    self.converterName = converterName
  }

  /// Whether text of it needs no conversion.
  var isUTF8: Bool { converterName == "UTF-8" }

  /// Whether it is a form of Unicode, in which control characters are what they are.
  var isUnicode: Bool { converterName.hasPrefix("UTF-") }

  /// A converter from it, which ends at the first bytes that stand for no character; nil where there is none.
  func converter() -> OpaquePointer? {
    guard let converter = unsafe Self.open(converterName) else { return nil }
    var status = U_ZERO_ERROR
    unsafe swift_ucnv_setToUCallBack(converter, swift_UCNV_TO_U_CALLBACK_STOP, nil, nil, nil, &status)
    return unsafe converter
  }

  private static func open(_ name: String) -> OpaquePointer? {
    var status = U_ZERO_ERROR
    let converter = unsafe swift_ucnv_open(name, &status)
    return unsafe status.rawValue <= U_ZERO_ERROR.rawValue ? converter : nil
  }

  /// The encoding that a text has by its first bytes: what a byte-order mark says goes before everything
  /// else, and is no part of the text. Two encodings leave the order of bytes open: without a mark it is that
  /// in which the first character is one of ASCII, else that of Windows.
  ///
  /// - Parameter given: What was said about the text; nil where nothing was, and UTF-8 is meant.
  static func detected(in bytes: LookaheadSource, given: TextEncoding?) throws(InputError) -> TextEncoding {
    for (mark, name) in marks where try bytes.begins(with: mark) {
      bytes.skip(mark.count)
      return TextEncoding(name: name.lowercased(), converterName: name)
    }
    guard var encoding = given else { return .utf8 }
    switch encoding.converterName {
    case "UTF-16":
      encoding.converterName = try bytes.begins(with: [0]) ? "UTF-16BE" : "UTF-16LE"
    case "UTF-32":
      encoding.converterName = try bytes.begins(with: [0]) ? "UTF-32BE" : "UTF-32LE"
    default: break
    }
    return encoding
  }

  /// That of UTF-32 begins as that of UTF-16 does.
  private static let marks: [([UInt8], String)] = [
    ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
    ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
  ]
}
