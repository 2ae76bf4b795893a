import Dispatch
import Foundation
import Testing

@testable import GraphStore

@Suite("Who holds what", .everyStore)
struct HoldingTests {
  private let stack: TestStack
  private let ids: [ManagedObjectID]
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    let tools = try stack.context.insert("Department", ["name": "Tools"])
    let people = try ["Ada", "Bob"].map { [context = stack.context] in
      try context.insert("Employee", ["name": $0, "department": tools])
    }
    try stack.context.save()
    ids = people.map(\.objectID)
    stack.context.reset()
  }

  /// How a context's hold on changed objects can end.
  enum Ending: String, CaseIterable, Sendable { case save, rollback, reset, undo, contextEnd }

  @Test(
    "FLT-152, FLT-197, FLT-151: changed objects are held until one of these, and unchanged ones never",
    arguments: Ending.allCases)
  func changed(_ ending: Ending) throws {
    var context: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
    if ending == .undo { try context?.setUndoManager(GraphUndoManager()) }
    weak var (updated, inserted, deleted, clean):
      (ManagedObject?, ManagedObject?, ManagedObject?, ManagedObject?)
    func change() throws {
      let ada = try context?.existingObject(with: ids[0])
      try ada?.setValue("Eve", forKey: "name")
      updated = ada
      inserted = try context?.insert("Desk", [:])
      if let bob = try context?.existingObject(with: ids[1]) {
        try context?.delete(bob)
        deleted = bob
      }
      try context?.processPendingChanges()
      clean = try context?.all("Department")[0]
    }
    try change()
    #expect(updated != nil && inserted != nil && deleted != nil)
    #expect(clean == nil || clean?.hasChanges == true)
    switch ending {
    case .save: try context?.save()
    case .rollback: context?.rollback()
    case .reset: context?.reset()
    case .undo:
      try context?.undo()
      context?.undoManager?.removeAllActions()
    case .contextEnd: context = nil
    }
    #expect(updated == nil && inserted == nil && deleted == nil && clean == nil)
    #expect((context?.registeredCount ?? 0) == 0)
  }

  @Test(
    "FLT-208: an unchanged object is kept by a list, another object's relationship, or userInfo",
    arguments: ["list", "relationship", "userInfo", "nothing"])
  func keeping(_ by: String) throws {
    weak var ada: ManagedObject?
    var list: [ManagedObject] = []
    func fetch() throws {
      let found = try context.existingObject(with: ids[0])
      switch by {
      case "list": list.append(found)
      case "relationship":
        let department = try #require(try found.object(forKey: "department"))
        _ = try department.objects(forKey: "employees")
        list.append(department)
      case "userInfo": context.userInfo["kept"] = found
      default: break
      }
      ada = found
    }
    try fetch()
    #expect((ada != nil) == (by != "nothing"))
    list = []
    context.userInfo["kept"] = nil
    try context.refreshAllObjects()
    #expect(ada == nil)
  }

  @Test("FLT-154: an object does not keep its context, and is invalid without it; its changes are gone")
  func contextEnds() throws {
    weak var weakContext: ManagedObjectContext?
    var ada: ManagedObject?
    func open() throws {
      let context = ManagedObjectContext(coordinator: stack.coordinator)
      ada = try context.existingObject(with: ids[0])
      try ada?.setValue("Eve", forKey: "name")
      weakContext = context
      #expect(ada?.managedObjectContext === context)
    }
    try open()
    #expect(weakContext == nil && ada?.managedObjectContext == nil)
    #expect(code { _ = try ada?.string("name") } == .objectInvalidated)
    #expect(try stack.otherProcess().all("Employee", "name == 'Eve'").isEmpty)
  }

  @Test("FLT-157: userInfo holds what is in it, past saves, rollbacks and resets")
  func userInfo() throws {
    weak var held: HookLog?
    func put() {
      let log = HookLog()
      (held, context.userInfo["log"]) = (log, log)
    }
    put()
    try context.existingObject(with: ids[0]).setValue("Eve", forKey: "name")
    try context.save()
    #expect(context.userInfo["log"] as? HookLog === held && held != nil)
    context.rollback()
    #expect(context.userInfo["log"] as? HookLog === held && held != nil)
    context.reset()
    #expect(context.userInfo["log"] as? HookLog === held && held != nil)
    context.userInfo["log"] = nil
    #expect(held == nil)
  }

  @Test("FLT-158: what can be undone or redone is held; without an undo manager nothing is")
  func undo() throws {
    weak var ada: ManagedObject?
    func change() throws {
      let found = try context.existingObject(with: ids[0])
      try found.setValue("\(UUID())", forKey: "name")
      try context.save()
      ada = found
    }
    try change()
    #expect(ada == nil)
    try context.setUndoManager(GraphUndoManager())
    try change()
    #expect(ada != nil)
    try context.undo()
    #expect(ada != nil)
    try context.redo()
    try context.save()
    context.undoManager?.removeAllActions()
    #expect(ada == nil)
  }

  @Test("FLT-159: a notification holds the objects it names as long as it lives")
  func notifications() throws {
    weak var ada: ManagedObject?
    var kept: [ContextDidSave] = []
    let token = context.observe(.didSave) { kept.append($0) }
    func change() throws {
      let found = try context.existingObject(with: ids[0])
      try found.setValue("Eve", forKey: "name")
      try context.save()
      ada = found
    }
    try change()
    #expect(ada != nil && kept.count == 1 && kept[0].updated == [ada])
    kept = []
    #expect(ada == nil)
    token.cancel()
  }

  @Test("FLT-164, FLT-162: inserting with a save and a reset a thousand leaves no object and no row behind")
  func insertingMany() throws {
    for round in 0..<3 {
      for number in 0..<1_000 { try context.insert("Project", ["name": "\(round) \(number)"]) }
      try context.save()
      context.reset()
      #expect(context.registeredCount == 0 && stack.cachedRows == 0)
    }
    #expect(try context.count(for: FetchRequest(entityName: "Project")) == 3_000)
  }

  @Test("FLT-165: the last holder may let go on any thread while the context works")
  func otherThread() throws {
    let queue = DispatchQueue(label: "letting go")
    for round in 0..<40 {
      var objects: [ManagedObject]? = try context.all("Employee") + context.all("Department")
      for object in objects ?? [] { _ = try object.string("name") }
      nonisolated(unsafe) let box = Box(objects)
      objects = nil
      queue.async { box.objects = nil }
      #expect(try context.all("Employee").count == 2)
      #expect(try context.existingObject(with: ids[round % 2]).string("name") == ["Ada", "Bob"][round % 2])
      queue.sync {}
    }
    try context.checkInvariants()
    #expect(context.registeredCount == 0 && stack.cachedRows == 0)
  }

  private final class Box {
    var objects: [ManagedObject]?
    init(_ objects: [ManagedObject]?) { self.objects = objects }
  }

  @Test(
    "FLT-170: a cycle through changed objects ends when they are saved, rolled back or refreshed",
    arguments: ["save", "rollback", "refresh"])
  func cycle(_ ending: String) throws {
    weak var ada: ManagedObject?
    weak var tools: ManagedObject?
    func load() throws {
      let found = try context.existingObject(with: ids[0])
      tools = try found.object(forKey: "department")
      _ = try tools?.objects(forKey: "employees")
      try found.setValue(5, forKey: "salary")
      ada = found
    }
    try load()
    try context.refreshAllObjects()
    #expect(ada != nil, "the change keeps it")
    switch ending {
    case "save": try context.save()
    case "rollback": context.rollback()
    default: if let ada { try context.refresh(ada, mergeChanges: false) }
    }
    try context.refreshAllObjects()
    #expect(ada == nil && tools == nil && context.registeredCount == 0)
  }
}
