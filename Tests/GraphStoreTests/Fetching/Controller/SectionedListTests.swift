import Foundation
import Testing

@testable import GraphStore

/// The list of objects in sections, against arrays.
struct SectionedListTests {
  @Test(
    "Whatever is put in and taken out, numbers and objects lead to each other as in arrays",
    arguments: TestSeed.sequence(6))
  func arrays(_ seed: TestSeed) throws {
    var random = seed.generator
    let stack = try TestStack(TestModels.company())
    let objects = try (0..<1_500).map { try stack.context.insert("Employee", ["salary": $0]) }
    let numbers = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
    let isSectioned = random.chance(70)
    let width = random.pick([1, 7, 300, 2_000])
    func name(_ number: Int) -> String { isSectioned ? "\(10_000 + number / width)" : "" }
    func number(_ object: ManagedObject) -> Int { numbers[ObjectIdentifier(object)] ?? -1 }
    var present = (0..<1_500).filter { _ in random.chance(60) }
    let list = try SectionedList(present.map { objects[$0] }, isSectioned: isSectioned) { _, object in
      name(number(object))
    }
    for step in 0..<600 {
      let chosen =
        random.chance(20)
        ? 700 + Int.random(in: 0..<30, using: &random) : Int.random(in: 0..<1_500, using: &random)
      if let place = present.firstIndex(of: chosen) {
        list.remove(objects[chosen])
        present.remove(at: place)
      } else {
        let gap = list.gap { number($0) > chosen }
        try list.insert(objects[chosen], named: name(chosen), in: gap)
        present.insert(chosen, at: present.firstIndex { $0 > chosen } ?? present.count)
      }
      try #require(list.count == present.count)
      if step % 50 == 0 { try check(list, present, objects, name) }
    }
    try check(list, present, objects, name)
    for chosen in present { list.remove(objects[chosen]) }
    try check(list, [], objects, name)
  }

  private func check(
    _ list: SectionedList, _ present: [Int], _ objects: [ManagedObject], _ name: (Int) -> String
  ) throws {
    #expect(list.violation == nil)
    #expect(list.objects == present.map { objects[$0] })
    var sections: [(String, [Int])] = []
    for number in present {
      if sections.last?.0 != name(number) { sections.append((name(number), [])) }
      sections[sections.count - 1].1.append(number)
    }
    if !list.isSectioned, sections.isEmpty { sections = [("", [])] }
    #expect(list.sections.map(\.name) == sections.map(\.0))
    for (section, (_, numbers)) in zip(list.sections, sections) {
      #expect(section.objects == numbers.map { objects[$0] })
      for (item, number) in numbers.enumerated() {
        try #require(section.object(item) === objects[number])
        try #require(list.indexPath(of: objects[number]) == IndexPath(item: item, section: section.index))
      }
    }
    for (left, right) in zip(present, present.dropFirst()) {
      let slots = (try #require(list.slot(of: objects[left])), try #require(list.slot(of: objects[right])))
      try #require(list.successor(of: slots.0) === objects[right])
      try #require(list.predecessor(of: slots.1) === objects[left])
    }
  }

  @Test("A section that would be torn apart, or be there twice, is refused, and nothing has changed")
  func refused() throws {
    let stack = try TestStack(TestModels.company())
    let objects = try (0..<6).map { try stack.context.insert("Employee", ["salary": $0]) }
    func number(_ object: ManagedObject) -> Int { objects.firstIndex(of: object) ?? -1 }
    let list = try SectionedList([0, 1, 3, 4].map { objects[$0] }, isSectioned: true) { position, _ in
      position < 2 ? "a" : "b"
    }
    func put(_ place: Int, _ name: String) throws {
      try list.insert(objects[2], named: name, in: list.gap { number($0) > place })
    }
    #expect(throws: SectionedList.NotContiguous.self) { try put(0, "b") }
    #expect(throws: SectionedList.NotContiguous.self) { try put(3, "c") }
    #expect(throws: SectionedList.NotContiguous.self) { try put(5, "a") }
    #expect(list.violation == nil && list.count == 4)
    try put(2, "c")
    #expect(list.sections.map(\.name) == ["a", "c", "b"] && list.violation == nil)
    #expect(throws: SectionedList.NotContiguous.self) {
      _ = try SectionedList(objects, isSectioned: true) { position, _ in position % 2 == 0 ? "x" : "y" }
    }
  }

  @Test(
    "A longest increasing subsequence is increasing, and none is longer", arguments: TestSeed.sequence(20))
  func subsequence(_ seed: TestSeed) {
    var random = seed.generator
    let numbers = Array(0..<Int.random(in: 0...9, using: &random)).shuffled(using: &random)
    let chosen = zip(numbers, longestIncreasingSubsequence(of: numbers)).filter(\.1).map(\.0)
    #expect(chosen == chosen.sorted())
    let longest = (0..<(1 << numbers.count)).map { mask in
      numbers.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element)
    }.filter { $0 == $0.sorted() }.map(\.count).max()
    #expect(chosen.count == longest ?? 0)
  }
}
