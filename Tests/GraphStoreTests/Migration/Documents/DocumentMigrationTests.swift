import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// Migrations of stores that are one document.
struct DocumentMigrationTests {
  private static let old = ModelDefinition.of(
    EntityDefinition(
      "Person",
      attributes: [
        AttributeDefinition("name", .string), AttributeDefinition("nick", .string),
        AttributeDefinition("age", .int32), AttributeDefinition("image", .binary, externalStorage: true),
      ],
      relationships: [
        RelationshipDefinition("friends", to: "Person", isToMany: true, isOrdered: true),
        RelationshipDefinition("group", to: "Group", inverse: "members"),
      ]),
    EntityDefinition(
      "Group", attributes: [AttributeDefinition("title", .string)],
      relationships: [RelationshipDefinition("members", to: "Person", inverse: "group", isToMany: true)]))

  /// The name and the group get other names, the nickname goes, and a note comes.
  private static let new = ModelDefinition.of(
    EntityDefinition(
      "Person",
      attributes: [
        AttributeDefinition("fullName", .string, renamingIdentifier: "name"),
        AttributeDefinition("age", .int64), AttributeDefinition("image", .binary, externalStorage: true),
        AttributeDefinition("note", .string),
      ],
      relationships: [
        RelationshipDefinition("friends", to: "Person", isToMany: true, isOrdered: true),
        RelationshipDefinition("team", to: "Team", inverse: "members", renamingIdentifier: "group"),
      ]),
    EntityDefinition(
      "Team", attributes: [AttributeDefinition("title", .string)],
      relationships: [RelationshipDefinition("members", to: "Person", inverse: "team", isToMany: true)],
      renamingIdentifier: "Group"))

  private static func fill(_ context: ManagedObjectContext) throws {
    let group = try context.add("Group", ["title": "a"])
    var people: [ManagedObject] = []
    for number in 1...4 {
      let person = try context.add(
        "Person",
        [
          "name": "n\(number)", "age": Int32(number), "group": group,
          "image": Data(repeating: UInt8(number), count: number == 2 ? 150_000 : 10),
        ])
      people.append(person)
    }
    try people[0].setValue([people[3], people[1], people[2]], forKey: "friends")
    try people[1].setValue("x", forKey: "nick")
    try context.save()
    try context.delete(people[3])
    try context.save()
  }

  /// A document, and a SQLite store with the same objects.
  private static func twins(_ type: StoreType) throws -> (store: MigratedStore, document: String) {
    let store = try MigratedStore(old, fill: fill)
    try PersistentStoreCoordinator.changeMetadata(
      ["mine": .string("kept"), "number": .int(7)], at: store.path)
    let document = store.folder.file("document")
    try StoreBackup.make(ofStoreAt: store.path, at: document, type: type)
    return (store, document)
  }

  private static func plan(_ path: String, checksData: Bool = false) throws -> MigrationPlan {
    try MigrationPlan(fromStoreAt: path, to: ModelVersion(ManagedObjectModel(new)), checksData: checksData)
  }

  @Test(
    "MIG-277, MIG-217, MIG-219, MIG-273, MIG-274, MIG-268: a document has after a migration what a SQLite store has: plan, objects, order, large values, identifiers, metadata, backup",
    arguments: AtomicFolder.types, [true, false])
  func likeSQLite(_ type: StoreType, bySets: Bool) throws {
    let (store, document) = try Self.twins(type)
    let before = try store.contents(Self.old)
    #expect(try store.contents(Self.old, at: document) == before)
    let (plan, own) = (try Self.plan(store.path), try Self.plan(document))
    #expect(own.losses == plan.losses && plan.losses.map(\.count) == [1])
    #expect(own.objectCount == plan.objectCount && own.notices == plan.notices)
    #expect(own.estimatedSize > 150_000 && !own.isForeign && !own.recordsCoreDataHashes)
    var options = MigrationOptions()
    options.usesStoreSpecificMigrationManager = bySets
    let (result, twin) = try (
      StoreMigration(own, options: options).run(), StoreMigration(plan, options: options).run()
    )
    #expect(result.objectCounts == twin.objectCounts && result.stepCount == 1)
    #expect(try store.contents(Self.new, at: document) == store.contents(Self.new))
    #expect(StoreType.detected(at: document) == type)
    let metadata = try StoreRegistry.metadata(at: document, timeout: .seconds(1))
    #expect(metadata.identifier == own.stored.identifier && metadata.isOurs)
    #expect(metadata.userValues == ["mine": .string("kept"), "number": .int(7)])
    #expect(metadata.string(StoreMetadata.Key.type) == type.rawValue)
    #expect(try StoreCheck.run(path: document).flatMap(\.findings).isEmpty)
    // Something was left behind, so that the old one stays.
    let backup = try #require(result.backup)
    #expect(backup == ResolvedPath.of(document) + ".Versions.backup")
    #expect(try store.contents(Self.old, at: backup) == before)
    #expect(store.leftovers.isEmpty && FileManager.default.fileExists(atPath: backup))
    // The key of the one that was deleted is not given again.
    let key = try store.open(Self.new, at: document) { try $0.add("Person").objectID.key }
    #expect(key >= 5)
    try StoreBackup.restore(backup, to: document)
    #expect(try store.contents(Self.old, at: document) == before)
  }

  @Test(
    "MIG-021, MIG-023, MIG-024, MIG-031, MIG-277: a document that is opened under a newer model migrates where that is allowed, and then is open under it",
    arguments: AtomicFolder.types)
  func automatic(_ type: StoreType) throws {
    let (store, document) = try Self.twins(type)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: document))
    var options = StoreOptions()
    _ = try expectFailure(.incompatibleModel) { try store.open(Self.new, options, at: document) { _ in } }
    options.migratesAutomatically = true
    _ = try expectFailure(.mappingMissing) { try store.open(Self.new, options, at: document) { _ in } }
    options.infersMapping = true
    options.isReadOnly = true
    _ = try expectFailure(.incompatibleModel) { try store.open(Self.new, options, at: document) { _ in } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: document)) == bytes)
    options.isReadOnly = false
    try store.open(Self.new, options, at: document) { context in
      #expect(try context.all("Person").count == 3)
      try context.add("Person", ["fullName": "later"])
    }
    #expect(try store.contents(Self.new, at: document).filter { $0.contains("later") }.count == 1)
    try store.open(Self.new, at: document) { _ in }
  }

  @Test(
    "MIG-022, MIG-277: a container loads a document of an older version, and its description says that it is one",
    arguments: AtomicFolder.types)
  func container(_ type: StoreType) throws {
    let (store, document) = try Self.twins(type)
    let container = PersistentContainer(name: "c", model: try ManagedObjectModel(Self.new))
    var description = PersistentStoreDescription(url: URL(fileURLWithPath: document))
    description.type = type
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let context = container.newBackgroundContext()
    let count = try context.performAndWait { try context.all("Person").count }
    #expect(count == 3)
    container.persistentStoreCoordinator.close()
    #expect(store.leftovers.isEmpty)
  }

  @Test(
    "MIG-158, MIG-227, MIG-277: a written mapping makes of a document what it makes of a SQLite store",
    arguments: AtomicFolder.types)
  func written(_ type: StoreType) throws {
    let (store, document) = try Self.twins(type)
    let mapping = try MappingModel(entityMappings: [
      EntityMapping(
        from: "Person", to: "Person",
        attributeMappings: [
          .value("fullName", "$source.name"), .value("note", "uppercase:($source.name)"),
        ])
    ])
    let step = try MigrationStep(
      from: ModelVersion(ManagedObjectModel(Self.old)), to: ModelVersion(ManagedObjectModel(Self.new)),
      written: [mapping])
    for path in [store.path, document] {
      let result = try StoreMigration(MigrationPlan(fromStoreAt: path, steps: [step])).run()
      #expect(result.objectCounts == ["Person": 3, "Team": 1])
    }
    let there = try store.contents(Self.new, at: document)
    #expect(try there == store.contents(Self.new) && there.contains { $0.contains(#"note="N1""#) })
  }

  @Test(
    "MIG-233, MIG-234, MIG-236, MIG-277: handlers of stages work over a copy of a document, which is as it was where one fails",
    arguments: AtomicFolder.types)
  func staged(_ type: StoreType) throws {
    let (store, document) = try Self.twins(type)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: document))
    let (old, new) = try (ManagedObjectModel(Self.old), ManagedObjectModel(Self.new))
    var stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: old), to: ManagedObjectModelReference(model: new))
    stage.willMigrateHandler = { manager, _ in
      let context = try manager.container.newBackgroundContext()
      try context.performAndWait {
        for person in try context.fetch(FetchRequest(entityName: "Person")) {
          try person.setValue("before", forKey: "name")
        }
        try context.save()
      }
    }
    struct Refused: Error {}
    stage.didMigrateHandler = { _, _ in throw Refused() }
    var options = StoreOptions()
    (options.migratesAutomatically, options.infersMapping) = (true, true)
    options.stagedMigrationManager = try StagedMigrationManager(stages: [stage])
    _ = try expectFailure(.migrationFailed) { try store.open(Self.new, options, at: document) { _ in } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: document)) == bytes && store.leftovers.isEmpty)
    stage.didMigrateHandler = { manager, _ in
      let context = try manager.container.newBackgroundContext()
      try context.performAndWait {
        try context.all("Person")[0].setValue("behind", forKey: "note")
        try context.save()
      }
    }
    options.stagedMigrationManager = try StagedMigrationManager(stages: [stage])
    let lines = try store.open(Self.new, options, at: document) { try RecordLines.of($0) }
    #expect(lines.filter { $0.contains(#"fullName="before""#) }.count == 3)
    #expect(lines.filter { $0.contains(#"note="behind""#) }.count == 1)
  }

  @Test(
    "MIG-010, MIG-011, MIG-274, MIG-226: one that has the version is left alone, and copied to another place as it is, with a UUID of its own where it stays",
    arguments: AtomicFolder.types)
  func current(_ type: StoreType) throws {
    let (store, document) = try Self.twins(type)
    let stamp = FileStamp(document)
    let version = ModelVersion(try ManagedObjectModel(Self.old))
    func run(_ change: (inout MigrationOptions) -> Void) throws -> MigrationResult {
      var options = MigrationOptions()
      change(&options)
      return try StoreMigration(MigrationPlan(fromStoreAt: document, to: version), options: options).run()
    }
    #expect(try run { _ in }.stepCount == 0)
    #expect(FileStamp(document) == stamp)
    let (copy, moved) = (store.folder.file("copy"), store.folder.file("moved"))
    #expect(try run { $0.output = copy }.path == ResolvedPath.of(copy))
    let contents = try store.contents(Self.old)
    #expect(try store.contents(Self.old, at: copy) == contents && FileStamp(document) == stamp)
    func identifier(_ path: String) throws -> UUID {
      try StoreRegistry.metadata(at: path, timeout: .seconds(1)).identifier
    }
    let own = try identifier(document)
    #expect(try identifier(copy) != own)
    _ = try expectFailure(.storeExists) { _ = try run { $0.output = copy } }
    _ = try run { ($0.output, $0.deletesSource) = (moved, true) }
    #expect(try identifier(moved) == own && store.contents(Self.old, at: moved) == contents)
    #expect(!FileManager.default.fileExists(atPath: document) && store.leftovers.isEmpty)
  }

  @Test(
    "MIG-328, MIG-274, MIG-224, MIG-276: the migrated document is written to another place, over one of its type alone",
    arguments: AtomicFolder.types)
  func output(_ type: StoreType) throws {
    let (store, document) = try Self.twins(type)
    chmod(document, 0o640)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: document))
    let plan = try Self.plan(document)
    func run(_ change: (inout MigrationOptions) -> Void) throws -> MigrationResult {
      var options = MigrationOptions()
      change(&options)
      return try StoreMigration(plan, options: options).run()
    }
    let output = store.folder.file("out")
    let first = try run { $0.output = output }
    #expect(first.path == ResolvedPath.of(output) && first.backup == nil)
    let lines = try store.contents(Self.new, at: output)
    var status = stat()
    #expect(stat(output, &status) == 0 && status.st_mode & 0o777 == 0o640)
    let made = try StoreRegistry.metadata(at: output, timeout: .seconds(1)).identifier
    #expect(made != plan.stored.identifier)
    #expect(try Data(contentsOf: URL(fileURLWithPath: document)) == bytes)
    _ = try expectFailure(.storeExists) { _ = try run { $0.output = output } }
    _ = try run { ($0.output, $0.replacesOutput) = (output, true) }
    #expect(try StoreRegistry.metadata(at: output, timeout: .seconds(1)).identifier != made)
    _ = try expectFailure(.storeTypeMismatch) {
      _ = try run { ($0.output, $0.replacesOutput) = (store.path, true) }
    }
    let migration = try Self.plan(store.path)
    var options = MigrationOptions()
    (options.output, options.replacesOutput) = (output, true)
    _ = try expectFailure(.storeTypeMismatch) { _ = try StoreMigration(migration, options: options).run() }
    #expect(try store.contents(Self.new, at: output) == lines)
    let moved = store.folder.file("moved")
    _ = try run { ($0.output, $0.deletesSource) = (moved, true) }
    #expect(try store.contents(Self.new, at: moved) == lines)
    #expect(try StoreRegistry.metadata(at: moved, timeout: .seconds(1)).identifier == plan.stored.identifier)
    #expect(!FileManager.default.fileExists(atPath: document) && store.leftovers.isEmpty)
  }

  @Test(
    "MIG-121, MIG-054, MIG-326: what the data do not allow is found before, told with the document's name, and leaves it as it is",
    arguments: AtomicFolder.types)
  func findings(_ type: StoreType) throws {
    func version(_ type: AttributeType) -> ModelDefinition {
      .of(EntityDefinition("T", attributes: ["m", "n"].map { AttributeDefinition($0, type) }))
    }
    let (old, new) = (version(.int64), version(.int16))
    let store = try MigratedStore(old) { context in
      for number in [1, 70_000, 80_000] {
        try context.add("T", ["m": Int64(number), "n": number == 1 ? Int64(1 << 40) : Int64(number)])
      }
    }
    let document = store.folder.file("document")
    try StoreBackup.make(ofStoreAt: store.path, at: document, type: type)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: document))
    func plan(_ path: String) throws -> MigrationPlan {
      try MigrationPlan(
        fromStoreAt: path, to: ModelVersion(ManagedObjectModel(new)), checksData: true)
    }
    let (own, twin) = (try plan(document), try plan(store.path))
    #expect(own.findings == twin.findings && own.findings.map(\.count).sorted() == [2, 3])
    for bySets in [true, false] {
      for isRehearsal in [true, false] {
        var options = MigrationOptions()
        (options.usesStoreSpecificMigrationManager, options.isRehearsal) = (bySets, isRehearsal)
        let error = try expectFailure(.migrationConstraint) {
          _ = try StoreMigration(own, options: options).run()
        }
        #expect(!bySets || error.message.hasPrefix(document), "\(error)")
        #expect(!error.message.contains("-migration-"), "\(error)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: document)) == bytes && store.leftovers.isEmpty)
      }
    }
    // A rehearsal that succeeds leaves it as it is, too, and counts as the deed does.
    var options = MigrationOptions()
    (options.isRehearsal, options.allowsInexactConversion) = (true, true)
    let model = ModelVersion(try ManagedObjectModel(version(.int64).with(attribute: "more")))
    let rehearsed = try StoreMigration(
      MigrationPlan(fromStoreAt: document, to: model), options: options
    ).run()
    #expect(try Data(contentsOf: URL(fileURLWithPath: document)) == bytes && store.leftovers.isEmpty)
    options.isRehearsal = false
    let done = try StoreMigration(MigrationPlan(fromStoreAt: document, to: model), options: options).run()
    #expect(rehearsed.objectCounts == done.objectCounts && done.objectCounts == ["T": 3])
  }

  @Test("MIG-012, MIG-010: of a document it does not matter what attributes may be stored outside of it")
  func externalStorage() throws {
    func version(_ isExternal: Bool) -> ModelDefinition {
      .of(EntityDefinition("T", attributes: [AttributeDefinition("a", .binary, externalStorage: isExternal)]))
    }
    let folder = try AtomicFolder(.json)
    _ = try folder.make(version(false))
    let plan = try MigrationPlan(
      fromStoreAt: folder.path(), to: ModelVersion(ManagedObjectModel(version(true))))
    #expect(plan.steps.isEmpty)
    _ = try folder.open(model: ManagedObjectModel(version(true)))
  }

  @Test(
    "MIG-277: members that a text gives several owners keep all of them, and duplicates are refused by name")
  func editedText() throws {
    func version(_ more: [AttributeDefinition], isUnique: Bool = false) -> ModelDefinition {
      .of(
        EntityDefinition(
          "T", attributes: [AttributeDefinition("a", .string)] + more,
          relationships: [RelationshipDefinition("next", to: "T", isToMany: true)],
          uniquenessConstraints: isUnique ? [["a"]] : []))
    }
    let folder = try AtomicFolder(.json)
    let more = [AttributeDefinition("b", .string)]
    for isUnique in [false, true] {
      let name = "unique \(isUnique)"
      let context = try folder.make(version([], isUnique: isUnique), name)
      for letter in ["x", "y", "z"] { try context.insert("T", ["a": letter]) }
      try context.save()
      let text = try folder.text(name)
      let edited =
        isUnique
        ? text.replacing(#""a":"y""#, with: #""a":"x""#)
        : text.replacing(#""a":"x""#, with: #""a":"x","next":["T/p3"]"#)
          .replacing(#""a":"y""#, with: #""a":"y","next":["T/p3"]"#)
      #expect(edited != text)
      try folder.write(Array(edited.utf8), to: name)
      let target = ModelVersion(try ManagedObjectModel(version(more, isUnique: isUnique)))
      func migrate() throws {
        _ = try StoreMigration(MigrationPlan(fromStoreAt: folder.path(name), to: target)).run()
      }
      if isUnique {
        _ = try expectFailure(.constraintConflict, migrate)
        #expect(try folder.text(name) == edited)
      } else {
        try migrate()
        let there = try folder.text(name)
        #expect(there.split(separator: #""next":["T/p3"]"#).count == 3, "\(there)")
      }
    }
    #expect(try folder.names() == ["unique false", "unique true"])
  }

  @Test(
    "MIG-002, MIG-278, MIG-323: a document of Core Data's is told by what it holds, or by the model that it was made with, and is ours then, its old form kept"
  )
  func foreign() throws {
    func version(_ more: [AttributeDefinition]) throws -> ManagedObjectModel {
      try ManagedObjectModel(.of(EntityDefinition("Note", attributes: more)))
    }
    let (text, date) = (AttributeDefinition("text", .string), AttributeDefinition("writtenAt", .date))
    let old = try version([text, date])
    let new = try version([text, AttributeDefinition("tag", .string)])
    let foreign = """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database><databaseInfo><version>134481920</version><UUID>7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE</UUID>
      <nextObjectID>109</nextObjectID><metadata><plist version="1.0"><dict>
      <key>NSStoreModelVersionHashes</key><dict><key>Note</key>
      <data>AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=</data></dict>
      <key>theirs</key><string>kept</string></dict></plist></metadata></databaseInfo>
      <object type="NOTE" id="z102"><attribute name="text" type="string">one</attribute>
      <attribute name="writtenat" type="date">445103622.25</attribute></object></database>
      """
    let versions = try VersionFolder([old.definition, new.definition])
    for isGiven in [true, false] {
      let folder = try AtomicFolder(.xml)
      try folder.write(Array(foreign.utf8))
      let plan = try MigrationPlan(
        fromStoreAt: folder.path(), to: ModelVersion(new), in: isGiven ? nil : versions.versions(),
        madeWith: isGiven ? old : nil)
      #expect(plan.isForeign && !plan.recordsCoreDataHashes && plan.losses.map(\.path) == ["Note.writtenAt"])
      var options = MigrationOptions()
      options.keepsBackup = false
      let result = try StoreMigration(plan, options: options).run()
      let context = try folder.open()
      let note = try context.all("Note")[0]
      #expect(try note.objectID.shortForm == "Note/p102" && note.string("text") == "one")
      #expect(try context.add("Note").objectID.key == 110)
      #expect(try folder.text().contains("7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE"))
      #expect(try folder.text().contains("<string>kept</string>"))
      let backup = try #require(result.backup)
      #expect(FileManager.default.contents(atPath: backup) == Data(foreign.utf8))
    }
  }

  @Test("MIG-313, MIG-314: fixtures may be documents", arguments: AtomicFolder.types)
  func fixtures(_ type: StoreType) throws {
    let (store, document) = try Self.twins(type)
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: document, toPath: folder.file("1.\(type.rawValue)"))
    try folder.write(Data("{}".utf8), to: "no-store.json")
    let versions = try VersionFolder([Self.old, Self.new])
    let fixtures = try MigrationFixtures(in: folder.path, of: versions.versions())
    #expect(fixtures.names == ["1.\(type.rawValue)"])
    try fixtures.update()
    #expect(try fixtures.verify(allowsMissing: true).map(\.differences) == [[]])
    #expect(store.leftovers.isEmpty)
  }

  @Test(
    "MIG-277: a migration manager reads a document as it reads a SQLite store, and keeps several owners of a member",
    arguments: AtomicFolder.types)
  func manager(_ type: StoreType) throws {
    let (store, document) = try Self.twins(type)
    let manager = MigrationManager(
      sourceModel: try ManagedObjectModel(Self.old), destinationModel: try ManagedObjectModel(Self.new))
    let made = store.folder.file("made.db")
    try manager.migrateStore(
      from: URL(fileURLWithPath: document), type: type, to: URL(fileURLWithPath: made))
    _ = try StoreMigration(Self.plan(store.path)).run()
    #expect(try store.contents(Self.new, at: made) == store.contents(Self.new))
  }
}

extension ModelDefinition {
  /// With another text in its first entity.
  fileprivate func with(attribute name: String) -> ModelDefinition {
    var other = self
    other.entities[0].attributes.append(AttributeDefinition(name, .string))
    return other
  }
}
