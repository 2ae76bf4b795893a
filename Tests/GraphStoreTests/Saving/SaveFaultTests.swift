import CGraphStoreTestSupport
import Foundation
import Testing

@testable import GraphStore

/// Saves during which the file system fails at one call after the other, and processes that die there.
@Suite("Saves over a file system that fails", .serialized)
struct SaveFaultTests {
  /// What a failing call is the beginning of.
  enum Fault: CaseIterable, Sendable {
    /// One call fails, all others succeed.
    case once
    /// No call succeeds any more: what is there then is what a process leaves that dies.
    case fromThenOn
  }

  private func fill(_ context: ManagedObjectContext) throws {
    let a = try context.insert("Department", ["name": "a"])
    for name in ["b", "c"] { try context.insert("Department", ["name": name]) }
    for name in ["p", "q"] { try context.insert("Employee", ["name": name, "salary": 1, "department": a]) }
    try context.save()
  }

  /// Updates, deletes, inserts, and moves members.
  private func change(_ context: ManagedObjectContext) throws {
    let departments = try context.all("Department", sort: ["name"])
    let employees = try context.all("Employee", sort: ["name"])
    try employees[0].setValue(nil, forKey: "department")
    try employees[1].setValue(Int64(2), forKey: "salary")
    try context.insert("Employee", ["name": "r", "department": departments[0], "salary": 1])
    try context.delete(departments[1])
    let manager = try context.insert("Manager", ["name": String(repeating: "m", count: 20_000), "salary": 4])
    try context.insert("Department", ["name": "d"])
    try manager.setValue(Set(employees), forKey: "friends")
  }

  private func state(_ context: ManagedObjectContext) throws -> [String] {
    let friends = try context.all("Manager").map { try $0.objects(forKey: "friends").count }
    return try context.all("Department", sort: ["name"]).map { department in
      "\(try department.string("name") ?? "") \(try department.names("employees").sorted()) \(friends)"
    }
  }

  private func stored(_ path: String) throws -> [String] {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let state = try state(context)
    #expect(try StoreCheck.run(path: path).allSatisfy(\.isOK))
    return state
  }

  private func copyFiles(_ path: String) throws -> String {
    let copy = path + ".left"
    for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return copy
  }

  @Test(
    "CTX-118, CTX-119, CTX-130, DGN-181, DGN-184: whichever call fails, the old or the new state is there, and the save can be repeated",
    arguments: Fault.allCases)
  func everyCall(_ fault: Fault) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "graphstore-faults-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    gs_test_watch_writes(folder.path)
    defer { _ = gs_test_end_failing() }
    var call = 0
    var isAtEnd = false
    while !isAtEnd {
      call += 1
      let path = folder.appending(path: "store-\(call).db").path
      let coordinator = try PersistentStoreCoordinator.create(
        storeAt: path, model: ManagedObjectModel(TestModels.company()))
      let context = ManagedObjectContext(coordinator: coordinator)
      try fill(context)
      let old = try state(context)
      try change(context)
      let new = try state(context)
      let pending = (context.insertedObjects, context.updatedObjects, context.deletedObjects)
      gs_test_fail_write(call, fault == .once ? 0 : 1)
      do {
        try context.save()
        #expect(!context.hasChanges)
        isAtEnd = gs_test_end_failing() < call
      } catch let error as GraphStoreError {
        // What a process would leave that dies now.
        let left = try copyFiles(path)
        let calls = gs_test_end_failing()
        #expect(calls >= call)
        let remains = try stored(left)
        #expect(remains == old || remains == new, "left behind, call \(call): \(remains)")
        #expect([.storeSaveFailed, .diskFull, .storeCorrupt].contains(error.code), "\(error)")
        #expect(
          context.insertedObjects == pending.0 && context.updatedObjects == pending.1
            && context.deletedObjects == pending.2)
        #expect(context.insertedObjects.allSatisfy { $0.objectID.isTemporaryID })
        #expect(try state(context) == new, "what is pending, call \(call)")
        if fault == .once {
          try context.save()
          #expect(try stored(path) == new, "repeated, call \(call)")
        }
      }
      let found = try stored(path)
      #expect(found == old || found == new, "call \(call): \(found)")
      if !context.hasChanges { #expect(found == new, "saved, call \(call)") }
      coordinator.close()
    }
    #expect(call > 5)
  }
}
