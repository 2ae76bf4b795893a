import Testing

@testable import GraphStore

/// Saves of a child as groups of the undo manager of its parent.
@Suite(.everyStore)
struct RandomNestedUndoTests {
  @Test(
    "CTX-161: undo takes back in the parent all that a child's save has brought, and redo brings it again",
    arguments: TestSeed.sequence(8))
  func groups(_ seed: TestSeed) throws {
    var run = try Run(seed)
    for step in 0..<40 {
      let action = try run.step()
      try run.parent.checkInvariants()
      guard run.differences.isEmpty else {
        Issue.record("\(seed), step \(step) (\(action)): \(run.differences.prefix(5))")
        return
      }
    }
    try run.unwind()
    if !run.differences.isEmpty { Issue.record("\(seed), at the end: \(run.differences.prefix(5))") }
  }

  private struct Run {
    typealias Picture = [Int: [String]]

    private var random: SeededGenerator
    private var graph: RandomGraph
    private let stack: TestStack
    let parent: ManagedObjectContext
    private let manager = GraphUndoManager()
    private var last = 0
    private var past: [Picture] = []
    private var future: [Picture] = []
    private var present: Picture = [:]
    var differences: [String] = []

    init(_ seed: TestSeed) throws {
      random = seed.generator
      graph = RandomGraph(rules: &random)
      stack = try TestStack(graph.model)
      parent = stack.context
      try parent.setUndoManager(manager)
    }

    mutating func step() throws -> String {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: return try saveChild()
      case 5..<7: return try undo()
      case 7..<9: return try redo()
      default:
        do { try parent.save() } catch let error as GraphStoreError
          where error.parts.contains(where: { $0.code == .deleteDenied })
        { return "refused save" }
        expect(present, "save")
        return "save"
      }
    }

    mutating func unwind() throws {
      while !past.isEmpty, differences.isEmpty { _ = try undo() }
      while !future.isEmpty, differences.isEmpty { _ = try redo() }
    }

    /// Several events in a child, which are one group in its parent.
    private mutating func saveChild() throws -> String {
      let child = ManagedObjectContext(childOf: parent)
      var actions: [String] = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        actions.append(try edit(child))
        if random.chance(50) { try child.processPendingChanges() }
      }
      let count = manager.undoCount
      do { try child.save() } catch let error as GraphStoreError
        where error.parts.contains(where: { $0.code == .deleteDenied })
      { return "refused save of a child" }
      let before = present
      present = try picture(parent)
      let brought = try picture(child)
      if brought != present { differences.append("the parent has \(present), the child \(brought)") }
      if manager.undoCount > count + 1 { differences.append("\(manager.undoCount - count) groups") }
      if manager.undoCount > count {
        past.append(before)
        future = []
      } else if present != before {
        differences.append("nothing was registered")
      }
      return actions.joined(separator: ", ")
    }

    private mutating func edit(_ context: ManagedObjectContext) throws -> String {
      var objects = try RandomGraphTests.Run.all(context)
      graph.entities = objects.mapValues(\.entity.name)
      graph.deleted = []
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        last += 1
        let entity = random.pick(["P", "Q", "R", "S"])
        objects[last] = try context.insert(entity, ["n": last])
        return "insert \(last)"
      case 3..<7:
        guard let edit = graph.drawNewLink(&random) else { return "nothing" }
        return try graph.link(edit, in: [objects])
      case 7:
        guard let edit = graph.drawNewLink(&random), let source = objects[edit.source],
          let other = try destinations(source, edit.side).randomElement(using: &random)
        else { return "nothing" }
        try edit.side.unlink(source, from: other)
        return "unlink \(edit.source).\(edit.side.name)"
      case 8:
        let seeds = graph.drawDeletion(&random)
        for seed in seeds { if let object = objects[seed] { try context.delete(object) } }
        return "delete \(seeds)"
      default:
        guard
          let owner = objects.filter({ RandomGraph.root($1.entity.name) == "P" }).sorted(by: {
            $0.key < $1.key
          })
          .randomElement(using: &random)?.value
        else { return "nothing" }
        try owner.setValue(owner.objects(forKey: "list").shuffled(using: &random), forKey: "list")
        return "order"
      }
    }

    private mutating func undo() throws -> String {
      let wanted = past.popLast()
      let former = present
      try parent.undo()
      guard let wanted else { return "nothing to undo" }
      future.append(former)
      expect(wanted, "undo")
      return "undo"
    }

    private mutating func redo() throws -> String {
      let wanted = future.popLast()
      let former = present
      try parent.redo()
      guard let wanted else { return "nothing to redo" }
      past.append(former)
      expect(wanted, "redo")
      return "redo"
    }

    private mutating func expect(_ wanted: Picture, _ action: String) {
      do { present = try picture(parent) } catch { differences.append("\(error)") }
      for number in Set(wanted.keys).union(present.keys).sorted() where wanted[number] != present[number] {
        differences.append(
          "\(action): \(number) is \(present[number] ?? ["gone"]), not \(wanted[number] ?? ["gone"])")
      }
    }

    private func picture(_ context: ManagedObjectContext) throws -> Picture {
      try RandomGraphTests.Run.all(context).mapValues { object in
        try sides(object).map { side in
          let numbers = try destinations(object, side).map { Int(try $0.queryValue(forKey: "n").number) }
          return "\(side.name)=\(side.isOrdered ? numbers : numbers.sorted())"
        }
      }
    }

    private func sides(_ object: ManagedObject) -> [RandomGraph.Side] {
      let root = RandomGraph.root(object.entity.name)
      return graph.pairs.flatMap { $0.isSelfInverse ? [$0.left] : [$0.left, $0.right] }
        .filter { $0.entity == root }
    }

    private func destinations(_ object: ManagedObject, _ side: RandomGraph.Side) throws -> [ManagedObject] {
      side.isToMany
        ? try object.objects(forKey: side.name) : try object.object(forKey: side.name).map { [$0] } ?? []
    }
  }
}
