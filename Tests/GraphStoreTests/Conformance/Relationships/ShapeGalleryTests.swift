import GraphStore
import Testing

/// REL-380: every shape, with and without sub-entities at either end.
@Suite("The gallery of shapes", .everyStore)
struct ShapeGalleryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let shape: RelationshipShape
    let isSourceSpecial: Bool
    let isDestinationSpecial: Bool

    var testDescription: String {
      shape.name + (isSourceSpecial ? ", from a sub-entity" : "")
        + (isDestinationSpecial ? ", to a sub-entity" : "")
    }

    static let all: [Self] = RelationshipShape.all.flatMap { shape in
      [(false, false), (true, false), (false, true), (true, true)].map {
        Self(shape: shape, isSourceSpecial: $0.0, isDestinationSpecial: $0.1)
      }
    }

    var source: String { (isSourceSpecial ? "Special" : "") + "Source" }
    var destination: String { (isDestinationSpecial ? "Special" : "") + shape.destination }
    var model: ModelDefinition {
      var model = shape.model(.nullify)
      model.entities += ["Source", "Destination"].map { (name: String) in
        EntityDefinition("Special\(name)", parent: name)
      }
      return model
    }
  }

  @Test(
    "REL-380, REL-067: links are made, moved and cut at both ends, in memory and in the store",
    arguments: Case.all)
  func links(_ test: Case) throws {
    let shape = test.shape
    let stack = try TestStack(test.model)
    let context = stack.context
    let sources = try ["s", "t"].map { try context.insert(test.source, ["name": $0]) }
    let destinations = try ["d", "e"].map { try context.insert(test.destination, ["name": $0]) }
    /// The links as pairs of names, from the sources' side and the destinations'.
    func pairs(_ sources: [ManagedObject], _ destinations: [ManagedObject]) throws -> [Set<String>] {
      let there = try sources.flatMap { source in
        try shape.links(source).map { try "\(source.string("name")!)\($0.string("name")!)" }
      }
      let back = try destinations.flatMap { destination in
        try shape.backs(destination).map { try "\($0.string("name")!)\(destination.string("name")!)" }
      }
      #expect(Set(there).count == there.count && Set(back).count == back.count)
      return [Set(there), Set(back)]
    }
    /// A member of a to-many without inverse is in the store with the last owner that it was given (STO-255).
    func expect(_ expected: Set<String>, withoutOwner taken: Set<String> = []) throws {
      let both = [expected, shape.hasInverse ? expected : []]
      #expect(try pairs(sources, destinations) == both)
      try context.save()
      let other = try stack.otherProcess()
      let all = try other.all("Source", sort: ["name"])
      let ends = shape.isReflexive ? all : try other.all("Destination", sort: ["name"])
      let isSource = { (object: ManagedObject) in ["s", "t"].contains((try? object.string("name")) ?? "") }
      let stored = try pairs(all.filter(isSource), ends.filter { !shape.isReflexive || !isSource($0) })
      let hasOneOwner = shape.isToMany && !shape.hasInverse
      #expect(stored == (hasOneOwner ? [expected.subtracting(taken), []] : both))
      #expect(all.allSatisfy { !isSource($0) || $0.entity.name == test.source })
    }
    try shape.link(sources[0], destinations[0])
    try shape.link(sources[1], destinations[1])
    try expect(["sd", "te"])
    // A to-one source lets go of what it had; a to-one inverse takes the destination away from its source.
    try shape.link(sources[0], destinations[1])
    var expected: Set = ["se"]
    if shape.isToMany { expected.insert("sd") }
    if !shape.hasToOneBack { expected.insert("te") }
    try expect(expected, withoutOwner: ["te"])
    try shape.unlink(sources[0], destinations[1])
    expected.remove("se")
    try expect(expected, withoutOwner: ["te"])
    if shape.hasInverse {
      try shape.linkBack(destinations[0], sources[1])
      if !shape.isToMany { expected.remove("te") }
      if shape.hasToOneBack { expected.remove("sd") }
      expected.insert("td")
      try expect(expected)
    }
  }
}
