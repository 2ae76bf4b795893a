import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("Encodings of input")
struct TextEncodingTests {
  /// What is read of bytes in an encoding.
  private func text(of bytes: [UInt8], in name: String, pieces: Int = 1000) throws(InputError) -> String {
    guard let file = try? TestFile(bytes) else { return "" }
    let input = try InputFile(path: file.path, as: .text(TextEncoding(name)))
    var text: [UInt8] = []
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: pieces)
    defer { piece.deallocate() }
    while true {
      let count = try input.read(into: piece, count: pieces)
      if count == 0 { return String(decoding: text, as: UTF8.self) }
      text += UnsafeBufferPointer(start: piece, count: count)
    }
  }

  @Test("STO-339: names of encodings, in which case and signs do not matter")
  func names() {
    for name in TextEncoding.wellKnown + [
      "CP1252", "Latin1", "ISO_8859-1", "UTF16", "Shift-JIS", "MacRoman", "utf8",
    ] {
      #expect(TextEncoding(name) != nil, "\(name)")
    }
    for name in ["", "nonsense", "1252", "utf-9"] { #expect(TextEncoding(name) == nil, "\(name)") }
  }

  @Test(
    "STO-339: text in other encodings",
    arguments: [
      ("windows-1252", [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72, 0x20, 0x80], "Müller €"),
      ("latin-1", [0xC4, 0xD6, 0xDC, 0xDF], "ÄÖÜß"),
      ("iso-8859-15", [0xA4], "€"), ("macintosh", [0x8A, 0x9A, 0x9F], "äöü"),
      ("ibm850", [0x84, 0x94, 0x81], "äöü"),
      ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"), ("gb18030", [0xC8, 0xD5, 0x94, 0x39, 0xFC, 0x36], "日😀"),
      ("koi8-r", [0xD0, 0xD2], "пр"), ("utf-16be", [0x00, 0x41, 0xD8, 0x3D, 0xDE, 0x00], "A😀"),
    ] as [(String, [UInt8], String)])
  func conversion(name: String, bytes: [UInt8], expected: String) throws {
    #expect(try text(of: bytes, in: name) == expected)
    #expect(try text(of: bytes, in: name, pieces: 1) == expected)
    #expect(try text(of: [], in: name) == "")
  }

  @Test("STO-339: UTF-16 and UTF-32 are read in either order of bytes, with a mark and without one")
  func byteOrders() throws {
    let text = "a,b\nÄ,日\n"
    for (name, encoding) in [
      ("utf-16", String.Encoding.utf16LittleEndian), ("utf-16", .utf16BigEndian),
      ("utf-16le", .utf16LittleEndian),
      ("utf-32", .utf32LittleEndian), ("utf-32", .utf32BigEndian),
    ] {
      let plain = Array(try #require(text.data(using: encoding)))
      let marked = Array(try #require("\u{FEFF}\(text)".data(using: encoding)))
      #expect(try self.text(of: plain, in: name) == text, "\(encoding)")
      #expect(try self.text(of: marked, in: name) == text, "\(encoding)")
      #expect(try self.text(of: marked, in: "windows-1252") == text, "a mark says more than a name")
    }
    #expect(try self.text(of: [0xEF, 0xBB, 0xBF] + Array(text.utf8), in: "windows-1252") == text)
  }

  @Test("STO-339: long texts are the same as Foundation makes them, whatever the pieces")
  func longTexts() throws {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<4 {
      var text = ""
      while text.utf8.count < 150_000 { text += arbitraryText(&generator) }
      text = "a" + text.replacing("\u{FEFF}", with: "")
      let bytes = Array(try #require(text.data(using: .utf16LittleEndian)))
      for pieces in [3, 70_001] { #expect(try self.text(of: bytes, in: "utf-16", pieces: pieces) == text) }
    }
    let german = String(repeating: "Grüße aus Köln – 5 €\r\n", count: 9000)
    let bytes = Array(try #require(german.data(using: .windowsCP1252)))
    #expect(try self.text(of: bytes, in: "windows-1252") == german)
  }

  @Test(
    "STO-339: bytes that stand for no character are refused with their place",
    arguments: [
      ("windows-1252", [0x61, 0x0A, 0xE4, 0x62, 0x81], 2, 3, "the byte 0x81"),
      ("latin-1", [0xE4, 0x80], 1, 2, "in windows-1252 it stands for one"),
      ("shift_jis", [0x41, 0x80], 1, 2, "the byte 0x80"),
      ("us-ascii", [0x41, 0x0A, 0xC3], 2, 1, "the byte 0xC3"),
      ("utf-16le", [0x41, 0x00, 0x00, 0xD8, 0x42, 0x00], 1, 2, "stand"),
      ("utf-16le", [0x41, 0x00, 0x42], 1, 2, "within"),
    ] as [(String, [UInt8], Int, Int, String)])
  func wrongBytes(name: String, bytes: [UInt8], line: Int, column: Int, part: String) throws {
    let error = try #require(throws: InputError.self) { try text(of: bytes, in: name) }
    #expect(error.code == .wrongEncoding && error.exitCode == .dataError)
    #expect(error.line == line && error.column == column && error.message.contains(part), "\(error)")
  }
}
