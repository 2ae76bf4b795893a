import Testing

@testable import GraphStore

/// Random graphs under random rules, changed by three contexts in turns, against a plain model of sets: what
/// a save does to the store is what its own changes, applied to the store as it is at that moment, demand; or
/// nothing.
@Suite("Interleaved deletions")
struct InterleavedDeletionTests {
  @Test(
    "REL-199, REL-240, REL-241: rules act on what the store has at the save",
    arguments: TestSeed.sequence(8, from: 1000))
  func agreement(_ seed: TestSeed) throws {
    var run = try Run(seed)
    for _ in 0..<150 {
      let action = try run.step()
      try run.checkInvariants()
      if let problem = run.problem {
        Issue.record(
          "after \(run.saved) saves (\(action)): \(problem); \(run.actions.suffix(60).joined(separator: ", "))"
        )
        return
      }
    }
    #expect(run.saved > 8, "only \(run.saved) of \(run.saved + run.failed) saves went through")
  }

  /// A context, what it holds on to, and what it has done since its last save.
  private struct Writer {
    let context: ManagedObjectContext
    var objects: [Int: ManagedObject] = [:]
    var changes: [(inout RandomGraph) -> Void] = []
    var deletions: [Int] = []
    var inserted: Set<Int> = []
    /// Whether delete rules were applied before the save.
    var isProcessed = false

    mutating func forgetChanges() {
      changes = []
      deletions = []
      inserted = []
      isProcessed = false
    }
  }

  private struct Run {
    var random: SeededGenerator
    /// What the store has.
    var stored: RandomGraph
    let stack: TestStack
    var writers: [Writer]
    var uris: [Int: ManagedObjectID] = [:]
    var next = 0
    var saved = 0
    var failed = 0
    var problem: String?
    /// What was done, by the numbers of writers and objects.
    var actions: [String] = []

    init(_ seed: TestSeed) throws {
      random = seed.generator
      stored = RandomGraph(rules: &random)
      stack = try TestStack(stored.model)
      writers = [Writer(context: stack.context), Writer(context: stack.newContext())]
      writers.append(Writer(context: try stack.otherProcess()))
    }

    mutating func step() throws -> String {
      let writer = Int.random(in: 0..<writers.count, using: &random)
      do {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: return try insert(writer)
        case 14..<40: return try link(writer)
        case 40..<58: return try look(writer)
        case 58..<68: return try delete(writer)
        case 68..<72: return try process(writer)
        case 72..<92: return try save(writer)
        default: return giveUp(writer)
        }
      } catch let error as GraphStoreError {
        // What another writer has done shows in the middle of a change.
        let codes: Set<GraphStoreError.Code> = [.inaccessibleObject, .objectDetached, .objectNotFound]
        if !codes.contains(error.code) { problem = "\(error)" }
        return giveUp(writer)
      }
    }

    /// The objects that a writer may touch: those of the store, and its own new ones, which it has not
    /// deleted.
    func checkInvariants() throws {
      for writer in writers { try writer.context.checkInvariants() }
    }

    private func live(_ writer: Int, _ root: String) -> [Int] {
      let own = stored.entities.filter { RandomGraph.root($0.value) == root }.keys
        .filter { !writers[writer].deletions.contains($0) }
      return own.sorted()
    }

    private mutating func object(_ number: Int, _ writer: Int) throws -> ManagedObject {
      if let known = writers[writer].objects[number], !known.isDeleted, known.managedObjectContext != nil {
        return known
      }
      let context = writers[writer].context
      let uri = uris[number]!.uriRepresentation
      let id = context.coordinator.managedObjectID(forURIRepresentation: uri)!
      let object = try context.object(with: id)
      writers[writer].objects[number] = object
      return object
    }

    private mutating func insert(_ writer: Int) throws -> String {
      let entity = ["P", "Q", "R", "S"].randomElement(using: &random)!
      next += 1
      let number = next
      let object = try writers[writer].context.insert(entity, ["n": number])
      writers[writer].objects[number] = object
      writers[writer].inserted.insert(number)
      writers[writer].changes.append { $0.entities[number] = entity }
      actions.append("\(writer): insert \(entity) \(number)")
      // A link to what there is, so that others find new members.
      let pairs = stored.pairs.indices.filter {
        stored.pairs[$0].right.entity == RandomGraph.root(entity) && !stored.pairs[$0].isSelfInverse
      }
      guard let pair = pairs.randomElement(using: &random),
        let left = live(writer, stored.pairs[pair].left.entity).randomElement(using: &random)
      else { return "insert" }
      try link(pair, left, number, isFromLeft: Bool.random(using: &random), writer)
      return "insert"
    }

    private mutating func link(_ writer: Int) throws -> String {
      let pair = Int.random(in: 0..<stored.pairs.count, using: &random)
      guard let left = live(writer, stored.pairs[pair].left.entity).randomElement(using: &random),
        let right = live(writer, stored.pairs[pair].right.entity).randomElement(using: &random)
      else { return "nothing" }
      try link(pair, left, right, isFromLeft: Bool.random(using: &random), writer)
      return "link"
    }

    private mutating func link(
      _ pair: Int, _ left: Int, _ right: Int, isFromLeft: Bool, _ writer: Int
    ) throws {
      let shape = stored.pairs[pair]
      let (side, source, target) =
        isFromLeft ? (shape.left, left, right) : (shape.right, right, left)
      let (owner, member) = (try object(source, writer), try object(target, writer))
      let isKnown = try Self.isLinked(owner, side, member, inverse: isFromLeft ? shape.right : shape.left)
      actions.append("\(writer): \(source).\(side.name) = \(target)")
      try side.link(owner, to: member)
      // To set what the context has already is no change, whatever another writer has saved since.
      if !isKnown { writers[writer].changes.append { $0.link(pair, left, right) } }
    }

    /// Whether a context has a link already, as far as one of its ends is to-one.
    private static func isLinked(
      _ owner: ManagedObject, _ side: RandomGraph.Side, _ member: ManagedObject, inverse: RandomGraph.Side
    ) throws -> Bool {
      if !side.isToMany { return try owner.object(forKey: side.name) === member }
      return try !inverse.isToMany && member.object(forKey: inverse.name) === owner
    }

    /// Reads a relationship and its members, which the writer then knows as they are now.
    private mutating func look(_ writer: Int) throws -> String {
      guard let number = (live(writer, "P") + live(writer, "R")).randomElement(using: &random) else {
        return "nothing"
      }
      let owner = try object(number, writer)
      for relationship in owner.entity.relationships where Bool.random(using: &random) {
        let members =
          relationship.isToMany
          ? try owner.objects(forKey: relationship.name)
          : [try owner.object(forKey: relationship.name)].compactMap(\.self)
        for member in members where Bool.random(using: &random) {
          let number = Int(try member.queryValue(forKey: "n").number)
          if number > 0 { writers[writer].objects[number] = member }
        }
      }
      return "look"
    }

    private mutating func delete(_ writer: Int) throws -> String {
      let all = (live(writer, "P") + live(writer, "R")).shuffled(using: &random)
      for number in all.prefix(Int.random(in: 1...2, using: &random)) {
        try writers[writer].context.delete(try object(number, writer))
        writers[writer].deletions.append(number)
        actions.append("\(writer): delete \(number)")
      }
      return "delete"
    }

    private mutating func process(_ writer: Int) throws -> String {
      guard !writers[writer].deletions.isEmpty else { return "nothing" }
      actions.append("\(writer): process")
      try writers[writer].context.processPendingChanges()
      writers[writer].isProcessed = true
      return "process"
    }

    private mutating func giveUp(_ writer: Int) -> String {
      let context = writers[writer].context
      let isReset = Bool.random(using: &random)
      actions.append("\(writer): \(isReset ? "reset" : "rollback")")
      if isReset {
        context.reset()
        writers[writer].objects = [:]
      } else {
        context.rollback()
        for number in writers[writer].inserted { writers[writer].objects[number] = nil }
      }
      writers[writer].forgetChanges()
      return "rollback"
    }

    private mutating func save(_ writer: Int) throws -> String {
      var expected = stored
      for change in writers[writer].changes { change(&expected) }
      expected.delete(writers[writer].deletions)
      let isDenied = expected.isDenied
      let deletesGone = writers[writer].deletions.contains { stored.entities[$0] == nil }
      do {
        try writers[writer].context.save()
      } catch let error as GraphStoreError {
        failed += 1
        actions.append("\(writer): \(error.code)")
        let codes: Set<GraphStoreError.Code> = [
          .mergeConflict, .objectNotFound, .deleteDenied, .validation, .multipleValidationErrors,
          .inaccessibleObject,
        ]
        if !codes.contains(error.code) { problem = "the save failed: \(error)" }
        _ = giveUp(writer)
        try compare()
        return "failed save"
      }
      saved += 1
      actions.append("\(writer): save")
      if isDenied, !writers[writer].isProcessed { problem = "a deny was overlooked" }
      if writers[writer].isProcessed || deletesGone {
        // Rules were applied to what the store had then, or to what the context knows of an object that
        // another writer has deleted (CTX-177); only that nothing dangles is certain.
        try adopt()
      } else {
        expected.save()
        stored = expected
      }
      for number in writers[writer].inserted where stored.entities[number] != nil {
        uris[number] = writers[writer].objects[number]!.objectID
      }
      writers[writer].forgetChanges()
      writers[writer].objects = writers[writer].objects.filter { stored.entities[$0.key] != nil }
      try compare()
      return "save"
    }

    /// Takes over what the store has.
    private mutating func adopt() throws {
      let reader = ManagedObjectContext(coordinator: try .open(storeAt: stack.path))
      defer { reader.coordinator.close() }
      let objects = try RandomGraphTests.Run.all(reader)
      stored.entities = objects.mapValues(\.entity.name)
      stored.saved = Set(objects.keys)
      stored.deleted = []
      for (index, pair) in stored.pairs.enumerated() {
        stored.links[index] = []
        for (number, object) in objects.sorted(by: { $0.key < $1.key })
        where RandomGraph.root(object.entity.name) == pair.left.entity {
          let members =
            pair.left.isToMany
            ? try object.objects(forKey: pair.left.name)
            : [try object.object(forKey: pair.left.name)].compactMap(\.self)
          for member in members {
            stored.links[index].append(
              RandomGraph.Link(left: number, right: Int(try member.queryValue(forKey: "n").number)))
          }
        }
      }
    }

    private mutating func compare() throws {
      if problem != nil { return }
      let reader = ManagedObjectContext(coordinator: try .open(storeAt: stack.path))
      defer { reader.coordinator.close() }
      let objects = try RandomGraphTests.Run.all(reader)
      let differences = try stored.differences(objects, comparesOrder: false)
      let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
      if !findings.isEmpty { problem = "the check found \(findings.prefix(3))" }
      if !differences.isEmpty { problem = "\(differences.prefix(5))" }
      if objects.count != stored.entities.count {
        problem = "\(objects.count) objects are stored, not \(stored.entities.count)"
      }
    }
  }
}
