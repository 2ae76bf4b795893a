import Testing

@testable import GraphStore

/// Children of contexts that take part in a transaction of the coordinator.
@Suite("Nested contexts and transactions", .everyStore)
struct NestedTransactionTests {
  private let stack: TestStack
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    parent = stack.context
    try parent.insert("Employee", ["name": "Ada", "salary": 1])
    try parent.save()
    parent.reset()
    child = ManagedObjectContext(childOf: parent)
  }

  private struct Stop: Error {}

  @Test("STO-275, CTX-287: a child reads what the transaction of its root has written, and others do not")
  func reading() throws {
    try stack.coordinator.transaction(with: child) { _ in
      let ada = try #require(try child.all("Employee").first)
      try ada.setValue(2, forKey: "salary")
      try child.insert("Employee", ["name": "Bob"])
      try child.save()
      try parent.save()
      parent.reset()
      #expect(try child.all("Employee", sort: ["name"]).map { try $0.string("name") } == ["Ada", "Bob"])
      let other = ManagedObjectContext(childOf: parent)
      #expect(try other.all("Employee", "salary == 2").count == 1)
    }
    #expect(try stack.newContext().all("Employee", "salary == 2").count == 1)
    try child.checkInvariants()
  }

  @Test("CTX-296: what is rolled back with a transaction is read anew by children that have not changed it")
  func rollingBack() throws {
    let ada = try #require(try child.all("Employee").first)
    #expect(throws: Stop.self) {
      try stack.coordinator.transaction(with: parent) { _ in
        let theirs = try parent.all("Employee")[0]
        try theirs.setValue(2, forKey: "salary")
        try parent.save()
        try child.refresh(ada, mergeChanges: false)
        #expect(try ada.value(forKey: "salary") as? Int64 == 2)
        throw Stop()
      }
    }
    #expect(try ada.value(forKey: "salary") as? Int64 == 1)
    try child.checkInvariants()
  }
}
