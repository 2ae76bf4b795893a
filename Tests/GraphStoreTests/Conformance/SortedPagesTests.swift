import Testing

@testable import GraphStore

struct SortedPagesTests {
  @Test(
    "STO-084: a map in pages holds what a dictionary holds, and copies stay as they are",
    arguments: TestSeed.sequence(6))
  func agreement(seed: TestSeed) {
    var random = seed.generator
    var pages = SortedPages<Int, Int>()
    var model: [Int: Int] = [:]
    var copies: [(pages: SortedPages<Int, Int>, model: [Int: Int])] = []
    for step in 0..<6000 {
      let key = step < 1500 ? step * 2 : Int.random(in: -10...4000, using: &random)
      if step < 1500 || random.chance(step < 4000 ? 60 : 20) {
        pages.put(step, for: key)
        model[key] = step
      } else {
        #expect(pages.remove(key) == model.removeValue(forKey: key))
      }
      if random.chance(1) { copies.append((pages, model)) }
    }
    copies.append((pages, model))
    for (pages, model) in copies {
      #expect(pages.count == model.count)
      var found: [Int] = []
      pages.scan { key, element in
        found.append(key)
        return model[key] == element
      }
      #expect(found == model.keys.sorted())
      let first = Int.random(in: -20...4100, using: &random)
      var rest: [Int] = []
      pages.scan(from: first) { key, _ in
        rest.append(key)
        return rest.count < 300
      }
      #expect(rest == Array(model.keys.sorted().filter { $0 >= first }.prefix(300)))
      #expect(pages[first] == model[first])
    }
  }
}
