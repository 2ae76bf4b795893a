import Foundation
import GraphStore
import Testing

/// A file that is removed, moved or replaced under an open store.
@Suite("Replaced stores")
struct ReplacedStoreTests {
  enum Deed: CaseIterable {
    case remove, move, replace
  }

  private func open() throws -> TestStack {
    let stack = try TestStack(TestModels.company())
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    return stack
  }

  private func perform(_ deed: Deed, _ stack: TestStack) throws {
    let files = FileManager.default
    switch deed {
    case .remove: try files.removeItem(atPath: stack.path)
    case .move: try files.moveItem(atPath: stack.path, toPath: stack.path + ".moved")
    case .replace:
      let copy = stack.path + ".copy"
      try files.copyItem(atPath: stack.path, toPath: copy)
      try #require(rename(copy, stack.path) == 0)
    }
  }

  @Test("STO-170, CTX-429: the next save throws store-replaced and writes nothing", arguments: Deed.allCases)
  func save(_ deed: Deed) throws {
    let stack = try open()
    try perform(deed, stack)
    try stack.context.insert("Employee", ["name": "Bob"])
    for _ in 0..<2 {
      #expect {
        try stack.context.save()
      } throws: { error in
        let error = error as? GraphStoreError
        return error?.code == .storeReplaced && error?.number == 136053
          && error?.message.contains(stack.path) == true
      }
    }
    #expect(stack.context.insertedObjects.count == 1)
    if deed == .replace { #expect(try stack.otherProcess().all("Employee").count == 1) }
  }

  @Test("STO-170: so do transactions, metadata and indexes", arguments: Deed.allCases)
  func others(_ deed: Deed) throws {
    let stack = try open()
    let store = stack.coordinator.persistentStores[0]
    try stack.coordinator.setMetadata(["a": .int(1)], for: store)
    try perform(deed, stack)
    for body in [
      { try stack.coordinator.transaction { _ in } }, { try stack.context.save() },
      { _ = try stack.coordinator.rebuildIndexes() },
    ] {
      #expect { try body() } throws: { ($0 as? GraphStoreError)?.code == .storeReplaced }
    }
  }
}
