import GraphStore
import Testing

@Suite(.everyKindOfStore)
struct RefreshTests {
  private let stack: TestStack
  private let old: ManagedObject
  private let new: ManagedObject
  private let ada: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    old = try stack.context.insert("Department", ["name": "old"])
    new = try stack.context.insert("Department", ["name": "new"])
    ada = try stack.context.insert("Employee", ["name": "Ada", "salary": 1, "department": old])
    try stack.context.save()
  }

  @Test("FLT-098, FLT-099, REL-315: dropped links return to their stored state on both ends")
  func halfLinks() throws {
    try ada.setValue(new, forKey: "department")
    try ada.setValue(9, forKey: "salary")
    try stack.context.refresh(ada, mergeChanges: false)
    #expect(ada.isFault && !ada.isUpdated)
    #expect(try old.names("employees") == ["Ada"])
    #expect(try new.names("employees") == [])
    #expect(try ada.object(forKey: "department") === old)
    #expect(try ada.value(forKey: "salary") as? Int64 == 1)
    #expect(!new.isUpdated && !old.isUpdated && !stack.context.hasChanges)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee")[0].object(forKey: "department")?.string("name") == "old")
  }

  @Test("FLT-101, FLT-189, FET-147: a merging refresh keeps edits where faults of a batched list are held")
  func mergedAmongFaultsOfABatch() throws {
    for name in ["Bob", "Eve"] { _ = try stack.context.insert("Employee", ["name": name, "salary": 1]) }
    try stack.context.save()
    let context = stack.newContext()
    var request = FetchRequest(
      entityName: "Employee", sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
    request.fetchBatchSize = 2
    let people = try context.fetch(request)
    try people[0].setValue("Ada B.", forKey: "name")
    let other = try stack.otherProcess()
    try other.all("Employee", "name == 'Ada'")[0].setValue(7, forKey: "salary")
    try other.save()
    try context.refreshFromStores(people.reversed())
    #expect(people[1].isFault)
    #expect(try people[0].string("name") == "Ada B." && people[0].value(forKey: "salary") as? Int64 == 7)
    #expect(people[0].changedKeys == ["name"])
    try context.save()
    let stored = try stack.otherProcess().all("Employee", "salary == 7")
    #expect(try stored.map { try $0.string("name") } == ["Ada B."])
  }

  @Test("FLT-099, REL-315: refreshing the to-many end takes its members' links back too")
  func halfLinksToMany() throws {
    try new.addObjects([ada], forKey: "employees")
    let project = try stack.context.insert("Project", ["name": "P"])
    try project.addObjects([ada], forKey: "members")
    try stack.context.refresh(new, mergeChanges: false)
    #expect(try ada.object(forKey: "department") == nil || ada.object(forKey: "department") === old)
    #expect(try new.names("employees") == [])
    try stack.context.refresh(ada, mergeChanges: false)
    #expect(try project.names("members") == [])
    try stack.context.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Project")[0].names("members") == [])
  }

  @Test("FLT-101, FLT-102, REL-316: a merging refresh takes the store's links where none were changed")
  func mergedLinks() throws {
    _ = try ada.object(forKey: "department")
    _ = try new.names("employees")
    try new.setValue("newer", forKey: "name")
    try ada.setValue(5, forKey: "salary")
    let other = stack.newContext()
    let theirs = try other.all("Employee")[0]
    try theirs.setValue(try other.all("Department", "name == 'new'")[0], forKey: "department")
    try other.save()
    try stack.context.refresh(ada, mergeChanges: true)
    #expect(try ada.object(forKey: "department") === new)
    #expect(try ada.value(forKey: "salary") as? Int64 == 5)
    try stack.context.refresh(new, mergeChanges: true)
    #expect(try new.names("employees") == ["Ada"])
    #expect(try new.string("name") == "newer")
    try stack.context.save()
  }

  @Test(
    "FLT-100, FLT-103, FLT-104, FLT-169: refreshing what did not change runs no statement, nor does firing it"
  )
  func costs() throws {
    #expect(
      try stack.statements {
        try stack.context.refresh(ada, mergeChanges: true)
        try check(ada.isFault)
        try check(try ada.string("name") == "Ada")
        try stack.context.refresh(ada, mergeChanges: false)
        try check(try ada.string("name") == "Ada")
        try ada.setValue(4, forKey: "salary")
        try stack.context.refresh(ada, mergeChanges: true)
      } == 0)
  }

  @Test("FLT-109: refreshing an object that is to be deleted leaves the deletion pending")
  func deleted() throws {
    try stack.context.delete(ada)
    try stack.context.processPendingChanges()
    try stack.context.refresh(ada, mergeChanges: false)
    #expect(ada.isDeleted && stack.context.deletedObjects == [ada])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }

  @Test("FLT-111: an object of another context is refused")
  func foreign() throws {
    #expect(throws: GraphStoreError.self) { try stack.newContext().refresh(ada, mergeChanges: false) }
    #expect(!ada.isFault)
  }

  @Test("FLT-168, FLT-171: a refresh breaks the cycle of two objects that hold each other")
  func cycles() throws {
    stack.context.reset()
    weak var employee: ManagedObject?
    weak var department: ManagedObject?
    func load() throws {
      let found = try stack.context.all("Employee")[0]
      employee = found
      department = try found.object(forKey: "department")
      _ = try department?.objects(forKey: "employees")
    }
    try load()
    #expect(employee != nil)
    if let employee { try stack.context.refresh(employee, mergeChanges: false) }
    #expect(employee == nil && department == nil)
    try load()
    stack.context.reset()
    #expect(employee == nil && department == nil)
  }
}
