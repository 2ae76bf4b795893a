import Foundation
import GraphStore
import Testing

@Suite("What is left after the last holder has gone", .everyStore)
struct LiveObjectTests {
  private struct Stop: Error {}

  /// Two departments of three people, who manage and know each other in circles.
  @discardableResult
  private func fill(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    let people = try (0..<3).map { try context.insert("Employee", ["name": "E\($0)"]) }
    for number in 0..<2 {
      try context.insert("Department", ["name": "D\(number)", "employees": Set(people)])
    }
    for (person, next) in zip(people, people[1...] + [people[0]]) {
      try person.setValue(next, forKey: "manager")
      try person.addObjects([next, person], forKey: "friends")
      try context.insert("Project", ["name": "P", "members": people])
    }
    try people[0].setValue(people[1], forKey: "spouse")
    try people[2].setValue(people[2], forKey: "spouse")
    return people
  }

  @Test("FLT-153, FLT-080: objects inserted, related in circles and never saved go with their context")
  func unsaved() throws {
    try LiveObjects.expectNone(TestModels.company()) { scene in
      try fill(scene.context)
      try fill(scene.newContext())
    }
  }

  @Test("FLT-153: saved, fetched and traversed graphs leave no object while the context lives on")
  func saved() throws {
    try LiveObjects.expectNone(TestModels.company()) { scene in
      try fill(scene.context)
      try scene.context.save()
      let other = scene.newContext()
      let people = try other.all("Employee")
      for person in people {
        _ = try (person.names("friends"), person.value(forKeyPath: "manager.department.employees.name"))
      }
      try people[0].setValue("x", forKey: "name")
      try other.save()
    }
  }

  @Test("FLT-166, FLT-167, FLT-168: relationships read from both ends keep a circle, which a refresh breaks")
  func circle() throws {
    let stack = try TestStack(TestModels.company())
    let context = stack.context
    try fill(context)
    try context.save()
    #expect(context.registeredCount > 3)
    for object in context.registeredObjects { try context.refresh(object, mergeChanges: false) }
    #expect(context.registeredCount == 0)
    do {
      let people = try context.all("Employee")
      _ = try people[0].names("friends")
      #expect(people.count == 3)
    }
    #expect(context.registeredCount == 3)
    for object in context.registeredObjects { try context.refresh(object, mergeChanges: true) }
    #expect(context.registeredCount == 0)
  }

  @Test("FLT-153: deletions, propagated, saved or rolled back")
  func deleted() throws {
    try LiveObjects.expectNone(TestModels.company(employees: .cascade)) { scene in
      let people = try fill(scene.context)
      try scene.context.save()
      try scene.context.delete(people[0])
      scene.context.rollback()
      for department in try scene.context.all("Department") { try scene.context.delete(department) }
      try scene.context.processPendingChanges()
      try scene.context.save()
      let late = try scene.context.insert("Employee", ["name": "late"])
      try scene.context.delete(late)
      let held = try scene.newContext().all("Project")
      #expect(held.allSatisfy { $0.managedObjectContext == nil })
    }
  }

  @Test("FLT-153: rollback, refresh of both kinds, and reset, with objects still held")
  func discarded() throws {
    try LiveObjects.expectNone(TestModels.company()) { scene in
      let people = try fill(scene.context)
      try scene.context.save()
      for merges in [false, true] {
        try people[0].setValue("x", forKey: "name")
        try people[1].setValue(nil, forKey: "manager")
        try scene.context.refresh(people[0], mergeChanges: merges)
        try scene.context.refresh(people[1], mergeChanges: merges)
      }
      try fill(scene.context)
      scene.context.rollback()
      try fill(scene.context)
      scene.context.reset()
      #expect(people.allSatisfy { $0.managedObjectContext == nil })
      try fill(scene.context)
    }
  }

  @Test("FLT-153: transactions that end, that are taken back, and savepoints in them")
  func transactions() throws {
    try LiveObjects.expectNone(TestModels.company()) { scene in
      let other = scene.newContext()
      try scene.stack.coordinator.transaction(with: scene.context, other) { transaction in
        try fill(scene.context)
        try scene.context.save()
        try? transaction.savepoint {
          try fill(other)
          try other.save()
          throw Stop()
        }
        _ = try other.all("Employee").map { try $0.names("friends") }
      }
      try? scene.stack.coordinator.transaction(with: other) { _ in
        try fill(other)
        try other.save()
        throw Stop()
      }
    }
  }

  @Test("FLT-153: saves that fail, and the errors and values they leave behind")
  func failedSave() throws {
    try LiveObjects.expectNone(TestModels.company(employees: .deny, isDepartmentOptional: false)) { scene in
      let people = try fill(scene.context)
      let extra = try scene.context.insert("Employee", ["name": "alone", "manager": people[0]])
      #expect(failure { try scene.context.save() }?.number == 1570)
      try scene.context.delete(extra)
      try scene.context.save()
      for department in try scene.context.all("Department") { try scene.context.delete(department) }
      let error = failure { try scene.context.save() }
      #expect(error?.number == 1600)
      people[0]["unknown"] = people[1]
      #expect(throws: (any Error).self) { try scene.context.save() }
    }
  }

  @Test("FLT-153: conflicts of two contexts, and records that turned out to be gone")
  func conflicts() throws {
    try LiveObjects.expectNone(TestModels.company()) { scene in
      let people = try fill(scene.context)
      try scene.context.save()
      let other = scene.newContext()
      let theirs = try other.existingObject(with: people[0].objectID)
      try theirs.setValue("theirs", forKey: "name")
      try other.save()
      try people[0].setValue("mine", forKey: "name")
      #expect(failure { try scene.context.save() }?.number == 133020)
      scene.context.rollback()
      try scene.stack.removeRow(people[2].objectID)
      scene.context.reset()
      let last = scene.newContext()
      let gone = try last.object(with: people[2].objectID)
      #expect(try gone.string("name") == nil && gone.isDeleted)
    }
  }

  @Test("FLT-153: external data, composite, transformable, transient and undefined values")
  func values() throws {
    try Celsius.register()
    try LiveObjects.expectNone(AttributeCase.model) { scene in
      for kind in AttributeCase.all {
        let thing = try scene.context.insert(entityNamed: "Thing")
        try kind.set(kind.first, of: thing)
        try scene.context.save()
        try kind.set(kind.second, of: thing)
        scene.context.rollback()
        try scene.context.refresh(thing, mergeChanges: false)
        _ = try thing.value(forKeyPath: kind.path)
      }
      let things = try scene.newContext().all("Thing")
      #expect(things.count == AttributeCase.all.count)
      let copy = try scene.context.copy(scene.context.all("Thing")[0])
      #expect(copy.isInserted)
    }
  }

  @Test("FLT-153: an object as the value of an undefined attribute of itself goes when it becomes a fault")
  func undefinedCircle() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition("Thing", attributes: [AttributeDefinition("any", .undefined, isTransient: true)])
    ])
    try LiveObjects.expectNone(model) { scene in
      let thing = try scene.context.insert("Thing", [:])
      try thing.setValue([thing], forKey: "any")
      try scene.context.save()
      try scene.context.refresh(thing, mergeChanges: false)
      #expect(try thing.value(forKey: "any") == nil)
    }
  }
}
