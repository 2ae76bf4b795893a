import Foundation
import Synchronization
import Testing

@testable import GraphStore

private final class Known: ManagedObject {}

/// The notices about one model; other tests post theirs at the same time.
private final class Notices: Sendable {
  private let findings = Mutex<[ModelProblem]>([])

  var all: [ModelProblem] { findings.withLock { $0 } }

  func add(_ finding: ModelProblem) { findings.withLock { $0.append(finding) } }
}

@Suite("What is told of classes that nobody registered")
struct ClassWarningTests {
  private static func model(_ name: String, _ extra: (inout ModelDefinition) -> Void = { _ in }) throws
    -> ManagedObjectModel
  {
    var definition = ModelDefinition(
      name: name,
      entities: [
        EntityDefinition("Base", isAbstract: true, className: "Missing"),
        EntityDefinition("Plain"), EntityDefinition("General", className: "ManagedObject"),
        EntityDefinition("Here", parent: "Base", className: "Known"),
        EntityDefinition("First", className: "Missing"), EntityDefinition("Second", className: "Missing"),
      ])
    extra(&definition)
    return try ManagedObjectModel(definition)
  }

  private func news(_ notice: ClassWarning, _ model: ManagedObjectModel) -> [ModelProblem] {
    notice.news(ClassTable(model, ["Known": Known.self]), of: model)
  }

  @Test("MDL-070, MDL-072: one warning an entity names class and entity; abstract entities need no class")
  func named() throws {
    let found = news(ClassWarning(), try Self.model("A"))
    #expect(found.map(\.code) == ["class-not-registered", "class-not-registered"])
    #expect(found.allSatisfy { $0.severity == .warning && $0.message.contains("Missing") })
    #expect(found.map(\.path.description) == ["entities[4].className", "entities[5].className"])
    #expect(found[0].message.contains("First") && found[1].message.contains("Second"))
  }

  @Test("MDL-070: it is told once, whichever coordinator meets it, and again for another model")
  func once() throws {
    let notice = ClassWarning()
    #expect(news(notice, try Self.model("A")).count == 2)
    #expect(news(notice, try Self.model("A")).isEmpty)
    #expect(news(notice, try Self.model("B")).count == 2)
  }

  @Test("DGN-136: a class that no entity names is told once, and silenced by the user info of the model")
  func unused() throws {
    let classes = ["Known": Known.self, "Astray": Known.self, "Base": Known.self]
    func news(_ notice: ClassWarning, _ model: ManagedObjectModel) -> [ModelProblem] {
      notice.news(ClassTable(model, classes), of: model).filter { $0.code == "class-not-used" }
    }
    let notice = ClassWarning()
    let found = news(notice, try Self.model("A"))
    #expect(found.count == 2 && found.allSatisfy { $0.severity == .warning })
    #expect(found[0].message.contains("accessors and dependent keys of Astray are never used"))
    #expect(found[1].message.contains("Base"))
    #expect(try news(notice, Self.model("A")).isEmpty)
    #expect(try news(notice, Self.model("B") { $0.requiresClasses = true }).count == 2)
    let ignore: [String: JSONValue] = ["checkIgnore": .array([.string("class-not-used")])]
    #expect(try news(ClassWarning(), Self.model("A") { $0.userInfo = ignore }).isEmpty)
  }

  @Test("MDL-354: the user info of an entity, or of the model, silences it")
  func silenced() throws {
    let ignore: [String: JSONValue] = ["checkIgnore": .array([.string("class-not-registered")])]
    #expect(news(ClassWarning(), try Self.model("A") { $0.entities[4].userInfo = ignore }).count == 1)
    #expect(news(ClassWarning(), try Self.model("A") { $0.userInfo = ignore }).isEmpty)
  }

  @Test(
    "MDL-070: a coordinator posts it where the program registered some class, and not where it registered none"
  )
  func posted() throws {
    let name = "Notice \(UUID())"
    let model = try Self.model(name) {
      $0.entities[4].className = name
      $0.entities[5].className = nil
    }
    let notices = Notices()
    ModelWarning.handler = { finding in if finding.message.contains(name) { notices.add(finding) } }
    defer { ModelWarning.handler = nil }
    _ = PersistentStoreCoordinator(model: model)
    #expect(notices.all.isEmpty)
    for _ in 0..<2 { _ = PersistentStoreCoordinator(model: model, classes: ["Known": Known.self]) }
    #expect(notices.all.count == 1)
  }

  @Test("MDL-068, MDL-070, DGN-134: objects whose class is missing are plain ones that work and save")
  func fallback() throws {
    let stack = try TestStack(try Self.model("A").definition, classes: ["Known": Known.self])
    let object = try stack.context.insert(entityNamed: "First")
    #expect(type(of: object) == ManagedObject.self)
    try stack.context.save()
    #expect(try stack.otherProcess().all("First").count == 1)
  }
}
