import Foundation
import Testing

@testable import GraphStore

/// A class of the program, whose hooks a preview does not run.
private final class Task: ManagedObject {
  nonisolated(unsafe) static var prepared = 0

  override func prepareForDeletion() { Self.prepared += 1 }
}

@Suite("Cascades that are denied further down", .serialized, .everyStore)
struct DenialPathTests {
  private let stack: TestStack
  private let company: ManagedObject
  private let person: ManagedObject
  private let task: ManagedObject
  private var context: ManagedObjectContext { stack.context }

  /// A company whose people go with it; people may not go while they have tasks, which go with nobody.
  init() throws {
    stack = try TestStack(
      ModelDefinition(
        name: "Work",
        entities: [
          EntityDefinition(
            "Company",
            relationships: [
              .init("teams", to: "Team", inverse: "company", isToMany: true, deleteRule: .cascade)
            ]),
          EntityDefinition(
            "Team",
            relationships: [
              .init("company", to: "Company", inverse: "teams"),
              .init("people", to: "Person", inverse: "team", isToMany: true, deleteRule: .cascade),
            ]),
          EntityDefinition(
            "Person",
            relationships: [
              .init("team", to: "Team", inverse: "people"),
              .init("tasks", to: "Task", inverse: "owner", isToMany: true, deleteRule: .deny),
            ]),
          EntityDefinition(
            "Task", className: "Task", relationships: [.init("owner", to: "Person", inverse: "tasks")]),
        ]), classes: ["Task": Task.self])
    company = try stack.context.insert("Company", [:])
    let team = try stack.context.insert("Team", ["company": company])
    person = try stack.context.insert("Person", ["team": team])
    _ = try stack.context.insert("Person", ["team": team])
    task = try stack.context.insert("Task", ["owner": person])
    try stack.context.save()
    Task.prepared = 0
  }

  @Test("REL-198: the error names the object at which the cascade began, and the path")
  func path() throws {
    let preview = try context.deletionPreview(of: [company])
    #expect(preview.denials.map(\.origin) == [company.objectID])
    #expect(preview.denials.map(\.path) == [["Company.teams", "Team.people"]])
    try context.delete(company)
    let error = try #require(failure { try context.save() })
    #expect(error.code == .deleteDenied && error.objectID == person.objectID)
    #expect(
      error.details.last == "deleted with \(company.objectID.shortForm), by way of Company.teams, Team.people"
    )
    context.rollback()
    try context.delete(person)
    let direct = try #require(failure { try context.save() })
    #expect(direct.details == ["blocked by 1 Task: \(task.objectID.shortForm)"])
    #expect(try context.deletionPreview(of: []).denials.isEmpty)
  }

  @Test("REL-334: entities whose classes may have hooks are listed, and no hook runs")
  func hooks() throws {
    #expect(try context.deletionPreview(of: [company]).hooksNotRun.isEmpty)
    #expect(try context.deletionPreview(of: [task, company]).hooksNotRun == ["Task"])
    #expect(Task.prepared == 0 && !task.isDeleted)
  }

  @Test("REL-336: counts by entity and rule are those of the tree, and nothing is deleted")
  func counts() throws {
    let counts = try context.deletionCounts(of: [company])
    let tree = try context.deletionPreview(of: [company])
    #expect(counts.filter { $0.rule == nil || $0.rule == .cascade } == tree.counts)
    #expect(tree.counts.map(\.count) == [1, 1, 2])
    #expect(counts.filter { $0.rule == .deny }.map(\.count) == [tree.denials.count])
    let alone = try context.deletionCounts(of: [task])
    #expect(alone.map(\.rule) == [nil, .nullify] && alone[1].relationship == "Person.tasks")
    #expect(!context.hasChanges)
  }
}
