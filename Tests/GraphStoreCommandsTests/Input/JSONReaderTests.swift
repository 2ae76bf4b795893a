import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("JSON reader")
struct JSONReaderTests {
  /// The error of a text, or nil if it is JSON.
  static func problem(_ bytes: [UInt8]) -> JSONError? {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer)
      do throws(JSONError) {
        try reader.skipValue()
        try reader.end()
        return nil
      } catch { return error }
    }
  }

  static func problem(_ text: String) -> JSONError? { problem(Array(text.utf8)) }

  @Test(
    "Text that must be accepted",
    arguments: [
      "[]", "{}", "[ ]", " [1 , 2]\n", "[[]   ]", "null", "true", "false", "42", "-0", "[-0]", "[-1]",
      "[123e65]", "[0e+1]",
      "[0e1]", "[20e1]", "[1E22]", "[1E-2]", "[1E+2]", "[123.456e78]",
      "[-0.000000000000000000000000000000001]", "\"\"",
      "\" \"", "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]",
      "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\\u0000\"]", "[\"\\u0000\"]", "[\"\\uFFFF\"]", "[\"\u{7F}\"]",
      "[\"€𝄞\"]",
      "[\"\u{2028}\u{2029}\"]", "{\"a\":\"b\",\"a\":\"c\"}", "{\"\":0}", "{\"a\":[]}",
      "{\"min\": -1.0e+28, \"max\": 1.0e+28}",
      "[1,null,null,null,2]", "[false]", "[\"a\",\"b\"]", "{\"x\":{\"y\":[{}]}}", "\"asd\"", "\t[\r\n]",
      "[\"\\uDBFF\\uDFFF\"]", "[100000000000000000000]", "[1e400]",
    ])
  func accepts(text: String) {
    #expect(Self.problem(text) == nil)
  }

  @Test(
    "Text that must be refused, and where",
    arguments: [
      ("", 0), (" ", 1), ("[1 true]", 3), ("[1,]", 3), ("[1,,2]", 3), ("[,1]", 1), ("[1", 2), ("[1}", 2),
      ("[", 1),
      ("[\"a\"", 4), ("[\"\": 1]", 3), ("]", 0), ("[1]]", 3), ("[3[4]]", 2), ("[1:2]", 2), ("[nul]", 1),
      ("[nulL]", 1),
      ("[tru]", 1), ("[False]", 1), ("nan", 0), ("[NaN]", 1), ("[Infinity]", 1), ("[-Infinity]", 2),
      ("[+1]", 1),
      ("[-01]", 2), ("[012]", 1), ("[-2.]", 4), ("[.5]", 1), ("[1.e3]", 3), ("[0.e1]", 3), ("[1e]", 3),
      ("[1e+]", 4),
      ("[1eE2]", 3), ("[1.2.3]", 4), ("[- 1]", 2), ("[0x1]", 2), ("[1a]", 2), ("[1_000]", 2), ("[--1]", 2),
      ("['a']", 1),
      ("[a]", 1), ("{\"a\":\"b\",}", 9), ("{\"a\" \"b\"}", 5), ("{\"a\":}", 5), ("{\"a\"", 4), ("{a:1}", 1),
      ("{1:1}", 1),
      ("{,}", 1), ("{\"a\":1,,\"b\":2}", 7), ("{\"a\":1 \"b\":2}", 7), ("{null:1}", 1), ("[\"\\x00\"]", 2),
      ("[\"\\\"]", 5),
      ("[\"\\u00A\"]", 2), ("[\"\\u\"]", 2), ("[\"\\uD800\"]", 2), ("[\"\\uDC00\"]", 2),
      ("[\"\\uD800\\u0041\"]", 2),
      ("[\"\\uD800\\n\"]", 2), ("[\"\\'\"]", 2), ("[\"\\a\"]", 2), ("[\"a\nb\"]", 3), ("[\"\t\"]", 2),
      ("[\"\0\"]", 2),
      ("[\u{A0}]", 1), ("[\u{C}]", 1), ("\u{FEFF}[]", 0), ("[] // x", 3), ("/**/[]", 0), ("{} {}", 3),
      ("[1]x", 3),
      ("\"abc", 4), ("[1,\n1\n,1", 8), ("[⁠]", 1), ("--2", 1), ("{\"a\":/*c*/1}", 5), ("[\"\\", 3),
    ])
  func refuses(text: String, offset: Int) {
    #expect(Self.problem(text)?.offset == offset)
  }

  @Test(
    "Malformed UTF-8 is refused where it begins",
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80],
      [0x81], [0xC3, 0x28], [0xE2, 0x82, 0x22], [0xF0, 0x9F, 0x98, 0x22],
    ] as [[UInt8]])
  func refusesMalformedUTF8(bytes: [UInt8]) {
    let error = Self.problem([0x5B, 0x22] + bytes + [0x22, 0x5D])
    #expect(error?.code == .invalidUTF8)
    #expect(error?.offset == 2)
  }

  @Test("Containers nest 512 deep and no deeper")
  func depthIsBounded() {
    #expect(Self.problem(String(repeating: "[", count: 512) + String(repeating: "]", count: 512)) == nil)
    #expect(Self.problem(String(repeating: "[", count: 513))?.code == .tooDeep)
    #expect(Self.problem(String(repeating: "{\"\":", count: 100_000))?.code == .tooDeep)
  }

  @Test("An error knows its line and its column in characters")
  func positions() {
    let text = Array("{\n  \"é👩\": x}".utf8)
    text.withUnsafeBufferPointer { buffer in
      #expect(Self.problem(text)?.position(in: buffer) == TextPosition(line: 2, column: 9))
    }
  }

  @Test("Escapes are resolved, and strings without any stay where they are")
  func resolvesEscapes() throws {
    try Array(#"["plain","a\"\\\/\b\f\n\r\t\u00e9\u20AC\ud834\udd1e\u0000z"]"#.utf8).withUnsafeBufferPointer {
      var reader = JSONReader($0)
      let scratch = ByteScratch(capacity: 1)
      try reader.beginArray()
      #expect(try reader.nextElement())
      let plain = try reader.string()
      #expect(!plain.hasEscapes)
      #expect(reader.text(plain, scratch: scratch).baseAddress == $0.baseAddress.map { $0 + 2 })
      #expect(try reader.nextElement())
      let escaped = try reader.string()
      #expect(reader.string(escaped) == "a\"\\/\u{8}\u{C}\n\r\té€𝄞\0z")
      #expect(try !reader.nextElement())
      try reader.end()
    }
  }

  @Test("The caller walks through nested containers and sees duplicate keys")
  func walks() throws {
    try Array(#"{"a":1,"a":{"b":[true,null,2.5]},"c":"x"}"#.utf8).withUnsafeBufferPointer {
      var reader = JSONReader($0)
      var keys: [String] = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        keys.append(reader.string(key))
        switch try reader.peek() {
        case .number: #expect(try reader.number().isInteger)
        case .object:
          try reader.beginObject()
          _ = try reader.nextKey()
          try reader.beginArray()
          #expect(try reader.nextElement())
          #expect(try reader.bool())
          #expect(try reader.nextElement())
          try reader.null()
          #expect(try reader.nextElement())
          #expect(try !reader.number().isInteger)
          #expect(try !reader.nextElement())
          #expect(try reader.nextKey() == nil)
        default: try reader.skipValue()
        }
      }
      try reader.end()
      #expect(keys == ["a", "a", "c"])
      #expect(reader.depth == 0)
    }
  }

  @Test("Damaged JSON is judged as Foundation judges it", arguments: TestSeed.sequence(1, from: 147))
  func agreesWithFoundation(seed: TestSeed) {
    var generator = seed.generator
    let models = [
      #"{"name":"Ada \u00e9","n":[1,-2.5,0],"t":true,"z":null,"o":{"k":"v\n"}}"#, #"[[],{},"",0,"日本"]"#,
    ]
    let letters = Array("{}[]:,\"\\0123+-.tfn u a\u{1}é".utf8)
    for round in 0..<4000 {
      var text = Array(models[round % 2].utf8)
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0..<text.count, using: &generator)
        let letter = letters[Int.random(in: 0..<letters.count, using: &generator)]
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: text[place] = letter
        case 1: text.remove(at: place)
        default: text.insert(letter, at: place)
        }
      }
      let known = (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
      let problem = Self.problem(text)
      // Foundation lets a comma before a closing bracket pass.
      if problem?.code == .trailingComma { continue }
      #expect((problem == nil) == known, "\(seed): \(String(decoding: text, as: UTF8.self))")
    }
  }
}
