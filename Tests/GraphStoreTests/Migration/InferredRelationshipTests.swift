import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Relationships that come, go, and change their shapes, ends and limits.
struct InferredRelationshipTests {
  private typealias Shapes = RelationshipShapes

  @Test(
    "MIG-081, MIG-082, MIG-083, MIG-085, MIG-219: from every shape to every other, all links and their order are kept",
    arguments: 0..<RelationshipShapes.shapes.count)
  func shapes(_ turn: Int) throws {
    let old = Shapes.shapes
    let new = old.indices.map { old[($0 + turn) % old.count] }
    var links = zip(old, new).map { Shapes.Links(storedAs: $0, fitting: $1) }
    let store = try MigratedStore(Shapes.model(old)) { try Shapes.fill($0, old, links) }
    for index in links.indices { links[index].forgetOrder(of: old[index]) }
    let before = old.indices.flatMap { Shapes.lines($0, old[$0], links[$0]) }
    try #require(Set(try store.contents(Shapes.model(old))) == Set(before))
    try store.migrate(to: Shapes.model(new))
    try store.expectWhole(Shapes.model(new), pairs: Shapes.pairs(from: old, to: new))
    let there = try Set(store.contents(Shapes.model(new)))
    for index in new.indices {
      links[index].forgetOrder(of: new[index])
      let lines = Shapes.lines(index, new[index], links[index])
      #expect(Set(lines).isSubset(of: there), "\(old[index]) to \(new[index])")
    }
  }

  @Test(
    "MIG-082, MIG-085, MIG-121, MIG-122, MIG-054: too many members for a to-one are counted before anything is written",
    arguments: 0..<RelationshipShapes.shapes.count)
  func tooMany(_ turn: Int) throws {
    let old = Shapes.shapes
    let new = old.indices.map { old[($0 + turn) % old.count] }
    let links = old.map { Shapes.Links(storedAs: $0) }
    let store = try MigratedStore(Shapes.model(old)) { try Shapes.fill($0, old, links) }
    var wanted: Set<String> = []
    for index in old.indices {
      let full = links[index].left.count { $0.count > 1 }
      if new[index].left == .one, full > 0 { wanted.insert("L\(index).r \(full)") }
      let shared = links[index].right.count { $0.count > 1 }
      if new[index].right == .one, shared > 0 { wanted.insert("R\(index).b \(shared)") }
    }
    let findings = try store.plan(to: Shapes.model(new), checksData: true).findings
    #expect(Set(findings.map { "\($0.entity).\($0.property ?? "") \($0.count)" }) == wanted)
    for finding in findings { #expect(finding.examples.count == finding.count) }
    guard turn == 1 else { return }
    let before = try store.contents(Shapes.model(old))
    let error = try expectFailure(.migrationConstraint) { try store.migrate(to: Shapes.model(new)) }
    #expect(error.number == 134_111 && (error.errors.isEmpty ? 1 : error.errors.count) == wanted.count)
    #expect(try store.contents(Shapes.model(old)) == before)
    #expect(store.leftovers.isEmpty)
  }

  @Test("MIG-123: with inexact conversion the first member is kept: by order, else by the lowest key")
  func firstMember() throws {
    func model(isToMany: Bool, isOrdered: Bool) -> ModelDefinition {
      .of(
        EntityDefinition(
          "A",
          relationships: [
            RelationshipDefinition(
              "r", to: "B", inverse: "a", isToMany: isToMany, isOrdered: isToMany && isOrdered)
          ]),
        EntityDefinition("B", relationships: [RelationshipDefinition("a", to: "A", inverse: "r")]))
    }
    for isOrdered in [true, false] {
      let old = model(isToMany: true, isOrdered: isOrdered)
      let store = try MigratedStore(old) { context in
        let members = try (0..<3).map { _ in try context.add("B") }
        let owner = try context.add("A")
        let list = [members[2], members[0], members[1]]
        if isOrdered {
          try owner.setValue(list, forKey: "r")
        } else {
          try owner.setValue(Set(list), forKey: "r")
        }
      }
      let new = model(isToMany: false, isOrdered: false)
      _ = try expectFailure(.migrationConstraint) { try store.migrate(to: new) }
      let first = isOrdered ? 3 : 1
      let members = (1...3).map { "B/p\($0) a=\($0 == first ? "A/p1" : "nil")" }
      #expect(
        try store.migrated(to: new) { $0.allowsInexactConversion = true } == ["A/p1 r=B/p\(first)"] + members)
    }
  }

  @Test(
    "MIG-123, MIG-265: with inexact conversion both sides of every pair agree afterwards, and no link is made up",
    arguments: 0..<RelationshipShapes.shapes.count)
  func inexactShapes(_ turn: Int) throws {
    let old = Shapes.shapes
    let new = old.indices.map { old[($0 + turn) % old.count] }
    let links = old.map { Shapes.Links(storedAs: $0) }
    let store = try MigratedStore(Shapes.model(old)) { try Shapes.fill($0, old, links) }
    try store.migrate(to: Shapes.model(new)) { $0.allowsInexactConversion = true }
    // The check compares the sides of each pair.
    try store.expectWhole(Shapes.model(new), pairs: Shapes.pairs(from: old, to: new))
    try store.open(Shapes.model(new), StoreOptions(isReadOnly: true)) { context in
      for index in new.indices {
        for object in try context.all("L\(index)") {
          let before = links[index].left[Int(object.objectID.key) - 1].map { "R\(index)/p\($0 + 1)" }
          let now =
            try new[index].left.isToMany
            ? object.objects(forKey: "r") : [object.object(forKey: "r")].compactMap(\.self)
          #expect(Set(now.map(\.objectID.shortForm)).isSubset(of: before), "\(old[index]) to \(new[index])")
          // A member that nothing else wants stays.
          let isFree = new[index].right != .one
          if isFree, !before.isEmpty { #expect(now.count == (new[index].left == .one ? 1 : before.count)) }
        }
      }
    }
  }

  @Test(
    "MIG-084, MIG-076, MIG-077: an added relationship is empty, a removed one is lossy, a renamed one keeps its links"
  )
  func comeAndGo() throws {
    let old = ModelDefinition.of(
      EntityDefinition(
        "A",
        relationships: [
          RelationshipDefinition("kept", to: "B", inverse: "keeper", isToMany: true, isOrdered: true),
          RelationshipDefinition("gone", to: "B", inverse: "goer", isToMany: true),
        ]),
      EntityDefinition(
        "B",
        relationships: [
          RelationshipDefinition("keeper", to: "A", inverse: "kept", isToMany: true),
          RelationshipDefinition("goer", to: "A", inverse: "gone"),
        ]))
    let new = ModelDefinition.of(
      EntityDefinition(
        "A",
        relationships: [
          RelationshipDefinition(
            "held", to: "B", inverse: "holder", isToMany: true, isOrdered: true, renamingIdentifier: "kept"),
          RelationshipDefinition("more", to: "B", inverse: "most", isToMany: true, minCount: 0),
        ]),
      EntityDefinition(
        "B",
        relationships: [
          RelationshipDefinition(
            "holder", to: "A", inverse: "held", isToMany: true, renamingIdentifier: "keeper"),
          RelationshipDefinition("most", to: "A", inverse: "more", isToMany: true),
        ]))
    let store = try MigratedStore(old) { context in
      let members = try (0..<2).map { _ in try context.add("B") }
      try context.add("A", ["kept": [members[1], members[0]], "gone": Set([members[0]])])
      try context.add("A", ["kept": [members[0]]])
    }
    #expect(Set(try store.plan(to: new).losses.map(\.path)) == ["A.gone", "B.goer"])
    #expect(
      try store.migrated(to: new) == [
        "A/p1 held=[B/p2,B/p1] more={}", "A/p2 held=[B/p1] more={}", "B/p1 holder={A/p1,A/p2} most={}",
        "B/p2 holder={A/p1} most={}",
      ])
  }

  /// Owners with no, one and three members.
  private static func limited(
    one isOptional: Bool = true, many: (isOptional: Bool, min: Int, max: Int) = (true, 0, 0)
  ) -> ModelDefinition {
    .of(
      EntityDefinition(
        "A",
        relationships: [
          RelationshipDefinition("one", to: "B", inverse: "owner", isOptional: isOptional),
          RelationshipDefinition(
            "many", to: "B", inverse: "owners", isToMany: true, isOptional: many.isOptional,
            minCount: many.min, maxCount: many.max),
        ]),
      EntityDefinition(
        "B",
        relationships: [
          RelationshipDefinition("owner", to: "A", inverse: "one"),
          RelationshipDefinition("owners", to: "A", inverse: "many", isToMany: true),
        ]))
  }

  @Test("MIG-086, MIG-121: new limits and mandatory relationships count the objects that break them")
  func limits() throws {
    let old = Self.limited()
    let store = try MigratedStore(old) { context in
      let members = try (0..<3).map { _ in try context.add("B") }
      try context.add("A")
      try context.add("A", ["one": members[0], "many": Set([members[0]])])
      try context.add("A", ["many": Set(members)])
    }
    let cases: [(ModelDefinition, [String: Int])] = [
      (Self.limited(one: false), ["one": 2]), (Self.limited(many: (false, 1, 0)), ["many": 1]),
      (Self.limited(many: (false, 2, 0)), ["many": 2]), (Self.limited(many: (true, 2, 0)), ["many": 1]),
      (Self.limited(many: (true, 0, 2)), ["many": 1]),
      (Self.limited(one: false, many: (false, 2, 2)), ["many": 3, "one": 2]),
      (Self.limited(many: (true, 0, 3)), [:]), (Self.limited(many: (true, 1, 3)), [:]),
      (Self.limited(many: (false, 0, 3)), [:]),
    ]
    for (new, wanted) in cases {
      let findings = try store.plan(to: new, checksData: true).findings
      #expect(findings.allSatisfy { $0.entity == "A" })
      let counts = Dictionary(findings.map { ($0.property ?? "", $0.count) }, uniquingKeysWith: +)
      #expect(counts == wanted)
    }
    let before = try store.contents(old)
    #expect(try store.migrated(to: cases[6].0) == before)
  }

  @Test(
    "MIG-105: a relationship added as mandatory, or with a least number, to an entity that exists is refused")
  func addedMandatory() throws {
    let old = ModelDefinition.of(EntityDefinition("A"), EntityDefinition("B"))
    for relationship in [
      RelationshipDefinition("r", to: "B", isOptional: false),
      RelationshipDefinition("r", to: "B", isToMany: true, isOptional: false, minCount: 1),
    ] {
      let new = ModelDefinition.of(
        EntityDefinition("A", relationships: [relationship]), EntityDefinition("B"),
        EntityDefinition("New", relationships: [relationship]))
      let error = try #require(throws: InferenceError.self) {
        _ = try MappingModel.inferredMappingModel(
          forSourceModel: ManagedObjectModel(old), destinationModel: ManagedObjectModel(new))
      }
      #expect(error.refusals.map(\.path) == ["A.r"])
    }
  }

  /// Boxes with things of a tree of three.
  private static func boxes(
    to destination: String, isToMany: Bool, inverseOf entity: String? = nil, isOrdered: Bool = false
  ) -> ModelDefinition {
    var entities = [
      EntityDefinition(
        "Box",
        relationships: [
          RelationshipDefinition(
            "things", to: destination, inverse: entity == nil ? nil : "box", isToMany: isToMany,
            isOrdered: isOrdered)
        ]), EntityDefinition("Top"), EntityDefinition("Middle", parent: "Top"),
      EntityDefinition("Low", parent: "Middle"), EntityDefinition("Other"),
    ]
    if let entity {
      let index = entities.firstIndex { $0.name == entity }!
      entities[index].relationships = [
        RelationshipDefinition("box", to: "Box", inverse: "things", isToMany: true)
      ]
    }
    return ModelDefinition(name: "Boxes", entities: entities)
  }

  @Test(
    "MIG-087, MIG-107: the destination becomes an ancestor, a descendant if the members allow it, and nothing else",
    arguments: [true, false])
  func destinations(isToMany: Bool) throws {
    let old = Self.boxes(to: "Middle", isToMany: isToMany)
    let store = try MigratedStore(old) { context in
      let low = try context.add("Low")
      let middle = try context.add("Middle")
      if isToMany {
        try context.add("Box", ["things": Set([low])])
        try context.add("Box", ["things": Set([middle, try context.add("Low")])])
      } else {
        for thing in [low, middle] { try context.add("Box", ["things": thing]) }
      }
    }
    let before = try store.contents(old)
    let lower = Self.boxes(to: "Low", isToMany: isToMany)
    let findings = try store.plan(to: lower, checksData: true).findings
    #expect(findings.map(\.count) == [1] && findings.map(\.property) == ["things"])
    _ = try expectFailure(.migrationConstraint) { try store.migrate(to: lower) }
    #expect(try store.contents(old) == before)
    _ = try expectFailure(.mappingMissing) {
      _ = try store.plan(to: Self.boxes(to: "Other", isToMany: isToMany))
    }
    #expect(try store.migrated(to: Self.boxes(to: "Top", isToMany: isToMany)) == before)
    try store.open(Self.boxes(to: "Top", isToMany: isToMany)) { context in
      for box in try context.all("Box") where box.objectID.key == 2 { try context.delete(box) }
    }
    let left = try store.contents(Self.boxes(to: "Top", isToMany: isToMany))
    #expect(try store.migrated(to: lower) == left)
    #expect(try store.contents(lower).contains { $0.contains("Low/p1") && $0.hasPrefix("Box/p1") })
  }

  @Test("MIG-219, MIG-265: links that led nowhere before are no reason to refuse, and no new ones come")
  func dangling() throws {
    let old = Self.boxes(to: "Middle", isToMany: true, inverseOf: "Middle", isOrdered: true)
    let store = try MigratedStore(old) { context in
      let things = try (0..<3).map { _ in try context.add("Low") }
      try context.add("Box", ["things": [things[2], things[0], things[1]]])
    }
    let raw = try SQLiteConnection(path: store.path, mode: .readWrite)
    try raw.execute("DELETE FROM ZTOP WHERE Z_PK = 1")
    raw.close()
    var new = old
    new.entities[0].versionHashModifier = "2"
    try store.migrate(to: new)
    let boxes = try store.contents(new)
    #expect(boxes.first?.contains("Low/p3") == true && boxes.first?.contains("Low/p2") == true, "\(boxes)")
    #expect(boxes.count == 3)
  }

  @Test("MIG-085: relationships to its own entity get and lose an inverse")
  func ownEntity() throws {
    func model(_ relationships: RelationshipDefinition...) -> ModelDefinition {
      .of(EntityDefinition("N", relationships: relationships))
    }
    let oneWay = model(RelationshipDefinition("next", to: "N", isToMany: true, isOrdered: true))
    let store = try MigratedStore(oneWay) { context in
      let nodes = try (0..<3).map { _ in try context.add("N") }
      try nodes[0].setValue([nodes[2], nodes[0]], forKey: "next")
      try nodes[1].setValue([nodes[1]], forKey: "next")
    }
    let both = model(
      RelationshipDefinition("next", to: "N", inverse: "former", isToMany: true, isOrdered: true),
      RelationshipDefinition("former", to: "N", inverse: "next", isToMany: true))
    #expect(
      try store.migrated(to: both) == [
        "N/p1 former={N/p1} next=[N/p3,N/p1]", "N/p2 former={N/p2} next=[N/p2]",
        "N/p3 former={N/p1} next=[]",
      ])
    try store.open(both) { context in
      let nodes = try context.all("N").sorted { $0.objectID.key < $1.objectID.key }
      try nodes[1].addObjects([nodes[2]], forKey: "next")
    }
    // A member of several owners stays that of all of them (STO-255).
    try store.migrate(to: oneWay)
    #expect(
      try store.contents(oneWay) == ["N/p1 next=[N/p3,N/p1]", "N/p2 next=[N/p2,N/p3]", "N/p3 next=[]"])
    #expect(try StoreCheck.run(path: store.path).flatMap(\.findings) == [])
    try store.migrate(to: both)
    #expect(
      try store.contents(both) == [
        "N/p1 former={N/p1} next=[N/p3,N/p1]", "N/p2 former={N/p2} next=[N/p2,N/p3]",
        "N/p3 former={N/p1,N/p2} next=[]",
      ])
  }

  @Test(
    "MIG-092, MIG-121: a new constraint counts duplicates over the whole family, nil and all of a pair apart")
  func constraints() throws {
    func model(_ constraints: [[String]], low: [[String]] = [], modifier: String? = nil) -> ModelDefinition {
      .of(
        EntityDefinition(
          "P", attributes: [AttributeDefinition("a", .string), AttributeDefinition("b", .int64)],
          uniquenessConstraints: constraints, versionHashModifier: modifier),
        EntityDefinition("C", parent: "P", uniquenessConstraints: low))
    }
    let store = try MigratedStore(model([])) { context in
      try context.add("P", ["a": "x", "b": 1])
      try context.add("C", ["a": "x", "b": 2])
      try context.add("C", ["a": "X", "b": 2])
      try context.add("P", ["b": 1])
      try context.add("P", ["b": 3])
    }
    func findings(_ new: ModelDefinition) throws -> [String] {
      try store.plan(to: new, checksData: true).findings.map { "\($0.entity) \($0.count)" }
    }
    #expect(try findings(model([["a"]])) == ["P 2"])
    #expect(try findings(model([["b"]])) == ["P 4"])
    #expect(try findings(model([], low: [["b"]])) == ["C 2"])
    #expect(try findings(model([], low: [["a"]])) == [])
    #expect(try findings(model([["a", "b"]])) == [])
    _ = try expectFailure(.migrationConstraint) { try store.migrate(to: model([["b"]])) }
    let before = try store.contents(model([]))
    #expect(try store.migrated(to: model([["a", "b"]])) == before)
    #expect(try store.migrated(to: model([], low: [["a"]])) == before)
    #expect(try store.migrated(to: model([])) == before)
  }

  @Test("MIG-092, MIG-079, MIG-121: duplicates that defaults make are found")
  func constraintOfDefaults() throws {
    func model(_ isNew: Bool) -> ModelDefinition {
      .of(
        EntityDefinition(
          "P",
          attributes: [
            AttributeDefinition("a", .string, isOptional: !isNew, defaultValue: isNew ? .string("x") : nil)
          ], uniquenessConstraints: [["a"]]))
    }
    let store = try MigratedStore(model(false)) { context in
      for value in ["x", nil, nil] as [String?] {
        try context.add("P", value.map { ["a": $0] } ?? [:])
      }
    }
    #expect(try store.plan(to: model(true), checksData: true).findings.map(\.count) == [3])
    let error = try expectFailure(.migrationConstraint) { try store.migrate(to: model(true)) }
    #expect(error.entity == "P" && error.property == "a")
  }
}
