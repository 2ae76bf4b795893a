import Foundation
import Testing

@testable import GraphStore

/// What a pinned context reads, and when its pin is chosen and moved.
@Suite("Query generations")
struct QueryGenerationTests {
  private let stack: TestStack
  private let pinned: ManagedObjectContext
  private let writer: ManagedObjectContext

  /// Ada and Grace in Research.
  init() throws {
    stack = try TestStack(TestModels.company())
    pinned = stack.newContext()
    writer = stack.context
    let research = try writer.insert("Department", ["name": "Research"])
    for name in ["Ada", "Grace"] {
      try writer.insert("Employee", ["name": name, "salary": 10, "department": research])
    }
    try writer.save()
  }

  private func names(_ context: ManagedObjectContext) throws -> [String] {
    try context.all("Employee", sort: ["name"]).compactMap { try $0.string("name") }
  }

  private func count(_ context: ManagedObjectContext) throws -> Int {
    try context.count(for: FetchRequest(entityName: "Employee"))
  }

  /// Renames an employee of a context, and saves it.
  private func rename(_ name: String, to other: String, in context: ManagedObjectContext) throws {
    try #require(context.all("Employee", "name == '\(name)'").first).setValue(other, forKey: "name")
    try context.save()
  }

  @Test("CTX-020, CTX-336: an unpinned context has no token and reads the newest state each time")
  func unpinned() throws {
    #expect(pinned.queryGenerationToken == nil)
    #expect(try names(pinned) == ["Ada", "Grace"])
    try rename("Grace", to: "Hedy", in: writer)
    try writer.insert("Employee", ["name": "Zoe"])
    try writer.save()
    #expect(try count(pinned) == 3)
    #expect(stack.pool?.pinnedCount == 0)
  }

  @Test(
    "CTX-337, CTX-458: the state is chosen at the next read and not at the call",
    arguments: ["fetch", "count", "fault", "members", "identifier"])
  func choosing(_ read: String) throws {
    let id = try #require(writer.all("Employee", "name == 'Ada'").first).objectID
    let fault = try pinned.object(with: id)
    let department = try #require(try pinned.all("Department").first)
    #expect(try department.string("name") == "Research")
    try pinned.setQueryGenerationFrom(.current)
    #expect(pinned.queryGenerationToken == .current && pinned.queryGenerationToken?.description == "current")
    try rename("Ada", to: "Augusta", in: writer)
    #expect(pinned.queryGenerationToken == .current)
    switch read {
    case "fetch": #expect(try names(pinned) == ["Augusta", "Grace"])
    case "count": #expect(try count(pinned) == 2)
    case "fault": #expect(try fault.string("name") == "Augusta")
    case "members": #expect(try Set(department.names("employees")) == ["Augusta", "Grace"])
    default: #expect(try pinned.existingObject(with: id).string("name") == "Augusta")
    }
    let token = try #require(pinned.queryGenerationToken)
    #expect(token != .current && token.description.hasPrefix("generation "))
    try rename("Augusta", to: "Ida", in: writer)
    #expect(try names(pinned) == ["Augusta", "Grace"] && pinned.queryGenerationToken == token)
  }

  @Test(
    "CTX-338, CTX-339, CTX-340, CTX-354, FET-036, FLT-023: all reads show the state of the pin",
    arguments: [false, true])
  func reads(byOtherProcess: Bool) throws {
    let ada = try #require(writer.all("Employee", "name == 'Ada'").first).objectID
    let grace = try #require(writer.all("Employee", "name == 'Grace'").first).objectID
    let research = try #require(writer.all("Department").first).objectID
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    // The other context holds the objects, so that the row cache has the new rows.
    let other = byOtherProcess ? try stack.otherProcess() : writer
    let held = try other.all("Employee", sort: ["name"])
    try held[0].setValue("Augusta", forKey: "name")
    try other.delete(held[1])
    let department = try #require(other.all("Department").first)
    try other.insert("Employee", ["name": "Zoe", "department": department])
    try other.save()
    #expect(try names(pinned) == ["Ada", "Grace"])
    #expect(try count(pinned) == 2)
    #expect(try pinned.object(with: ada).string("name") == "Ada")
    #expect(try pinned.existingObject(with: grace).string("name") == "Grace")
    #expect(
      try pinned.existingObjects(with: [ada, grace]).map { try $0.string("name") } == ["Ada", "Grace"])
    #expect(try Set(pinned.existingObject(with: research).names("employees")) == ["Ada", "Grace"])
    #expect(try pinned.all("Employee", "department.name == 'Research' AND salary == 10").count == 2)
    #expect(try pinned.all("Department", "ANY employees.name == 'Zoe'").isEmpty)
    var request = FetchRequest(entityName: "Employee")
    request.resultType = .dictionary
    request.propertiesToFetch = ["name"]
    #expect(try pinned.fetchDictionaries(request).count == 2)
    #expect(try pinned.fetchIdentifiers(FetchRequest(entityName: "Employee")) == [ada, grace])
    // Unpinned it differs, and so does the row cache, in which the newer rows have stayed.
    #expect(try names(stack.newContext()) == ["Augusta", "Zoe"])
    #expect(try held[0].string("name") == "Augusta")
    try other.refresh(held[0], mergeChanges: false)
    let statements = try stack.statements { try check(held[0].string("name") == "Augusta") }
    #expect(statements == 0)
    try pinned.checkInvariants()
  }

  @Test("CTX-339: rows that a pinned context reads later do not replace newer ones in the row cache")
  func cache() throws {
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    try rename("Ada", to: "Augusta", in: writer)
    let held = try writer.all("Employee", sort: ["name"])
    #expect(try names(pinned) == ["Ada", "Grace"])
    pinned.reset()
    #expect(try held.map { try $0.string("name") } == ["Augusta", "Grace"])
    for object in held { try writer.refresh(object, mergeChanges: false) }
    #expect(try held.map { try $0.string("name") } == ["Augusta", "Grace"])
    #expect(try names(stack.newContext()) == ["Augusta", "Grace"])
  }

  @Test("CTX-337, CTX-338: a row that a fault has from before the pin is not shown under it")
  func formerRows() throws {
    let faults = try pinned.all("Employee", sort: ["name"])
    try rename("Ada", to: "Augusta", in: stack.otherProcess())
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    #expect(try faults[0].string("name") == "Augusta")
  }

  @Test("CTX-341, CTX-458: an own save and a reset move the pin; rollback, refresh and fetching do not")
  func moves() throws {
    try pinned.setQueryGenerationFrom(.current)
    let ada = try #require(pinned.all("Employee", "name == 'Ada'").first)
    let first = try #require(pinned.queryGenerationToken)
    try rename("Grace", to: "Hedy", in: writer)
    try ada.setValue(20, forKey: "salary")
    pinned.rollback()
    try pinned.refresh(ada, mergeChanges: false)
    try pinned.refreshAllObjects()
    #expect(try names(pinned) == ["Ada", "Grace"] && pinned.queryGenerationToken == first)
    try ada.setValue(30, forKey: "salary")
    try pinned.save()
    #expect(pinned.queryGenerationToken == .current)
    #expect(try count(pinned) == 2)
    let second = try #require(pinned.queryGenerationToken)
    #expect(second != first && second != .current)
    #expect(try pinned.all("Employee", "name == 'Hedy'").count == 1)
    try rename("Hedy", to: "Ida", in: writer)
    pinned.reset()
    #expect(pinned.queryGenerationToken == .current)
    #expect(try names(pinned) == ["Ada", "Ida"])
    #expect(pinned.queryGenerationToken != second)
    #expect(stack.coordinator.generations.count == 1)
  }

  @Test("CTX-341: what merges a save moves the pin, and faults show the newest rows")
  func merging() throws {
    try pinned.setQueryGenerationFrom(.current)
    let faults = try pinned.all("Employee", sort: ["name"])
    try rename("Ada", to: "Augusta", in: writer)
    pinned.movePin()
    #expect(pinned.queryGenerationToken == .current)
    #expect(try names(pinned) == ["Augusta", "Grace"])
    #expect(try faults[0].string("name") == "Augusta")
    let unpinned = stack.newContext()
    unpinned.movePin()
    #expect(unpinned.queryGenerationToken == nil)
  }

  @Test("CTX-342: nil unpins, and the state ends")
  func unpinning() throws {
    try pinned.setQueryGenerationFrom(.current)
    let faults = try pinned.all("Employee", sort: ["name"])
    try rename("Ada", to: "Augusta", in: writer)
    #expect(stack.pool?.pinnedCount == 1)
    try pinned.setQueryGenerationFrom(nil)
    #expect(pinned.queryGenerationToken == nil && stack.pool?.pinnedCount == 0)
    #expect(try faults[0].string("name") == "Augusta")
    #expect(try names(pinned) == ["Augusta", "Grace"])
    // It shares the row cache again.
    try rename("Augusta", to: "Ida", in: writer)
    let reader = stack.newContext()
    #expect(try count(pinned) == 2)
    let id = faults[0].objectID
    let statements = try stack.statements { try check(reader.object(with: id).string("name") == "Ida") }
    #expect(statements == 0)
    try pinned.checkInvariants()
  }

  @Test("DGN-261, CTX-343, CTX-345: the token of another context pins to its state, as long as one is there")
  func tokens() throws {
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    let token = try #require(pinned.queryGenerationToken)
    try rename("Ada", to: "Augusta", in: writer)
    let second = stack.newContext()
    let known = try second.all("Employee", sort: ["name"])
    try second.setQueryGenerationFrom(token)
    #expect(second.queryGenerationToken == token)
    #expect(try known[0].string("name") == "Ada")
    #expect(try names(second) == ["Ada", "Grace"])
    #expect(stack.pool?.pinnedCount == 1)
    try pinned.setQueryGenerationFrom(nil)
    #expect(try names(second) == ["Ada", "Grace"])
    try second.setQueryGenerationFrom(token)
    #expect(second.queryGenerationToken == token)
    second.reset()
    #expect { try pinned.setQueryGenerationFrom(token) } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .queryGenerationUnavailable && error?.number == 136054
    }
    #expect(pinned.queryGenerationToken == nil)
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    let kept = pinned.queryGenerationToken
    #expect(throws: GraphStoreError.self) { try pinned.setQueryGenerationFrom(token) }
    #expect(pinned.queryGenerationToken == kept)
  }

  @Test("CTX-343: the token of another coordinator names nothing here")
  func otherCoordinator() throws {
    let other = try stack.otherProcess()
    try other.setQueryGenerationFrom(.current)
    #expect(try other.all("Employee").count == 2)
    let token = try #require(other.queryGenerationToken)
    #expect { try pinned.setQueryGenerationFrom(token) } throws: {
      GraphStoreError.code(.queryGenerationUnavailable) ~= $0
    }
  }

  @Test("CTX-344: tokens are hashable values, equal for contexts at one state, and keep none alive")
  func tokenValues() throws {
    let second = stack.newContext()
    for context in [pinned, second] {
      try context.setQueryGenerationFrom(.current)
      #expect(try count(context) == 2)
    }
    let token = try #require(pinned.queryGenerationToken)
    #expect(second.queryGenerationToken == token && Set([token, .current, token]).count == 2)
    #expect(stack.coordinator.generations.count == 1)
    try rename("Ada", to: "Augusta", in: writer)
    try second.setQueryGenerationFrom(.current)
    #expect(try count(second) == 2 && second.queryGenerationToken != token)
    #expect(stack.coordinator.generations.count == 2)
    try pinned.setQueryGenerationFrom(nil)
    try second.setQueryGenerationFrom(nil)
    #expect(stack.coordinator.generations.count == 0 && stack.pool?.connectionCount == 1)
  }

  @Test("CTX-337, CTX-340: two contexts that are pinned with another process's save between have two states")
  func otherProcesses() throws {
    let second = stack.newContext()
    try pinned.setQueryGenerationFrom(.current)
    #expect(try count(pinned) == 2)
    let other = try stack.otherProcess()
    try other.insert("Employee", ["name": "Zoe"])
    try other.save()
    try second.setQueryGenerationFrom(.current)
    #expect(try count(second) == 3)
    #expect(try count(pinned) == 2)
  }

  @Test("DGN-261, CTX-347: a child cannot be pinned, and reports its root's token")
  func children() throws {
    let child = ManagedObjectContext(parent: pinned)
    try pinned.setQueryGenerationFrom(.current)
    child.performAndWait { #expect(child.queryGenerationToken == .current) }
    #expect(try count(pinned) == 2)
    child.performAndWait {
      #expect(child.queryGenerationToken == pinned.generationToken)
      for token in [nil, .current, child.queryGenerationToken] {
        #expect { try child.setQueryGenerationFrom(token) } throws: {
          ($0 as? GraphStoreError)?.code == .queryGenerationOnChild
            && ($0 as? GraphStoreError)?.number == 136055
        }
      }
    }
    try pinned.setQueryGenerationFrom(nil)
    child.performAndWait { #expect(child.queryGenerationToken == nil) }
  }

  @Test("CTX-345: a state ends with the last context that is pinned to it")
  func contexts() throws {
    do {
      let context = ManagedObjectContext(coordinator: stack.coordinator)
      try context.setQueryGenerationFrom(.current)
      #expect(try count(context) == 2)
      #expect(stack.pool?.pinnedCount == 1)
    }
    #expect(stack.pool?.pinnedCount == 0)
  }

  @Test(
    "CTX-341, CTX-139: a context in a transaction reads through that, and its own state after")
  func transactions() throws {
    try pinned.setQueryGenerationFrom(.current)
    let faults = try pinned.all("Employee", sort: ["name"])
    let token = pinned.queryGenerationToken
    try rename("Ada", to: "Augusta", in: writer)
    try stack.coordinator.transaction(with: pinned) { _ in
      #expect(try names(pinned) == ["Augusta", "Grace"])
      try pinned.refreshAllObjects()
    }
    #expect(pinned.queryGenerationToken == token)
    #expect(try names(pinned) == ["Ada", "Grace"])
    #expect(try faults[0].string("name") == "Ada")
    try stack.coordinator.transaction(with: pinned) { _ in
      try faults[1].setValue("Hedy", forKey: "name")
      try pinned.save()
      #expect(try pinned.all("Employee", "name == 'Hedy'").count == 1)
    }
    #expect(pinned.queryGenerationToken == .current)
    try pinned.refreshAllObjects()
    #expect(try names(pinned) == ["Augusta", "Hedy"])
    try pinned.checkInvariants()
  }
}
