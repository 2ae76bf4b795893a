import Foundation
import GraphStore
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("diff of two stores")
struct DiffTests {
  /// A folder with `hr.db` and `copy.db`, a copy of it with some changes.
  private static func changedCopy(_ script: String) throws -> CommandLineTool {
    let tool = try CommandLineTool.staffedCompany()
    try FileManager.default.copyItem(atPath: tool.path("hr.db"), toPath: tool.path("copy.db"))
    let changed = try tool.run("run", "-", "-s", "copy.db", input: script)
    try #require(changed.code == 0, "\(changed.errors)")
    return tool
  }

  @Test(
    "STO-165: objects that came, went and changed are told property by property, and 2 says that there are some"
  )
  func text() throws {
    let tool = try Self.changedCopy(
      """
      update Employee/p2 salary=73000 department=Department/p2
      delete Employee/p3
      insert Employee name=Eve salary=1 badge=9
      link Project/p1.members Employee/p4
      """)
    let outcome = try tool.run("diff", "hr.db", "copy.db", "--exit-code")
    #expect(outcome.code == 2)
    #expect(
      outcome.lines == [
        "~ Employee/p2.salary   72000.5 → 73000", "~ Employee/p2.department   Department/p1 → Department/p2",
        "- Employee/p3   name=\"Bob\" salary=50000 badge=3 department=Department/p2 manager=Employee/p1",
        "+ Employee/p4   name=\"Eve\" salary=1 badge=9", "~ Project/p1.members   +Employee/p4",
      ], "\(outcome.output)\(outcome.errors)")
    #expect(try tool.run("diff", "hr.db", "copy.db").code == 0)
    let same = try tool.run("diff", "hr.db", "hr.db", "--exit-code")
    #expect(same.code == 0)
    #expect(same.output == "")
    let filtered = try tool.run("diff", "hr.db", "copy.db", "--entity", "Project")
    #expect(filtered.lines == ["~ Project/p1.members   +Employee/p4"])
    let unknown = try tool.run("diff", "hr.db", "copy.db", "--entity", "Projct")
    #expect(unknown.code == 64)
    #expect(unknown.errors.contains("did you mean \"Project\"?"), "\(unknown.errors)")
  }

  @Test("CLI: differences as JSON, as a document and an object a line")
  func json() throws {
    let tool = try Self.changedCopy("update Employee/p2 salary=73000\ndelete Employee/p3\n")
    let document = try tool.run("diff", "hr.db", "copy.db", "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any])
    #expect(object["changed"] as? Int == 1)
    #expect(object["removed"] as? Int == 1)
    #expect(object["added"] as? Int == 0)
    #expect((object["differences"] as? [Any])?.count == 2)
    let lines = try tool.run("diff", "hr.db", "copy.db", "--ndjson").lines
    #expect(
      lines.first
        == "{\"change\":\"changed\",\"id\":\"Employee/p2\",\"properties\":{\"salary\":{\"old\":\"72000.5\",\"new\":\"73000\"}}}"
    )
    #expect(lines.last?.hasPrefix("{\"change\":\"removed\",\"id\":\"Employee/p3\",\"values\":{") == true)
    #expect(try tool.run("diff", "hr.db", "copy.db", "-o", "d.txt").output == "")
  }

  @Test("CLI: objects of one key are the same whatever their ids, and so is what refers to them")
  func keys() throws {
    let tool = try CommandLineTool.staffedCompany()
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    try #require(try tool.run("init", "other.db", "--model", model).code == 0)
    let script = """
      insert Department name=Sales
      insert Department name=Engineering
      insert Employee name=Bob salary=50000 badge=3 department=Department/p1
      insert Employee name=Grace salary=81000 badge=1 birthday=1966-12-09 department=Department/p2
      update Employee/p1 manager=Employee/p2
      insert Employee name=Ada salary=9 badge=2 department=Department/p2 manager=Employee/p2
      insert Project title=Compiler members=Employee/p3,Employee/p2
      """
    let made = try tool.run("run", "-", "-s", "other.db", input: script)
    try #require(made.code == 0, "\(made.errors)")
    let outcome = try tool.run(
      "diff", "hr.db", "other.db", "--key", "Employee.badge,Department.name", "--key", "Project.title")
    #expect(
      outcome.lines == ["~ Employee/p2 = Employee/p3.salary   72000.5 → 9"],
      "\(outcome.output)\(outcome.errors)")
    #expect(try tool.run("diff", "hr.db", "other.db").lines.count > 5)
    let wrong = try tool.run("diff", "hr.db", "other.db", "--key", "Employee.bdge")
    #expect(wrong.code == 64)
    #expect(wrong.errors.contains("did you mean \"badge\"?"), "\(wrong.errors)")
    #expect(try tool.run("diff", "hr.db", "other.db", "--key", "badge", "--format", "script").code == 64)
    _ = try tool.run("update", "Employee", "--all", "name=Same", "--yes", "-s", "other.db")
    let repeated = try tool.run("diff", "hr.db", "other.db", "--key", "Employee.name")
    #expect(repeated.code == 65)
    #expect(repeated.errors.contains("[not-unique]"), "\(repeated.errors)")
  }

  @Test("CLI: an order that differs is told as such")
  func order() throws {
    let tool = try Self.changedCopy("update Project/p1 members:='[\"Employee/p1\",\"Employee/p2\"]'\n")
    #expect(
      try tool.run("diff", "hr.db", "copy.db").lines == [
        "~ Project/p1.members   order [Employee/p2, Employee/p1] → [Employee/p1, Employee/p2]"
      ])
  }

  @Test("CLI: what only one model has is told, and the rest is compared")
  func models() throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"entities":[{"name":"A","attributes":[{"name":"n","type":"int32"},{"name":"t","type":"string"},
        {"name":"o","type":"string"}]},{"name":"B","attributes":[{"name":"x","type":"string"}]}]}
      """, to: "old.json")
    try tool.write(
      """
      {"entities":[{"name":"A","attributes":[{"name":"n","type":"int64"},{"name":"t","type":"date"},
        {"name":"p","type":"string"}]},{"name":"C","attributes":[{"name":"x","type":"string"}]}]}
      """, to: "new.json")
    for name in ["old", "new"] {
      try #require(try tool.run("init", "\(name).db", "--model", "\(name).json").code == 0)
    }
    try #require(try tool.run("insert", "A", "n=1", "-s", "old.db").code == 0)
    try #require(try tool.run("insert", "A", "n=2", "-s", "new.db").code == 0)
    try #require(try tool.run("insert", "C", "x=c", "-s", "new.db").code == 0)
    let outcome = try tool.run("diff", "old.db", "new.db", "--exit-code")
    #expect(outcome.code == 2)
    #expect(
      outcome.lines == [
        "! A.t   string / date, not compared", "! A.o   only in old.db", "! A.p   only in new.db",
        "! B   only in old.db", "! C   only in new.db", "~ A/p1.n   1 → 2", "+ C/p1   x=\"c\"",
      ], "\(outcome.output)\(outcome.errors)")
  }

  @Test("CLI: --without-log shows what a copy of the main file alone would lack")
  func withoutLog() throws {
    let tool = try CommandLineTool.staffedCompany()
    // A reader keeps the log from being folded in.
    let reader = try SQLiteConnection(path: tool.path("hr.db"), mode: .readWrite)
    defer { reader.close() }
    try reader.execute("BEGIN; SELECT count(*) FROM ZPERSON")
    try #require(try tool.run("insert", "Department", "name=New").code == 0)
    let outcome = try tool.run("diff", "hr.db", "--without-log", "--exit-code")
    #expect(outcome.code == 2, "\(outcome.errors)")
    #expect(outcome.lines == ["+ Department/p3   name=\"New\""], "\(outcome.output)\(outcome.errors)")
    #expect(try tool.run("diff", "hr.db").code == 64)
    #expect(try tool.run("diff", "hr.db", "hr.db", "--without-log").code == 64)
  }

  // MARK: Scripts

  @Test(
    "CLI: a script makes a copy of the first store what the second one is",
    arguments: TestSeed.sequence(6, from: 40))
  func scripts(seed: TestSeed) throws {
    var graph = RandomGraph(seed)
    let folder = try TransferFolder(model: try graph.modelText)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.path("store.db"))
    try graph.fill(ManagedObjectContext(coordinator: coordinator))
    coordinator.close()
    try FileManager.default.copyItem(atPath: folder.path("store.db"), toPath: folder.path("new.db"))
    try Self.change(folder.path("new.db"), seed)
    for (old, new) in [("store.db", "new.db"), ("new.db", "store.db")] {
      let target = folder.path("target-\(old)")
      try FileManager.default.copyItem(atPath: folder.path(old), toPath: target)
      let script = folder.path("script")
      try folder.run(["diff", target, folder.path(new), "--format", "script", "-o", script, "--yes"])
      let unsaid = try folder.read("script").split(separator: "\n").count { $0.hasPrefix("# E") }
      let tool = try CommandLineTool()
      let ran = try tool.run("run", script, "-s", target)
      #expect(ran.code == 0, "\(seed): \(ran.errors)")
      let left = try tool.run("diff", target, folder.path(new))
      #expect(left.lines.count <= unsaid, "\(seed): \(left.output.prefix(1000))")
      #expect(try tool.run("check", "-s", target).code == 0, "\(seed)")
    }
  }

  /// Deletes, changes, links anew and adds objects.
  private static func change(_ path: String, _ seed: TestSeed) throws {
    var generator = seed.generator
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    for entity in coordinator.managedObjectModel.entities {
      let request = FetchRequest<ManagedObject>(entityName: entity.name, includesSubentities: false)
      let objects = try context.fetch(request)
      for object in objects where !object.isDeleted {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: try context.delete(object)
        case 1:
          guard let other = objects.randomElement(using: &generator), !other.isDeleted else { continue }
          for attribute in entity.attributes {
            try object.setQueryValue(other.queryValue(forKey: attribute.name), forKey: attribute.name)
          }
        case 2: try relink(object, context, &generator)
        case 3:
          let made = try context.insert(entityNamed: entity.name)
          for attribute in entity.attributes {
            try made.setQueryValue(object.queryValue(forKey: attribute.name), forKey: attribute.name)
          }
          try relink(made, context, &generator)
        default: break
        }
      }
    }
    try context.save()
  }

  private static func relink(
    _ object: ManagedObject, _ context: ManagedObjectContext, _ generator: inout SeededGenerator
  ) throws {
    for relationship in object.entity.relationships {
      let candidates = try context.fetch(
        FetchRequest<ManagedObject>(entityName: relationship.destination.name)
      ).filter { !$0.isDeleted }.shuffled(using: &generator)
      if relationship.isToMany {
        try object.setValue(Array(candidates.prefix(3)), forKey: relationship.name)
      } else {
        try object.setValue(candidates.first, forKey: relationship.name)
      }
    }
  }
}
