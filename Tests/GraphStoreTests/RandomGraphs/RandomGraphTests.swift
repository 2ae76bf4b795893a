import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite(.everyStore)
struct RandomGraphTests {
  @Test(
    "REL-392: random changes of random graphs agree with a plain model of sets",
    arguments: TestSeed.sequence(12))
  func agreement(_ seed: TestSeed) throws {
    var random = seed.generator
    let graph = RandomGraph(rules: &random)
    try expectAgreement(Run(graph, random), steps: 120, seed)
  }

  @Test(
    "REL-392: random changes of graphs of random models agree with a plain model of sets",
    arguments: TestSeed.sequence(16, from: 100))
  func models(_ seed: TestSeed) throws {
    var random = seed.generator
    let graph = RandomGraph(shapes: &random)
    try expectAgreement(Run(graph, random), steps: 50, seed)
  }

  private func expectAgreement(_ start: Run, steps: Int, _ seed: TestSeed) throws {
    var run = start
    for step in 0..<steps {
      let action = try run.step()
      try run.stack.context.checkInvariants()
      let differences = try run.graph.differences(run.objects)
      guard differences.isEmpty else {
        Issue.record("\(seed), step \(step) (\(action)): \(differences.prefix(5))")
        return
      }
    }
  }

  struct Run {
    var random: SeededGenerator
    var graph: RandomGraph
    var committed: RandomGraph
    let stack: TestStack
    var objects: [Int: ManagedObject] = [:]
    var next = 0

    init(_ graph: RandomGraph, _ random: SeededGenerator) throws {
      self.random = random
      self.graph = graph
      committed = graph
      stack = try TestStack(graph.model)
    }

    mutating func step() throws -> String {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<18: try insert()
      case 18..<55: try link()
      case 55..<68: try unlink()
      case 68..<76: try delete()
      case 76..<88: try save()
      case 88..<91: try rollback()
      case 91..<96: try reload()
      case 96..<98: try refresh()
      default: try failedSave()
      }
    }

    private mutating func insert() throws -> String {
      let entity = ["P", "Q", "R", "S"].randomElement(using: &random)!
      next += 1
      objects[next] = try stack.context.insert(entity, ["n": next])
      graph.entities[next] = entity
      return "insert \(next) \(entity)"
    }

    private mutating func link() throws -> String {
      guard let edit = graph.drawNewLink(&random) else { return "nothing" }
      return try graph.link(edit, in: [objects])
    }

    private mutating func unlink() throws -> String {
      guard let edit = graph.drawLink(&random) else { return "nothing" }
      return try graph.unlink(edit, in: [objects])
    }

    private mutating func delete() throws -> String {
      let seeds = graph.drawDeletion(&random)
      for seed in seeds { try stack.context.delete(objects[seed]!) }
      try stack.context.processPendingChanges()
      graph.delete(seeds)
      forgetGone()
      return "delete \(seeds)"
    }

    private mutating func save() throws -> String {
      let isDenied = graph.isDenied
      do {
        try stack.context.save()
        if isDenied { Issue.record("a deny was overlooked") }
        graph.save()
        committed = graph
        forgetGone()
      } catch let error as GraphStoreError {
        if !isDenied { Issue.record("the save failed: \(error)") }
        return try rollback()
      }
      if Bool.random(using: &random) {
        let other = try stack.otherProcess()
        let stored = try Self.all(other)
        let differences = try committed.differences(stored)
        if !differences.isEmpty { Issue.record("in another process: \(differences.prefix(5))") }
        if stored.count != committed.entities.count { Issue.record("\(stored.count) objects are stored") }
        guard stack.has(.files) else { return "save" }
        let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
        if !findings.isEmpty { Issue.record("the check found \(findings.prefix(3))") }
      }
      return "save"
    }

    private mutating func forgetGone() {
      objects = objects.filter { graph.entities[$0.key] != nil }
    }

    private mutating func rollback() throws -> String {
      stack.context.rollback()
      graph = committed
      forgetGone()
      if stack.context.hasChanges { Issue.record("changes after a rollback") }
      return "rollback"
    }

    /// A save that meets an error among its last statements leaves everything as it was.
    private mutating func failedSave() throws -> String {
      guard !graph.isDenied, stack.has(.files) else { return "nothing" }
      let other = try SQLiteConnection(path: stack.path, mode: .readWrite)
      defer { other.close() }
      let found = try other.string(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY random()")
      guard let table = found else { return "nothing" }
      try other.execute("ALTER TABLE \"\(table)\" RENAME TO hidden")
      let saved = Result { try stack.context.save() }
      try other.execute("ALTER TABLE hidden RENAME TO \"\(table)\"")
      guard case .success = saved else { return "failed save" }
      graph.save()
      committed = graph
      forgetGone()
      return "save without \(table)"
    }

    /// Lets go of everything and looks it up again, in part as faults.
    private mutating func reload() throws -> String {
      guard !stack.context.hasChanges else { return "nothing" }
      let ids = objects.mapValues(\.objectID)
      objects = [:]
      if Bool.random(using: &random) {
        stack.context.reset()
        objects = try ids.mapValues { try stack.context.object(with: $0) }
        return "reset"
      }
      objects = try Self.all(stack.context)
      return "refetch"
    }

    private mutating func refresh() throws -> String {
      for object in objects.values where !object.hasChanges {
        if Bool.random(using: &random) {
          try stack.context.refresh(object, mergeChanges: Bool.random(using: &random))
        }
      }
      for (_, object) in objects where object.isUpdated && !object.isDeleted {
        if Bool.random(using: &random) { try stack.context.refresh(object, mergeChanges: true) }
      }
      return "refresh"
    }

    static func all(_ context: ManagedObjectContext) throws -> [Int: ManagedObject] {
      var result: [Int: ManagedObject] = [:]
      for entity in ["P", "R"] {
        for object in try context.all(entity) {
          result[Int(try object.queryValue(forKey: "n").number)] = object
        }
      }
      return result
    }
  }
}
