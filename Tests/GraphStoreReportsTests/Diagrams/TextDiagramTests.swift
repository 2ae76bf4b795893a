import GraphStore
import Testing

@testable import GraphStoreReports

@Suite("Drawings of characters")
struct TextDiagramTests {
  private func lines(
    _ definition: ModelDefinition, columns: Int = 80, _ glyphs: LineGlyphs = .plain
  ) throws -> [String] {
    TextDiagram(
      ModelDiagram(try ManagedObjectModel(definition)), columns: columns, glyphs: glyphs
    ).lines
  }

  private var family: ModelDefinition {
    ModelDefinition(entities: [
      EntityDefinition("A", isAbstract: true), EntityDefinition("B", parent: "A"),
      EntityDefinition("C", parent: "B", attributes: [.init("x", .int16)]),
      EntityDefinition("D", parent: "A"),
    ])
  }

  @Test("MDL-369: sub-entities hang on a trunk below their parent")
  func tree() throws {
    #expect(
      try lines(family, .drawn) == [
        "┌──────────────┐",
        "│ A (abstract) │",
        "└─▲────────────┘",
        "  │ ┌───┐",
        "  ├─┤ B │",
        "  │ └─▲─┘",
        "  │   │ ┌──────────┐",
        "  │   └─┤ C        │",
        "  │     ├──────────┤",
        "  │     │ x  int16 │",
        "  │     └──────────┘",
        "  │ ┌───┐",
        "  └─┤ D │",
        "    └───┘",
      ])
    #expect(try lines(family).joined().utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("MDL-369: relationships are lines beneath, their words behind them where they fit")
  func links() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "A",
        relationships: [
          .init("many", to: "B", inverse: "one", isToMany: true, minCount: 3, maxCount: 40),
          .init("next", to: "A", deleteRule: .cascade), .init("peer", to: "A", inverse: "peer"),
          .init("shade", to: "B", isTransient: true),
        ], fetchedProperties: [.init("found", entity: "B")]),
      EntityDefinition("B", relationships: [.init("one", to: "A", inverse: "many", isOptional: false)]),
    ])
    #expect(
      try lines(model).suffix(6) == [
        "",
        "A     1 ---- 0,3..40  B   many (0,3..40, nullify) / one (nullify)",
        "A       ---> 0..1     A   next (cascade, one-way)",
        "A  0..1 ---- 0..1     A   peer (nullify, own inverse)",
        "A       - -  0..1     B   shade (transient, nullify, one-way)",
        "A       ...> 0..*     B   found (fetched)",
      ])
    let narrow = try lines(model, columns: 50)
    #expect(narrow.suffix(2) == ["A       ...> 0..*     B", "    found (fetched)"])
  }

  @Test("MDL-369: a drawing fits its columns, long notes are broken")
  func width() throws {
    let derivation = "canonical:(abcdefghijklmnopqrstuvwxyz)"
    let wide = EntityDefinition(
      "Wide",
      attributes: [
        .init("abcdefghijklmnopqrstuvwxyz", .string, isOptional: false),
        .init("key", .string, derivation: derivation),
        .init("place", .composite, elements: (0..<9).map { .init("element\($0)", .transformable) }),
      ])
    let others = (0..<30).map { EntityDefinition("Other\($0)", attributes: [.init("x", .string)]) }
    let lines = try lines(ModelDefinition(entities: [wide] + others))
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
    #expect(lines.contains { $0.contains("Other0 ") && $0.contains("Other1 ") && $0.contains("Other2 ") })
    let text = lines.joined()
    #expect(text.contains("of element0"))
  }

  @Test("Words that are two columns wide are broken and filled up by columns")
  func wideCharacters() {
    #expect(TextBlock.wrapped(["漢字漢字", "ab"], separator: ",", columns: 5) == ["漢字", "漢字,", "ab"])
    #expect(TextBlock.padded("漢", to: 4) == "漢  ")
    let beside = TextBlock.arranged(
      [TextBlock(lines: ["漢字", "a"]), TextBlock(lines: ["b"])], columns: 20, gap: 1)
    #expect(beside == ["漢字 b", "a"])
    let below = TextBlock.arranged(
      [TextBlock(lines: ["a", "a", "a"]), TextBlock(lines: ["bb"]), TextBlock(lines: ["c"])], columns: 6)
    #expect(below == ["a   bb", "a", "a   c"])
  }

  @Test("MDL-369: a very deep tree stays inside of the page")
  func deep() throws {
    let entities = (0..<64).map { EntityDefinition("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
    let lines = try lines(ModelDefinition(entities: entities))
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
    #expect((0..<64).allSatisfy { number in lines.contains { $0.contains(" E\(number) ") } })
  }
}
