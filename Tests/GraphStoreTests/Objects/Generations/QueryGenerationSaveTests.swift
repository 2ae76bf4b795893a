import Foundation
import Testing

@testable import GraphStore

/// Saves of pinned contexts, which are compared with the newest state.
@Suite("Saves of pinned contexts")
struct QueryGenerationSaveTests {
  private let stack: TestStack
  private let pinned: ManagedObjectContext
  private let writer: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    pinned = stack.newContext()
    writer = stack.context
    for name in ["Ada", "Grace"] { try writer.insert("Employee", ["name": name, "salary": 10]) }
    try writer.save()
    try pinned.setQueryGenerationFrom(.current)
  }

  private func ada(_ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(context.all("Employee", "name == 'Ada'").first)
  }

  private func salary(_ object: ManagedObject) throws -> Int64? {
    try object.value(forKey: "salary") as? Int64
  }

  /// Another writer raises Ada's salary to 99, and a pinned context that has seen 10 renames her.
  private func conflict(byOtherProcess: Bool) throws -> ManagedObject {
    let own = try ada(pinned)
    #expect(try salary(own) == 10)
    let other = byOtherProcess ? try stack.otherProcess() : writer
    try ada(other).setValue(99, forKey: "salary")
    try other.save()
    other.reset()
    pinned.refreshAll()
    #expect(try salary(own) == 10)
    try own.setValue("Augusta", forKey: "name")
    return own
  }

  @Test(
    "CTX-349: a save meets the change of another writer that the pinned state does not have",
    arguments: [false, true])
  func conflicts(byOtherProcess: Bool) throws {
    let own = try conflict(byOtherProcess: byOtherProcess)
    let token = pinned.queryGenerationToken
    #expect { try pinned.save() } throws: { error in
      let differences = (error as? GraphStoreError)?.conflicts.flatMap(\.differences) ?? []
      return (error as? GraphStoreError)?.code == .mergeConflict
        && differences.contains { $0.property == "salary" && $0.stored == .int(99) }
    }
    // It failed, so that the pin stays, and what was read.
    #expect(pinned.queryGenerationToken == token)
    try pinned.refresh(own, mergeChanges: false)
    #expect(try own.string("name") == "Ada" && salary(own) == 10)
    try pinned.checkInvariants()
  }

  @Test(
    "CTX-349, CTX-352: merge policies take the newest row, not the pinned one",
    arguments: [
      MergePolicyType.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .rollback, .overwrite,
    ], [false, true])
  func policies(_ type: MergePolicyType, byOtherProcess: Bool) throws {
    let own = try conflict(byOtherProcess: byOtherProcess)
    pinned.mergePolicy = MergePolicy(merge: type)
    try pinned.save()
    #expect(pinned.queryGenerationToken == .current)
    let stored = try #require(stack.newContext().all("Employee", "name BEGINSWITH 'A'").first)
    #expect(try salary(stored) == (type == .overwrite ? 10 : 99))
    #expect(try stored.string("name") == (type == .rollback ? "Ada" : "Augusta"))
    #expect(try salary(own) == salary(stored) && own.string("name") == stored.string("name"))
    // Of the newest state, in which nothing is in the way of a further save.
    try own.setValue(100, forKey: "salary")
    pinned.mergePolicy = .error
    try pinned.save()
    try pinned.checkInvariants()
  }

  @Test("CTX-349: a record that another context has deleted is a conflict, although the pinned state has it")
  func deletedRecord() throws {
    let own = try ada(pinned)
    try writer.delete(ada(writer))
    try writer.save()
    #expect(try salary(own) == 10)
    try own.setValue(11, forKey: "salary")
    #expect { try pinned.save() } throws: { GraphStoreError.code(.mergeConflict) ~= $0 }
    pinned.mergePolicy = .rollback
    try pinned.save()
    #expect(try pinned.count(for: FetchRequest(entityName: "Employee")) == 1)
  }

  @Test("CTX-349: an object that is watched is compared with what is stored now")
  func watched() throws {
    let own = try ada(pinned)
    try pinned.detectConflicts(for: own)
    try ada(writer).setValue(99, forKey: "salary")
    try writer.save()
    #expect(try salary(own) == 10)
    try pinned.insert("Employee", ["name": "Zoe"])
    #expect { try pinned.save() } throws: { GraphStoreError.code(.mergeConflict) ~= $0 }
    #expect(try pinned.count(for: FetchRequest(entityName: "Employee")) == 3)
    #expect(try pinned.all("Employee", "salary == 99").isEmpty)
  }

  @Test("CTX-352, CTX-341: after its own save a context reads states newer than those of objects in memory")
  func ownSave() throws {
    let objects = try pinned.all("Employee", sort: ["name"])
    for object in objects { #expect(try salary(object) == 10) }
    for object in try writer.all("Employee") { try object.setValue(50, forKey: "salary") }
    try writer.save()
    try pinned.insert("Employee", ["name": "Zoe", "salary": 1])
    try pinned.save()
    #expect(try pinned.all("Employee", "salary == 50").count == 2)
    #expect(try salary(objects[0]) == 10)
    try pinned.refresh(objects[0], mergeChanges: false)
    #expect(try salary(objects[0]) == 50)
  }

  @Test("CTX-341: after an own save faults are read anew, as another process may have saved before it")
  func rowsAfterOwnSave() throws {
    let faults = try pinned.all("Employee", sort: ["name"])
    try pinned.insert("Employee", ["name": "Zoe", "salary": 1])
    try pinned.save()
    #expect(try pinned.count(for: FetchRequest(entityName: "Employee")) == 3)
    let statements = try stack.statements { for fault in faults { try check(salary(fault) == 10) } }
    #expect(statements == faults.count)
    try writer.insert("Employee", ["name": "Yves"])
    try writer.save()
    let others = try pinned.all("Employee", sort: ["name"])
    #expect(try stack.statements { for fault in others { _ = try fault.string("name") } } == 0)
  }

  @Test("CTX-072, CTX-111, CTX-063: both did-save messages carry the generation of a pinned context")
  func messages() throws {
    let center = NotificationCenter()
    pinned.notificationCenter = center
    writer.notificationCenter = center
    final class Received: @unchecked Sendable {
      var tokens: [QueryGenerationToken?] = []
      var payloads = 0
    }
    let received = Received()
    let observers = [
      center.addObserver(forName: ManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil) {
        received.tokens.append(ContextDidSave($0)?.queryGeneration)
        if $0.userInfo?["newQueryGeneration"] is QueryGenerationToken { received.payloads += 1 }
      },
      center.addObserver(forName: ManagedObjectContext.didSaveObjectIDsNotification, object: nil, queue: nil)
      {
        received.tokens.append(ContextDidSaveObjectIDs($0)?.queryGeneration)
        if $0.userInfo?["newQueryGeneration"] is QueryGenerationToken { received.payloads += 1 }
      },
    ]
    let direct = pinned.observe(.didSave) { received.tokens.append($0.queryGeneration) }
    #expect(try pinned.count(for: FetchRequest(entityName: "Employee")) == 2)
    try pinned.insert("Employee", ["name": "Zoe"])
    try pinned.save()
    #expect(received.tokens == [.current, .current, .current] && received.payloads == 2)
    try writer.insert("Employee", ["name": "Yves"])
    try writer.save()
    #expect(received.tokens.suffix(2) == [nil, nil] && received.payloads == 2)
    direct.cancel()
    for observer in observers { center.removeObserver(observer) }
  }

  @Test("CTX-360: until the pin moves a fault finds the record that another context has deleted")
  func deletedElsewhere() throws {
    let id = try ada(writer).objectID
    let fault = try pinned.object(with: id)
    #expect(try pinned.count(for: FetchRequest(entityName: "Employee")) == 2)
    try writer.delete(ada(writer))
    try writer.save()
    #expect(try fault.string("name") == "Ada" && !fault.isDeleted)
    try pinned.refresh(fault, mergeChanges: false)
    pinned.movePin()
    #expect(try fault.string("name") == nil && fault.isDeleted)
  }

  @Test("CTX-345, STO-179: the file of a value that was replaced stays while a pinned context may read it")
  func externalData() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "Picture", attributes: [AttributeDefinition("pixels", .binary, externalStorage: true)])
    ])
    let stack = try TestStack(model)
    let (old, new) = (Data(repeating: 1, count: 200_000), Data(repeating: 2, count: 200_000))
    let picture = try stack.context.insert("Picture", ["pixels": old])
    try stack.context.save()
    let pinned = stack.newContext()
    try pinned.setQueryGenerationFrom(.current)
    let seen = try #require(pinned.all("Picture").first)
    try picture.setValue(new, forKey: "pixels")
    try stack.context.save()
    #expect(try seen.value(forKey: "pixels") as? Data == old)
    #expect(stack.coordinator.persistentStores[0].externalData?.files == 2)
    try pinned.setQueryGenerationFrom(nil)
    #expect(stack.coordinator.persistentStores[0].externalData?.files == 1)
    #expect(try stack.newContext().all("Picture").first?.value(forKey: "pixels") as? Data == new)
  }
}

extension ManagedObjectContext {
  /// Turns all objects without changes into faults.
  fileprivate func refreshAll() { try? refreshAllObjects() }
}
