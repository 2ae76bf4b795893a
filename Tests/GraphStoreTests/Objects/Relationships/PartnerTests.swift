import Testing

@testable import GraphStore

/// One-to-one relationships that two processes change, each by the rows that it knows: both ends agree after
/// every save.
@Suite("Partners that another process gives")
struct PartnerTests {
  private let stack: TestStack
  private let context: ManagedObjectContext
  /// Another process's context.
  private let other: ManagedObjectContext

  init() throws {
    stack = try TestStack(Self.model)
    context = stack.context
    for number in 1...4 { try context.insert("Person", ["n": number]) }
    try context.save()
    other = try stack.otherProcess()
  }

  private static var model: ModelDefinition {
    ModelDefinition(
      name: "Partners",
      entities: [
        EntityDefinition(
          "Person", attributes: [AttributeDefinition("n", .int64)],
          relationships: [RelationshipDefinition("spouse", to: "Person", inverse: "spouse")])
      ])
  }

  private func people(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    try context.all("Person", sort: ["n"])
  }

  /// The partners in the store by number, and nothing for a check to find.
  private func partners() throws -> [Int64: Int64] {
    var partners: [Int64: Int64] = [:]
    for person in try people(try stack.otherProcess()) {
      guard let spouse = try person.object(forKey: "spouse") else { continue }
      partners[try person.queryValue(forKey: "n").number] = try spouse.queryValue(forKey: "n").number
    }
    let findings = try StoreCheck.run(path: stack.path).flatMap(\.findings)
    #expect(findings.isEmpty, "\(findings)")
    return partners
  }

  /// Marries two in the other process, of which the first is known here by the new row and the second by the
  /// old.
  private func marryElsewhere(_ first: Int, _ second: Int) throws -> [ManagedObject] {
    context.reset()
    let here = try people(context)
    _ = try here[second - 1].object(forKey: "spouse")
    let there = try people(other)
    try there[first - 1].setValue(there[second - 1], forKey: "spouse")
    try other.save()
    try context.refresh(here[first - 1], mergeChanges: false)
    context.forgetCachedRows()
    return here
  }

  @Test("REL-199: who leaves a partner known by an old row leaves nothing behind", arguments: [3, 1, nil])
  func left(next: Int?) throws {
    let here = try marryElsewhere(1, 2)
    #expect(try here[0].object(forKey: "spouse") === here[1])
    #expect(try here[1].object(forKey: "spouse") == nil)
    try here[0].setValue(next.map { here[$0 - 1] }, forKey: "spouse")
    try context.save()
    #expect(try partners() == (next.map { $0 == 1 ? [1: 1] : [1: Int64($0), Int64($0): 1] } ?? [:]))
    #expect(try here[1].object(forKey: "spouse") == nil)
    #expect(!context.hasChanges)
    try here[1].setValue(here[3], forKey: "spouse")
    try context.save()
    #expect(try partners()[2] == 4)
  }

  @Test("CTX-123: who has other changes and loses a partner by them is a conflict, which a refresh solves")
  func changed() throws {
    let here = try marryElsewhere(1, 2)
    try here[0].setValue(here[2], forKey: "spouse")
    try here[1].setValue(7, forKey: "n")
    let error = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(error?.code == .mergeConflict)
    #expect(try partners() == [1: 2, 2: 1])
  }

  @Test("REL-199: who is given a partner that only an old row has is a conflict")
  func separated() throws {
    let seen = try marryElsewhere(1, 2)
    #expect(try seen[0].object(forKey: "spouse") === seen[1])
    // The other process separates them; here only one of the two is read anew.
    let there = try people(other)
    try there[0].setValue(there[3], forKey: "spouse")
    try other.save()
    try context.refresh(seen[1], mergeChanges: false)
    context.forgetCachedRows()
    #expect(try seen[1].object(forKey: "spouse") == nil)
    try seen[1].setValue(seen[0], forKey: "spouse")
    let error = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(error?.code == .mergeConflict)
    #expect(try partners() == [1: 4, 4: 1])
  }
}
