import Foundation
import Testing

@testable import GraphStoreReports

@Suite("Result writers")
struct ResultWriterTests {
  static let terminal = TerminalInfo(isTerminal: true, columns: 80, usesColor: false, isUTF8: true)

  /// A cell of every kind.
  static let kinds = SampleResult(
    columns: [
      "null", "bool", "int", "double", "float", "decimal", "text", "date", "uuid", "uri", "data", "one",
      "many", "none",
    ].map { OutputColumn($0) },
    rows: [
      [
        .null, .bool(true), .integer(.min), .double(72000), .float(0.1), .decimal(-1250, -2),
        .text("a\"\n\u{1}é"),
        .date(636_249_600), .uuid(Array(0..<16)), .uri("https://x.y/?a=1&b"), .data([0, 255, 16, 7]),
        .reference(7),
        .references([3, 4]), .references([]),
      ]
    ])

  @Test("JSON: every kind of value is encoded as the contract says")
  func jsonKinds() throws {
    #expect(
      try Self.kinds.text(.ndjson)
        == #"{"null":null,"bool":true,"int":-9223372036854775808,"double":72000.0,"float":0.1,"decimal":"-12.50","#
        + #""text":"a\"\n\u0001é","date":"2021-03-01T00:00:00Z","uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F","#
        + #""uri":"https://x.y/?a=1&b","data":"AP8QBw==","one":"Employee/p7","many":["Employee/p3","Employee/p4"],"#
        + #""none":[]}"# + "\n")
  }

  @Test("JSON: what is no number in JSON is a string")
  func jsonNonFinite() throws {
    let result = SampleResult(
      columns: ["a", "b", "c", "d", "e"].map { OutputColumn($0) },
      rows: [[.double(.nan), .double(.infinity), .float(-.infinity), .date(.nan), .json("{\"x\":[1]}")]])
    #expect(
      try result.text(.ndjson)
        == #"{"a":"NaN","b":"Infinity","c":"-Infinity","d":"NaN","e":{"x":[1]}}"# + "\n")
  }

  @Test("JSON: one array, also when it is empty")
  func jsonArray() throws {
    let empty = SampleResult(columns: [OutputColumn("a")], rows: [])
    #expect(try empty.text(.json) == "[]\n")
    #expect(try empty.text(.ndjson) == "")
    let two = SampleResult(columns: [OutputColumn("a\"")], rows: [[.integer(1)], [.null]])
    #expect(try two.text(.json) == "[\n  {\"a\\\"\":1},\n  {\"a\\\"\":null}\n]\n")
  }

  @Test("JSON: malformed UTF-8 becomes U+FFFD, so that the output stays JSON")
  func jsonMalformed() {
    let output = OutputBuffer.memory()
    [0x61, 0xFF, 0xC3, 0xA9, 0xE2, 0x82].withUnsafeBufferPointer { output.append(jsonString: $0) }
    #expect(output.consumeString() == "\"a\u{FFFD}é\u{FFFD}\"")
  }

  @Test("Table: plain aligned columns where there is no terminal")
  func plainTable() throws {
    let two = SampleResult(
      columns: Array(SampleResult.salaries.columns.prefix(2)),
      rows: SampleResult.salaries.rows.map { Array($0.prefix(2)) })
    #expect(try two.text(.table) == "name   salary\nGrace   81000\nAda     72000\n")
    #expect(try two.text(.table, WriterOptions(showsHeader: false)) == "Grace  81000\nAda    72000\n")
    #expect(
      try SampleResult.salaries.text(.table)
        == "name   salary  department.name\nGrace   81000  R&D\nAda     72000  ∅\n")
  }

  @Test("Table: boxed on a terminal, with the types of the columns")
  func boxedTable() throws {
    #expect(
      try SampleResult.salaries.text(.table, WriterOptions(terminal: Self.terminal)) == """
        ┌───────┬────────┬─────────────────┐
        │ name  │ salary │ department.name │
        │ text  │    int │ text            │
        ├───────┼────────┼─────────────────┤
        │ Grace │  81000 │ R&D             │
        │ Ada   │  72000 │ ∅               │
        └───────┴────────┴─────────────────┘

        """)
  }

  @Test("Table: ASCII lines and NULL where the locale is not UTF-8; colour only where it is wanted")
  func tableDecoration() throws {
    let result = SampleResult(columns: [OutputColumn("a")], rows: [[.null]])
    let ascii = WriterOptions(terminal: TerminalInfo(isTerminal: true, columns: 80, isUTF8: false))
    #expect(
      try result.text(.table, ascii)
        == "+------+\n| a    |\n| text |\n+------+\n| NULL |\n+------+\n")
    let color = WriterOptions(terminal: TerminalInfo(isTerminal: false, usesColor: true))
    #expect(try result.text(.table, color) == "\u{1B}[1ma\u{1B}[0m\n\u{1B}[2m∅\u{1B}[0m\n")
    #expect(try result.text(.table, WriterOptions(nullText: "-")) == "a\n-\n")
  }

  @Test("Table: a terminal, or a width that is asked for, cuts; nothing else does")
  func tableWidth() throws {
    let long = String(repeating: "x", count: 200)
    let result = SampleResult(
      columns: [OutputColumn("a"), OutputColumn("b")], rows: [[.text("short"), .text(long)]])
    #expect(try result.text(.table).contains(long))
    #expect(try result.text(.table, WriterOptions(width: 20)) == "a      b\nshort  xxxxxxxxxxxx…\n")
    let narrow = WriterOptions(terminal: TerminalInfo(isTerminal: true, columns: 30))
    let lines = try result.text(.table, narrow).split(separator: "\n")
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) == 30 })
    #expect(try result.text(.table, WriterOptions(width: 0, terminal: Self.terminal)).contains(long))
  }

  @Test("Table: control characters are shown, wide and combining ones keep the columns straight")
  func tableUnicode() throws {
    #expect(
      try SampleResult.unicode.text(.table) == """
        t              n
        日本           1
        👩‍👩‍👧!            2
        e\u{301}é             3
        שלום           4
        a␀␛[31m␉b␊c    5
                       6
        a|b\\c<U+009B>  7
        "q",x          8

        """)
  }

  @Test("Table: rows that wait in a file come out as those that wait in memory")
  func tableSpill() throws {
    let rows: [[Sample]] = (0..<5000).map {
      [.text("name \($0)"), $0 % 3 == 0 ? .null : .integer(Int64($0))]
    }
    let result = SampleResult(
      columns: [OutputColumn("a"), OutputColumn("b", type: "int", alignment: .right)], rows: rows)
    let output = OutputBuffer.memory()
    try result.run(TableResultWriter(output, WriterOptions(), memory: 10_000))
    #expect(try output.consumeString() == result.text(.table))
  }

  @Test("CSV: null is an unquoted empty cell, the empty string is quoted")
  func csv() throws {
    #expect(
      try SampleResult.unicode.text(.csv) == "t,n\n日本,1\n👩‍👩‍👧!,2\ne\u{301}é,3\nשלום,4\n"
        + "\"a\0\u{1B}[31m\tb\nc\",5\n\"\",6\na|b\\c\u{9B},7\n\"\"\"q\"\",x\",8\n")
    let nulls = SampleResult(
      columns: [OutputColumn("a"), OutputColumn("b,c")],
      rows: [[.null, .text("NULL")], [.references([1, 2]), .references([])]])
    #expect(try nulls.text(.csv) == "a,\"b,c\"\n,NULL\nEmployee/p1 Employee/p2,\n")
    #expect(
      try nulls.text(.csv, WriterOptions(nullText: "NULL", showsHeader: false))
        == "NULL,\"NULL\"\nEmployee/p1 Employee/p2,\n")
  }

  @Test("TSV: null is \\N, and what would break a line is escaped")
  func tsv() throws {
    let result = SampleResult(
      columns: [OutputColumn("a"), OutputColumn("b")],
      rows: [[.null, .text("\\N")], [.text(""), .text("x\t\r\n\\é")]])
    #expect(try result.text(.tsv) == "a\tb\n\\N\t\\\\N\n\tx\\t\\r\\n\\\\é\n")
  }

  @Test("Markdown: pipes and markup are escaped, controls are shown")
  func markdown() throws {
    #expect(
      try SampleResult.unicode.text(.markdown) == """
        | t | n |
        | --- | ---: |
        | 日本 | 1 |
        | 👩‍👩‍👧! | 2 |
        | e\u{301}é | 3 |
        | שלום | 4 |
        | a␀␛[31m␉b␊c | 5 |
        |  | 6 |
        | a\\|b\\\\c\\<U+009B> | 7 |
        | "q",x | 8 |

        """)
  }

  @Test("Line: one value a line, a blank line between rows")
  func line() throws {
    #expect(
      try SampleResult.salaries.text(.line) == """
        name             Grace
        salary           81000
        department.name  R&D

        name             Ada
        salary           72000
        department.name  ∅

        """)
  }

  @Test("Line: without a header the values stand alone, and a width cuts text only")
  func lineOptions() throws {
    let result = SampleResult(
      columns: [
        OutputColumn("text"), OutputColumn("number", type: "int", alignment: .right), OutputColumn("null"),
      ],
      rows: [[.text("a long text"), .integer(1_234_567), .null]])
    #expect(
      try result.text(.line, WriterOptions(nullText: "-", showsHeader: false)) == "a long text\n1234567\n-\n")
    #expect(
      try result.text(.line, WriterOptions(width: 13)) == "text    a lo…\nnumber  1234567\nnull    ∅\n")
  }

  @Test("On a terminal no text can do more than be read, in any format; elsewhere it is as it is")
  func unsafeText() throws {
    let text = "a\u{1B}]0;x\u{7}\u{7F}\u{9B}31m\u{202E}\u{61C}é"
    let result = SampleResult(columns: [OutputColumn(text)], rows: [[.text(text)], [.uri(text)]])
    for format in OutputFormat.allCases {
      let shown = try result.text(format, WriterOptions(terminal: Self.terminal))
      let unsafe = shown.unicodeScalars.filter { $0 != "\n" && VisibleText.replacement(for: $0.value) != nil }
      #expect(unsafe.isEmpty, "\(format)")
      if format != .ids { #expect(shown.contains("é"), "\(format)") }
    }
    let json = try result.text(.ndjson, WriterOptions(terminal: Self.terminal))
    let records = try json.split(separator: "\n").map {
      try JSONDecoder().decode([String: String].self, from: Data($0.utf8))
    }
    #expect(records == [[text: text], [text: text]])
    for format in [OutputFormat.csv, .tsv, .ndjson] {
      #expect(try result.text(format).contains("\u{9B}31m\u{202E}"))
    }
  }

  @Test("A megabyte of control characters is shown as fast as other text")
  func manyControls() throws {
    let result = SampleResult(
      columns: [OutputColumn("a")], rows: [[.text(String(repeating: "\0", count: 1_000_000))]])
    let start = ContinuousClock.now
    #expect(try result.text(.table).utf8.count == 3_000_000 + 3)
    #expect(start.duration(to: .now) < .seconds(3))
  }

  @Test("Ids: one a line")
  func ids() throws {
    #expect(try SampleResult.salaries.text(.ids) == "Employee/p1\nEmployee/p2\n")
  }

  @Test("A time zone changes every format but JSON")
  func timeZone() throws {
    let result = SampleResult(columns: [OutputColumn("d")], rows: [[.date(636_249_600)]])
    let options = WriterOptions(timeZone: TimeZone(identifier: "Asia/Kolkata"))
    #expect(try result.text(.csv, options) == "d\n2021-03-01T05:30:00+05:30\n")
    #expect(try result.text(.line, options) == "d  2021-03-01T05:30:00+05:30\n")
    #expect(try result.text(.ndjson, options) == "{\"d\":\"2021-03-01T00:00:00Z\"}\n")
  }

  @Test("A value of ten megabytes goes through every format", arguments: OutputFormat.allCases)
  func largeValues(format: OutputFormat) throws {
    let large = String(repeating: "0123456789", count: 1_000_000)
    let result = SampleResult(
      columns: [OutputColumn("a"), OutputColumn("b")], rows: [[.text(large), .null], [.null, .null]])
    let text = try result.text(format)
    #expect(text.contains(large) == (format != .ids))
    #expect(text.utf8.count < 10_100_000)
  }
}
