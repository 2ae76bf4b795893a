import Foundation
import GraphStoreTestSupport
import Synchronization
import Testing

@testable import GraphStore

/// Pinned contexts of several threads, and random saves beside them.
@Suite("Query generations on several threads")
struct QueryGenerationThreadTests {
  private static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Team", attributes: [AttributeDefinition("name", .string)],
      relationships: [RelationshipDefinition("members", to: "Person", inverse: "team", isToMany: true)]),
    EntityDefinition(
      "Person",
      attributes: [AttributeDefinition("name", .string), AttributeDefinition("points", .int64)],
      relationships: [RelationshipDefinition("team", to: "Team", inverse: "members")]),
  ])

  /// What a context shows: the persons with their points and teams, the teams with their members.
  private struct Picture: Equatable {
    var persons: [String] = []
    var teams: [String] = []

    init(_ context: ManagedObjectContext) throws {
      for person in try context.all("Person") {
        let team = try person.object(forKey: "team")?.string("name") ?? "-"
        persons.append(
          "\(try person.string("name") ?? "-") \(try person.value(forKey: "points") ?? 0) \(team)")
      }
      for team in try context.all("Team") {
        teams.append("\(try team.string("name") ?? "-"): \(try team.names("members").sorted())")
      }
      persons.sort()
      teams.sort()
    }
  }

  private func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let persons = try context.all("Person")
      let team = try context.all("Team").randomElement(using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let name = "new \(Int.random(in: 0..<1000, using: &random))"
        try context.insert("Person", ["name": name, "points": 0]).setValue(team, forKey: "team")
      case 1:
        if persons.count > 3, let person = persons.randomElement(using: &random) {
          try context.delete(person)
        }
      case 2: try persons.randomElement(using: &random)?.setValue(team, forKey: "team")
      default:
        let points = Int64.random(in: 0..<100, using: &random)
        try persons.randomElement(using: &random)?.setValue(points, forKey: "points")
      }
    }
    try context.save()
  }

  private func makeStack() throws -> TestStack {
    let stack = try TestStack(Self.model)
    for number in 0..<3 { try stack.context.insert("Team", ["name": "team \(number)"]) }
    for number in 0..<8 {
      try stack.context.insert("Person", ["name": "person \(number)", "points": number])
    }
    try stack.context.save()
    return stack
  }

  @Test(
    "CTX-338, CTX-339, CTX-340, CTX-341, CTX-343: a pinned context shows what was there at its pin",
    arguments: TestSeed.sequence(6))
  func random(_ seed: TestSeed) throws {
    var random = seed.generator
    let stack = try makeStack()
    let other = try stack.otherProcess()
    var pictures: [(context: ManagedObjectContext, picture: Picture?)] = []
    for _ in 0..<4 { pictures.append((stack.newContext(), nil)) }
    for _ in 0..<60 {
      let place = Int.random(in: 0..<pictures.count, using: &random)
      let context = pictures[place].context
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try context.setQueryGenerationFrom(.current)
      case 1: try context.setQueryGenerationFrom(nil)
      case 2:
        let source = pictures[Int.random(in: 0..<pictures.count, using: &random)]
        guard source.context !== context, let token = source.context.queryGenerationToken, token != .current
        else { continue }
        try context.setQueryGenerationFrom(token)
        pictures[place].picture = source.picture
        continue
      case 3: context.reset()
      case 4:
        other.reset()
        try change(other, &random)
        continue
      case 5, 6:
        stack.context.reset()
        try change(stack.context, &random)
        continue
      case 7:
        // Its own save, with a policy, since it may not have seen the newest state.
        context.mergePolicy = .overwrite
        context.reset()
        try context.insert("Person", ["name": "own", "points": 1])
        try context.save()
        context.reset()
      default:
        try context.refreshAllObjects()
        let picture = try Picture(context)
        if let known = pictures[place].picture, context.queryGenerationToken != nil {
          #expect(picture == known, "\(seed)")
        } else if context.queryGenerationToken == nil {
          #expect(try picture == Picture(stack.newContext()), "\(seed)")
        }
        pictures[place].picture = context.queryGenerationToken == nil ? nil : picture
        try context.checkInvariants()
        continue
      }
      pictures[place].picture = nil
    }
    #expect(stack.coordinator.generations.count <= 4)
    for (context, _) in pictures { try context.setQueryGenerationFrom(nil) }
    #expect(stack.coordinator.generations.count == 0)
  }

  @Test("CTX-338, CTX-345: contexts on several threads read one state at once, while others save")
  func threads() throws {
    let stack = try makeStack()
    let coordinator = stack.coordinator
    let pinned = stack.newContext()
    try pinned.setQueryGenerationFrom(.current)
    let picture = try Picture(pinned)
    let token = try #require(pinned.queryGenerationToken)
    let isDone = Atomic(false)
    let wrong = Atomic(0)
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    let work = { @Sendable (body: @escaping @Sendable () throws -> Void) in
      group.enter()
      Thread {
        do { try body() } catch { failures.withLock { $0.append("\(error)") } }
        group.leave()
      }.start()
    }
    for _ in 0..<4 {
      work {
        let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
        try context.performAndWait { try context.setQueryGenerationFrom(token) }
        for round in 0..<15 {
          try context.performAndWait {
            if try Picture(context) != picture { wrong.add(1, ordering: .relaxed) }
            if round % 3 == 0 { try context.refreshAllObjects() }
          }
        }
        try context.performAndWait { try context.checkInvariants() }
      }
    }
    work {
      var random = SeededGenerator(seed: 7)
      let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
      while !isDone.load(ordering: .relaxed) {
        try context.performAndWait { try change(context, &random) }
      }
    }
    work {
      // Its pin moves along.
      let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
      try context.performAndWait { try context.setQueryGenerationFrom(.current) }
      while !isDone.load(ordering: .relaxed) {
        try context.performAndWait {
          let first = try Picture(context)
          try context.refreshAllObjects()
          if try Picture(context) != first { wrong.add(1, ordering: .relaxed) }
          context.reset()
        }
      }
    }
    Thread.sleep(forTimeInterval: 0.5)
    isDone.store(true, ordering: .relaxed)
    #expect(group.wait(timeout: .now() + .seconds(120)) == .success)
    #expect(failures.withLock(\.self) == [] && wrong.load(ordering: .relaxed) == 0)
    #expect(try Picture(pinned) == picture)
    #expect(coordinator.generations.count == 1)
  }

  /// Calls a body for each object of an entity that a fetch of a context considers.
  private func fetch(
    _ entity: String, of context: ManagedObjectContext, inStore: Bool, _ body: @escaping @Sendable () -> Void
  ) throws -> Int {
    let call: PredicateFunctions.Body = { target, _ in
      body()
      return target
    }
    var functions = PredicateFunctions.standard
    if inStore {
      functions.register("nested", isDeterministic: true, sqlForm: .returning(.string), call)
    } else {
      functions.register("nested", call)
    }
    context.functions = functions
    return try context.all(entity, "FUNCTION(name, 'nested') == name").count
  }

  @Test(
    "CTX-345: code of the program that runs within a request of a pinned context reads at the same state",
    arguments: [false, true])
  func callbacks(inStore: Bool) throws {
    let stack = try makeStack()
    let coordinator = stack.coordinator
    let pinned = stack.newContext()
    try pinned.setQueryGenerationFrom(.current)
    let count = try pinned.count(for: FetchRequest(entityName: "Person"))
    let token = pinned.queryGenerationToken
    let second = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    let seen = Mutex<Set<Int>>([])
    let found = try fetch("Person", of: pinned, inStore: inStore) {
      // Another context of the same state, and one that saves.
      let own = try? second.performAndWait {
        try second.setQueryGenerationFrom(token)
        return try second.count(for: FetchRequest(entityName: "Person"))
      }
      seen.withLock { _ = $0.insert(own ?? -1) }
      let third = ManagedObjectContext(coordinator: coordinator)
      _ = try? third.insert("Person", ["name": "third"])
      try? third.save()
    }
    #expect(found == count && seen.withLock(\.self) == [count])
    // The pin of the context itself may move within its own request.
    let teams = try fetch("Team", of: pinned, inStore: inStore) {
      pinned.movePin()
      _ = try? pinned.count(for: FetchRequest(entityName: "Person"))
    }
    #expect(teams == 3)
    #expect(try pinned.count(for: FetchRequest(entityName: "Person")) == 2 * count)
  }
}
