import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// Entities that come, go, and change their names and places in the tree.
struct InferredEntityTests {
  private static let animal = EntityDefinition("Animal", attributes: [AttributeDefinition("name", .string)])
  private static let dog = EntityDefinition(
    "Dog", parent: "Animal", attributes: [AttributeDefinition("tricks", .int16)],
    relationships: [
      RelationshipDefinition("owner", to: "Person", inverse: "dogs"),
      RelationshipDefinition("friends", to: "Animal", isToMany: true),
    ])
  private static let puppy = EntityDefinition(
    "Puppy", parent: "Dog", attributes: [AttributeDefinition("weeks", .int32)])
  private static let cat = EntityDefinition("Cat", parent: "Animal")
  private static let person = EntityDefinition(
    "Person", attributes: [AttributeDefinition("name", .string)],
    relationships: [RelationshipDefinition("dogs", to: "Dog", inverse: "owner", isToMany: true)])
  private static let zoo = ModelDefinition.of(animal, dog, puppy, cat, person)

  /// An object of every entity, in one table but for the person: keys 1 to 5.
  private static func fill(_ context: ManagedObjectContext) throws {
    let ann = try context.add("Person", ["name": "Ann"])
    let rex = try context.add("Dog", ["name": "Rex", "tricks": 3, "owner": ann])
    let tom = try context.add("Cat", ["name": ""])
    let pup = try context.add("Puppy", ["weeks": 7, "owner": ann, "friends": Set([rex, tom])])
    try context.add("Animal", ["name": "It"])
    try context.add("Dog")
    try rex.setValue(Set([pup]), forKey: "friends")
  }

  private func store() throws -> MigratedStore { try MigratedStore(Self.zoo, fill: Self.fill) }

  private static let lines = [
    #"Animal/p4 name="It""#, #"Cat/p2 name="""#,
    #"Dog/p1 friends={Puppy/p3} name="Rex" owner=Person/p1 tricks=3"#,
    "Dog/p5 friends={} name=nil owner=nil tricks=nil", #"Person/p1 dogs={Dog/p1,Puppy/p3} name="Ann""#,
    "Puppy/p3 friends={Dog/p1,Cat/p2} name=nil owner=Person/p1 tricks=nil weeks=7",
  ]

  private static func changed(_ change: (inout ModelDefinition) -> Void) -> ModelDefinition {
    var model = zoo
    change(&model)
    return model
  }

  @Test("MIG-072, MIG-217: an added entity is an empty table, and every other object keeps its key")
  func added() throws {
    let store = try store()
    let new = Self.changed {
      $0.entities.insert(EntityDefinition("Aardvark", attributes: [AttributeDefinition("x", .string)]), at: 0)
      $0.entities.append(EntityDefinition("Kitten", parent: "Cat"))
    }
    #expect(try store.plan(to: new).losses.isEmpty)
    #expect(try store.migrated(to: new) == Self.lines)
    let added = try store.open(new) { context in
      try ["Aardvark", "Kitten", "Person"].map { try context.add($0).objectID.shortForm }
    }
    #expect(added == ["Aardvark/p1", "Kitten/p6", "Person/p2"])
  }

  @Test("MIG-073, MIG-051: objects of a removed entity are left behind and links to them are dropped")
  func removed() throws {
    let store = try store()
    let new = Self.changed { $0.entities.removeAll { $0.name == "Puppy" } }
    let plan = try store.plan(to: new)
    #expect(plan.losses.map(\.path) == ["Puppy"] && plan.losses.map(\.count) == [1])
    let left = try store.migrated(to: new)
    #expect(
      left == [
        Self.lines[0], Self.lines[1], #"Dog/p1 friends={} name="Rex" owner=Person/p1 tricks=3"#,
        Self.lines[3], #"Person/p1 dogs={Dog/p1} name="Ann""#,
      ])
    let next = try store.open(new) { try $0.add("Dog").objectID.key }
    #expect(next == 6)
  }

  @Test("MIG-073: links of every kind to a removed entity are dropped, and their owners stay")
  func removedEnds() throws {
    func model(isWhole: Bool) -> ModelDefinition {
      var owner = EntityDefinition("Owner", attributes: [AttributeDefinition("n", .int64)])
      var thing = EntityDefinition("Thing")
      if isWhole {
        owner.relationships = [
          RelationshipDefinition("one", to: "Gone", inverse: "one"),
          RelationshipDefinition("many", to: "Gone", inverse: "owner", isToMany: true, isOrdered: true),
          RelationshipDefinition("tags", to: "Gone", inverse: "tagged", isToMany: true),
          RelationshipDefinition("mixed", to: "Thing", inverse: "mixed", isToMany: true, isOrdered: true),
          RelationshipDefinition("single", to: "Thing"),
        ]
      } else {
        owner.relationships = [
          RelationshipDefinition("mixed", to: "Thing", inverse: "mixed", isToMany: true, isOrdered: true),
          RelationshipDefinition("single", to: "Thing"),
        ]
      }
      thing.relationships = [RelationshipDefinition("mixed", to: "Owner", inverse: "mixed", isToMany: true)]
      let gone = EntityDefinition(
        "Gone", parent: "Thing",
        relationships: [
          RelationshipDefinition("one", to: "Owner", inverse: "one"),
          RelationshipDefinition("owner", to: "Owner", inverse: "many"),
          RelationshipDefinition("tagged", to: "Owner", inverse: "tags", isToMany: true),
        ])
      return isWhole ? .of(owner, thing, gone) : .of(owner, thing)
    }
    let store = try MigratedStore(model(isWhole: true)) { context in
      let things = try ["Gone", "Thing", "Gone", "Thing"].map { try context.add($0) }
      try context.add(
        "Owner",
        [
          "n": 1, "one": things[0], "many": [things[2], things[0]], "tags": Set([things[0], things[2]]),
          "mixed": [things[3], things[2], things[1], things[0]], "single": things[2],
        ])
    }
    #expect(try store.plan(to: model(isWhole: false)).isLossy)
    #expect(
      try store.migrated(to: model(isWhole: false)) == [
        "Owner/p1 mixed=[Thing/p4,Thing/p2] n=1 single=nil", "Thing/p2 mixed={Owner/p1}",
        "Thing/p4 mixed={Owner/p1}",
      ])
  }

  @Test("MIG-074, MIG-068: a renamed entity keeps objects, keys and links, at the root and below it")
  func renamed() throws {
    let store = try store()
    let new = Self.changed { model in
      for index in model.entities.indices {
        if model.entities[index].parent == "Animal" { model.entities[index].parent = "Creature" }
        if model.entities[index].parent == "Dog" { model.entities[index].parent = "Hound" }
        for position in model.entities[index].relationships.indices {
          let names = ["Animal": "Creature", "Dog": "Hound", "Person": "Human"]
          let destination = model.entities[index].relationships[position].destination
          model.entities[index].relationships[position].destination = names[destination] ?? destination
        }
      }
      for (old, name) in [("Animal", "Creature"), ("Dog", "Hound"), ("Person", "Human")] {
        let index = model.entities.firstIndex { $0.name == old }!
        model.entities[index].name = name
        model.entities[index].renamingIdentifier = old
      }
    }
    let plan = try store.plan(to: new)
    #expect(!plan.isLossy)
    #expect(Set(plan.steps[0].changes.map(\.kind)) == [.renamed])
    let expected = Self.lines.map {
      $0.replacing("Animal/", with: "Creature/").replacing("Dog/", with: "Hound/")
        .replacing("Person/", with: "Human/")
    }
    #expect(try store.migrated(to: new) == expected.sorted { $0 < $1 })
    #expect(try store.open(new) { try $0.add("Cat").objectID.key } == 6)
  }

  @Test("MIG-062, MIG-064: two entities that exchange their names by identifiers exchange their objects")
  func exchanged() throws {
    let old = ModelDefinition.of(
      EntityDefinition("A", attributes: [AttributeDefinition("x", .string)]),
      EntityDefinition("B", attributes: [AttributeDefinition("x", .string)]))
    let store = try MigratedStore(old) { context in
      try context.add("A", ["x": "a1"])
      try context.add("B", ["x": "b1"])
      try context.add("B", ["x": "b2"])
    }
    let new = ModelDefinition.of(
      EntityDefinition("A", attributes: [AttributeDefinition("x", .string)], renamingIdentifier: "B"),
      EntityDefinition(
        "B", attributes: [AttributeDefinition("x", .string), AttributeDefinition("y", .string)],
        renamingIdentifier: "A"))
    #expect(
      try store.migrated(to: new) == [#"A/p1 x="b1""#, #"A/p2 x="b2""#, #"B/p1 x="a1" y=nil"#])
  }

  @Test("MIG-088: a new parent above a tree, concrete or abstract, keeps objects, keys and links")
  func parentAbove() throws {
    for isAbstract in [true, false] {
      let store = try store()
      let new = Self.changed { model in
        model.entities[0].parent = "Being"
        model.entities.append(
          EntityDefinition(
            "Being", isAbstract: isAbstract,
            attributes: [AttributeDefinition("age", .int16, isOptional: false, defaultValue: .number("4"))]))
      }
      let expected = Self.lines.map { line in
        let end = line.firstIndex(of: " ") ?? line.endIndex
        return line.hasPrefix("Person") ? line : line[..<end] + " age=4" + line[end...]
      }
      #expect(try store.migrated(to: new) == expected)
      let key = try store.open(new) { try $0.add(isAbstract ? "Cat" : "Being").objectID.key }
      #expect(key == 6)
    }
  }

  @Test("MIG-088: an entity moved out of its tree keeps objects, keys, inherited values and links to it")
  func movedOut() throws {
    let store = try store()
    let new = Self.changed { model in
      model.entities[1].parent = nil
      model.entities[1].attributes.insert(AttributeDefinition("name", .string), at: 0)
      // Members of two trees have no common entity any more.
      model.entities[1].relationships.removeLast()
    }
    let expected = Self.lines.map {
      $0.replacing(#/ friends=\{[^}]*\}/#, with: "")
    }
    #expect(try store.migrated(to: new) == expected)
    #expect(try store.open(new) { try [$0.add("Dog"), $0.add("Cat")].map(\.objectID.key) } == [6, 6])
  }

  @Test(
    "MIG-088, MIG-216, MIG-144: links to objects that leave a tree are told and dropped, by sets, by objects, and by the drafted mapping"
  )
  func linksToMovedOut() throws {
    func model(_ parent: String?) -> ModelDefinition {
      .of(
        EntityDefinition("A", attributes: [AttributeDefinition("n", .string)]),
        EntityDefinition("B", parent: parent, attributes: [AttributeDefinition("k", .string)]),
        EntityDefinition(
          "C", parent: "A",
          relationships: [
            RelationshipDefinition("r", to: "A"), RelationshipDefinition("all", to: "A", isToMany: true),
          ]))
    }
    var found: [[String]] = []
    for way in 0..<3 {
      let store = try MigratedStore(model("A")) { context in
        let (a, b) = (try context.add("A", ["n": "a"]), try context.add("B", ["n": "b", "k": "k"]))
        try context.add("C", ["r": b, "all": [a, b]])
        try context.add("C", ["r": a, "all": [b]])
      }
      let versions = try [model("A"), model(nil)].map { ModelVersion(try ManagedObjectModel($0)) }
      let draft = MappingModel.draft(from: versions[0].model, to: versions[1].model)
      let step = try MigrationStep(from: versions[0], to: versions[1], written: way == 2 ? [draft] : [])
      let plan = try MigrationPlan(fromStoreAt: store.path, steps: [step])
      #expect(Set(plan.losses.map(\.path)).isSuperset(of: ["C.r", "C.all"]), "\(plan.losses)")
      var options = MigrationOptions()
      options.usesStoreSpecificMigrationManager = way == 0
      _ = try StoreMigration(plan, options: options).run()
      #expect(try StoreCheck.run(path: store.path).flatMap(\.findings).isEmpty)
      found.append(try store.contents(model(nil)))
    }
    #expect(found[0].contains { $0.hasPrefix("C/p4") && $0.contains("r=A/p1") && $0.contains("all={}") })
    #expect(found[0].contains { $0.hasPrefix("C/p3") && $0.contains("r=nil") && $0.contains("all={A/p1}") })
    #expect(found[1] == found[0] && found[2] == found[0], "\(found)")
  }

  @Test("MIG-088: an entity moved to another parent of its tree keeps its objects")
  func movedWithin() throws {
    let store = try store()
    let new = Self.changed { $0.entities[3].parent = "Dog" }
    var expected = Self.lines
    expected[1] = #"Cat/p2 friends={} name="" owner=nil tricks=nil"#
    #expect(try store.migrated(to: new) == expected)
  }

  @Test("MIG-088, MIG-089: attributes move up, down, and together from siblings")
  func movedProperties() throws {
    let store = try MigratedStore(
      .of(
        EntityDefinition("P", attributes: [AttributeDefinition("down", .string)]),
        EntityDefinition(
          "A", parent: "P",
          attributes: [
            AttributeDefinition("up", .int64), AttributeDefinition("both", .decimal),
            AttributeDefinition("other", .string),
          ]),
        EntityDefinition(
          "B", parent: "P",
          attributes: [AttributeDefinition("both", .decimal), AttributeDefinition("otherB", .string)]),
        EntityDefinition("AA", parent: "A"))
    ) { context in
      try context.add("P", ["down": "p"])
      try context.add("A", ["down": "a", "up": Int64.max, "both": Decimal(string: "0.1")!, "other": "oa"])
      try context.add(
        "B", ["down": "b", "both": Decimal(string: "-99999999999999999999999999999999999999")!])
      try context.add("AA", ["down": "aa", "up": Int64.min])
      try context.add("B", ["otherB": "ob"])
    }
    let new = ModelDefinition.of(
      EntityDefinition(
        "P",
        attributes: [
          AttributeDefinition("up", .int64), AttributeDefinition("both", .decimal),
          AttributeDefinition("other", .string),
        ]),
      EntityDefinition("A", parent: "P", attributes: [AttributeDefinition("down", .string)]),
      EntityDefinition("B", parent: "P"), EntityDefinition("AA", parent: "A"))
    let plan = try store.plan(to: new)
    #expect(Set(plan.losses.map(\.path)) == ["P.down", "B.down", "B.otherB"], "\(plan.losses)")
    #expect(
      try store.migrated(to: new) == [
        #"A/p2 both=0.1 down="a" other="oa" up=9223372036854775807"#,
        #"AA/p4 both=nil down="aa" other=nil up=-9223372036854775808"#,
        "B/p3 both=-99999999999999999999999999999999999999 other=nil up=nil",
        "B/p5 both=nil other=nil up=nil", "P/p1 both=nil other=nil up=nil",
      ])
  }

  @Test(
    "MIG-090, MIG-121: concrete to abstract is refused for objects of exactly that entity; abstract to concrete is not"
  )
  func abstract() throws {
    let store = try store()
    let new = Self.changed { $0.entities[1].isAbstract = true }
    let before = try store.contents(Self.zoo)
    let error = try expectFailure(.migrationConstraint) { try store.migrate(to: new) }
    #expect(error.entity == "Dog" && error.number == 134_111)
    #expect(error.message.contains("2 objects") && error.details.contains { $0.hasSuffix("Dog/p5") })
    #expect(try store.contents(Self.zoo) == before)
    let plan = try store.plan(to: new, checksData: true)
    #expect(plan.findings.map(\.entity) == ["Dog"] && plan.findings.map(\.count) == [2])
    try store.open(Self.zoo) { context in
      for dog in try context.all("Dog") where dog.entity.name == "Dog" { try context.delete(dog) }
    }
    #expect(
      try store.migrated(to: new) == [
        Self.lines[0], Self.lines[1], #"Person/p1 dogs={Puppy/p3} name="Ann""#,
        "Puppy/p3 friends={Cat/p2} name=nil owner=Person/p1 tricks=nil weeks=7",
      ])
    _ = try store.migrated(to: Self.zoo)
    #expect(try store.open(Self.zoo) { try $0.add("Dog").objectID.key } == 6)
  }

  @Test(
    "MIG-094, MIG-010: a hash modifier alone copies everything as it is; a change outside the hash has no step"
  )
  func modifier() throws {
    let store = try store()
    let new = Self.changed { $0.entities[1].versionHashModifier = "2" }
    #expect(try store.plan(to: new).steps.count == 1)
    #expect(try store.migrated(to: new) == Self.lines)
    let same = Self.changed {
      $0.entities[1].versionHashModifier = "2"
      $0.entities[1].userInfo["note"] = .string("x")
      $0.entities[1].className = "DogObject"
      $0.entities[0].renamingIdentifier = "Beast"
    }
    #expect(try store.plan(to: same).steps.isEmpty)
  }

  @Test(
    "MIG-108, MIG-109, MIG-067, MIG-101: trees and entities that cannot be joined or split are refused, all at once"
  )
  func refused() throws {
    let old = ModelDefinition.of(
      EntityDefinition("A", attributes: [AttributeDefinition("x", .string)]),
      EntityDefinition("B", attributes: [AttributeDefinition("x", .string)]))
    let store = try MigratedStore(old) { try $0.add("A", ["x": "1"]) }
    let files = try store.state()
    let joined = ModelDefinition.of(
      EntityDefinition("Top", isAbstract: true), EntityDefinition("A", parent: "Top"),
      EntityDefinition("B", parent: "Top"))
    let split = ModelDefinition.of(
      EntityDefinition("A1", renamingIdentifier: "A"), EntityDefinition("A2", renamingIdentifier: "A"),
      EntityDefinition("B", attributes: [AttributeDefinition("x", .int64)]))
    for (model, words) in [(joined, ["A", "B"]), (split, ["A1", "A2", "B.x"])] {
      let error = try expectFailure(.mappingMissing) { _ = try store.plan(to: model) }
      #expect(error.number == 134_140)
      let refusals = try #require(error.errors.first)
      #expect(refusals.code == .notInferable && refusals.number == 134_190)
      let text = refusals.details.joined(separator: "\n")
      for word in words { #expect(text.contains(word), "\(text)") }
      #expect(refusals.details.count >= (words.count == 3 ? 2 : 1), "\(text)")
    }
    #expect(try store.state() == files)
  }
}
