import Foundation
import GraphStore
import Testing

/// Each kind of attribute and each thing that can be done with it.
@Suite("Every kind of attribute", .everyStore)
struct AttributeTableTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    try Celsius.register()
    stack = try TestStack(AttributeCase.model)
  }

  private func saved(_ kind: AttributeCase, _ value: (any AttributeCaseValue)?) throws -> ManagedObject {
    let thing = try context.insert(entityNamed: "Thing")
    try kind.set(value, of: thing)
    try context.save()
    return thing
  }

  /// The objects of another context whose value a predicate finds.
  private func found(_ text: String, _ value: Value) throws -> [ManagedObjectID] {
    let request = FetchRequest(entityName: "Thing", predicate: try QueryPredicate(text, value))
    return try stack.newContext().fetch(request).map(\.objectID)
  }

  private func queryCode(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? QueryPredicateError)?.code.rawValue
    }
  }

  @Test("OBJ-246, MDL-141, OBJ-299: a new object has the default, or nothing", arguments: AttributeCase.all)
  func defaultValue(_ kind: AttributeCase) throws {
    let thing = try context.insert(entityNamed: "Thing")
    #expect(try kind.has(kind.start, thing))
    #expect(try !thing.hasPersistentChangedValues && thing.changedValues().isEmpty)
  }

  @Test(
    "OBJ-156, OBJ-140: a value is read as it was set, nil too; what is derived is not set",
    arguments: AttributeCase.all)
  func setting(_ kind: AttributeCase) throws {
    let thing = try context.insert(entityNamed: "Thing")
    for value in [kind.first, kind.second, nil] {
      guard kind.keeping != .derived else {
        #expect(code { try thing.setValue(value, forKeyPath: kind.path) } == .readOnlyProperty)
        #expect(code { try thing.setPrimitiveValue(value, forKey: kind.path) } == .readOnlyProperty)
        continue
      }
      try thing.setValue(value, forKeyPath: kind.path)
      #expect(try kind.has(value, thing))
    }
  }

  @Test(
    "OBJ-142, OBJ-148, OBJ-154, OBJ-255: another context and another process read what was saved, nil too",
    arguments: AttributeCase.all)
  func reloading(_ kind: AttributeCase) throws {
    for value in [kind.first, kind.second, nil] {
      let thing = try saved(kind, value)
      #expect(try kind.has(value, thing))
      let expected = kind.keeping == .transient ? kind.start : value
      for other in [stack.newContext(), try stack.otherProcess()] {
        let id = try #require(stack.coordinator.managedObjectID(forShortForm: thing.objectID.shortForm))
        #expect(try kind.has(expected, other.existingObject(with: id)))
      }
    }
  }

  @Test("FLT-119, OBJ-255: a refresh brings the stored value back", arguments: AttributeCase.all)
  func refreshing(_ kind: AttributeCase) throws {
    let thing = try saved(kind, kind.first)
    try kind.set(kind.second, of: thing)
    try context.refresh(thing, mergeChanges: false)
    #expect(try thing.isFault && kind.has(kind.keeping == .transient ? kind.start : kind.first, thing))
    #expect(!thing.hasChanges)
  }

  @Test("OBJ-071, OBJ-301: a merging refresh keeps the value that is not saved", arguments: AttributeCase.all)
  func merging(_ kind: AttributeCase) throws {
    let thing = try saved(kind, kind.first)
    try kind.set(kind.second, of: thing)
    try context.refresh(thing, mergeChanges: true)
    #expect(try thing.isUpdated && kind.has(kind.keeping == .derived ? kind.first : kind.second, thing))
  }

  @Test(
    "PRD-060, PRD-065, PRD-077, PRD-128: equality and IN find the value and no other; transient ones are refused",
    arguments: AttributeCase.all)
  func predicates(_ kind: AttributeCase) throws {
    let things = try [kind.first, kind.second, nil].map { try saved(kind, $0).objectID }
    let (first, second) = (kind.constant(kind.first), kind.constant(kind.second))
    let requests: [(String, Value, [Int])] = [
      ("\(kind.path) == %@", first, [0]), ("\(kind.path) == %@", second, [1]),
      ("\(kind.path) == %@", .null, [2]), ("\(kind.path) != %@", .null, [0, 1]),
      ("\(kind.path) IN %@", .list([first, second]), [0, 1]), ("\(kind.path) IN %@", .list([second]), [1]),
      ("\(kind.path) IN %@", .list([]), []),
    ]
    for (text, value, expected) in requests {
      if kind.keeping == .transient {
        #expect(queryCode { _ = try found(text, value) } == "transient-in-fetch", "\(text)")
      } else {
        #expect(try Set(found(text, value)) == Set(expected.map { things[$0] }), "\(text) \(value)")
      }
    }
  }

  @Test(
    "PRD-227: values sort by their kind, missing ones first; transient ones are refused",
    arguments: AttributeCase.all)
  func sorting(_ kind: AttributeCase) throws {
    let things = try [kind.second, nil, kind.first].map { try saved(kind, $0).objectID }
    func sorted(_ isAscending: Bool) throws -> [Int] {
      let sort = try QuerySortDescriptor(key: kind.path, ascending: isAscending)
      return try stack.newContext().fetch(FetchRequest(entityName: "Thing", sortDescriptors: [sort]))
        .map { try #require(things.firstIndex(of: $0.objectID)) }
    }
    if kind.keeping == .transient {
      #expect(queryCode { _ = try sorted(true) } == "transient-in-fetch")
    } else {
      #expect(try sorted(true) == [1, 2, 0] && sorted(false) == [0, 2, 1])
    }
  }

  @Test("OBJ-096, OBJ-099, OBJ-297, OBJ-301: changed and committed values", arguments: AttributeCase.all)
  func changes(_ kind: AttributeCase) throws {
    let thing = try saved(kind, kind.first)
    #expect(try thing.changedValues().isEmpty)
    try kind.set(kind.second, of: thing)
    #expect(thing.isUpdated)
    let changed = try Set(thing.changedValues().keys)
    switch kind.keeping {
    case .stored: #expect(changed == [kind.property])
    case .transient: #expect(changed == [] && !thing.hasPersistentChangedValues)
    case .derived: #expect(changed == ["source"])
    }
    guard kind.keeping != .transient else {
      #expect(code { _ = try thing.committedValues(forKeys: [kind.property]) } == .unknownKey)
      return
    }
    #expect(kind.first.equals(try committed(kind, thing)))
    // Data in a file of their own are told apart by their files.
    if kind.path != "external" {
      try kind.set(kind.first, of: thing)
      #expect(try thing.changedValues().isEmpty && !thing.hasPersistentChangedValues)
    }
    try kind.set(kind.second, of: thing)
    try context.save()
    #expect(try kind.second.equals(committed(kind, thing)) && thing.changedValues().isEmpty)
  }

  /// The committed value, through the dictionaries of a composite attribute.
  private func committed(_ kind: AttributeCase, _ thing: ManagedObject) throws -> Any? {
    var value = try thing.committedValues(forKeys: [kind.property])[kind.property] ?? nil
    for step in kind.path.split(separator: ".").dropFirst() {
      value = (value as? [String: Any?])?[String(step)] ?? nil
    }
    return value
  }

  @Test("CTX-132, CTX-134: a rollback brings back what the last save left", arguments: AttributeCase.all)
  func rollback(_ kind: AttributeCase) throws {
    let thing = try saved(kind, kind.first)
    for value in [kind.second, nil] {
      try kind.set(value, of: thing)
      context.rollback()
      #expect(try kind.has(kind.first, thing) && !thing.hasChanges && !context.hasChanges)
    }
    try context.save()
    guard kind.keeping != .transient else { return }
    #expect(try kind.has(kind.first, stack.otherProcess().all("Thing")[0]))
  }
}
