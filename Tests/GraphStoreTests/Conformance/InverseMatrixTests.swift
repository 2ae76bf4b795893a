import GraphStore
import Testing

/// Inverses of every shape, changed from either end, over objects in every state (REL-050 to REL-067).
@Suite(.everyKindOfStore)
struct InverseMatrixTests {
  enum State: String, CaseIterable, Sendable { case unsaved, realised, fault, resolved }

  struct Case: CustomTestStringConvertible, Sendable {
    let shape: RelationshipShape
    let state: State
    let isFromBack: Bool

    var testDescription: String { "\(shape.name), \(state), from the \(isFromBack ? "other " : "")end" }

    static let all: [Self] = RelationshipShape.all.flatMap { shape in
      State.allCases.flatMap { state in
        (shape.hasInverse ? [false, true] : [false]).map {
          Self(shape: shape, state: state, isFromBack: $0)
        }
      }
    }
  }

  /// s0 → d0 and s1 → d1 are there; then s0 → d1 is made.
  @Test(
    "REL-050, REL-067, REL-090: third parties let go, at once and after the save", arguments: Case.all)
  func linking(_ test: Case) throws {
    let shape = test.shape
    let stack = try TestStack(shape.model(.nullify))
    let context = stack.context
    var objects: [String: ManagedObject] = [:]
    for name in ["s0", "s1", "d0", "d1"] {
      objects[name] = try context.insert(name.first == "s" ? "Source" : shape.destination, ["name": name])
    }
    try shape.link(objects["s0"]!, objects["d0"]!)
    try shape.link(objects["s1"]!, objects["d1"]!)
    if test.state != .unsaved {
      try context.save()
      if test.state == .fault || test.state == .resolved {
        let ids = objects.mapValues(\.objectID)
        context.reset()
        objects = try ids.mapValues { try context.object(with: $0) }
      }
      if test.state == .resolved {
        for (name, object) in objects {
          _ = try name.first == "s" ? shape.links(object) : shape.backs(object)
        }
      }
    }
    if test.isFromBack {
      try shape.linkBack(objects["d1"]!, objects["s0"]!)
    } else {
      try shape.link(objects["s0"]!, objects["d1"]!)
    }
    try expect(shape, objects, "in memory")
    try context.save()
    try expect(shape, objects, "after the save")
    let other = try stack.otherProcess()
    var stored: [String: ManagedObject] = [:]
    for entity in ["Source", "Destination"] {
      for object in try other.all(entity) { stored[try object.string("name")!] = object }
    }
    if shape.isToMany, !shape.hasInverse {
      try expectOneOwner(shape, stored, isSettled: test.state != .unsaved)
    } else {
      try expect(shape, stored, "in another process")
    }
  }

  /// A member of a to-many without inverse is in the store with one owner, the last one that it was given
  /// (STO-255).
  private func expectOneOwner(
    _ shape: RelationshipShape, _ objects: [String: ManagedObject], isSettled: Bool
  ) throws {
    let members = try ["s0", "s1"].map { owner in
      try shape.links(objects[owner]!).map { try $0.string("name")! }.sorted()
    }
    let settled = [["d0", "d1"], []]
    #expect(members == settled || !isSettled && members == [["d0"], ["d1"]])
  }

  private func expect(
    _ shape: RelationshipShape, _ objects: [String: ManagedObject], _ when: Comment
  ) throws {
    let s0 = shape.isToMany ? ["d0", "d1"] : ["d1"]
    let s1 = shape.hasToOneBack ? [] : ["d1"]
    func names(_ list: [ManagedObject]) throws -> [String] {
      try list.map { try $0.string("name")! }.sorted()
    }
    #expect(try names(shape.links(objects["s0"]!)) == s0, when)
    #expect(try names(shape.links(objects["s1"]!)) == s1, when)
    guard shape.hasInverse else { return }
    #expect(try names(shape.backs(objects["d1"]!)) == (shape.isBackToMany ? ["s0", "s1"] : ["s0"]), when)
    #expect(try names(shape.backs(objects["d0"]!)) == (shape.isToMany ? ["s0"] : []), when)
  }
}
