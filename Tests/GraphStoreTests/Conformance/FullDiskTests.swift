import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Saves for which the disk has no room.
@Suite(.everyStore, .needs(.files))
struct FullDiskTests {
  private let stack: TestStack
  private let connection: SQLiteConnection

  init() throws {
    stack = try TestStack(TestModels.company())
    connection = try stack.connection()
    try stack.context.insert("Department", ["name": "before"])
    try stack.context.save()
  }

  private func fillDisk() throws {
    let pages = try connection.int64("PRAGMA page_count") ?? 0
    try connection.execute("PRAGMA max_page_count = \(pages + 2)")
  }

  private func makeRoom() throws { try connection.execute("PRAGMA max_page_count = 1000000") }

  private func stored() throws -> [String?] {
    try stack.otherProcess().all("Department", sort: ["name"]).map { try $0.string("name") }
  }

  private let large = String(repeating: "x", count: 100_000)

  private func expectFull(_ body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .diskFull && error?.number == 640 && error?.remedy.isEmpty == false
    }
  }

  @Test("DGN-191, CTX-119: a save on a full disk writes nothing and leaves the context as it was")
  func save() throws {
    let context = stack.context
    let before = try context.all("Department")[0]
    let gone = try context.insert("Department", ["name": "gone"])
    try context.save()
    try fillDisk()
    try before.setValue("changed", forKey: "name")
    try context.delete(gone)
    let added = try context.insert("Department", ["name": large])
    let employee = try context.insert("Employee", ["name": "Ada", "department": added])
    for _ in 0..<2 {
      expectFull { try context.save() }
      #expect(context.insertedObjects == [added, employee])
      #expect(context.updatedObjects == [before] && context.deletedObjects == [gone])
      #expect(added.objectID.isTemporaryID && employee.objectID.isTemporaryID)
      #expect(before.changedKeys.contains("name") && gone.isDeleted)
      #expect(try stored() == ["before", "gone"])
    }
    #expect(!connection.isInTransaction)
    try makeRoom()
    try context.save()
    #expect(!context.hasChanges && !added.objectID.isTemporaryID)
    #expect(try stored() == ["changed", large])
    #expect(try stack.otherProcess().all("Employee")[0].object(forKey: "department")?.string("name") == large)
    #expect(try connection.string("PRAGMA integrity_check") == "ok")
  }

  @Test("DGN-191: a context that rolls back after a full disk goes on with small changes")
  func rollback() throws {
    try fillDisk()
    try stack.context.insert("Department", ["name": large])
    expectFull { try stack.context.save() }
    stack.context.rollback()
    try stack.context.all("Department")[0].setValue("small", forKey: "name")
    try stack.context.save()
    #expect(try stored() == ["small"])
  }

  @Test("DGN-191, STO-195: a disk that fills up inside a transaction takes back all its saves")
  func transaction() throws {
    try fillDisk()
    expectFull {
      try stack.coordinator.transaction(with: stack.context) { _ in
        try stack.context.insert("Department", ["name": "first"])
        try stack.context.save()
        try stack.context.insert("Department", ["name": large])
        try stack.context.save()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try stored() == ["before"])
    try makeRoom()
    let context = stack.newContext()
    try context.insert("Department", ["name": "later"])
    try context.save()
    #expect(try stored() == ["before", "later"])
  }

  @Test("DGN-191: after a full disk within a transaction no save of it is kept, even if the error is dropped")
  func droppedError() throws {
    try fillDisk()
    try? stack.coordinator.transaction(with: stack.context) { _ in
      try stack.context.insert("Department", ["name": "first"])
      try stack.context.save()
      try stack.context.insert("Department", ["name": large])
      try? stack.context.save()
      stack.context.rollback()
      try stack.context.insert("Department", ["name": "third"])
      try stack.context.save()
    }
    #expect(!connection.isInTransaction)
    #expect(try stored() == ["before"])
  }
}
