import Testing

@testable import GraphStore

@Suite("Names for people")
struct ReadableNamingTests {
  private let naming = ReadableNaming(limit: 63)

  @Test(
    "STO-380: the words of a name are small and joined by underscores",
    arguments: [
      ("firstName", "first_name"), ("URLString", "url_string"), ("HTTP2Port", "http2_port"), ("isA", "is_a"),
      ("already_there", "already_there"), ("Straße", "straße"), ("ÄrmelKanal", "ärmel_kanal"), ("a b", "a b"),
      ("x", "x"), ("ABC", "abc"), ("user-id", "user-id"), ("line1", "line1"), ("line1Text", "line1_text"),
    ])
  func words(name: String, words: String) {
    #expect(ReadableNaming.words(of: name) == words)
  }

  @Test("STO-381: names beyond the limit are cut, always to the same name, and differ")
  func limit() {
    let long = String(repeating: "ä", count: 40)
    let (first, second) = (naming.name(long + "x", number: 0), naming.name(long + "y", number: 0))
    #expect(first != second)
    #expect(first == naming.name(long + "x", number: 0))
    #expect([first, second].allSatisfy { $0.utf8.count <= 63 && $0.hasPrefix("ää") })
    let third = naming.name(long + "x", number: 12)
    #expect(third.utf8.count <= 63 && third.hasSuffix("_13") && third != first)
    #expect(naming.name("short", number: 1) == "short_2")
  }

  @Test("STO-381: names that are taken get the next number")
  func collisions() {
    var names = SQLNameSpace(naming, reserved: naming.systemColumns.all)
    #expect(names.claim("first_name") == "first_name")
    #expect(names.claim("first_name") == "first_name_2")
    #expect(names.claim("object_id") == "object_id_2")
    #expect(names.claim(["boss_id", "boss_entity"]) == ["boss_id", "boss_entity"])
    #expect(names.claim(["boss", "boss_entity"]) == ["boss_2", "boss_entity_2"])
  }
}
