import Testing

@testable import GraphStore

/// What a mapping made for what, as keys.
struct AssociationTableTests {
  @Test(
    "MIG-205, MIG-215: associations are found from both sides in any order",
    arguments: TestSeed.sequence(4, from: 215))
  func agreement(seed: TestSeed) throws {
    var random = seed.generator
    var table = AssociationTable()
    var pairs: [(source: PackedReference, destination: PackedReference)] = []
    let isAscending = random.chance(50)
    for step in 0..<400 {
      let key = isAscending && step < 300 ? Int64(step / 2) : Int64.random(in: 1..<200, using: &random)
      let source = PackedReference(entity: 3, key: key + 1)
      let destination = PackedReference(
        entity: Int.random(in: 0..<2, using: &random), key: Int64.random(in: 1..<60, using: &random))
      table.add(source, destination)
      if !pairs.contains(where: { $0 == source && $1 == destination }) { pairs.append((source, destination)) }
      guard step % 40 == 39 else { continue }
      #expect(table.count == pairs.count)
      for key in 0..<202 as Range<Int64> {
        let source = PackedReference(entity: 3, key: key)
        var found: [PackedReference] = []
        table.forEachDestination(of: source) { found.append($0) }
        #expect(found == pairs.filter { $0.source == source }.map(\.destination))
        let destination = PackedReference(entity: Int(key % 2), key: key)
        found = []
        table.forEachSource(of: destination) { found.append($0) }
        #expect(found == pairs.filter { $0.destination == destination }.map(\.source))
        #expect(
          table.firstPosition(ofDestination: destination)
            == pairs.firstIndex { $0.destination == destination })
      }
    }
  }
}
