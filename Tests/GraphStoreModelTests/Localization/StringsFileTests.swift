import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Strings files")
struct StringsFileTests {
  private func parse(_ text: String) throws -> [String: String] { try StringsFile.parse(Array(text.utf8)) }

  @Test("MDL-277: lines of key and value, with comments of both kinds between them")
  func lines() throws {
    let texts = try parse(
      """
      /* Names of entities,
         * in German */
      "Entity/Person" = "Mensch";  // a comment
      "Entity/Dog"="Hund";"Entity/Cat"
        =
        "Katze /* no comment */" ;
      bare_word = "x";
      """)
    #expect(
      texts == [
        "Entity/Person": "Mensch", "Entity/Dog": "Hund", "Entity/Cat": "Katze /* no comment */",
        "bare_word": "x",
      ])
    #expect(try parse("").isEmpty && parse(" // nothing").isEmpty)
  }

  @Test(
    "MDL-277: C-style escapes",
    arguments: [
      (#"a\"b"#, "a\"b"), (#"a\\b"#, "a\\b"), (#"a\nb\tc\r"#, "a\nb\tc\r"), (#"\101\7x"#, "A\u{7}x"),
      (#"\x41"#, "A"), (#"\U00e9\u00E9"#, "éé"), (#"\Ud83d\Ude00"#, "😀"), (#"\'\q"#, "'q"), ("ä😀", "ä😀"),
    ])
  func escapes(written: String, text: String) throws {
    #expect(try parse("\"k\" = \"\(written)\";") == ["k": text])
  }

  @Test("MDL-277: UTF-8 with and without a byte order mark, and UTF-16 of both orders with one")
  func encodings() throws {
    let text = "\"Entity/A\" = \"Größe 😀\";\n"
    let units = Array(text.utf16)
    let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    for bytes in [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), big, little] {
      #expect(try StringsFile.parse(bytes) == ["Entity/A": "Größe 😀"])
    }
  }

  @Test(
    "MDL-278: what is wrong is told with line and column",
    arguments: [
      ("\"a\" = \"b\"", 1, 10), ("\n\"a\" \"b\";", 2, 5), ("\"a\" = \"b", 1, 7), ("/* never", 1, 1),
      ("\"a\" = ;", 1, 7), ("\"a\" = \"\\Ud83d\";", 1, 7), ("\"a\" = \"\\xg\";", 1, 10), ("{}", 1, 1),
    ])
  func problems(text: String, line: Int, column: Int) {
    let error = #expect(throws: StringsFileError.self) { try StringsFile.parse(Array(text.utf8)) }
    #expect(error?.line == line && error?.column == column, "\(text)")
  }

  @Test(
    "MDL-278: bytes that are no text",
    arguments: [[0xFF, 0xFE, 0x41], [0xFF, 0xFE, 0x00, 0xD8], [0xC3, 0x28]])
  func badBytes(bytes: [UInt8]) {
    #expect(throws: StringsFileError.self) { try StringsFile.parse(bytes) }
  }

  @Test("MDL-384: damaged strings files are errors, never a trap", arguments: TestSeed.sequence(300))
  func damaged(seed: TestSeed) {
    var generator = seed.generator
    var bytes = Array("/* c */ \"a\\n\\x41\" = \"b\\U00e9\"; // end\n\"c\" = \"\\101\";".utf8)
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      if Bool.random(using: &generator) {
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      } else {
        bytes.remove(at: place)
      }
    }
    do throws(StringsFileError) {
      _ = try StringsFile.parse(bytes)
    } catch {
      #expect(!error.message.isEmpty, "\(seed)")
    }
  }
}
