import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// Attributes that come, go, and change.
struct InferredAttributeTests {
  /// An attribute of every type that is stored.
  private static let all: [AttributeDefinition] = [
    AttributeDefinition("a16", .int16), AttributeDefinition("a32", .int32),
    AttributeDefinition("a64", .int64),
    AttributeDefinition("binary", .binary), AttributeDefinition("date", .date),
    AttributeDefinition("decimal", .decimal), AttributeDefinition("double", .double),
    AttributeDefinition("flag", .boolean), AttributeDefinition("float", .float),
    AttributeDefinition(
      "place", .composite,
      elements: [
        AttributeDefinition("city", .string), AttributeDefinition("number", .int32),
        AttributeDefinition("pos", .composite, elements: [AttributeDefinition("x", .double)]),
      ]), AttributeDefinition("tags", .transformable), AttributeDefinition("text", .string),
    AttributeDefinition("uri", .uri), AttributeDefinition("uuid", .uuid),
  ]

  private static func model(_ change: (inout EntityDefinition) -> Void = { _ in }) -> ModelDefinition {
    var thing = EntityDefinition("Thing", attributes: all)
    change(&thing)
    return .of(thing)
  }

  /// Nothing; what is empty; what is greatest; what is least.
  private static func fill(_ context: ManagedObjectContext) throws {
    try context.add("Thing")
    try context.add(
      "Thing",
      [
        "a16": 0, "a32": 0, "a64": 0, "binary": Data(), "date": Date(timeIntervalSinceReferenceDate: 0),
        "decimal": Decimal(0), "double": 0.0, "flag": false, "float": Float(0),
        "place": ["city": "", "number": 0] as [String: Any?], "tags": [String](), "text": "",
        "uri": URL(string: "x:")!, "uuid": UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      ])
    try context.add(
      "Thing",
      [
        "a16": Int16.max, "a32": Int32.max, "a64": Int64.max, "binary": Data([0, 1, 255]),
        "date": Date(timeIntervalSinceReferenceDate: 0.1 + 0.2),
        "decimal": Decimal(string: "12345678901234567890.123456789012345678")!,
        "double": Double.greatestFiniteMagnitude, "flag": true, "float": Float(0.1),
        "place": ["city": "Ålesund 🏔", "number": Int32.max, "pos": ["x": 0.1] as [String: Any?]]
          as [String: Any?],
        "tags": ["a", "b"], "text": "a\u{0}b\n\"'é\u{301}🏳️‍🌈", "uri": URL(string: "https://a.b/c?d=e#f")!,
        "uuid": UUID(uuid: (255, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255)),
      ])
    try context.add(
      "Thing",
      [
        "a16": Int16.min, "a32": Int32.min, "a64": Int64.min, "binary": Data(repeating: 9, count: 70_000),
        "date": Date.distantPast, "decimal": Decimal(string: "-0.00000000000000000000000000000000000001")!,
        "double": -Double.leastNonzeroMagnitude, "float": -Float.greatestFiniteMagnitude,
        "text": String(repeating: "x", count: 70_000),
      ])
  }

  private func store() throws -> MigratedStore { try MigratedStore(Self.model(), fill: Self.fill) }

  @Test("MIG-219, MIG-094, MIG-216: values of every type come out as they went in")
  func kept() throws {
    let store = try store()
    let before = try store.contents(Self.model())
    #expect(before.count == 4 && before[2].contains("decimal=12345678901234567890.123456789012345678"))
    #expect(try store.migrated(to: Self.model { $0.versionHashModifier = "2" }) == before)
  }

  @Test("MIG-075: an added attribute of any type has its default in objects that exist, else nil")
  func added() throws {
    let bare = ModelDefinition.of(EntityDefinition("Thing"), EntityDefinition("Sub", parent: "Thing"))
    let store = try MigratedStore(bare) { context in
      try context.add("Thing")
      try context.add("Sub")
    }
    let defaults: [String: JSONValue] = [
      "a16": .number("-32768"), "a32": .number("7"), "a64": .number("9223372036854775807"),
      "date": .string("2001-01-01T00:00:01.500Z"),
      "decimal": .number("12345678901234567890.123456789012345678"), "double": .number("0.1"),
      "flag": .bool(true), "float": .number("0.5"), "text": .string("it's \"x\" é"), "uri": .string("x:y"),
      "uuid": .string("00000000-0000-0000-0000-00000000000A"), "binary": .string("AP8="),
    ]
    let new = Self.model { thing in
      for index in thing.attributes.indices {
        let name = thing.attributes[index].name
        thing.attributes[index].defaultValue = defaults[name]
        thing.attributes[index].isOptional = name == "text" || defaults[name] == nil
      }
      thing.attributes.append(AttributeDefinition("zero", .string))
    }
    var both = new
    both.entities.append(EntityDefinition("Sub", parent: "Thing"))
    let values =
      "a16=-32768 a32=7 a64=9223372036854775807 binary=x00ff date=1.5 "
      + "decimal=12345678901234567890.123456789012345678 double=0.1 flag=true float=0.5 place=nil tags=nil "
      + #"text="it\'s \"x\" é" uri=x:y uuid=00000000-0000-0000-0000-00000000000A zero=nil"#
    let expected = ["Sub/p2 \(values)", "Thing/p1 \(values)"].map { $0.replacing(#"\'"#, with: "'") }
    #expect(try store.migrated(to: both).map { $0.replacing(#"\'"#, with: "'") } == expected)
    // They are what a new object has.
    try store.open(both) { try $0.add("Thing") }
    let made = try #require(try store.contents(both).last).replacing(#"\'"#, with: "'")
    #expect(made == "Thing/p3 \(values)".replacing(#"\'"#, with: "'"))
  }

  @Test("MIG-076, MIG-051: a removed attribute is lossy, with the number of objects that had a value")
  func removed() throws {
    let store = try store()
    let new = Self.model { $0.attributes.removeAll { ["a64", "flag", "place", "uuid"].contains($0.name) } }
    let plan = try store.plan(to: new)
    #expect(plan.isLossy)
    #expect(
      Dictionary(uniqueKeysWithValues: plan.losses.map { ($0.path, $0.count) })
        == ["Thing.a64": 3, "Thing.flag": 2, "Thing.place": 2, "Thing.uuid": 2])
    let expected = try store.contents(Self.model()).map {
      $0.replacing(#/ (a64|flag|uuid)=[^ ]*/#, with: "").replacing(#/ place=(nil|\(.*\))/#, with: "")
    }
    #expect(try store.migrated(to: new) == expected)
  }

  @Test("MIG-077: a renamed attribute of any type keeps its values")
  func renamed() throws {
    let store = try store()
    let new = Self.model { thing in
      for index in thing.attributes.indices {
        let name = thing.attributes[index].name
        thing.attributes[index].renamingIdentifier = name
        thing.attributes[index].name = name + "New"
      }
    }
    let expected = try store.contents(Self.model()).map { line in
      Self.all.reduce(line) { $0.replacing(" \($1.name)=", with: " \($1.name)New=") }
    }
    #expect(try !store.plan(to: new).isLossy)
    #expect(try store.migrated(to: new) == expected)
  }

  @Test(
    "MIG-078, MIG-079: mandatory to optional keeps values; optional to mandatory puts the default for nil alone"
  )
  func optionality() throws {
    func model(_ isOptional: Bool) -> ModelDefinition {
      .of(
        EntityDefinition(
          "Thing",
          attributes: [
            AttributeDefinition(
              "n", .int64, isOptional: isOptional, defaultValue: isOptional ? nil : .number("5")),
            AttributeDefinition(
              "d", .decimal, isOptional: isOptional, defaultValue: isOptional ? nil : .number("0.1")),
            AttributeDefinition(
              "t", .string, isOptional: isOptional, defaultValue: isOptional ? nil : .string("none")),
            AttributeDefinition("back", .string, isOptional: !isOptional, defaultValue: .string("b")),
          ]))
    }
    let store = try MigratedStore(model(true)) { context in
      try context.add("Thing")
      try context.add("Thing", ["n": 0, "d": Decimal(0), "t": "", "back": ""])
    }
    #expect(
      try store.migrated(to: model(false)) == [
        #"Thing/p1 back="b" d=0.1 n=5 t="none""#, #"Thing/p2 back="" d=0 n=0 t="""#,
      ])
    #expect(
      try store.migrated(to: model(true)) == [
        #"Thing/p1 back="b" d=0.1 n=5 t="none""#, #"Thing/p2 back="" d=0 n=0 t="""#,
      ])
  }

  @Test(
    "MIG-080, MIG-079: a number that becomes mandatory and of another type gets the default for nil alone")
  func convertedWithDefault() throws {
    let old = ModelDefinition.of(EntityDefinition("Thing", attributes: [AttributeDefinition("n", .int64)]))
    let new = ModelDefinition.of(
      EntityDefinition(
        "Thing",
        attributes: [AttributeDefinition("n", .decimal, isOptional: false, defaultValue: .number("0.5"))]))
    let store = try MigratedStore(old) { context in
      try context.add("Thing")
      try context.add("Thing", ["n": Int64.max])
    }
    #expect(try store.migrated(to: new) == ["Thing/p1 n=0.5", "Thing/p2 n=9223372036854775807"])
  }

  @Test("MIG-091: stored to transient leaves values behind; transient to stored is an addition")
  func transient() throws {
    func model(_ isTransient: Bool) -> ModelDefinition {
      .of(
        EntityDefinition(
          "Thing",
          attributes: [
            AttributeDefinition("a", .string, isTransient: isTransient, defaultValue: .string("x")),
            AttributeDefinition("b", .int16, isTransient: !isTransient),
          ]))
    }
    let store = try MigratedStore(model(false)) { try $0.add("Thing", ["a": "kept?", "b": 4]) }
    let plan = try store.plan(to: model(true))
    #expect(plan.losses.map(\.path) == ["Thing.a"] && plan.losses.map(\.count) == [1])
    #expect(try store.migrated(to: model(true)) == ["Thing/p1 b=nil"])
    #expect(try store.migrated(to: model(false)) == [#"Thing/p1 a="x""#])
  }

  @Test(
    "MIG-095: a derived attribute is computed when added or changed, keeps its values when plain, and replaces values"
  )
  func derived() throws {
    func model(_ derivation: String?, hasAttribute: Bool = true) -> ModelDefinition {
      var thing = EntityDefinition(
        "Thing", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("parts", to: "Part", inverse: "thing", isToMany: true)])
      if hasAttribute {
        thing.attributes.append(AttributeDefinition("low", .string, derivation: derivation))
        thing.attributes.append(
          AttributeDefinition("total", .int64, derivation: derivation == nil ? nil : "parts.@count"))
      }
      let part = EntityDefinition(
        "Part", attributes: [AttributeDefinition("n", .int64)],
        relationships: [RelationshipDefinition("thing", to: "Thing", inverse: "parts")])
      return .of(thing, part, EntityDefinition("Sub", parent: "Thing"))
    }
    let none = model(nil, hasAttribute: false)
    let store = try MigratedStore(none) { context in
      let parts = try (0..<3).map { try context.add("Part", ["n": $0]) }
      try context.add("Thing", ["name": "AbÉ", "parts": Set(parts.prefix(2))])
      try context.add("Sub", ["parts": Set(parts.suffix(1))])
      try context.add("Thing", ["name": ""])
    }
    let parts = ["Part/p1 n=0 thing=Thing/p1", "Part/p2 n=1 thing=Thing/p1", "Part/p3 n=2 thing=Sub/p2"]
    func lines(_ first: String, _ second: String, _ third: String) -> [String] {
      parts + [
        "Sub/p2 low=\(second) name=nil parts={Part/p3} total=1",
        #"Thing/p1 low=\#(first) name="AbÉ" parts={Part/p1,Part/p2} total=2"#,
        #"Thing/p3 low=\#(third) name="" parts={} total=0"#,
      ]
    }
    let lower = lines(#""abé""#, "nil", #""""#)
    #expect(try store.migrated(to: model("lowercase:(name)")) == lower)
    #expect(try store.migrated(to: model("uppercase:(name)")) == lines(#""ABÉ""#, "nil", #""""#))
    let plain = model(nil)
    #expect(try !store.plan(to: plain).isLossy)
    #expect(try store.migrated(to: plain) == lines(#""ABÉ""#, "nil", #""""#))
    let again = model("lowercase:(name)")
    #expect(Set(try store.plan(to: again).losses.map(\.path)) == ["Thing.low", "Thing.total"])
    #expect(try store.migrated(to: again) == lower)
    #expect(try !store.plan(to: none).isLossy)
  }

  @Test("MIG-096: elements of a composite are added, removed and renamed as attributes are")
  func elements() throws {
    let store = try store()
    let new = Self.model { thing in
      let index = thing.attributes.firstIndex { $0.name == "place" }!
      thing.attributes[index].elements = [
        AttributeDefinition(
          "at", .composite,
          elements: [
            AttributeDefinition("x", .double), AttributeDefinition("y", .int16, defaultValue: .number("3")),
          ],
          renamingIdentifier: "pos"), AttributeDefinition("town", .string, renamingIdentifier: "city"),
      ]
    }
    let plan = try store.plan(to: new)
    #expect(plan.losses.map(\.path) == ["Thing.place.number"] && plan.losses.map(\.count) == [2])
    let places = try store.migrated(to: new).map { line in
      line.firstMatch(of: #/place=(.*) tags=/#).map { String($0.1) } ?? ""
    }
    #expect(
      places == [
        "(at=(x=nil y=3) town=nil)", #"(at=(x=nil y=3) town="")"#, #"(at=(x=0.1 y=3) town="Ålesund 🏔")"#,
        "(at=(x=nil y=3) town=nil)",
      ])
  }

  @Test(
    "MIG-219, MIG-216, MIG-261: large values stay in files beside the store, and leave them with the option")
  func external() throws {
    func model(_ isExternal: Bool, modifier: String? = nil) -> ModelDefinition {
      .of(
        EntityDefinition(
          "Photo",
          attributes: [
            AttributeDefinition("image", .binary, externalStorage: isExternal),
            AttributeDefinition(
              "extra", .composite,
              elements: [AttributeDefinition("raw", .binary, externalStorage: isExternal)]),
          ], versionHashModifier: modifier))
    }
    let store = try MigratedStore(model(true)) { context in
      try context.add("Photo")
      try context.add("Photo", ["image": Data()])
      try context.add("Photo", ["image": Data([1, 2, 3])])
      try context.add("Photo", ["image": Data([2, 1])])
      try context.add("Photo", ["image": Data(repeating: 7, count: 150_000)])
      try context.add(
        "Photo", ["extra": ["raw": Data(repeating: 8, count: 150_000)] as [String: Any?]])
    }
    let dataFolder = store.folder.file(".store_SUPPORT/_EXTERNAL_DATA")
    func files() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: dataFolder)) ?? []).sorted()
    }
    let expected = [
      "Photo/p1 extra=nil image=nil", "Photo/p2 extra=nil image=x", "Photo/p3 extra=nil image=x010203",
      "Photo/p4 extra=nil image=x0201", "Photo/p5 extra=nil image=150000×7",
      "Photo/p6 extra=(raw=150000×8) image=nil",
    ]
    let before = files()
    #expect(before.count == 2)
    #expect(try store.migrated(to: model(true, modifier: "2")) == expected)
    #expect(files() == before)
    #expect(try store.migrated(to: model(false, modifier: "3")) == expected)
    #expect(try store.migrated(to: model(true, modifier: "4")) == expected)
  }

  @Test("MIG-093: the migrated store has exactly the indexes of the new model; they alone need no step")
  func indexes() throws {
    func model(_ indexes: [IndexDefinition], _ modifier: String?) -> ModelDefinition {
      Self.model {
        $0.indexes = indexes
        $0.versionHashModifier = modifier
      }
    }
    let store = try MigratedStore(
      model(
        [
          IndexDefinition("byText", elements: [.init("text")]),
          IndexDefinition("byBoth", elements: [.init("a16"), .init("text", order: .descending)]),
        ], nil), fill: Self.fill)
    let other = [
      IndexDefinition("byText", elements: [.init("text", order: .descending)]),
      IndexDefinition("byDate", elements: [.init("date")]),
    ]
    #expect(try store.plan(to: model(other, nil)).steps.isEmpty)
    _ = try store.migrated(to: model(other, "2"))
  }

  @Test(
    "MIG-101, MIG-102, MIG-103, MIG-104, MIG-106: every refusal is told at once, with what was, what is, and a remedy"
  )
  func refused() throws {
    let store = try store()
    let new = ModelDefinition.of(
      EntityDefinition(
        "Thing",
        attributes: [
          AttributeDefinition("a16", .string), AttributeDefinition("text", .int64),
          AttributeDefinition("date", .string), AttributeDefinition("binary", .string),
          AttributeDefinition("flag", .composite, elements: [AttributeDefinition("x", .string)]),
          AttributeDefinition("added", .string, isOptional: false),
          AttributeDefinition("a32", .int32, isOptional: false),
          AttributeDefinition("uuid", .binary), AttributeDefinition("tags", .binary),
        ], relationships: [RelationshipDefinition("uri", to: "Thing")]))
    let error = try #require(throws: InferenceError.self) {
      _ = try MappingModel.inferredMappingModel(
        forSourceModel: ManagedObjectModel(Self.model()), destinationModel: ManagedObjectModel(new))
    }
    #expect(error.number == 134_190)
    let places = Set(error.refusals.map(\.path))
    for name in ["a16", "text", "date", "binary", "flag", "added", "a32", "uuid", "uri"] {
      #expect(places.contains("Thing.\(name)"), "\(name): \(error)")
    }
    for refusal in error.refusals {
      #expect(!refusal.remedy.isEmpty && !refusal.reason.isEmpty, "\(refusal)")
    }
    let types = error.refusals.filter { ["a16", "text", "date", "binary"].contains($0.property) }
    #expect(
      types.allSatisfy { $0.reason.hasPrefix("Source and destination attribute types are incompatible") })
    #expect(types.first { $0.property == "text" }.map { [$0.old, $0.new] } == ["string", "int64"])
    let thrown = try expectFailure(.mappingMissing) { _ = try store.plan(to: new) }
    #expect(thrown.details.count == error.refusals.count)
  }

  @Test("MIG-110: properties of one name and different types are not joined in a parent")
  func differentTypes() throws {
    let old = ModelDefinition.of(
      EntityDefinition("P"),
      EntityDefinition("A", parent: "P", attributes: [AttributeDefinition("x", .int16)]),
      EntityDefinition("B", parent: "P", attributes: [AttributeDefinition("x", .int64)]))
    let new = ModelDefinition.of(
      EntityDefinition("P", attributes: [AttributeDefinition("x", .int64)]),
      EntityDefinition("A", parent: "P"),
      EntityDefinition("B", parent: "P"))
    let error = try #require(throws: InferenceError.self) {
      _ = try MappingModel.inferredMappingModel(
        forSourceModel: ManagedObjectModel(old), destinationModel: ManagedObjectModel(new))
    }
    #expect(error.refusals.map(\.path) == ["P.x"])
  }

  @Test("MIG-124: data that break the new value rules do not keep a store from being migrated")
  func valueRules() throws {
    let store = try MigratedStore(
      .of(
        EntityDefinition(
          "T", attributes: [AttributeDefinition("n", .int64), AttributeDefinition("t", .string)]))
    ) { try $0.add("T", ["n": 500, "t": "long text"]) }
    let new = ModelDefinition.of(
      EntityDefinition(
        "T",
        attributes: [
          AttributeDefinition("n", .int16, maximum: .number("10")),
          AttributeDefinition("t", .string, maxLength: 2, pattern: "[0-9]+"),
        ]))
    #expect(try store.plan(to: new, checksData: true).findings.isEmpty)
    try store.migrate(to: new)
    #expect(try store.contents(new) == [#"T/p1 n=500 t="long text""#])
  }
}
