import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Batch delete", .everyStore)
struct BatchDeleteTests {
  private static func model(
    tasks: DeleteRule = .cascade, owner: DeleteRule = .nullify, isProjectOptional: Bool = true,
    isOwnerOptional: Bool = true, minimum: Int = 0
  ) -> ModelDefinition {
    ModelDefinition(
      name: "Work",
      entities: [
        EntityDefinition(
          "Project", attributes: [AttributeDefinition("name", .string), AttributeDefinition("ended", .date)],
          relationships: [
            RelationshipDefinition(
              "tasks", to: "Task", inverse: "project", isToMany: true, deleteRule: tasks),
            RelationshipDefinition("tags", to: "Tag", inverse: "projects", isToMany: true),
          ]),
        EntityDefinition(
          "Task",
          attributes: [
            AttributeDefinition("name", .string),
            AttributeDefinition("file", .binary, externalStorage: true),
          ],
          relationships: [
            RelationshipDefinition("project", to: "Project", inverse: "tasks", isOptional: isProjectOptional),
            RelationshipDefinition(
              "steps", to: "Step", inverse: "task", isToMany: true, deleteRule: .cascade),
          ]),
        EntityDefinition(
          "Step", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("task", to: "Task", inverse: "steps"),
            RelationshipDefinition("owner", to: "Person", inverse: "steps", deleteRule: owner),
          ]),
        EntityDefinition(
          "Person", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition(
              "steps", to: "Step", inverse: "owner", isToMany: true, isOptional: isOwnerOptional,
              minCount: minimum)
          ]),
        EntityDefinition(
          "Tag", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("projects", to: "Project", inverse: "tags", isToMany: true)
          ]),
      ])
  }

  /// Three projects of three tasks of three steps, each with a person and a tag.
  private func stack(_ model: ModelDefinition) throws -> TestStack {
    let stack = try TestStack(model)
    let context = stack.context
    let tag = try context.insert("Tag", ["name": "t"])
    let person = try context.insert("Person", ["name": "someone"])
    for p in 0..<3 {
      let project = try context.insert("Project", ["name": "p\(p)"])
      try project.addObjects([tag], forKey: "tags")
      for t in 0..<3 {
        let task = try context.insert("Task", ["name": "p\(p)t\(t)", "project": project])
        for s in 0..<3 {
          try context.insert("Step", ["name": "p\(p)t\(t)s\(s)", "task": task, "owner": person])
        }
      }
    }
    try context.save()
    return stack
  }

  private func request(
    _ entity: String, _ predicate: String? = nil, _ form: BatchRequestResultType = .objectIDs
  ) throws -> BatchDeleteRequest {
    var request = BatchDeleteRequest(
      FetchRequest(entityName: entity, predicate: try predicate.map { try QueryPredicate(parsing: $0) }))
    request.resultType = form
    return request
  }

  private func names(_ stack: TestStack, _ entity: String) throws -> [String] {
    try stack.newContext().all(entity).compactMap { try $0.string("name") }.sorted()
  }

  @Test("FET-235, FET-236, FET-238: cascades follow, references are cleared, and the result covers all of it")
  func cascade() throws {
    let stack = try stack(Self.model())
    let result = try stack.context.execute(try request("Project", "name == 'p1'"))
    #expect(result.count == 13)
    #expect(
      Dictionary(grouping: result.objectIDs, by: \.entity.name).mapValues(\.count) == [
        "Project": 1, "Task": 3, "Step": 9,
      ])
    #expect(try names(stack, "Project") == ["p0", "p2"])
    #expect(try names(stack, "Step").allSatisfy { !$0.hasPrefix("p1") })
    #expect(try names(stack, "Step").count == 18)
    let fresh = stack.newContext()
    #expect(try fresh.all("Tag").first?.objects(forKey: "projects").count == 2)
    #expect(try fresh.all("Person").first?.objects(forKey: "steps").count == 18)
  }

  @Test("FET-236: a to-one that leads to a deleted record becomes nil, and its version rises")
  func nullify() throws {
    let stack = try stack(Self.model(tasks: .nullify))
    let task = try #require(try stack.context.all("Task", "name == 'p1t0'").first)
    try stack.context.execute(try request("Project", "name == 'p1'"))
    #expect(try stack.newContext().all("Task", "project == nil").count == 3)
    try task.setValue("changed", forKey: "name")
    #expect(throws: (any Error).self) { try stack.context.save() }
  }

  @Test("FET-236: Deny refuses with 1600, and a mandatory inverse with 1570; then nothing is deleted")
  func denial() throws {
    let denying = try stack(Self.model(tasks: .deny))
    var error = #expect(throws: GraphStoreError.self) { try denying.context.execute(try request("Project")) }
    #expect(error?.errors.first?.number == 1600 || error?.number == 1600)
    #expect(try names(denying, "Project").count == 3)
    let needing = try stack(Self.model(tasks: .nullify, isProjectOptional: false))
    error = #expect(throws: GraphStoreError.self) {
      try needing.context.execute(try request("Project", "name == 'p0'"))
    }
    #expect(error?.errors.first?.number == 1570)
    #expect(error?.errors.first?.objectID?.entity.name == "Task")
    #expect(try names(needing, "Project").count == 3)
  }

  @Test("FET-236, FET-237: of many denials the first are told, and how many there are")
  func manyDenials() throws {
    let stack = try TestStack(Self.model(tasks: .deny))
    for number in 0..<300 {
      let project = try stack.context.insert("Project", ["name": "p\(number)"])
      try stack.context.insert("Task", ["name": "t", "project": project])
    }
    try stack.context.save()
    let error = #expect(throws: GraphStoreError.self) { try stack.context.execute(try request("Project")) }
    #expect(error?.errors.count == 20 && error?.errors.first?.number == 1600)
    #expect(error?.details.contains("280 more records are in the way") == true)
  }

  @Test("FET-236: who is deleted together does not deny each other")
  func together() throws {
    let stack = try stack(Self.model(tasks: .deny))
    for project in ["p0", "p1", "p2"] {
      try stack.context.execute(try request("Task", "project.name == '\(project)'"))
    }
    #expect(try stack.context.execute(try request("Project")).count == 3)
  }

  @Test("FET-236: a record that stays and would have too few members refuses it")
  func minimum() throws {
    let stack = try stack(Self.model(isOwnerOptional: false, minimum: 10))
    #expect(try stack.context.execute(try request("Project", "name == 'p0'")).count == 13)
    let error = #expect(throws: GraphStoreError.self) { try stack.context.execute(try request("Project")) }
    #expect(error?.number == 1570 || error?.number == 1580)
    #expect(try names(stack, "Project").count == 2)
    #expect(throws: GraphStoreError.self) {
      try stack.context.execute(try request("Project", "name == 'p1'"))
    }
  }

  @Test("FET-236: No Action leaves the other side alone")
  func noAction() throws {
    let stack = try stack(Self.model(tasks: .noAction))
    #expect(try stack.context.execute(try request("Project", "name == 'p1'")).count == 1)
    #expect(try stack.newContext().all("Task", "project == nil").isEmpty)
  }

  @Test("FET-237: the number of statements does not grow with the rows", .needs(.statements))
  func statements() throws {
    let small = try stack(Self.model())
    let one = try small.statements { _ = try small.context.execute(try request("Project", "name == 'p1'")) }
    let large = try TestStack(Self.model())
    for p in 0..<3 {
      let project = try large.context.insert("Project", ["name": "p\(p)"])
      for t in 0..<60 {
        let task = try large.context.insert("Task", ["name": "t\(t)", "project": project])
        for s in 0..<5 { try large.context.insert("Step", ["name": "s\(s)", "task": task]) }
      }
    }
    try large.context.save()
    let many = try large.statements {
      _ = try large.context.execute(try request("Project", "name IN {'p0', 'p2'}"))
    }
    // Runs of keys are ranges, each by a statement of its own, whose number is limited.
    #expect(many <= one + 12, "\(one), \(many)")
  }

  @Test("FET-235: order, limit and offset count, and so does a list of identifiers")
  func windows() throws {
    let stack = try stack(Self.model())
    var fetch = FetchRequest(entityName: "Step", fetchLimit: 4, fetchOffset: 2)
    fetch.sortDescriptors = [try QuerySortDescriptor(parsing: "-name")]
    let all = try names(stack, "Step")
    var request = BatchDeleteRequest(fetch)
    request.isDryRun = true
    request.resultType = .objectIDs
    let dry = try stack.context.execute(request)
    #expect(try names(stack, "Step") == all)
    request.isDryRun = false
    #expect(try stack.context.execute(request).objectIDs == dry.objectIDs)
    #expect(try names(stack, "Step") == Array(all.dropLast(6) + all.suffix(2)))
    let some = try stack.context.all("Task").prefix(2)
    var byIdentifiers = BatchDeleteRequest(objectIDs: some.map(\.objectID))
    byIdentifiers.resultType = .objectIDs
    #expect(try Set(stack.context.execute(byIdentifiers).objectIDs).isSuperset(of: some.map(\.objectID)))
    #expect(try stack.context.execute(byIdentifiers).count == 0)
  }

  @Test("FET-235, DGN-148: identifiers of several trees, of new objects and none at all are refused")
  func identifiers() throws {
    let stack = try stack(Self.model())
    let (task, step) = (try stack.context.all("Task")[0], try stack.context.all("Step")[0])
    let new = try stack.context.insert("Task", ["name": "new"])
    for (ids, code) in [
      ([task.objectID, step.objectID], "invalid-request"), ([new.objectID], "temporary-id"),
      ([], "invalid-request"),
    ] {
      let error = #expect(throws: GraphStoreError.self) {
        try stack.context.execute(BatchDeleteRequest(objectIDs: ids))
      }
      #expect(error?.code.rawValue == code)
    }
  }

  @Test("FET-239: files of values go after the commit, and stay with a dry run", .needs(.files))
  func externalData() throws {
    let stack = try stack(Self.model())
    let task = try #require(try stack.context.all("Task").first)
    try task.setValue(Data(repeating: 1, count: 300_000), forKey: "file")
    try stack.context.save()
    func files() -> Int {
      FileManager.default.enumerator(atPath: stack.folder.path)?.compactMap { $0 as? String }
        .filter { $0.contains("_EXTERNAL_DATA/") }.count ?? 0
    }
    #expect(files() == 1)
    var request = try request("Task")
    request.isDryRun = true
    try stack.context.execute(request)
    #expect(files() == 1)
    request.isDryRun = false
    try stack.context.execute(request)
    stack.context.reset()
    try stack.context.insert("Task", ["name": "x"])
    try stack.context.save()
    #expect(files() == 0)
  }

  @Test("FET-240, FET-212: a held object of a deleted row is inaccessible, and deleted once that is merged")
  func held() throws {
    let stack = try stack(Self.model())
    let (fault, other) = (try stack.context.all("Tag")[0], try stack.context.all("Person")[0])
    try stack.context.refresh(fault, mergeChanges: false)
    let result = try stack.context.execute(try request("Tag"))
    stack.context.shouldDeleteInaccessibleFaults = true
    #expect(try fault.value(forKey: "name") == nil)
    #expect(fault.isDeleted)
    let people = try stack.context.execute(try request("Person"))
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [.deletedObjectIDs: people.objectIDs + result.objectIDs], into: [stack.context])
    #expect(other.isDeleted && other.managedObjectContext != nil || other.managedObjectContext == nil)
  }

  @Test("FET-241: rows without a date are never purged by a date")
  func missingDates() throws {
    let stack = try stack(Self.model())
    let project = try #require(try stack.context.all("Project", "name == 'p1'").first)
    try project.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "ended")
    try stack.context.save()
    var fetch = FetchRequest(entityName: "Project", predicate: try QueryPredicate(parsing: "ended < $CUTOFF"))
    fetch.variables = ["CUTOFF": .date(Date())]
    try stack.context.execute(BatchDeleteRequest(fetch))
    #expect(try names(stack, "Project") == ["p0", "p2"])
  }

  @Test(
    "FET-236: over random models what is deleted, cut and denied is what deleting objects one by one gives",
    arguments: TestSeed.sequence(12))
  func random(_ seed: TestSeed) throws {
    var random = seed.generator
    var graph = RandomGraph(shapes: &random)
    let stack = try TestStack(graph.model)
    var objects: [Int: ManagedObject] = [:]
    for number in 0..<24 {
      let entity = random.pick(["P", "Q", "R", "S"])
      objects[number] = try stack.context.insert(entity, ["n": number])
      graph.entities[number] = entity
    }
    for _ in 0..<60 { if let edit = graph.drawNewLink(&random) { _ = try graph.link(edit, in: [objects]) } }
    try stack.context.save()
    graph.save()
    let deleter = stack.newContext()
    for _ in 0..<6 {
      let seeds = graph.drawDeletion(&random)
      let root = RandomGraph.root(graph.entities[seeds[0]] ?? "P")
      let same = seeds.filter { RandomGraph.root(graph.entities[$0] ?? "P") == root }
      var wanted = graph
      wanted.delete(same)
      var request = BatchDeleteRequest(
        FetchRequest(
          entityName: root,
          predicate: try QueryPredicate(parsing: "n IN {\(same.map(String.init).joined(separator: ","))}")))
      request.resultType = .count
      do {
        let count = try deleter.execute(request).count
        #expect(!wanted.isDenied && count == wanted.deleted.count, "\(seed)")
        graph = wanted
        graph.save()
      } catch let error as GraphStoreError {
        #expect(wanted.isDenied && [1600, 1560].contains(error.number), "\(seed): \(error)")
      }
      let fresh = stack.newContext()
      var present: [Int: ManagedObject] = [:]
      for object in try fresh.all("P") + fresh.all("R") {
        present[Int(try object.queryValue(forKey: "n").number)] = object
      }
      #expect(Set(present.keys) == Set(graph.entities.keys), "\(seed)")
      #expect(try graph.differences(present) == [], "\(seed)")
    }
  }
}
