import Testing

@testable import GraphStore

@Suite("Tables by key")
struct KeyTableTests {
  @Test(
    "A table agrees with a dictionary", arguments: [1, 8, 64, 4096, 65536], TestSeed.sequence(2, from: 1))
  func agreement(stride: Int64, seed: TestSeed) throws {
    var random = seed.generator
    let table = KeyTable(empty: 0)
    var expected: [Int64: Int] = [:]
    for step in 1...20_000 {
      let key = Int64.random(in: -700...700, using: &random) * stride
      if Int.random(in: 0..<5, using: &random) < 3 {
        table.add(key).pointee = step
        expected[key] = step
      } else {
        table.remove(key)
        expected[key] = nil
      }
      #expect(table.count == expected.count, "\(seed), step \(step)")
      if step % 500 == 0 { try table.checkInvariants() }
    }
    var found: [Int64: Int] = [:]
    table.forEach { found[$0] = $1.pointee }
    #expect(found == expected, "\(seed)")
    for key in -700...700 {
      #expect(table.find(Int64(key) * stride)?.pointee == expected[Int64(key) * stride], "\(seed)")
    }
  }

  @Test("A key that was removed comes back empty")
  func empty() {
    let table = KeyTable(empty: -1)
    table.add(7).pointee = 3
    table.remove(7)
    #expect(table.find(7) == nil)
    #expect(table.add(7).pointee == -1)
  }
}
