import Foundation
import Testing

@Suite("filter: input of any size")
struct FilterSizeTests {
  /// Records of many sizes, so that every kind of value is cut somewhere by the end of a buffer.
  private static func records(_ seed: UInt64) -> [String] {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    return (0..<4000).map { number in
      let text = String(repeating: ["x", "é", "\\n", "€", "\\ud83d\\ude00"][next(5)], count: next(300))
      return switch next(4) {
      case 0: "\(number)"
      case 1: "\"\(text)\""
      case 2: "[\(number),\"\(text)\",[],{}]"
      default: "{\"n\":\(number),\"text\":\"\(text)\",\"list\":[1,2,{\"a\":null}]}"
      }
    }
  }

  @Test("Records cut by the end of a buffer come out whole, lines and elements alike", arguments: [1, 2, 3])
  func buffers(_ seed: UInt64) throws {
    let tool = try CommandLineTool()
    let records = Self.records(seed)
    let lines = records.map { $0 + "\n" }.joined()
    #expect(try tool.filter("TRUEPREDICATE", input: lines).output == lines, "seed \(seed)")
    let array = "[" + records.joined(separator: ",\n") + "]\n"
    #expect(try tool.filter("TRUEPREDICATE", input: array).output == array, "seed \(seed)")
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
