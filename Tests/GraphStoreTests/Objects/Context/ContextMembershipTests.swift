import GraphStore
import Testing

/// What a context does about objects of another one, and about those that have left.
@Suite("Objects of other contexts")
struct ContextMembershipTests {
  private let stack: TestStack
  private let other: ManagedObjectContext
  private let foreign: ManagedObject
  private let own: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "R&D"])
    try stack.context.insert("Employee", ["name": "Ada", "department": department])
    try stack.context.save()
    stack.context.name = "main"
    other = stack.newContext()
    other.name = "import"
    foreign = try other.all("Department")[0]
    own = try stack.context.all("Employee")[0]
  }

  private func refused(_ body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .contextMismatch && error?.message.contains("\"main\"") == true
        && error?.message.contains("\"import\"") == true
    }
    #expect(!stack.context.hasChanges && !other.hasChanges)
  }

  @Test("DGN-150, FLT-111, REL-155: they are not deleted, refreshed, previewed, realised or linked")
  func foreignObject() throws {
    refused { try stack.context.delete(foreign) }
    refused { try stack.context.refresh(foreign, mergeChanges: true) }
    refused { _ = try stack.context.deletionPreview(of: [foreign]) }
    refused { try stack.context.realizeFaults(in: [own, foreign]) }
    refused { try own.setValue(foreign, forKey: "department") }
    refused { try foreign.addObjects([own], forKey: "employees") }
    #expect(!foreign.isDeleted)
  }

  @Test("OBJ-120: in a predicate an object stands for its identifier, which every context knows")
  func predicate() throws {
    let predicate = try QueryPredicate("department == %@", foreign)
    #expect(
      try stack.context.fetch(FetchRequest(entityName: "Employee", predicate: predicate)) == [own])
  }

  @Test("OBJ-173: what typed accessors do with them is thrown by the next save of the object's own context")
  func typed() throws {
    own[ToOneKey<ManagedObject, ManagedObject>("department")] = foreign
    own[ToOneKey<ManagedObject, ManagedObject>("manager")] = own
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .contextMismatch }
    stack.context.rollback()
    #expect(!other.hasChanges)
    foreign.add([own], to: ToManyKey<ManagedObject, Set<ManagedObject>>("employees"))
    #expect(!foreign.hasChanges && !own.hasChanges)
    #expect { try other.save() } throws: { ($0 as? GraphStoreError)?.code == .contextMismatch }
  }

  @Test("REL-156, CTX-129, OBJ-313: an object whose deletion was saved takes no links and no values")
  func detached() throws {
    let gone = try other.all("Employee")[0]
    try other.delete(gone)
    try other.save()
    #expect(gone.managedObjectContext == nil && !gone.isDeleted)
    for body in [
      { try foreign.addObjects([gone], forKey: "employees") },
      { try gone.setValue(foreign, forKey: "department") },
      { try gone.setValue("x", forKey: "name") }, { try gone.setValue(nil, forKey: "department") },
    ] {
      #expect { try body() } throws: { ($0 as? GraphStoreError)?.code == .objectDetached }
    }
    try other.delete(gone)
    #expect(!other.hasChanges)
  }

  @Test("OBJ-011: an object of a context that was reset is invalidated, and says so")
  func invalidated() throws {
    let gone = try other.all("Employee")[0]
    other.reset()
    #expect { try gone.setValue("x", forKey: "name") } throws: {
      ($0 as? GraphStoreError)?.code == .objectInvalidated
    }
    #expect { try own.addObjects([gone], forKey: "friends") } throws: {
      ($0 as? GraphStoreError)?.code == .objectInvalidated
    }
  }
}
