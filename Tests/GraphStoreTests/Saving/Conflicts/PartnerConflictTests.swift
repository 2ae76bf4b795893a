import Testing

@testable import GraphStore

/// Two writers who each give a record another partner, at whichever end.
@Suite(.everyStore)
struct PartnerConflictTests {
  /// A is married to B as the other writer has it; C and D to nobody.
  private func writers(_ policy: PolicyCase, _ writer: OtherWriter) throws -> (
    TwoWriters, mine: [ManagedObject], theirs: [ManagedObject]
  ) {
    let writers = try TwoWriters(TestModels.company(), writer, policy.policy) { context in
      for name in ["A", "B", "C", "D"] { try context.insert("Employee", ["name": name, "salary": 1]) }
    }
    func all(_ context: ManagedObjectContext) throws -> [ManagedObject] {
      let all = try context.all("Employee", sort: ["name"])
      for object in all { _ = try object.object(forKey: "spouse") }
      return all
    }
    let (mine, theirs) = (try all(writers.mine), try all(writers.theirs))
    try theirs[0].setValue(theirs[1], forKey: "spouse")
    try writers.theirs.save()
    return (writers, mine, theirs)
  }

  private func refreshed(_ object: ManagedObject, in writers: TwoWriters) throws {
    try writers.mine.refresh(object, mergeChanges: false)
    writers.mine.forgetCachedRows()
    _ = try object.string("name")
  }

  /// The couples in the store and in memory, which agree.
  private func couples(_ writers: TwoWriters, _ mine: [ManagedObject]) throws -> [String] {
    func couples(_ context: ManagedObjectContext) throws -> [String] {
      try context.all("Employee", sort: ["name"]).map { employee in
        let spouse = try employee.object(forKey: "spouse")
        if let spouse { #expect(try spouse.object(forKey: "spouse") === employee) }
        return "\(try employee.string("name") ?? "")\(try spouse?.string("name") ?? "-")"
      }
    }
    #expect(!writers.mine.hasChanges)
    let stored = try couples(writers.stored())
    for object in mine where object.managedObjectContext != nil {
      try writers.mine.refresh(object, mergeChanges: false)
    }
    #expect(try couples(writers.mine) == stored)
    try writers.mine.checkInvariants()
    return stored
  }

  @Test(
    "CTX-196, CTX-210, REL-199: who loses a partner by this save and has other changes loses it and keeps these",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func displaced(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, _) = try writers(policy, writer)
    // A is known by the new row, B by the old one.
    try refreshed(mine[0], in: writers)
    #expect(try mine[0].object(forKey: "spouse") === mine[1])
    try mine[0].setValue(mine[2], forKey: "spouse")
    try mine[1].setValue(Int64(7), forKey: "salary")
    try writers.mine.save()
    #expect(try couples(writers, mine) == ["AC", "B-", "CA", "D-"])
    let salary = try writers.stored().all("Employee", "name == 'B'")[0].value(forKey: "salary") as? Int64
    #expect(salary == (policy == .rollback ? 1 : 7))
  }

  @Test(
    "CTX-196, CTX-199, CTX-200, CTX-210: of two partners one record has the one that the policy prefers",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func separated(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, _) = try writers(policy, writer)
    // C marries B, whose new partner is not known here: B's row is written, and so is that of A.
    try mine[2].setValue(mine[1], forKey: "spouse")
    try writers.mine.save()
    let isMine = policy == .object || policy == .overwrite
    #expect(try couples(writers, mine) == (isMine ? ["A-", "BC", "CB", "D-"] : ["AB", "BA", "C-", "D-"]))
  }

  @Test(
    "CTX-196, CTX-210: both writers change both ends of both couples, and one of the results stands whole",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func crossed(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    for isRefreshed in [[0], [1], [0, 1], [2], [3], [2, 3]] {
      let (writers, mine, theirs) = try writers(policy, writer)
      try theirs[2].setValue(theirs[3], forKey: "spouse")
      try writers.theirs.save()
      for number in isRefreshed { try refreshed(mine[number], in: writers) }
      try mine[0].setValue(mine[3], forKey: "spouse")
      try mine[1].setValue(mine[2], forKey: "spouse")
      try mine[2].setValue(Int64(5), forKey: "salary")
      try writers.mine.save()
      _ = try couples(writers, mine)
    }
  }

  @Test(
    "CTX-196, CTX-210: a new object takes a partner whom the other writer has married",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func newPartner(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, _) = try writers(policy, writer)
    let new = try writers.mine.insert("Employee", ["name": "N", "spouse": mine[1]])
    try writers.mine.save()
    let isMine = policy == .object || policy == .overwrite
    #expect(
      try couples(writers, mine + [new])
        == (isMine ? ["A-", "BN", "C-", "D-", "NB"] : ["AB", "BA", "C-", "D-", "N-"]))
  }

  @Test(
    "REL-247, CTX-196: whom the other writer has married to a record that is deleted here loses it, though the row here is old",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func widowed(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, _) = try writers(policy, writer)
    try refreshed(mine[0], in: writers)
    try writers.mine.delete(mine[1])
    try writers.mine.save()
    let isMine = policy == .object || policy == .overwrite
    #expect(try couples(writers, mine) == (isMine ? ["A-", "C-", "D-"] : ["AB", "BA", "C-", "D-"]))
  }

  @Test(
    "CTX-205, CTX-210: a record that is written again keeps the partner of this save",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func writtenAgain(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(policy, writer)
    try writers.theirs.delete(theirs[2])
    try writers.theirs.save()
    try mine[3].setValue(mine[2], forKey: "spouse")
    try writers.mine.save()
    let isMine = policy == .object || policy == .overwrite
    #expect(try couples(writers, mine) == (isMine ? ["AB", "BA", "CD", "DC"] : ["AB", "BA", "D-"]))
  }

  @Test(
    "REL-320: a partner that is known to be gone is told as such, not as somebody else's",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func gone(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(policy, writer)
    try writers.theirs.delete(theirs[2])
    try writers.theirs.save()
    try refreshed(mine[2], in: writers)
    try mine[3].setValue(mine[2], forKey: "spouse")
    #expect(code { try writers.mine.save() } == .objectNotFound)
    #expect(try writers.stored().all("Employee", "spouse != nil").count == 2)
  }

  @Test("CTX-196: by the error policy each of these is a conflict, and nothing is written")
  func error() throws {
    let (writers, mine, _) = try writers(.error, .process)
    try refreshed(mine[0], in: writers)
    try mine[0].setValue(mine[2], forKey: "spouse")
    try mine[1].setValue(Int64(7), forKey: "salary")
    #expect(code { try writers.mine.save() } == .mergeConflict)
    #expect(try writers.stored().all("Employee", "spouse.name == 'A'").map { try $0.string("name") } == ["B"])
  }
}
