import Foundation
import Testing

@testable import GraphStore

/// Attributes of the kinds that are more than a column, in conflicts.
@Suite(.everyStore)
struct ConflictValueTests {
  private static let model = ModelDefinition(
    name: "Kinds",
    entities: [
      EntityDefinition(
        "Item",
        attributes: [
          AttributeDefinition("name", .string), AttributeDefinition("size", .int64),
          AttributeDefinition("passing", .string, isTransient: true),
          AttributeDefinition("plain", .transformable),
          AttributeDefinition(
            "place", .composite,
            elements: [AttributeDefinition("x", .double), AttributeDefinition("y", .double)]),
          AttributeDefinition("image", .binary, externalStorage: true),
          AttributeDefinition("upper", .string, derivation: "uppercase:(name)"),
          AttributeDefinition("count", .int64, derivation: "parts.@count"),
        ],
        relationships: [
          RelationshipDefinition("parts", to: "Part", inverse: "item", isToMany: true, deleteRule: .cascade)
        ]),
      EntityDefinition(
        "Part", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("item", to: "Item", inverse: "parts")]),
    ])

  private static func large(_ byte: UInt8) -> Data { Data(repeating: byte, count: 300_000) }

  private func writers(_ writer: OtherWriter, _ policy: PolicyCase) throws -> TwoWriters {
    try TwoWriters(Self.model, writer, policy.policy) {
      try $0.insert(
        "Item",
        [
          "name": "base", "size": 1, "plain": ["base"], "place": ["x": 1.0, "y": 1.0] as [String: Any?],
          "image": Self.large(1),
        ])
    }
  }

  private func x(_ object: ManagedObject) throws -> [Double?] {
    let place = try #require(try object.value(forKey: "place") as? [String: Any?])
    return ["x", "y"].map { place[$0].flatMap { $0 } as? Double }
  }

  @Test(
    "CTX-198 to CTX-202: composite, transformable and external values changed by both, in different elements",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func both(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try theirs.setValue(["x": 3.0, "y": 1.0] as [String: Any?], forKey: "place")
    try theirs.setValue(["theirs"], forKey: "plain")
    try theirs.setValue(Self.large(3), forKey: "image")
    try theirs.setValue("theirs", forKey: "name")
    try writers.theirs.save()
    try mine.setValue(["x": 1.0, "y": 2.0] as [String: Any?], forKey: "place")
    try mine.setValue(["mine"], forKey: "plain")
    try mine.setValue(Self.large(2), forKey: "image")
    try mine.setValue("mine", forKey: "name")
    try mine.setValue("passing", forKey: "passing")
    try writers.mine.save()
    let isTheirs = policy == .store || policy == .rollback
    for object in [mine, try writers.stored().only("Item")] {
      #expect(try x(object) == (isTheirs ? [3, 1] : [1, 2]))
      #expect(try object.value(forKey: "plain") as? [String] == [isTheirs ? "theirs" : "mine"])
      #expect(try object.value(forKey: "image") as? Data == Self.large(isTheirs ? 3 : 2))
      #expect(try object.string("upper") == (isTheirs ? "THEIRS" : "MINE"))
    }
    #expect(!writers.mine.hasChanges)
    if policy != .rollback { #expect(try mine.string("passing") == "passing") }
    try writers.mine.checkInvariants()
    if writers.stack.has(.files) {
      #expect(try StoreCheck.run(path: writers.stack.path).allSatisfy { $0.findings.isEmpty })
    }
  }

  @Test(
    "CTX-198 to CTX-200: values that the other writer alone changed, and ones that this one alone did",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func apart(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    _ = (try mine.value(forKey: "plain"), try mine.value(forKey: "image"), try mine.value(forKey: "place"))
    try theirs.setValue(["x": 3.0, "y": 3.0] as [String: Any?], forKey: "place")
    try theirs.setValue(["theirs"], forKey: "plain")
    try theirs.setValue(Self.large(3), forKey: "image")
    try theirs.setValue("theirs", forKey: "name")
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "size")
    try writers.mine.save()
    let isBase = policy == .overwrite
    for object in [mine, try writers.stored().only("Item")] {
      #expect(try x(object) == (isBase ? [1, 1] : [3, 3]))
      #expect(try object.value(forKey: "plain") as? [String] == [isBase ? "base" : "theirs"])
      // What becomes of external data that are put out of use is in ``ConflictDefectTests``.
      if !isBase { #expect(try object.value(forKey: "image") as? Data == Self.large(3)) }
      #expect(try object.string("upper") == (isBase ? "BASE" : "THEIRS"))
      #expect(try object.value(forKey: "size") as? Int64 == (policy == .rollback ? 1 : 5))
    }
    if writers.stack.has(.files), policy != .overwrite {
      #expect(try StoreCheck.run(path: writers.stack.path).allSatisfy { $0.findings.isEmpty })
    }
  }

  @Test(
    "CTX-205: a record written back has its external, transformable, composite and derived values",
    arguments: [PolicyCase.object, .overwrite], OtherWriter.allCases)
  func writtenBack(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    for isRead in [true, false] { try writtenBack(policy, writer, isRead: isRead) }
  }

  private func writtenBack(_ policy: PolicyCase, _ writer: OtherWriter, isRead: Bool) throws {
    let writers = try writers(writer, policy)
    let mine = try writers.mine.only("Item")
    if isRead { _ = (try mine.value(forKey: "plain"), try mine.value(forKey: "image")) }
    try writers.theirs.delete(writers.theirs.only("Item"))
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "size")
    if writers.stack.has(.files) {
      // The deletion has taken the file along: nobody has the data any more.
      #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .externalDataMissing)
      #expect(mine.isUpdated)
      try mine.setValue(Self.large(4), forKey: "image")
    }
    try writers.mine.save()
    for object in [mine, try writers.stored().only("Item")] {
      #expect(try x(object) == [1, 1])
      #expect(try object.value(forKey: "plain") as? [String] == ["base"])
      #expect(try object.string("upper") == "BASE" && object.value(forKey: "count") as? Int64 == 0)
    }
    try mine.setValue(Int64(6), forKey: "size")
    try writers.mine.save()
    #expect(try writers.stored().only("Item").value(forKey: "size") as? Int64 == 6)
  }

  @Test(
    "CTX-169, CTX-176, CTX-202: a derived value that another writer's save has moved is no conflict and is right afterwards",
    arguments: PolicyCase.allCases, OtherWriter.allCases)
  func derived(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try writers.theirs.insert("Part", ["name": "p", "item": theirs])
    try writers.theirs.save()
    try mine.setValue(Int64(5), forKey: "size")
    try writers.mine.insert("Part", ["name": "q", "item": mine])
    try writers.mine.save()
    #expect(try mine.value(forKey: "count") as? Int64 == 2)
    let stored = try writers.stored().only("Item")
    #expect(try stored.value(forKey: "count") as? Int64 == 2 && stored.value(forKey: "size") as? Int64 == 5)
  }

  @Test(
    "CTX-038, CTX-105, CTX-171: an object changed in a transient property alone takes part in conflicts",
    arguments: PolicyCase.allCases, OtherWriter.allCases)
  func transient(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try theirs.setValue("theirs", forKey: "name")
    try writers.theirs.save()
    try mine.setValue("passing", forKey: "passing")
    if policy == .error {
      #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .mergeConflict)
      #expect(try mine.string("passing") == "passing" && mine.isUpdated)
      return
    }
    try writers.mine.save()
    #expect(!writers.mine.hasChanges)
    #expect(try writers.stored().only("Item").string("name") == (policy == .overwrite ? "base" : "theirs"))
    #expect(try mine.string("name") == (policy == .overwrite ? "base" : "theirs"))
    if policy != .rollback { #expect(try mine.string("passing") == "passing") }
  }

  @Test(
    "CTX-171, CTX-173: an object set to equal values takes part in conflicts", arguments: PolicyCase.allCases,
    OtherWriter.allCases)
  func equal(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let writers = try writers(writer, policy)
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try theirs.setValue("theirs", forKey: "name")
    try writers.theirs.save()
    try mine.setValue(Int64(1), forKey: "size")
    if policy == .error {
      #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .mergeConflict)
      return
    }
    try writers.mine.save()
    #expect(!writers.mine.hasChanges)
    #expect(try mine.string("name") == (policy == .overwrite ? "base" : "theirs"))
    #expect(try writers.stored().only("Item").string("name") == (policy == .overwrite ? "base" : "theirs"))
  }

  @Test(
    "CTX-164, CTX-175: a save of members alone does not hide what another writer has made of the owner",
    arguments: OtherWriter.allCases)
  func membersAlone(_ writer: OtherWriter) throws {
    let writers = try writers(writer, .error)
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try theirs.setValue("theirs", forKey: "name")
    try theirs.setValue(Int64(9), forKey: "size")
    try writers.theirs.save()
    try writers.mine.insert("Part", ["name": "q", "item": mine])
    try writers.mine.save()
    #expect(try writers.stored().only("Item").string("name") == "theirs")
    // It still has what it was read with, so this is a conflict.
    #expect(try mine.string("name") == "base")
    try mine.setValue(Int64(5), forKey: "size")
    #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .mergeConflict)
    writers.mine.mergePolicy = .mergeByPropertyStoreTrump
    try writers.mine.save()
    #expect(try writers.stored().only("Item").value(forKey: "size") as? Int64 == 9)
    #expect(try mine.string("name") == "theirs")
  }

  @Test("CTX-182: what is watched lasts until a save succeeds, and not beyond a rollback")
  func watching() throws {
    let writers = try writers(.context, .error)
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    try writers.mine.detectConflicts(for: mine)
    try theirs.setValue("theirs", forKey: "name")
    try writers.theirs.save()
    let part = try writers.mine.insert("Part", ["name": "q"])
    for _ in 0..<2 {
      #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.code == .mergeConflict)
    }
    // It is changed now, and then deleted.
    try mine.setValue(Int64(4), forKey: "size")
    #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.conflicts.count == 1)
    try writers.mine.delete(mine)
    #expect(#expect(throws: GraphStoreError.self) { try writers.mine.save() }?.conflicts.count == 1)
    writers.mine.mergePolicy = .overwrite
    try writers.mine.save()
    #expect(try writers.stored().all("Item").isEmpty && !part.isInserted && !writers.mine.hasChanges)
  }

  @Test(
    "CTX-201, CTX-205: external data that the other has removed are not referred to again",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func removedData(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    for isRead in [false, true] {
      let writers = try writers(writer, policy)
      let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
      if isRead { #expect((try mine.value(forKey: "image") as? Data)?.count == 300_000) }
      try theirs.setValue(nil, forKey: "image")
      try theirs.setValue("theirs", forKey: "name")
      try writers.theirs.save()
      try mine.setValue(7, forKey: "size")
      try writers.mine.save()
      let stored = try writers.stored().only("Item")
      let shown = try stored.value(forKey: "image") as? Data
      #expect(try mine.value(forKey: "image") as? Data == shown)
      #expect(try stored.string("name") == (policy == .overwrite ? "base" : "theirs"))
      if writers.stack.has(.files) {
        #expect(try StoreCheck.run(path: writers.stack.path).flatMap(\.findings).isEmpty)
      }
    }
  }

  @Test(
    "CTX-198 to CTX-202: a to-one without an inverse that both have pointed elsewhere",
    arguments: PolicyCase.settling, OtherWriter.allCases)
  func oneWay(_ policy: PolicyCase, _ writer: OtherWriter) throws {
    let model = ModelDefinition(
      name: "Links",
      entities: [
        EntityDefinition(
          "Item", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("target", to: "Part")]),
        EntityDefinition("Part", attributes: [AttributeDefinition("name", .string)]),
      ])
    let writers = try TwoWriters(model, writer, policy.policy) { context in
      let parts = try ["a", "b", "c"].map { try context.insert("Part", ["name": $0]) }
      try context.insert("Item", ["name": "base", "target": parts[0]])
    }
    func target(_ item: ManagedObject) throws -> String? {
      try (item.value(forKey: "target") as? ManagedObject)?.string("name")
    }
    func point(_ item: ManagedObject, to name: String) throws {
      let part = try #require(item.managedObjectContext).all("Part", "name == '\(name)'")[0]
      try item.setValue(part, forKey: "target")
    }
    let (mine, theirs) = (try writers.mine.only("Item"), try writers.theirs.only("Item"))
    #expect(try target(mine) == "a")
    try point(theirs, to: "b")
    try writers.theirs.save()
    try point(mine, to: "c")
    try writers.mine.save()
    let expected = policy == .store || policy == .rollback ? "b" : "c"
    let stored = try target(writers.stored().only("Item"))
    #expect(try target(mine) == expected && stored == expected)
  }
}
