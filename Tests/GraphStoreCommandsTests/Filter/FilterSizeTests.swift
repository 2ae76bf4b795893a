import Foundation
import Testing

@Suite("filter: input of any size")
struct FilterSizeTests {
  /// Records of many sizes, so that every kind of value is cut somewhere by the end of a buffer.
  private static func records(_ seed: TestSeed) -> [String] {
    var generator = seed.generator
    return (0..<4000).map { number in
      let text = String(
        repeating: generator.pick(["x", "é", "\\n", "€", "\\ud83d\\ude00"]),
        count: Int.random(in: 0..<300, using: &generator))
      // A list at the beginning would be the list of all records.
      return switch number == 0 ? 0 : Int.random(in: 0..<4, using: &generator) {
      case 0: "\(number)"
      case 1: "\"\(text)\""
      case 2: "[\(number),\"\(text)\",[],{}]"
      default: "{\"n\":\(number),\"text\":\"\(text)\",\"list\":[1,2,{\"a\":null}]}"
      }
    }
  }

  @Test(
    "Records cut by the end of a buffer come out whole, lines and elements alike",
    arguments: TestSeed.sequence(3, from: 1))
  func buffers(_ seed: TestSeed) throws {
    let tool = try CommandLineTool()
    let records = Self.records(seed)
    let lines = records.map { $0 + "\n" }.joined()
    #expect(try tool.filter("TRUEPREDICATE", input: lines).output == lines, "\(seed)")
    let array = "[" + records.joined(separator: ",\n") + "]\n"
    #expect(try tool.filter("TRUEPREDICATE", input: array).output == array, "\(seed)")
    let objects = records.filter { $0.hasPrefix("{") }.count
    #expect(
      try tool.filter(
        "SELF[\"n\"] >= 0", "--from", "json", "--count",
        input: "[" + records.filter { $0.hasPrefix("{") }.joined(separator: ",") + "]"
      ).output == "\(objects)\n")
  }

  @Test("A byte at a time through a pipe is the same as all at once")
  func slow() throws {
    let tool = try CommandLineTool()
    try tool.write("[12, {\"a\":\"é\"},\n \"b\", 7]\n", to: "in.json")
    let outcome = try tool.runShell(
      "dd if=in.json bs=1 2>/dev/null | graphstore filter TRUEPREDICATE - | cmp - in.json")
    #expect(outcome.code == 0, "\(outcome.output)")
  }

  @Test("Memory is bounded by the longest record, and --limit reads no further than it must")
  func bounded() throws {
    let tool = try CommandLineTool()
    let many = try tool.runShell(
      "ulimit -v 400000; yes '{\"name\":\"somebody\",\"age\":40}' | head -n 3000000 | graphstore filter 'age < 40' --count"
    )
    #expect(many.output == "0\n", "\(many.errors)")
    let endless = try tool.runShell("yes 5 2>/dev/null | graphstore filter 'SELF == 5' --limit 2")
    #expect(endless.output == "5\n5\n")
  }
}
