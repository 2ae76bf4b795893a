import Synchronization
import Testing

@testable import GraphStore

/// Results that hold identifiers and load the blocks that are touched, and lists of faults that fire by
/// blocks.
struct BatchedResultsTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    let departments = try ["R&D", "Sales"].map { try stack.context.insert("Department", ["name": $0]) }
    for number in 0..<50 {
      let employee = try stack.context.insert("Employee", ["name": "E\(number + 100)", "salary": number])
      try employee.setValue(departments[number % 2], forKey: "department")
    }
    try stack.context.save()
    stack.context.reset()
  }

  private func request(
    _ predicate: String? = nil, sort: String? = "name", size: Int = 20, limit: Int = 0, offset: Int = 0
  ) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try sort.map { try QuerySortDescriptor.list(parsing: $0) } ?? [], fetchLimit: limit,
      fetchOffset: offset)
    request.fetchBatchSize = size
    return request
  }

  private func names(_ objects: some Sequence<ManagedObject>) throws -> [String?] {
    try objects.map { try $0.string("name") }
  }

  private func name(_ number: Int) -> String { "E\(number + 100)" }

  @Test(
    "FET-142, FET-143: the first statement reads identifiers alone; what memory judges is read in its columns"
  )
  func identifiersAlone() throws {
    var texts = try stack.recordedStatements {
      let results = try context.fetchBatched(request("salary < 40"))
      try check(results.count == 40)
      try check(results.objectID(at: 3).entity.name == "Employee")
    }
    #expect(texts.count == 1)
    #expect(texts[0].hasPrefix("SELECT t0.Z_PK, t0.Z_ENT FROM"))
    #expect(context.registeredCount == 0)
    texts = try stack.recordedStatements {
      try check(
        try context.fetchBatched(request("NOT name MATCHES name OR salary < 40", sort: "salary")).count == 40)
    }
    #expect(texts.count == 1)
    #expect(texts[0].contains("ZNAME"))
    #expect(!texts[0].contains("ZDEPARTMENT"))
    #expect(context.registeredCount == 0)
  }

  @Test("FET-144: all elements in order cost a statement, and one for each block; a block is aligned")
  func blocks() throws {
    var results = try context.fetchBatched(request())
    #expect(try stack.statements { results = try context.fetchBatched(request()) } == 1)
    #expect(try stack.statements { try check(try names(results) == (0..<50).map(name)) } == 3)
    let again = try context.fetchBatched(request())
    context.reset()
    #expect(try stack.statements { try check(try again[25].string("name") == name(25)) } == 1)
    for position in 20..<40 {
      #expect(try stack.statements { try check(try again[position].string("name") == name(position)) } == 0)
    }
    #expect(try stack.statements { try check(try again[19].string("name") == name(19)) } == 1)
    #expect(try stack.statements { try check(try again[40].string("name") == name(40)) } == 1)
    #expect(try again.last?.string("name") == name(49))
  }

  @Test("FET-144: each block is one statement with the rows of its identifiers")
  func blockStatement() throws {
    let results = try context.fetchBatched(request())
    let texts = try stack.recordedStatements { _ = results[0] }
    #expect(texts.count == 1)
    #expect(texts[0].contains("ZSALARY"))
    #expect(texts[0].contains("Z_PK IN"))
  }

  @Test("FET-145: a block holds faults with cached rows, or realised objects", arguments: [true, false])
  func faults(asFaults: Bool) throws {
    var request = try request()
    request.returnsObjectsAsFaults = asFaults
    let results = try context.fetchBatched(request)
    #expect(results[5].isFault == asFaults)
    #expect(try stack.statements { _ = try results[6].string("name") } == 0)
  }

  @Test("FET-146, FLT-160: the four blocks last used are held, older ones by nobody")
  func memory() throws {
    let results = try context.fetchBatched(request(size: 5))
    var most = 0
    for position in results.indices {
      _ = results[position]
      most = max(most, context.registeredCount)
    }
    #expect(most <= 4 * 5 + 5)
    #expect(context.registeredCount == 20)
    // The first block is used again, and the one before the last four comes anew.
    #expect(stack.statements { _ = results[49] } == 0)
    #expect(stack.statements { _ = results[30] } == 0)
    #expect(stack.statements { _ = results[0] } == 1)
    #expect(stack.statements { _ = results[30] } == 0)
    #expect(stack.statements { _ = results[35] } == 1)
    let kept = results[10]
    for position in 20..<50 { _ = results[position] }
    #expect(results[10] === kept)
  }

  @Test("FET-147: a list of faults is read by blocks when one of them fires")
  func listOfFaults() throws {
    var list: [ManagedObject] = []
    #expect(try stack.statements { list = try context.fetch(request()) } == 1)
    #expect(list.count == 50)
    #expect(list.allSatisfy { $0.isFault })
    #expect(try stack.statements { try check(try list[25].string("name") == name(25)) } == 1)
    #expect(try stack.statements { try check(try names(list[20..<40]) == (20..<40).map(name)) } == 0)
    #expect(try stack.statements { try check(try names(list) == (0..<50).map(name)) } == 2)
    // Objects that somebody has already are not read with them.
    context.reset()
    let held = try context.fetch(request("salary < 10", size: 0))
    list = try context.fetch(request())
    #expect(list[3] === held[3])
    #expect(try stack.statements { try check(try names(list) == (0..<50).map(name)) } == 3)
  }

  @Test("FET-147: lists that nobody holds any more are let go of")
  func forgottenLists() throws {
    for _ in 0..<3 { _ = try context.fetch(request()) }
    let list = try context.fetch(request(size: 7))
    #expect(try stack.statements { _ = try list[6].string("name") } == 1)
    #expect(try stack.statements { try check(try names(list[0..<7]).count == 7) } == 0)
    #expect(try stack.statements { _ = try list[7].string("name") } == 1)
  }

  @Test("FET-148: unsaved changes are part of the positions, which stay whatever changes later")
  func unsavedChanges() throws {
    try context.all("Employee", "name == 'E103'")[0].setValue("E199", forKey: "name")
    var new: ManagedObject? = try context.insert("Employee", ["name": "E1005"])
    let results = try context.fetchBatched(request(size: 5))
    let expected =
      [name(0), "E1005"] + (1..<50).filter { $0 != 3 }.map(name) + ["E199"]
    #expect(try names(results) == expected)
    try new?.setValue("Z", forKey: "name")
    new = nil
    try context.insert("Employee", ["name": "A"])
    try context.all("Employee", "name == 'E110'")[0].setValue("AA", forKey: "name")
    #expect(results.count == 51)
    #expect(try results[1].string("name") == "Z")
    try context.save()
    #expect(try results[1].string("name") == "Z")
    #expect(results.objectID(at: 1) == results[1].objectID)
    #expect(!results[1].objectID.isTemporaryID)
    #expect(results.count == 51)
  }

  @Test("FET-149: deleted elements, and such whose record is gone, keep their positions")
  func deletions() throws {
    let results = try context.fetchBatched(request(size: 5))
    try context.delete(context.all("Employee", "name == 'E107'")[0])
    #expect(results[7].isDeleted)
    #expect(try names(results[5..<7]) == [name(5), name(6)])
    try stack.removeRow(results.objectID(at: 11))
    #expect(try results[10].string("name") == name(10))
    #expect(try names(results[12..<15]) == (12..<15).map(name))
    #expect(try results[11].string("name") == nil)
    #expect(results[11].isDeleted)
    #expect(results.count == 50)
  }

  @Test("FET-150: a size beyond the result is one block; other results have no batches")
  func largeBatch() throws {
    let results = try context.fetchBatched(request(size: 1000))
    #expect(try stack.statements { try check(try names(results).count == 50) } == 1)
    let whole = try context.fetchBatched(request(size: 0))
    context.reset()
    #expect(try stack.statements { try check(try names(whole).count == 50) } == 1)
    #expect(try stack.statements { try check(try context.count(for: request()) == 50) } == 1)
    #expect(try stack.statements { try check(try context.fetchIdentifiers(request()).count == 50) } == 1)
    #expect(try context.fetchBatched(request("name == 'nobody'")).isEmpty)
  }

  @Test("FET-151: a batched fetch is told as identifiers, then each block with its rows")
  func traced() throws {
    let told = Mutex<[String]>([])
    let trace = stack.coordinator.observe([.fetches]) { event in
      guard case .fetch("Employee", let result, let objects, _) = event.work else { return }
      told.withLock { $0.append("\(result.rawValue) \(objects)") }
    }
    let results = try context.fetchBatched(request())
    for object in results { _ = object }
    withExtendedLifetime(trace) {}
    #expect(told.withLock { $0 } == ["ids 50", "objects 20", "objects 20", "objects 10"])
  }

  @Test("FET-152: the window is cut first, and its blocks follow")
  func window() throws {
    let results = try context.fetchBatched(request(limit: 45, offset: 3))
    #expect(results.count == 45)
    #expect(try stack.statements { try check(try names(results) == (3..<48).map(name)) } == 3)
  }

  @Test("FET-116: prefetching follows each block when it is loaded")
  func prefetching() throws {
    var request = try request()
    request.relationshipKeyPathsForPrefetching = ["department"]
    let results = try context.fetchBatched(request)
    let first = stack.statements { _ = results[0] }
    #expect(first > 1)
    #expect(
      try stack.statements {
        for position in 0..<20 { _ = try results[position].object(forKey: "department")?.string("name") }
      } == 0)
    context.reset()
    let list = try context.fetch(request)
    _ = try list[0].string("name")
    #expect(
      try stack.statements {
        for object in list[..<20] { _ = try object.object(forKey: "department")?.string("name") }
      } == 0)
  }

  @Test("FET-008, FET-023: a negative size is refused before anything is asked")
  func negative() throws {
    let request = try request(size: -1)
    let statements = stack.statements {
      for body in [
        { _ = try context.fetchBatched(request) }, { _ = try context.fetch(request) },
        { _ = try context.count(for: request) },
      ] as [() throws -> Void] {
        let error = #expect(throws: GraphStoreError.self) { try body() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.entity == "Employee")
      }
    }
    #expect(statements == 0)
  }

  @Test("FET-143: it is a collection of random access, in any direction")
  func randomAccess() throws {
    let results = try context.fetchBatched(request(sort: "-salary", size: 8))
    #expect(try names(results.reversed()) == (0..<50).map(name))
    #expect(try names(results[8..<16]) == (34..<42).reversed().map(name))
    #expect(results.batchSize == 8)
    #expect(try results.object(at: 0).string("name") == name(49))
  }
}
