import GraphStore
import Testing

@Suite("Refreshing objects", .everyStore)
struct RefreshingObjectsTests {
  private let stack: TestStack
  private let ada: ManagedObject
  private let departments: [ManagedObject]
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    departments = try ["old", "new"].map { [context = stack.context] in
      try context.insert("Department", ["name": $0])
    }
    ada = try stack.context.insert("Employee", ["name": "Ada", "salary": 1, "department": departments[0]])
    try stack.context.save()
  }

  /// Changes the stored object in another context of the coordinator.
  private func changeElsewhere(_ values: [String: Any]) throws {
    let other = stack.newContext()
    let theirs = try other.existingObject(with: ada.objectID)
    for (key, value) in values { try theirs.setValue(value, forKey: key) }
    try other.save()
  }

  @Test(
    "FLT-105: after a conflict a merging refresh has the newer row, and the next save succeeds",
    arguments: [true, false])
  func afterConflict(_ isOtherProcess: Bool) throws {
    try ada.setValue(5, forKey: "salary")
    if isOtherProcess {
      let other = try stack.otherProcess()
      try other.all("Employee")[0].setValue("Eve", forKey: "name")
      try other.save()
    } else {
      try changeElsewhere(["name": "Eve"])
    }
    #expect(code { try context.save() } == .mergeConflict)
    #expect(try stack.statements { try context.refresh(ada, mergeChanges: true) } == 0)
    #expect(try ada.string("name") == "Eve" && ada.value(forKey: "salary") as? Int64 == 5)
    try context.save()
    let stored = try stack.otherProcess().all("Employee")[0]
    #expect(try stored.string("name") == "Eve" && stored.value(forKey: "salary") as? Int64 == 5)
  }

  @Test(
    "FLT-108: an inserted object is not refreshed, and refreshing all passes over it",
    arguments: [true, false])
  func inserted(_ merges: Bool) throws {
    let new = try context.insert("Employee", ["name": "new", "department": departments[1]])
    let error = failure { try context.refresh(new, mergeChanges: merges) }
    #expect(error?.code == .cannotRefreshInserted && error?.objectID == new.objectID)
    try context.refreshAllObjects()
    #expect(try new.isInserted && !new.isFault && new.string("name") == "new")
    #expect(try new.object(forKey: "department") === departments[1])
    try context.save()
    try context.refresh(new, mergeChanges: merges)
    #expect(new.isFault)
  }

  @Test(
    "FLT-110: refreshing a fault leaves it a fault, by no statement and no hook", arguments: [true, false])
  func fault(_ merges: Bool) throws {
    let log = Log()
    var model = TestModels.company()
    model.entities[1].className = "Refreshed"
    let stack = try TestStack(model, classes: ["Refreshed": Refreshed.self])
    stack.context.userInfo["log"] = log
    let person = try stack.context.insert("Employee", ["name": "Bob"])
    try stack.context.save()
    try stack.context.refresh(person, mergeChanges: merges)
    #expect(person.isFault)
    #expect(log.calls == ["will", "did"])
    log.calls = []
    #expect(try stack.statements { try stack.context.refresh(person, mergeChanges: merges) } == 0)
    #expect(person.isFault && log.calls.isEmpty && !person.hasChanges)
  }

  @Test("FLT-115: differences are settled by committed values, a merging refresh, and a save")
  func byHand() throws {
    try ada.setValue(5, forKey: "salary")
    try changeElsewhere(["salary": 9, "name": "Eve"])
    #expect(try ada.committedValues(forKeys: ["salary"])["salary"] as? Int64 == 1)
    try context.refresh(ada, mergeChanges: true)
    #expect(try ada.committedValues(forKeys: ["salary", "name"]).compactMapValues { $0 }.count == 2)
    #expect(try ada.committedValues(forKeys: ["salary"])["salary"] as? Int64 == 9)
    #expect(try ada.value(forKey: "salary") as? Int64 == 5 && ada.string("name") == "Eve")
    try ada.setValue(7, forKey: "salary")
    try context.save()
    #expect(try stack.otherProcess().all("Employee")[0].value(forKey: "salary") as? Int64 == 7)
  }

  @Test("FLT-189, FLT-100, FLT-101: a merging refresh loses no edit, and makes a fault of what is clean")
  func merging() throws {
    let bob = try context.insert("Employee", ["name": "Bob"])
    try context.save()
    try ada.setValue(5, forKey: "salary")
    try ada.setValue(departments[1], forKey: "department")
    try departments[1].addObjects([bob], forKey: "employees")
    for object in [ada, bob, departments[1], departments[0]] {
      try context.refresh(object, mergeChanges: true)
    }
    #expect(
      try ada.value(forKey: "salary") as? Int64 == 5 && ada.object(forKey: "department") === departments[1])
    #expect(
      try departments[1].names("employees") == ["Ada", "Bob"] && departments[0].names("employees").isEmpty)
    #expect(!ada.isFault && !bob.isFault && ada.isUpdated && bob.isUpdated)
    try context.save()
    try context.refresh(ada, mergeChanges: true)
    #expect(ada.isFault)
    #expect(
      try stack.otherProcess().all("Department", sort: ["name"]).map { try $0.names("employees") } == [
        ["Ada", "Bob"], [],
      ])
  }

  @Test(
    "FLT-190, FLT-099, FLT-098: a refresh without merging leaves no half of a link, whichever end it is of",
    arguments: ["employee", "old", "new"])
  func halves(_ end: String) throws {
    try ada.setValue(departments[1], forKey: "department")
    let refreshed = ["employee": ada, "old": departments[0], "new": departments[1]][end]!
    try context.refresh(refreshed, mergeChanges: false)
    #expect(refreshed.isFault && !refreshed.isUpdated)
    let owner = try ada.object(forKey: "department")
    for department in departments {
      #expect(try department.objects(forKey: "employees") == (department === owner ? [ada] : []))
    }
    if end == "employee" { #expect(owner === departments[0] && !context.hasChanges) }
    try context.save()
    let other = try stack.otherProcess()
    let stored = try other.all("Employee")[0].object(forKey: "department")
    for department in try other.all("Department") {
      #expect(try department.objects(forKey: "employees").count == (department === stored ? 1 : 0))
    }
    #expect(stored?.objectID.uriText == owner?.objectID.uriText)
  }
}

private final class Log {
  var calls: [String] = []
}

/// Tells its context's log of its hooks.
private final class Refreshed: ManagedObject {
  private func note(_ call: String) { (managedObjectContext?.userInfo["log"] as? Log)?.calls.append(call) }
  override func awakeFromFetch() { note("awake") }
  override func willTurnIntoFault() { note("will") }
  override func didTurnIntoFault() { note("did") }
}
