import GraphStoreTestSupport
import Testing

@testable import GraphStoreReports

/// Differences of lists, proved by replay.
struct ListDifferenceTests {
  private typealias Row = (id: String, shown: String)

  @Test(
    "FET-257: the events of a difference, applied to the old list, give the new one",
    arguments: TestSeed.sequence(50))
  func replay(_ seed: TestSeed) {
    var random = seed.generator
    var list: [Row] = []
    for step in 0..<20 {
      let old = list
      for _ in 0..<Int.random(in: 0...4, using: &random) { change(&list, step, &random) }
      let difference = ListDifference(from: old, to: list)
      #expect(applied(difference, to: old, list) == list.map { $0.id + $0.shown }, "\(seed) step \(step)")
      if old.map(\.id) == list.map(\.id) {
        #expect(difference.events.allSatisfy { if case .update = $0 { true } else { false } }, "\(seed)")
      }
    }
  }

  private func change(_ list: inout [Row], _ step: Int, _ random: inout SeededGenerator) {
    let place = Int.random(in: 0...list.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      list.insert(("n\(step).\(list.count).\(Int.random(in: 0..<1000, using: &random))", "0"), at: place)
    case 1 where place < list.count: list.remove(at: place)
    case 2 where place < list.count: list[place].shown += "x"
    case 3 where place < list.count:
      let row = list.remove(at: place)
      list.insert(row, at: Int.random(in: 0...list.count, using: &random))
    default: break
    }
  }

  /// Deletes by the old places; then what stays keeps its order, and the others are put at their new places.
  private func applied(_ difference: ListDifference, to old: [Row], _ new: [Row]) -> [String] {
    var left = old
    var placed: [(Int, Row)] = []
    var shown: [String: String] = [:]
    for row in new { shown[row.id] = row.shown }
    var updated: Set<String> = []
    for event in difference.events {
      switch event {
      case .delete(let id, let index):
        guard old[index].id == id else { return ["wrong place of \(id)"] }
        left.removeAll { $0.id == id }
      case .insert(let id, let index): placed.append((index, (id, shown[id] ?? "")))
      case .move(let id, let former, let index):
        guard old[former].id == id else { return ["wrong origin of \(id)"] }
        left.removeAll { $0.id == id }
        placed.append((index, (id, old[former].shown)))
      case .update(let id, let index):
        guard new[index].id == id else { return ["wrong place of \(id)"] }
        updated.insert(id)
      }
    }
    for (index, row) in placed.sorted(by: { $0.0 < $1.0 }) {
      guard index <= left.count else { return ["no place for \(row.id)"] }
      left.insert(row, at: index)
    }
    return left.map { $0.id + (updated.contains($0.id) ? shown[$0.id] ?? "" : $0.shown) }
  }

  @Test("FET-257: an equal value tells nothing, and what is inserted before moves nothing")
  func quiet() {
    let old: [Row] = [("a", "1"), ("b", "2")]
    #expect(ListDifference(from: old, to: old).events.isEmpty)
    #expect(
      ListDifference(from: old, to: [("x", "0"), ("a", "1"), ("b", "2")]).events == [
        .insert(id: "x", index: 0)
      ])
    #expect(
      ListDifference(from: old, to: [("b", "2"), ("a", "1")]).events.count == 1)
  }
}
