import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreReports

/// What results look like that people read: HTML, indented JSON, labels of data.
@Suite("Results for people")
struct ForPeopleTests {
  @Test("HTML: nothing in a value is markup, and numbers stand on the right")
  func html() throws {
    let result = SampleResult(
      columns: [OutputColumn("a<b>"), OutputColumn("n", type: "int", alignment: .right)],
      rows: [
        [.text("<script>\"&\u{1}\nx"), .integer(-5)], [.null, .null], [.references([1, 2]), .data([1])],
      ])
    #expect(
      try result.text(.html) == """
        <table>
        <thead>
        <tr><th scope="col">a&lt;b&gt;</th><th scope="col" style="text-align:right">n</th></tr>
        </thead>
        <tbody>
        <tr><td>&lt;script&gt;&quot;&amp;␁<br>x</td><td style="text-align:right">-5</td></tr>
        <tr><td></td><td style="text-align:right"></td></tr>
        <tr><td>Employee/p1, Employee/p2</td><td style="text-align:right">&lt;1 byte binary&gt;</td></tr>
        </tbody>
        </table>

        """)
    let bare = try result.text(.html, WriterOptions(nullText: "–", showsHeader: false))
    #expect(bare.hasPrefix("<table>\n<tbody>\n") && bare.contains("<td>–</td>"))
  }

  @Test("JSON with a line for each value is the same JSON")
  func indentedJSON() throws {
    let options = WriterOptions(indentsJSON: true)
    let result = SampleResult(
      columns: [OutputColumn("a"), OutputColumn("b"), OutputColumn("c")],
      rows: [
        [.text("x\"{,:\\"), .references([]), .json("{\"k\":[1,{}],\"l\":{\"m\":null}}")],
        [.null, .references([7]), .bool(true)],
      ])
    #expect(
      try result.text(.json, options) == #"""
        [
          {
            "a": "x\"{,:\\",
            "b": [],
            "c": {
              "k": [
                1,
                {}
              ],
              "l": {
                "m": null
              }
            }
          },
          {
            "a": null,
            "b": [
              "Employee/p7"
            ],
            "c": true
          }
        ]

        """#)
    #expect(try SampleResult(columns: [OutputColumn("a")], rows: []).text(.json, options) == "[]\n")
    #expect(try result.text(.ndjson, options) == result.text(.ndjson))
  }

  @Test("Labels of data say their size and kind")
  func labels() {
    func label(_ start: [UInt8], _ count: Int) -> String {
      (start + [UInt8](repeating: 0, count: max(0, count - start.count))).withUnsafeBufferPointer {
        BinaryLabel.text(of: $0)
      }
    }
    #expect(label([], 0) == "<0 bytes binary>" && label([7], 1) == "<1 byte binary>")
    #expect(label([0xFF, 0xD8, 0xFF, 0xE0], 999) == "<999 bytes image/jpeg>")
    #expect(label(Array("GIF89a".utf8), 1000) == "<1.0 kB image/gif>")
    #expect(label(Array("%PDF-1.7".utf8), 12_345) == "<12 kB application/pdf>")
    #expect(label(Array("RIFF1234WEBPVP8 ".utf8), 999_600) == "<1.0 MB image/webp>")
    #expect(label([0x1F, 0x8B, 8], 1_440_000) == "<1.4 MB application/gzip>")
    #expect(label([0x50, 0x4B, 3, 4], 20) == "<20 bytes application/zip>")
    #expect(label([0, 0, 0, 24] + Array("ftypheic".utf8), 24) == "<24 bytes image/heic>")
    #expect(label([0, 0, 0, 24] + Array("ftypisom".utf8), 24) == "<24 bytes video/mp4>")
    #expect(label([0, 0, 0, 24] + Array("ftypqt  ".utf8), 24) == "<24 bytes video/quicktime>")
    #expect(label(Array("bplist00".utf8), 8) == "<8 bytes application/x-plist>")
    #expect(label(Array("SQLite format 3\0".utf8), 4096) == "<4.1 kB application/vnd.sqlite3>")
    #expect(BinaryLabel.size(3_260_000_000) == "3.3 GB" && BinaryLabel.size(1_000_000_000_000) == "1000 GB")
  }

  @Test("Data in tables, in lists of them too, are labels; in forms for programs Base64")
  func data() throws {
    let result = SampleResult(
      columns: [OutputColumn("d")], rows: [[.data([UInt8](repeating: 1, count: 3000))]])
    for format in [OutputFormat.table, .line, .markdown, .html] {
      #expect(try result.text(format).contains("3.0 kB binary"), "\(format)")
    }
    for format in [OutputFormat.csv, .tsv, .json, .ndjson] {
      #expect(try result.text(format).contains("AQEBAQEB"), "\(format)")
    }
  }
}
