import GraphStore
import Testing

@Suite("The order of propagation", .everyStore)
struct PropagationOrderTests {
  private let stack: TestStack
  private let log = HookLog()
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(hooked: GraphModels.machines, log) }

  private func items(_ names: String) throws -> [ManagedObject] {
    try names.map { try context.insert("Item", ["name": String($0)]) }
  }

  /// Two machines of stored items, which were made in alphabetical order; `x` and `y` are new tools of the
  /// first.
  private func machines(isLoaded: Bool) throws -> [ManagedObject] {
    let all = try items("abcdefghi")
    let first = try context.insert("Machine", ["name": "1", "parts": [all[3], all[1]], "motor": all[0]])
    try first.setValue([all[5], all[2]], forKey: "tools")
    try all[1].setValue([all[8], all[7]], forKey: "pieces")
    let second = try context.insert("Machine", ["name": "2", "parts": [all[6]], "motor": all[4]])
    try context.save()
    let ids = [first, second].map(\.objectID)
    if !isLoaded { context.reset() }
    let machines = try ids.map { try context.object(with: $0) }
    for name in ["y", "x"] { try context.insert("Item", ["name": name, "toolOf": machines[0]]) }
    return machines
  }

  @Test(
    "REL-212, REL-213, REL-174: hooks run in waves, sources and relationships in order, each object once",
    arguments: [true, false])
  func waves(_ isLoaded: Bool) throws {
    let machines = try machines(isLoaded: isLoaded)
    try context.delete(machines[1])
    try context.delete(machines[0])
    #expect(log.names == ["2", "1"])
    try context.processPendingChanges()
    // parts (inherited, ordered), tools (by identifier, new ones last as they were inserted), motor; then
    // pieces.
    #expect(log.names.joined() == "21gedbcfyxahi")
    #expect(log.objects.allSatisfy { $0.isDeleted || $0.managedObjectContext == nil })
    let deleted = try context.deletedObjects.compactMap { try $0.string("name") }
    #expect(deleted.joined() == "21gedbcfahi")
    try context.save()
    #expect(log.objects.count == 13)
    for entity in ["Machine", "Item"] { #expect(try stack.otherProcess().all(entity).isEmpty) }
  }

  @Test(
    "REL-210, REL-255, REL-256, REL-430: while hooks run no link is cut, and the object is deleted already")
  func uncut() throws {
    let machines = try machines(isLoaded: false)
    var seen: [String] = []
    log.onPrepare = { object in
      guard object.entity.name == "Item" else { return }
      let name = try object.string("name") ?? ""
      let owners = try ["partOf", "toolOf", "motorOf", "pieceOf"].compactMap { try object.object(forKey: $0) }
      guard let owner = owners.first, owners.count == 1, object.isDeleted else { return }
      var back: [ManagedObject] = []
      if owner.entity.name == "Item" {
        back = try owner.objects(forKey: "pieces")
      } else {
        for key in ["parts", "tools"] { back += try owner.objects(forKey: key) }
        if let motor = try owner.object(forKey: "motor") { back.append(motor) }
      }
      if back.contains(object) { seen.append(name) }
    }
    try context.delete(machines[0])
    try context.processPendingChanges()
    #expect(seen.joined() == "dbcfyxahi" && log.errors.isEmpty)
    #expect(log.names.joined() == "1dbcfyxahi")
  }

  @Test("REL-214, REL-257: what a hook deletes is a further wave, and is deleted with all that hangs on it")
  func hooksDelete() throws {
    let machines = try machines(isLoaded: false)
    log.onPrepare = { [context] object in
      if try object.string("name") == "c" { try context.delete(machines[1]) }
    }
    try context.delete(machines[0])
    try context.processPendingChanges()
    // The second machine's hook runs at once, in the one of c.
    #expect(
      log.names.joined() == "1dbc2fyxahige" || log.names.joined() == "1dbc2fyxagehi", "\(log.names)")
    #expect(log.names.count == Set(log.names).count && log.errors.isEmpty)
    try context.save()
    #expect(try stack.otherProcess().all("Item").isEmpty)
  }

  @Test(
    "REL-214: a Cascade relationship of an object visited already is looked at again when a hook has filled it"
  )
  func hooksLink() throws {
    let machines = try machines(isLoaded: true)
    let late = try items("z")[0]
    try context.save()
    log.onPrepare = { object in
      if try object.string("name") == "b" { try late.setValue(machines[0], forKey: "partOf") }
    }
    try context.delete(machines[0])
    try context.processPendingChanges()
    #expect(late.isDeleted && log.objects.last === late)
  }

  @Test("REL-214: links that hooks cut are not followed any more")
  func hooksUnlink() throws {
    let machines = try machines(isLoaded: false)
    log.onPrepare = { object in
      guard try object.string("name") == "b", let piece = try object.objects(forKey: "pieces").first else {
        return
      }
      try piece.setValue(nil, forKey: "pieceOf")
    }
    try context.delete(machines[0])
    try context.save()
    #expect(
      try stack.otherProcess().all("Item", sort: ["name"]).map { try $0.string("name") } == ["e", "g", "h"])
  }

  @Test(
    "REL-215, REL-217: cut are Nullify and Cascade alone, and committed values still tell the former links")
  func cutting() throws {
    let stack = try TestStack(GraphModels.rules)
    let context = stack.context
    let owner = try context.insert("Owner", ["name": "o"])
    let keys = ["nullified", "cascaded", "denied", "left"]
    var things: [String: ManagedObject] = [:]
    for key in keys {
      things[key] = try context.insert("Thing", ["name": key])
      try owner.setValue([things[key]!], forKey: key)
    }
    try context.save()
    try context.delete(owner)
    try context.processPendingChanges()
    for key in keys {
      let isCut = ["nullified", "cascaded"].contains(key)
      #expect(try owner.objects(forKey: key) == (isCut ? [] : [things[key]!]), "\(key)")
      let committed = try owner.committedValues(forKeys: [key])[key] as? Set<ManagedObject>
      #expect(committed == [things[key]!], "\(key)")
      guard key != "cascaded" else { continue }
      #expect(try things[key]!.object(forKey: key + "Of") === (isCut ? nil : owner), "\(key)")
      #expect(things[key]!.isUpdated == isCut, "\(key)")
    }
    #expect(try things["cascaded"]!.object(forKey: "cascadedOf") == nil)
    #expect(
      try things["cascaded"]!.committedValues(forKeys: ["cascadedOf"])["cascadedOf"] as? ManagedObject
        === owner)
  }

  @Test("REL-216: a cascade over a tree updates nobody in it", arguments: [true, false])
  func nobodyUpdated(_ isLoaded: Bool) throws {
    let machines = try machines(isLoaded: isLoaded)
    try context.save()
    var updated: Set<ManagedObject> = []
    let token = context.observe(.objectsDidChange) { updated.formUnion($0.updated) }
    for machine in machines { try context.delete(machine) }
    try context.processPendingChanges()
    #expect(context.updatedObjects.isEmpty && updated.isEmpty && !log.objects.contains(where: \.isUpdated))
    token.cancel()
  }

  @Test(
    "REL-218: neither the order of calls nor of processings changes the outcome of Deny",
    arguments: [0, 1, 2, 3])
  func denyOrder(_ way: Int) throws {
    let stack = try TestStack(GraphModels.rules)
    let context = stack.context
    let owner = try context.insert("Owner", ["name": "o"])
    let things = try (0..<2).map { try context.insert("Thing", ["name": "\($0)", "deniedOf": owner]) }
    try context.save()
    let steps: [() throws -> Void] = [
      { try context.delete(owner) }, { try context.delete(things[0]) },
      { try things[1].setValue(nil, forKey: "deniedOf") },
    ]
    for step in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]][way] {
      try steps[step]()
      try context.processPendingChanges()
    }
    try context.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Owner").isEmpty && other.all("Thing").count == 1)
  }

  @Test("REL-219: two runs over equal graphs give the same hooks, sets and errors")
  func repeatable() throws {
    func run() throws -> [String] {
      let log = HookLog()
      let stack = try TestStack(hooked: GraphModels.machines, log)
      let context = stack.context
      let machine = try context.insert("Machine", ["name": "m"])
      for number in 0..<40 {
        let item = try context.insert("Item", ["name": "\(number)", "toolOf": machine])
        try context.insert("Item", ["name": "\(number)a", "pieceOf": item])
        try context.insert("Item", ["name": "\(number)b", "pieceOf": item])
      }
      try context.save()
      context.reset()
      try context.delete(context.all("Machine")[0])
      try context.processPendingChanges()
      return log.names + context.deletedObjects.map(\.objectID.shortForm)
    }
    let first = try run()
    #expect(first.count == 242)
    #expect(try first == run())
    func errors() throws -> [String] {
      let stack = try TestStack(GraphModels.rules)
      let owners = try (0..<5).map { try stack.context.insert("Owner", ["name": "\($0)"]) }
      for owner in owners {
        for name in ["x", "y", "z"] { try stack.context.insert("Thing", ["name": name, "deniedOf": owner]) }
      }
      try stack.context.save()
      for owner in owners { try stack.context.delete(owner) }
      return failure { try stack.context.save() }?.errors.map { "\($0) \($0.relatedObjects) \($0.details)" }
        ?? []
    }
    let messages = try errors()
    #expect(messages.count == 5)
    #expect(try messages == errors())
  }
}
