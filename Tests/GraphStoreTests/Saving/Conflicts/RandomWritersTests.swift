import Testing

@testable import GraphStore

/// Random graphs with two writers, whose saves meet conflicts with links, deletions, attributes and unique
/// values.
@Suite(.everyStore)
struct RandomWritersTests {
  @Test(
    "REL-392, CTX-007, CTX-196, CTX-197 to CTX-210, CTX-235 to CTX-243: two writers of random graphs leave both ends of every link in step",
    arguments: TestSeed.sequence(6))
  func consistency(_ seed: TestSeed) throws {
    var run = try Run(seed)
    for step in 0..<70 {
      let action = try run.step()
      guard run.findings.isEmpty else {
        Issue.record("\(seed), step \(step) (\(action)): \(run.findings.prefix(4))\n\(run.log.suffix(14))")
        return
      }
    }
  }

  struct Run {
    var random: SeededGenerator
    let graph: RandomGraph
    let writers: TwoWriters
    let contexts: [ManagedObjectContext]
    /// Held, so that snapshots grow old.
    var objects: [[ManagedObject]] = [[], []]
    var next = 0
    var findings: [String] = []
    var log: [String] = []

    init(_ seed: TestSeed) throws {
      random = seed.generator
      graph = RandomGraph(rules: &random)
      var model = graph.model
      for index in model.entities.indices where ["P", "R"].contains(model.entities[index].name) {
        model.entities[index].attributes += [
          AttributeDefinition("u", .string), AttributeDefinition("v", .int64),
        ]
        model.entities[index].uniquenessConstraints = [["u"]]
      }
      let other = OtherWriter.allCases.randomElement(using: &random)!
      writers = try TwoWriters(model, other) { _ in }
      contexts = [writers.mine, writers.theirs]
    }

    mutating func step() throws -> String {
      let writer = Int.random(in: 0...1, using: &random)
      let context = contexts[writer]
      var action = "\(writer) "
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<14: action += try insert(writer)
      case 14..<40: action += try link(writer)
      case 40..<48: action += try set(writer)
      case 48..<56: action += try delete(writer)
      case 56..<66: action += try fetch(writer)
      case 66..<69:
        context.rollback()
        if context.hasChanges { findings.append("changes after a rollback") }
        action += "rollback"
      case 69..<72: action += try watch(writer)
      default: action += try save(writer)
      }
      log.append(action)
      objects[writer].removeAll { !Self.isPresent($0) && $0.managedObjectContext == nil }
      for context in contexts { try context.checkInvariants() }
      return action
    }

    private static func isPresent(_ object: ManagedObject) -> Bool {
      object.managedObjectContext != nil && !object.isDeleted
    }

    private func present(_ writer: Int, _ root: String? = nil) -> [ManagedObject] {
      objects[writer].filter {
        Self.isPresent($0) && (root == nil || RandomGraph.root($0.entity.name) == root)
      }
    }

    private func name(_ object: ManagedObject) -> String { object.objectID.shortForm }

    private mutating func insert(_ writer: Int) throws -> String {
      let entity = ["P", "Q", "R", "S"].randomElement(using: &random)!
      next += 1
      var values: [String: Any] = ["n": next]
      if Int.random(in: 0..<3, using: &random) == 0 { values["u"] = unique() }
      objects[writer].append(try contexts[writer].insert(entity, values))
      return "insert \(entity) \(values)"
    }

    private mutating func unique() -> String { "u\(Int.random(in: 0..<4, using: &random))" }

    private mutating func link(_ writer: Int) throws -> String {
      let pair = graph.pairs.randomElement(using: &random)!
      let (side, other) = Bool.random(using: &random) ? (pair.left, pair.right) : (pair.right, pair.left)
      guard let source = present(writer, side.entity).randomElement(using: &random) else { return "nothing" }
      if Int.random(in: 0..<4, using: &random) == 0 {
        let members =
          side.isToMany
          ? try source.objects(forKey: side.name) : try source.object(forKey: side.name).map { [$0] } ?? []
        guard let member = members.randomElement(using: &random), Self.isPresent(member) else {
          return "nothing"
        }
        try side.unlink(source, from: member)
        return "unlink \(name(source)).\(side.name) \(name(member))"
      }
      guard let target = present(writer, other.entity).randomElement(using: &random) else { return "nothing" }
      try side.link(source, to: target)
      return "link \(name(source)).\(side.name) \(name(target))"
    }

    private mutating func set(_ writer: Int) throws -> String {
      guard let object = present(writer).randomElement(using: &random) else { return "nothing" }
      if Bool.random(using: &random) {
        let value = unique()
        try object.setValue(value, forKey: "u")
        return "set \(name(object)).u \(value)"
      }
      try object.setValue(Int64.random(in: 0..<100, using: &random), forKey: "v")
      return "set \(name(object)).v"
    }

    private mutating func delete(_ writer: Int) throws -> String {
      guard let object = present(writer).randomElement(using: &random) else { return "nothing" }
      try contexts[writer].delete(object)
      if Bool.random(using: &random) { try contexts[writer].processPendingChanges() }
      return "delete \(name(object))"
    }

    private mutating func watch(_ writer: Int) throws -> String {
      guard let object = present(writer).filter({ !$0.isInserted }).randomElement(using: &random) else {
        return "nothing"
      }
      do { try contexts[writer].detectConflicts(for: object) } catch { return "watched nothing: \(error)" }
      return "watch \(name(object))"
    }

    private mutating func fetch(_ writer: Int) throws -> String {
      let held = Set(objects[writer])
      for entity in ["P", "R"] {
        for object in try contexts[writer].all(entity) where !held.contains(object) {
          objects[writer].append(object)
          if Bool.random(using: &random) { _ = try object.value(forKey: "n") }
        }
      }
      return "fetch"
    }

    private mutating func save(_ writer: Int) throws -> String {
      let policy = PolicyCase.allCases.randomElement(using: &random)!
      contexts[writer].mergePolicy = policy.policy
      var attempts = 1
      while let error = try failure(ofSaveBy: writer) {
        // Links that somebody else has made meanwhile are refused under every policy: the remedy has to help.
        if policy != .error, error.code == .mergeConflict, !error.relatedObjects.isEmpty, attempts < 5 {
          try followRemedy(of: error, writer)
          attempts += 1
          continue
        }
        if !isAllowed(error, policy) { findings.append("\(policy), attempt \(attempts): \(error)") }
        if Bool.random(using: &random) { contexts[writer].rollback() }
        return "save by \(policy) failed, \(error.code)"
      }
      try compareWithStore(writer)
      return "save by \(policy)"
    }

    /// Saves; nil where that succeeds.
    private mutating func failure(ofSaveBy writer: Int) throws -> GraphStoreError? {
      let context = contexts[writer]
      let before = try picture(writers.stored())
      do { try context.save() } catch let error as GraphStoreError {
        if try picture(writers.stored()) != before { findings.append("a failed save has written") }
        return error
      }
      if context.hasChanges { findings.append("changes after a save: \(context.unsaved.objects)") }
      return nil
    }

    /// Refreshes the objects that an error names.
    private func followRemedy(of error: GraphStoreError, _ writer: Int) throws {
      for id in error.relatedObjects + [error.objectID].compactMap(\.self) {
        guard let object = contexts[writer].registeredObject(for: id), !object.isDeleted, !object.isInserted
        else { continue }
        try contexts[writer].refresh(object, mergeChanges: true)
      }
    }

    private func isAllowed(_ error: GraphStoreError, _ policy: PolicyCase) -> Bool {
      switch error.code {
      case .mergeConflict: policy == .error
      case .constraintConflict: policy == .error || policy == .object
      // Links to records that are gone have a test of their own.
      case .deleteDenied, .multipleValidationErrors, .validation, .objectNotFound: true
      default: false
      }
    }

    private mutating func compareWithStore(_ writer: Int) throws {
      findings += try inconsistencies(writers.stored()).map { "stored \($0)" }
      if writers.stack.has(.files), Int.random(in: 0..<4, using: &random) == 0 {
        findings += try StoreCheck.run(path: writers.stack.path).flatMap(\.findings).map { "check \($0)" }
      }
      guard Int.random(in: 0..<3, using: &random) == 0 else { return }
      // What the saver shows once it has read everything anew is what is stored.
      for entity in ["P", "R"] { _ = try contexts[writer].all(entity) }
      for object in contexts[writer].registeredObjects {
        try contexts[writer].refresh(object, mergeChanges: false)
      }
      let (own, stored) = (try picture(contexts[writer]), try picture(writers.stored()))
      findings += try inconsistencies(contexts[writer]).map { "in memory \($0)" }
      for key in Set(own.keys).union(stored.keys).sorted() where own[key] != stored[key] {
        findings.append("\(key) is \(own[key] ?? []), stored \(stored[key] ?? [])")
      }
    }

    /// What each object is, by its identifier.
    private func picture(_ context: ManagedObjectContext) throws -> [String: [String]] {
      var picture: [String: [String]] = [:]
      for object in try context.all("P") + context.all("R") {
        var lines = try ["n", "u", "v"].map { "\($0)=\(try object.queryValue(forKey: $0))" }
        for (side, members) in try sides(object) {
          let names = members.map(name)
          lines.append("\(side.name)=\(side.isOrdered ? names : names.sorted())")
        }
        picture[name(object)] = lines
      }
      return picture
    }

    private func sides(_ object: ManagedObject) throws -> [(RandomGraph.Side, [ManagedObject])] {
      try graph.pairs.flatMap { pair in
        try (pair.isSelfInverse ? [pair.left] : [pair.left, pair.right])
          .filter { $0.entity == RandomGraph.root(object.entity.name) }
          .map { side in
            (
              side,
              side.isToMany
                ? try object.objects(forKey: side.name)
                : try object.object(forKey: side.name).map { [$0] } ?? []
            )
          }
      }
    }

    private func inconsistencies(_ context: ManagedObjectContext) throws -> [String] {
      let all = try context.all("P") + context.all("R")
      let there = Set(all)
      var links: [String: Set<[ManagedObject]>] = [:]
      var found: [String] = []
      for object in all {
        for (side, members) in try sides(object) {
          if Set(members).count != members.count {
            found.append("\(name(object)).\(side.name) has one twice")
          }
          for member in members {
            if !there.contains(member) {
              found.append("\(name(object)).\(side.name) leads to \(name(member)), which is gone")
            }
            links[side.name, default: []].insert([object, member])
          }
        }
      }
      for pair in graph.pairs {
        let left = links[pair.left.name] ?? []
        let right = Set((links[pair.right.name] ?? []).map { [$0[1], $0[0]] })
        for link in left.symmetricDifference(right) {
          found.append("\(pair.left.name) of \(name(link[0])) and \(name(link[1])) is known at one end")
        }
      }
      return found
    }
  }
}
