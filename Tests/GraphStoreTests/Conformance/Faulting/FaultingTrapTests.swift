import GraphStore
import Testing

/// Traps of faults that concern what is called, and when.
@Suite("Traps of faulting", .everyStore)
struct FaultingTrapTests {
  @Test("FLT-184, FLT-025, FLT-026: description, hash, equality and sets fire nothing")
  func quiet() throws {
    let stack = try TestStack(TestModels.company())
    let ids = try (0..<4).map { [context = stack.context] in
      try context.insert("Employee", ["name": "\($0)"])
    }
    try stack.context.save()
    let names = ids.map(\.objectID)
    stack.context.reset()
    let faults = try names.map { try stack.context.object(with: $0) }
    #expect(
      try stack.statements {
        var set = Set(faults)
        try check(set.count == 4 && !set.insert(faults[0]).inserted && faults[0] != faults[1])
        try check(Dictionary(uniqueKeysWithValues: faults.map { ($0, 1) })[faults[2]] == 1)
        try check(faults.allSatisfy { $0.description.contains("<fault>") && !String(reflecting: $0).isEmpty })
        try check(faults.firstIndex(of: faults[3]) == 3 && "\(faults)".contains("<fault>"))
      } == 0)
    #expect(faults.allSatisfy { $0.isFault })
  }

  @Test(
    "FLT-195, FLT-016, FLT-196, FLT-120, FLT-121: reading makes nothing dirty, and the hooks come once each")
  func hooks() throws {
    var model = TestModels.company()
    model.entities[1].className = "Trapped"
    let stack = try TestStack(model, classes: ["Trapped": Trapped.self])
    let log = TrapLog()
    stack.context.userInfo["log"] = log
    func insert() throws -> ManagedObjectID {
      let made = try stack.context.insert("Employee", ["name": "Ada"])
      try stack.context.save()
      return made.objectID
    }
    let id = try insert()
    log.calls = []
    do {
      let ada = try #require(try stack.context.object(with: id) as? Trapped)
      ada.log = log
      #expect(try ada.value(forKey: "salary") as? Int64 == 42)
      #expect(!ada.hasChanges && !stack.context.hasChanges && stack.context.updatedObjects.isEmpty)
      #expect(log.calls == ["awake"])
      try stack.context.refresh(ada, mergeChanges: false)
      #expect(log.calls == ["awake", "will", "did"])
      _ = try ada.string("name")
      log.calls = []
    }
    #expect(log.calls == ["did"])
    #expect(try stack.statements { try stack.context.save() } == 0)
  }
}

private final class TrapLog {
  var calls: [String] = []
}

/// Sets a value when it is realised, and tells of its hooks.
private final class Trapped: ManagedObject {
  var log: TrapLog?

  override func awakeFromFetch() {
    log?.calls.append("awake")
    try? setValue(42, forKey: "salary")
  }

  override func willTurnIntoFault() { log?.calls.append("will") }
  override func didTurnIntoFault() { log?.calls.append("did") }
}
