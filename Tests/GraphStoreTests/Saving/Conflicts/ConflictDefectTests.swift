import Foundation
import Testing

@testable import GraphStore

/// The smallest histories that end otherwise than the rules say.
@Suite(.everyStore)
struct ConflictDefectTests {
  private func writers(_ writer: OtherWriter, _ policy: PolicyCase) throws -> (
    TwoWriters, mine: [ManagedObject], theirs: [ManagedObject]
  ) {
    let writers = try TwoWriters(ConflictHistory.model, writer, policy.policy) { context in
      let tag = try context.insert("Tag", ["n": 1])
      let owner = try context.insert("Owner", ["n": 1])
      for (name, code) in [("first", "x"), ("second", "y")] {
        let item = try context.insert("Item", ["name": name, "code": code, "a": 1, "b": 1, "owner": owner])
        if name == "first" { try item.addObjects([tag], forKey: "tags") }
      }
    }
    let all = try [writers.mine, writers.theirs].map { context in
      let items = try context.all("Item", sort: ["name"])
      for item in items { _ = (try item.string("name"), try item.objects(forKey: "tags")) }
      return items
    }
    return (writers, all[0], all[1])
  }

  private func stored(_ writers: TwoWriters) throws -> [String] {
    try writers.stored().all("Item", sort: ["name"]).map { item in
      try "\(item.string("name") ?? "-") \(item.string("code") ?? "-") \(item.queryValue(forKey: "a").number)"
    }
  }

  @Test(
    "CTX-133, CTX-182: a rollback forgets what is watched, also where nothing is changed",
    arguments: OtherWriter.allCases)
  func watchedAfterRollback(_ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, .overwrite)
    try writers.mine.detectConflicts(for: mine[0])
    writers.mine.rollback()
    try theirs[0].setValue(Int64(9), forKey: "a")
    try writers.theirs.save()
    try mine[1].setValue(Int64(5), forKey: "a")
    try writers.mine.save()
    #expect(try stored(writers) == ["first x 9", "second y 5"])
  }

  @Test(
    "CTX-182: a reset forgets what is watched", arguments: OtherWriter.allCases)
  func watchedAfterReset(_ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, .overwrite)
    try writers.mine.detectConflicts(for: mine[0])
    writers.mine.reset()
    try theirs[0].setValue(Int64(9), forKey: "a")
    try writers.theirs.save()
    try writers.mine.all("Item", sort: ["name"])[1].setValue(Int64(5), forKey: "a")
    try writers.mine.save()
    #expect(try stored(writers) == ["first x 9", "second y 5"])
  }

  @Test(
    "CTX-238, CTX-207, CTX-196: a displaced record that another writer has changed is deleted all the same",
    arguments: OtherWriter.allCases)
  func displacedAndChanged(_ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, .overwrite)
    try theirs[0].setValue(Int64(9), forKey: "a")
    try writers.theirs.save()
    try mine[1].setValue("x", forKey: "code")
    try writers.mine.save()
    #expect(try stored(writers) == ["second x 1"])
  }

  @Test(
    "CTX-207, CTX-234, CTX-196: a deletion that conflicts, whose unique value another object takes",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func deletionFreesValue(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, policy)
    try theirs[0].setValue(Int64(9), forKey: "a")
    try writers.theirs.save()
    try writers.mine.delete(mine[0])
    try mine[1].setValue("x", forKey: "code")
    try writers.mine.save()
    let isWithdrawn = policy == .store || policy == .rollback
    #expect(try stored(writers) == (isWithdrawn ? ["first x 9", "second y 1"] : ["second x 1"]))
  }

  @Test(
    "CTX-209, CTX-234: what is watched is refreshed, also where uniqueness then leaves nothing to save",
    arguments: [PolicyCase.store, .rollback, .object], OtherWriter.allCases)
  func watchedBesideUniqueness(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, policy)
    try writers.mine.detectConflicts(for: mine[0])
    try theirs[0].setValue(Int64(9), forKey: "a")
    try writers.theirs.save()
    try mine[1].setValue("x", forKey: "code")
    try writers.mine.save()
    #expect(try mine[0].value(forKey: "a") as? Int64 == 9)
    #expect(try stored(writers) == ["first x 9", "second y 1"])
  }

  @Test(
    "CTX-196, CTX-237 to CTX-239: a record that another writer gave the value, of an object with changed links alone",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func holderWithLinksAlone(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, policy)
    try theirs[0].setValue("z", forKey: "code")
    try writers.theirs.save()
    try mine[0].removeObjects(Array(mine[0].objects(forKey: "tags")), forKey: "tags")
    try writers.mine.insert("Item", ["name": "third", "code": "z", "a": 7])
    try writers.mine.save()
    let expected: [String]
    switch policy {
    case .store, .rollback, .error: expected = ["first z 1", "second y 1"]
    case .object: expected = ["second y 1", "third z 7"]
    case .overwrite: expected = ["second y 1", "third z 7"]
    }
    #expect(try stored(writers) == expected)
    #expect(!writers.mine.hasChanges)
  }

  @Test(
    "CTX-179, CTX-196, CTX-205: an object that only gained a link, whose record is gone",
    arguments: PolicyCase.allCases, OtherWriter.allCases)
  func linkToGone(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, policy)
    let tags = try writers.mine.all("Tag")
    try writers.theirs.delete(theirs[1])
    try writers.theirs.save()
    try mine[1].addObjects(tags, forKey: "tags")
    if policy == .error {
      // A link to or from a record that is gone is refused (REL-320).
      #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .objectNotFound)
      return
    }
    try writers.mine.save()
    let isBack = policy == .object || policy == .overwrite
    #expect(try stored(writers) == ["first x 1"] + (isBack ? ["second y 1"] : []))
    #expect(try writers.stored().all("Tag")[0].objects(forKey: "items").count == (isBack ? 2 : 1))
    #expect((mine[1].managedObjectContext != nil) == isBack && !writers.mine.hasChanges)
  }

  @Test(
    "CTX-007, CTX-196, CTX-210: a partner that a policy has taken from the store can be left again",
    arguments: [PolicyCase.store, .rollback, .object], OtherWriter.allCases)
  func leavingPartner(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try TwoWriters(TestModels.company(), writer, policy.policy) { context in
      for name in ["A", "B", "C"] { try context.insert("Employee", ["name": name, "salary": 1]) }
    }
    func all(_ context: ManagedObjectContext) throws -> [ManagedObject] {
      let all = try context.all("Employee", sort: ["name"])
      for object in all { _ = try object.object(forKey: "spouse") }
      return all
    }
    let (mine, theirs) = (try all(writers.mine), try all(writers.theirs))
    try theirs[0].setValue(theirs[2], forKey: "spouse")
    try writers.theirs.save()
    // The own change is of another property; the partner comes from the store.
    try mine[0].setValue(Int64(5), forKey: "salary")
    try writers.mine.save()
    #expect(try mine[0].object(forKey: "spouse") === mine[2])
    #expect(try mine[2].object(forKey: "spouse") === mine[0])
    try mine[0].setValue(mine[1], forKey: "spouse")
    try writers.mine.save()
    let couples = try writers.stored().all("Employee", sort: ["name"]).map {
      try $0.object(forKey: "spouse")?.string("name")
    }
    #expect(couples == ["B", "A", nil])
  }

  @Test(
    "CTX-198, CTX-205: external data that the other writer's save has put out of use are never referred to again",
    arguments: [PolicyCase.object, .overwrite], [true, false])
  func externalData(_ policy: PolicyCase, _ isGone: Bool) throws {
    let writers = try TwoWriters(PhotoStore.model, .context, policy.policy) {
      try $0.insert("Photo", ["name": "one", "image": Data(repeating: 1, count: 300_000)])
    }
    let (mine, theirs) = (try writers.mine.only("Photo"), try writers.theirs.only("Photo"))
    #expect((try mine.value(forKey: "image") as? Data)?.count == 300_000)
    if isGone {
      try writers.theirs.delete(theirs)
    } else {
      try theirs.setValue(Data(repeating: 3, count: 300_000), forKey: "image")
    }
    try writers.theirs.save()
    try mine.setValue("changed", forKey: "name")
    if isGone, writers.stack.has(.files) {
      // The deletion has taken the file along: nobody has the data any more.
      #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .externalDataMissing)
      return
    }
    // Of a file that was replaced the object shows what is there now.
    let shown = try mine.value(forKey: "image") as? Data
    try writers.mine.save()
    let isMine = isGone || policy == .overwrite
    let expected = isMine ? shown : Data(repeating: 3, count: 300_000)
    let stored = try writers.stored().only("Photo")
    #expect(try stored.value(forKey: "image") as? Data == expected)
    if writers.stack.has(.files) {
      #expect(try StoreCheck.run(path: writers.stack.path).flatMap(\.findings).isEmpty)
    }
  }

  @Test(
    "CTX-103, CTX-173: two objects exchange unique values though the version of one has moved over equal values",
    arguments: PolicyCase.allCases, OtherWriter.allCases)
  func exchangeOverMovedVersion(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    for position in 0...1 {
      let (writers, mine, theirs) = try writers(writer, policy)
      for value in [9, 1] {
        try theirs[position].setValue(Int64(value), forKey: "a")
        try writers.theirs.save()
      }
      try mine[0].setValue("y", forKey: "code")
      try mine[1].setValue("x", forKey: "code")
      try writers.mine.save()
      #expect(try stored(writers) == ["first y 1", "second x 1"])
    }
  }

  @Test(
    "CTX-171, CTX-182, CTX-209: a watched object is looked at, also where its links alone have changed",
    arguments: OtherWriter.allCases)
  func watchedWithLinks(_ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, .error)
    try theirs[0].setValue(Int64(9), forKey: "a")
    try writers.theirs.save()
    try writers.mine.detectConflicts(for: mine[0])
    try mine[0].removeObjects(Array(mine[0].objects(forKey: "tags")), forKey: "tags")
    #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .mergeConflict)
  }

  @Test(
    "CTX-226, CTX-235: new objects do not give way to one that no longer has their value",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func outdatedSurvivor(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let (writers, mine, theirs) = try writers(writer, policy)
    try theirs[0].setValue("z", forKey: "code")
    try writers.theirs.save()
    try mine[0].removeObjects(Array(mine[0].objects(forKey: "tags")), forKey: "tags")
    for _ in 0..<2 { try writers.mine.insert("Item", ["name": "new", "code": "x", "a": 7]) }
    try writers.mine.save()
    #expect(try stored(writers) == ["first z 1", "new x 7", "second y 1"])
  }

  @Test(
    "CTX-119, CTX-123: after an exchange that failed, the row cache has what is stored",
    arguments: PolicyCase.allCases)
  func cacheAfterFailedExchange(_ policy: PolicyCase) throws {
    let (writers, mine, theirs) = try writers(.context, policy)
    for value in [9, 1] {
      try theirs[1].setValue(Int64(value), forKey: "a")
      try writers.theirs.save()
    }
    try mine[0].setValue("y", forKey: "code")
    try mine[1].setValue("x", forKey: "code")
    let isSaved = (try? writers.mine.save()) != nil
    for item in theirs { try writers.theirs.refresh(item, mergeChanges: false) }
    let codes = try theirs.map { try $0.string("code") }
    let there = try writers.stored().all("Item", sort: ["name"]).map { try $0.string("code") }
    #expect(codes == there, "\(isSaved)")
  }
}
