import Testing

@testable import GraphStoreModel

@Suite("Reading XML")
struct MarkupParserTests {
  private func parse(_ text: String) throws -> MarkupElement { try MarkupParser.parse(Array(text.utf8)) }

  private func failure(_ text: String) -> String? {
    do {
      _ = try MarkupParser.parse(Array(text.utf8))
      return nil
    } catch {
      return "\(error.offset) \(error.message)"
    }
  }

  @Test("MDL-331: elements, attributes, references, comments and CDATA")
  func elements() throws {
    let root = try parse(
      """
      \u{FEFF}<?xml version='1.0' encoding="utf-8"?><!-- a <b> -->
      <a x="1 &lt;&amp;&quot;&apos;&gt; &#233;&#x1F600;\tz" y='"'>  text<b/><![CDATA[<c>]]><?p q?><b n="2"></b>
      </a><!-- end -->
      """)
    #expect(root.name == "a")
    #expect(root["x"] == "1 <&\"'> é😀 z")
    #expect(root["y"] == "\"")
    #expect(root.children.map(\.name) == ["b", "b"])
    #expect(root.children[1]["n"] == "2")
    #expect(root.text == "  text<c>")
    #expect(root.attributes[0].offset > root.offset)
  }

  @Test(
    "MDL-384: what is no XML is refused where it is wrong",
    arguments: [
      "", "hello", "<a>", "<a></b>", "<a/>x", "<a/><b/>", "<a x=1/>", "<a x/>", "<a x='1'y='2'/>",
      "<a x='1' x='2'/>", "<a x='&foo;'/>", "<a x='&#0;'/>", "<a x='&#xFFFE;'/>", "<a x='&#xD800;'/>",
      "<a x='&#+65;'/>", "<a x='&'/>", "<a x='<'/>", "<a x='1", "<a", "<", "<a/", "<1/>", "<a>\u{1}</a>",
      "<a>\u{FFFF}</a>", "<!-- a", "<a><![CDATA[x</a>", "<?xml version='1.0' encoding='UTF-16'?><a/>",
      "<a></a",
      "<a><!b></a>",
    ])
  func problems(text: String) {
    #expect(failure(text) != nil)
  }

  @Test("MDL-384: document types and their entities are refused before anything is read of them")
  func documentTypes() {
    let laughs = """
      <?xml version="1.0"?>
      <!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]>
      <a x="&c;"/>
      """
    #expect(failure(laughs) == "22 A document type is not read, nor are entities of one.")
    #expect(failure("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>")?.hasPrefix("0 ") == true)
  }

  @Test("MDL-384: deep nesting is refused, and so are bytes that are not UTF-8")
  func depth() {
    #expect(failure(String(repeating: "<a>", count: 100_000))?.contains("too deeply") == true)
    #expect(throws: MarkupParser.Failure.self) { try MarkupParser.parse([0x3C, 0x61, 0xFF, 0x2F, 0x3E]) }
    #expect(throws: MarkupParser.Failure.self) { try MarkupParser.parse([0xFF, 0xFE, 0x3C, 0x00]) }
  }

  @Test("MDL-331: what is written is read back")
  func writing() throws {
    let root = MarkupElement(
      name: "a", attributes: [.init(name: "x", value: "\"<&>'\t\n\r é"), .init(name: "y", value: "")],
      children: [MarkupElement(name: "b"), MarkupElement(name: "c", text: "a<&>\"")])
    let copy = try MarkupParser.parse(MarkupWriter.document(root))
    #expect(copy.json == root.json)
    #expect(MarkupElement(json: copy.json)?.json == root.json)
  }
}
