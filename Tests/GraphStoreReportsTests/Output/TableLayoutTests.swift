import Testing

@testable import GraphStoreReports

@Suite("Tables that are too wide")
struct TableLayoutTests {
  private static let columns = [
    OutputColumn("id", type: "id", cut: .never), OutputColumn("name"),
    OutputColumn("size", type: "int", alignment: .right), OutputColumn("note"),
    OutputColumn("date", type: "date", cut: .never),
  ]

  private func layout(_ widths: [Int], _ width: Int, rows: Int = 2) -> TableLayout {
    TableLayout(Self.columns, widths, rows: rows, into: width) { 2 * max(0, $0 - 1) }
  }

  @Test("What fits stays as it is")
  func fits() {
    #expect(layout([8, 20, 9, 30, 20], 95) == TableLayout([8, 20, 9, 30, 20]))
  }

  @Test("Texts give way first, the widest before the others; nothing else is cut")
  func texts() {
    #expect(layout([8, 20, 9, 100, 20], 95).widths == [8, 20, 9, 30, 20])
    #expect(layout([8, 60, 9, 100, 20], 95).widths == [8, 25, 9, 25, 20])
    #expect(layout([8, 60, 9, 100, 20], 69).widths == [8, 12, 9, 12, 20])
    #expect(layout([8, 5, 9, 100, 20], 62).widths == [8, 5, 9, 12, 20])
  }

  @Test("Then columns are left out, and those that still fit stay")
  func leftOut() {
    let narrow = layout([8, 60, 9, 100, 20], 68)
    #expect(narrow.shown == [0, 1, 2, 3])
    #expect(narrow.widths == [8, 22, 9, 23].map { min($0, 22) })
    #expect(layout([8, 60, 50, 5, 20], 51).shown == [0, 1, 3, 4])
    #expect(layout([8, 60, 50, 5, 20], 51).widths == [8, 12, 5, 20])
  }

  @Test("A single row, and a table of which one column would be left, is vertical")
  func vertical() {
    #expect(layout([8, 60, 9, 100, 20], 68, rows: 1).isVertical)
    #expect(!layout([8, 60, 9, 100, 20], 69, rows: 1).isVertical)
    #expect(layout([8, 60, 9, 100, 20], 15).isVertical)
    #expect(layout([30, 60, 40, 100, 50], 20).isVertical)
  }

  @Test("Without rows the names of columns are shown that fit")
  func empty() {
    #expect(layout([8, 60, 9, 100, 20], 68, rows: 0).shown == [0, 1, 2, 3])
    #expect(!layout([8, 60, 9, 100, 20], 15, rows: 0).isVertical)
  }

  private static let terminal = TerminalInfo(isTerminal: true, columns: 44, isUTF8: true)
  private static let tracks = SampleResult(
    columns: columns + [OutputColumn("tags", type: "[Tag]", cut: .betweenMembers)],
    rows: (1...2).map {
      [
        .reference($0), .text("For Those About To Rock"), .integer(343_719), .text("none"), .date(0),
        .references([1, 2, 3]),
      ]
    })

  @Test("On a terminal a line names the columns that are left out, and no line is too long but that one")
  func named() throws {
    let text = try Self.tracks.text(.table, WriterOptions(terminal: Self.terminal))
    #expect(
      text == """
        ┌─────────────┬───────────────────┬────────┐
        │ id          │ name              │   size │
        │ id          │ text              │    int │
        ├─────────────┼───────────────────┼────────┤
        │ Employee/p1 │ For Those About … │ 343719 │
        │ Employee/p2 │ For Those About … │ 343719 │
        └─────────────┴───────────────────┴────────┘
        +3 columns: note, date, tags, see --fields

        """)
  }

  @Test("No id, number or date is ever cut, at any width", arguments: 1...120)
  func neverCut(width: Int) throws {
    let text = try Self.tracks.text(.table, WriterOptions(width: width))
    let cut = text.split(whereSeparator: { " \n".contains($0) }).filter { $0.hasSuffix("…") && $0 != "…" }
    #expect(cut.allSatisfy { !$0.hasPrefix("Emp") && !$0.hasPrefix("34") && !$0.hasPrefix("20") }, "\(text)")
  }

  @Test("A single row stands vertically, with all of its values")
  func single() throws {
    var track = Self.tracks
    track.rows.removeLast()
    #expect(
      try track.text(.table, WriterOptions(terminal: Self.terminal)) == """
        id    Employee/p1
        name  For Those About To Rock
        size  343719
        note  none
        date  2001-01-01T00:00:00Z
        tags  Employee/p1, Employee/p2, Employee/p3

        """)
  }
}
