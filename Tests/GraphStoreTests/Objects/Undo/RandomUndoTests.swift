import Foundation
import Testing

@testable import GraphStore

/// Random edits, undo, redo, saves and refreshes against pictures that were taken of the graph after each
/// event.
@Suite(.everyStore)
struct RandomUndoTests {
  @Test(
    "CTX-150, CTX-152, CTX-153, OBJ-407, OBJ-410, OBJ-411, OBJ-528, CTX-460, REL-118, REL-282: undo and redo give the graph and the flags that were",
    arguments: TestSeed.sequence(10))
  func pictures(_ seed: TestSeed) throws {
    var run = try Run(seed)
    for step in 0..<90 {
      let action = try run.step()
      try run.stack.context.checkInvariants()
      guard run.differences.isEmpty else {
        Issue.record("\(seed), step \(step) (\(action)): \(run.differences.prefix(5))")
        return
      }
    }
    try run.unwind()
    if !run.differences.isEmpty { Issue.record("\(seed), at the end: \(run.differences.prefix(5))") }
  }

  @Test(
    "CTX-002, CTX-007, CTX-150, REL-067, REL-315, FLT-114: both ends agree, and each record has one object, after every step, also where refreshes drop changes and others are not recorded",
    arguments: TestSeed.sequence(10))
  func ends(_ seed: TestSeed) throws {
    var run = try Run(seed, dropsChanges: true)
    for step in 0..<90 {
      let action = try run.step()
      try run.stack.context.checkInvariants()
      guard run.differences.isEmpty else {
        Issue.record("\(seed), step \(step) (\(action)): \(run.differences.prefix(5))")
        return
      }
    }
    while run.manager.canUndo, run.differences.isEmpty { _ = try run.undo() }
    while run.manager.canRedo, run.differences.isEmpty { _ = try run.redo() }
    if !run.differences.isEmpty { Issue.record("\(seed), at the end: \(run.differences.prefix(5))") }
  }

  /// What everybody can see of a graph.
  struct Picture {
    struct Flags: Hashable {
      let isInserted: Bool
      let isUpdated: Bool
    }

    /// By number, of objects that are there: values and members.
    var values: [Int: [String]] = [:]
    var flags: [Int: Flags] = [:]
    let generation: Int
  }

  struct Run {
    var random: SeededGenerator
    var graph: RandomGraph
    let stack: TestStack
    let manager = GraphUndoManager()
    /// Every object that ever was, by number.
    var objects: [Int: ManagedObject] = [:]
    var past: [Picture] = []
    var future: [Picture] = []
    var present: Picture
    var differences: [String] = []
    /// Whether refreshes drop changes, and some changes are not recorded: what undo then gives is no picture
    /// from before.
    let dropsChanges: Bool

    /// - Parameter dropsChanges: Whether what undo gives is compared with itself alone.
    init(_ seed: TestSeed, dropsChanges: Bool = false) throws {
      self.dropsChanges = dropsChanges
      random = seed.generator
      graph = RandomGraph(rules: &random)
      for index in graph.pairs.indices where Int.random(in: 0..<5, using: &random) == 0 {
        graph.pairs[index].left.rule = .noAction
        if graph.pairs[index].isSelfInverse { graph.pairs[index].right.rule = .noAction }
      }
      stack = try TestStack(Self.withOneWayLinks(graph.model))
      try stack.context.setUndoManager(manager)
      present = Picture(generation: 0)
      present = try picture()
    }

    /// What leads from one object to another that does not know of it.
    private static let oneWayLinks = [
      "P": (name: "mark", destination: "R"), "R": (name: "aim", destination: "P"),
    ]

    private static func withOneWayLinks(_ model: ModelDefinition) -> ModelDefinition {
      var model = model
      for index in model.entities.indices {
        guard let link = oneWayLinks[model.entities[index].name] else { continue }
        model.entities[index].relationships.append(RelationshipDefinition(link.name, to: link.destination))
      }
      return model
    }

    mutating func step() throws -> String {
      let action = try act()
      if dropsChanges {
        checkIdentities()
        try checkEnds()
      }
      return action
    }

    private mutating func act() throws -> String {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50: try event()
      case 50..<68: try undo()
      case 68..<80: try redo()
      case 80..<90: try save()
      default: try refresh()
      }
    }

    /// Undoes everything, redoes everything, and saves.
    mutating func unwind() throws {
      while !past.isEmpty, differences.isEmpty { _ = try undo() }
      #expect(!manager.canUndo)
      while !future.isEmpty, differences.isEmpty { _ = try redo() }
      #expect(!manager.canRedo)
      _ = try save()
      if !stack.context.hasChanges { try compareWithStore() }
    }

    // MARK: Actions

    private mutating func event() throws -> String {
      guard dropsChanges, Int.random(in: 0..<8, using: &random) == 0 else { return try recordedEvent() }
      manager.disableUndoRegistration()
      defer { manager.enableUndoRegistration() }
      let action = try edit()
      try stack.context.processPendingChanges()
      return "unrecorded \(action)"
    }

    private mutating func recordedEvent() throws -> String {
      let before = present
      var actions: [String] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) { actions.append(try edit()) }
      let count = manager.undoCount
      try stack.context.processPendingChanges()
      if dropsChanges { return "event \(actions.joined(separator: ", "))" }
      present = try picture()
      if manager.undoCount > count {
        past.append(before)
        future = []
      } else if before.values != present.values {
        differences.append("nothing was registered")
      } else {
        // A value set to what it was counts as a change that nothing takes back.
        for number in present.flags.keys where before.flags[number] != present.flags[number] {
          forgetFlags(number)
        }
      }
      return "event \(actions.joined(separator: ", "))"
    }

    private mutating func forgetFlags(_ number: Int) {
      for index in past.indices { past[index].flags[number] = nil }
      for index in future.indices { future[index].flags[number] = nil }
    }

    private mutating func edit() throws -> String {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<22:
        let entity = ["P", "Q", "R", "S"].randomElement(using: &random)!
        let number = objects.count + 1
        objects[number] = try stack.context.insert(entity, ["n": number])
        graph.entities[number] = entity
        return "insert \(number) \(entity)"
      case 22..<28: return try setOneWayLink()
      case 28..<52:
        synchronize()
        guard let edit = graph.drawNewLink(&random) else { return "nothing" }
        return try graph.link(edit, in: [objects])
      case 52..<66:
        try adoptLinks()
        guard let edit = graph.drawLink(&random) else { return "nothing" }
        return try graph.unlink(edit, in: [objects])
      case 66..<78:
        synchronize()
        let seeds = graph.drawDeletion(&random)
        for seed in seeds { try stack.context.delete(objects[seed]!) }
        return "delete \(seeds)"
      case 78..<86:
        synchronize()
        guard let number = graph.live("P").randomElement(using: &random), let object = objects[number] else {
          return "nothing"
        }
        let members = try object.objects(forKey: "list").shuffled(using: &random)
        try object.setValue(members, forKey: "list")
        return "reorder \(number)"
      default:
        synchronize()
        guard let number = (graph.live("P") + graph.live("R")).randomElement(using: &random) else {
          return "nothing"
        }
        try objects[number]!.setValue(Int64(number), forKey: "n")
        let key = ["P": nil, "Q": "q", "R": nil, "S": "s"][graph.entities[number]!]! ?? "n"
        let value = Int.random(in: 0..<5, using: &random)
        if key == "q" { try objects[number]!.setValue(value == 0 ? nil : "text \(value)", forKey: key) }
        if key == "s" { try objects[number]!.setValue(value == 0 ? nil : Decimal(value), forKey: key) }
        return "set \(number).\(key)"
      }
    }

    private mutating func setOneWayLink() throws -> String {
      synchronize()
      guard let number = (graph.live("P") + graph.live("R")).randomElement(using: &random),
        let link = Self.oneWayLinks[RandomGraph.root(graph.entities[number]!)]
      else { return "nothing" }
      let destination = graph.live(link.destination).randomElement(using: &random)
      try objects[number]!.setValue(destination.flatMap { objects[$0] }, forKey: link.name)
      return "set \(number).\(link.name) to \(destination ?? 0)"
    }

    /// Lets the model of sets know which objects are there.
    private mutating func synchronize() {
      graph.deleted = Set(graph.entities.keys.filter { !Self.isPresent(objects[$0]!) })
    }

    private mutating func adoptLinks() throws {
      synchronize()
      for (index, pair) in graph.pairs.enumerated() {
        graph.links[index] = []
        for number in graph.live(pair.left.entity) {
          for other in try members(objects[number]!, pair.left) {
            graph.links[index].append(RandomGraph.Link(left: number, right: other))
          }
        }
      }
    }

    fileprivate mutating func undo() throws -> String {
      let wanted = past.popLast()
      let former = present
      let unreached = try stack.context.undo()
      if dropsChanges { return "undo" }
      checkUnreached(unreached)
      present = try picture()
      guard let wanted else { return "nothing to undo" }
      future.append(former)
      compare(wanted)
      return "undo"
    }

    fileprivate mutating func redo() throws -> String {
      let wanted = future.popLast()
      let former = present
      let unreached = try stack.context.redo()
      if dropsChanges { return "redo" }
      checkUnreached(unreached)
      present = try picture()
      guard let wanted else { return "nothing to redo" }
      past.append(former)
      compare(wanted)
      return "redo"
    }

    /// Says which of some objects are there, though undo or redo has told that it has not reached them. It
    /// tells too of records that one-way links of a returning object led to, and that have left for good;
    /// what should have come back is missed in the picture.
    private mutating func checkUnreached(_ unreached: [ManagedObjectID]) {
      let present = objects.values.filter { Self.isPresent($0) && unreached.contains($0.objectID) }
      if !present.isEmpty { differences.append("not reached: \(present.map(\.objectID.shortForm))") }
    }

    /// What delete rules, or references to what is deleted, keep from being saved stays as it is.
    private mutating func save() throws -> String {
      do {
        try stack.context.save()
      } catch let error as GraphStoreError where error.isOfRules {
        present = try picture()
        return "refused save"
      }
      if stack.context.hasChanges { differences.append("changes after a save") }
      let former = dropsChanges ? Picture(generation: 0) : present
      present = try picture()
      for (number, value) in former.values where present.values[number] != value {
        differences.append("the save has made \(number) \(present.values[number] ?? ["gone"]), not \(value)")
      }
      if Int.random(in: 0..<3, using: &random) == 0 { try compareWithStore() }
      return "save"
    }

    private mutating func refresh() throws -> String {
      for (_, object) in objects.sorted(by: { $0.key < $1.key })
      where Self.isPresent(object) && !object.isInserted && (dropsChanges || !object.hasChanges) {
        // Hardly any change would be left to be undone.
        let isDropped =
          object.hasChanges ? Int.random(in: 0..<5, using: &random) == 0 : Bool.random(using: &random)
        if isDropped { try stack.context.refresh(object, mergeChanges: false) }
      }
      try stack.context.processPendingChanges()
      return "refresh"
    }

    // MARK: Comparing

    private mutating func compare(_ wanted: Picture) {
      for number in Set(wanted.values.keys).union(present.values.keys).sorted() {
        let (there, past) = (present.values[number], wanted.values[number])
        if there != past { differences.append("\(number) is \(there ?? ["gone"]), not \(past ?? ["gone"])") }
        guard wanted.generation == present.generation, let flags = wanted.flags[number],
          flags != present.flags[number]
        else { continue }
        differences.append(
          "\(number) has \(String(describing: present.flags[number])), not \(flags)"
        )
      }
    }

    private mutating func compareWithStore() throws {
      let other = try stack.otherProcess()
      var stored: [Int: [String]] = [:]
      let all = try RandomGraphTests.Run.all(other)
      let numbers = Dictionary(uniqueKeysWithValues: all.map { (ObjectIdentifier($1), $0) })
      for (number, object) in all {
        stored[number] = try description(of: object) { numbers[ObjectIdentifier($0)] }
      }
      for number in Set(stored.keys).union(present.values.keys).sorted()
      where stored[number] != present.values[number] {
        differences.append("stored \(number) is \(stored[number] ?? []), not \(present.values[number] ?? [])")
      }
    }

    private func picture() throws -> Picture {
      var picture = Picture(generation: stack.context.saving.generation)
      for (number, object) in objects where Self.isPresent(object) {
        picture.values[number] = try description(of: object, numbered: number(of:))
        picture.flags[number] = Picture.Flags(isInserted: object.isInserted, isUpdated: object.isUpdated)
      }
      return picture
    }

    private func description(
      of object: ManagedObject, numbered number: (ManagedObject) -> Int?
    ) throws -> [String] {
      var lines = [object.entity.name]
      for key in ["q", "s"] where object.entity.attribute(named: key) != nil {
        lines.append("\(key)=\(try object.queryValue(forKey: key))")
      }
      let root = RandomGraph.root(object.entity.name)
      for pair in graph.pairs {
        for side in pair.isSelfInverse ? [pair.left] : [pair.left, pair.right] where side.entity == root {
          let members = try Self.destinations(object, side).compactMap(number)
          lines.append("\(side.name)=\(side.isOrdered ? members : members.sorted())")
        }
      }
      if let link = Self.oneWayLinks[root] {
        lines.append("\(link.name)=\(try object.object(forKey: link.name).flatMap(number) ?? 0)")
      }
      return lines
    }

    /// What was counted, and is there; anything else a rule has left behind.
    private func number(of object: ManagedObject) -> Int? {
      objects.first { $0.value === object && Self.isPresent(object) }?.key
    }

    private static func isPresent(_ object: ManagedObject) -> Bool {
      object.managedObjectContext != nil && !object.isDeleted
    }

    private func members(_ object: ManagedObject, _ side: RandomGraph.Side) throws -> [Int] {
      try Self.destinations(object, side).compactMap(number(of:))
    }

    private static func destinations(_ object: ManagedObject, _ side: RandomGraph.Side) throws
      -> [ManagedObject]
    {
      side.isToMany
        ? try object.objects(forKey: side.name) : try object.object(forKey: side.name).map { [$0] } ?? []
    }

    // MARK: Consistency

    private mutating func checkIdentities() {
      for (number, object) in objects where Self.isPresent(object) {
        if stack.context.registeredObject(for: object.objectID) !== object {
          differences.append("\(number) is not the object of its record")
        }
      }
    }

    private mutating func checkEnds() throws {
      synchronize()
      for pair in graph.pairs {
        for left in graph.live(pair.left.entity) {
          let here = try Set(members(objects[left]!, pair.left))
          for right in graph.live(pair.right.entity) {
            let isThere = try members(objects[right]!, pair.right).contains(left)
            if here.contains(right) != isThere {
              differences.append(
                "\(left).\(pair.left.name) has \(right): \(!isThere), \(right).\(pair.right.name) has \(left): \(isThere)"
              )
            }
          }
        }
      }
    }
  }
}

extension GraphStoreError {
  /// Whether delete rules, or references to what is deleted, keep a save from being made.
  fileprivate var isOfRules: Bool {
    [.deleteDenied, .validation, .multipleValidationErrors].contains(code)
      || parts.contains { $0.code == .deleteDenied }
  }
}
