import Testing

@testable import GraphStore

struct KeyRangesTests {
  @Test("Long runs of consecutive keys are ranges, the others a list")
  func runs() {
    let keys = [1, 5] + Array(Int64(100)...300) + [302] + Array(Int64(400)...462) + Array(Int64(500)...563)
    let split = KeyListRanges(sorted: keys)
    #expect(split.ranges == [100...300, 500...563])
    #expect(split.others == [1, 5, 302] + Array(400...462))
  }

  @Test("There are never more ranges than the limit, and no key is lost", arguments: TestSeed.sequence(8))
  func limit(_ seed: TestSeed) {
    var random = seed.generator
    var keys: [Int64] = []
    var next: Int64 = 1
    for _ in 0..<200 {
      next += Int64.random(in: 2...5, using: &random)
      for _ in 0..<Int.random(in: 1...120, using: &random) {
        keys.append(next)
        next += 1
      }
    }
    let split = KeyListRanges(sorted: keys)
    #expect(split.ranges.count <= KeyListRanges.most, "\(seed)")
    #expect((split.ranges.flatMap { Array($0) } + split.others).sorted() == keys, "\(seed)")
  }

  @Test("No keys, no ranges")
  func empty() {
    let split = KeyListRanges(sorted: [])
    #expect(split.ranges.isEmpty && split.others.isEmpty)
  }
}
