import Testing

@testable import GraphStore

/// Histories of two writers against a reference of plain values.
@Suite(.everyStore)
struct ConflictHistoryTests {
  private typealias Step = ConflictHistory.Step

  private static let edits: [ConflictHistory.Edit] = [
    .a(1), .b(1), .code(1, "z"), .code(2, "x"), .owner(1, 2), .tag(1, 1), .tag(1, 2), .delete(1),
    .insert("z"),
    .insert("x"), .watch(1),
  ]

  /// Every way to put two sequences together.
  private static func interleavings(_ first: [Step], _ second: [Step]) -> [[Step]] {
    guard let one = first.first else { return [second] }
    guard let other = second.first else { return [first] }
    return interleavings(Array(first.dropFirst()), second).map { [one] + $0 }
      + interleavings(first, Array(second.dropFirst())).map { [other] + $0 }
  }

  private static func steps(_ writer: Int, _ actions: [ConflictHistory.Action]) -> [Step] {
    actions.map { Step(writer: writer, action: $0) }
  }

  private static func report(_ setting: ConflictHistory.Setting, _ steps: [Step], _ seen: inout Set<String>) {
    guard seen.count < 8, ConflictHistory.run(setting, steps) != nil else { return }
    let shrunk = ConflictHistory.shrink(setting, steps)
    let difference = ConflictHistory.run(setting, shrunk) ?? ""
    let kind = shrunk.description + "\(setting.policies)"
    guard seen.insert(kind).inserted else { return }
    Issue.record("\(setting.other), \(setting.policies), \(shrunk): \(difference)")
  }

  /// Mine are two edits, a save and another one; theirs are an edit and a save. A seed takes one out of 5003
  /// histories; all of them are had by `GS_ROUNDS=5003`.
  @Test(
    "CTX-168 to CTX-243: every interleaving of short histories of two writers ends as the rules say",
    arguments: TestSeed.sequence(1), PolicyCase.allCases)
  func short(_ seed: TestSeed, _ policy: PolicyCase) throws {
    var number = seed.number
    var seen: Set<String> = []
    for other in OtherWriter.allCases {
      let setting = ConflictHistory.Setting(other: other, policies: [policy, .error])
      for first in Self.edits {
        for second in Self.edits where second != first {
          for theirs in Self.edits {
            let mine = Self.steps(0, [.edit(first), .edit(second), .save, .retry])
            for steps in Self.interleavings(mine, Self.steps(1, [.edit(theirs), .save])) {
              number &+= 1
              if number.isMultiple(of: 5003) { Self.report(setting, steps, &seen) }
            }
          }
        }
      }
    }
  }

  @Test(
    "CTX-168 to CTX-243: random histories of two writers with policies of their own end as the rules say",
    arguments: TestSeed.sequence(5))
  func long(_ seed: TestSeed) throws {
    var random = seed.generator
    var seen: Set<String> = []
    for _ in 0..<15 {
      let setting = ConflictHistory.Setting(
        other: OtherWriter.allCases.randomElement(using: &random)!,
        policies: (0...1).map { _ in PolicyCase.allCases.randomElement(using: &random)! })
      let steps = (0..<Int.random(in: 4...14, using: &random)).map { _ in
        Step(writer: Int.random(in: 0...1, using: &random), action: Self.action(&random))
      }
      Self.report(setting, steps, &seen)
    }
  }

  private static func action(_ random: inout SeededGenerator) -> ConflictHistory.Action {
    let item = Int.random(in: 1...2, using: &random)
    let code = ["x", "y", "z"].randomElement(using: &random)!
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<10: return .edit(.a(item))
    case 10..<18: return .edit(.b(item))
    case 18..<26: return .edit(.code(item, code))
    case 26..<34: return .edit(.owner(item, [1, 2, nil].randomElement(using: &random)!))
    case 34..<44: return .edit(.tag(item, Int.random(in: 1...2, using: &random)))
    case 44..<50: return .edit(.delete(item))
    case 50..<56: return .edit(.insert(code))
    case 56..<60: return .edit(.watch(item))
    case 60..<86: return .save
    case 86..<90: return .fetch
    case 90..<95: return .retry
    default: return .rollback
    }
  }
}
