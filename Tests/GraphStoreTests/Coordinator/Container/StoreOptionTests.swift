import Foundation
import Testing

@testable import GraphStore

@Suite("Store options")
struct StoreOptionTests {
  private func error(_ values: [String: Value], _ type: StoreType = .sqlite) -> GraphStoreError? {
    let error = #expect(throws: GraphStoreError.self) { try StoreOptions(values, type: type) }
    #expect(error?.code == .storeOption)
    #expect(error?.number == 136044)
    return error
  }

  @Test("STO-042: the options that are built are taken over")
  func values() throws {
    let options = try StoreOptions([
      "readOnly": .bool(true), "timeout": .double(0.5), "connectionPoolMaxSize": .int(1),
      "ignoreVersioning": .bool(true),
    ])
    #expect(options.isReadOnly && options.ignoresVersioning)
    #expect(options.timeout == .milliseconds(500))
    #expect(options.connectionPoolMaxSize == 1)
    #expect(try StoreOptions(["timeout": .int(0)]).timeout == .zero)
    let defaults = try StoreOptions([:], configuration: "C")
    #expect(!defaults.isReadOnly && !defaults.ignoresVersioning && defaults.connectionPoolMaxSize == 5)
    #expect(defaults.timeout == .seconds(5) && defaults.configuration == "C")
  }

  @Test(
    "STO-042: what is given in another way than as an option is no option",
    arguments: ["stagedMigration", "forceDestroy", "secureDecodingClasses"])
  func otherWays(_ name: String) throws {
    let refused = error([name: .bool(true)])
    #expect(refused?.message.contains(name) == true)
  }

  @Test("STO-043, DGN-199: an unknown key and a value of another kind name key, value and what was expected")
  func refused() throws {
    let unknown = error(["readonly": .int(7)])
    #expect(unknown?.message.contains("readonly") == true && unknown?.message.contains("7") == true)
    #expect(unknown?.suggestions == ["readOnly"])
    for (name, value) in [
      ("readOnly", Value.string("yes")), ("readOnly", .int(1)), ("timeout", .string("5")),
      ("timeout", .int(-1)),
      ("timeout", .double(.nan)), ("timeout", .double(.infinity)), ("connectionPoolMaxSize", .int(0)),
      ("connectionPoolMaxSize", .double(2)), ("connectionPoolMaxSize", .int(.max)),
      ("ignoreVersioning", .null), ("sqlitePragmas", .string("synchronous=OFF")), ("sqliteAnalyze", .int(1)),
    ] {
      let refused = error([name: value])
      #expect(refused?.message.contains(name) == true && refused?.message.contains(value.literal) == true)
      #expect(refused?.message.contains("it takes") == true)
      #expect(refused?.property == name && refused?.value == value)
    }
  }

  @Test("STO-044: an option without a meaning for the type is no less an error")
  func meaningless() throws {
    for (name, type) in [
      ("sqlitePragmas", StoreType.xml), ("connectionPoolMaxSize", .json), ("xmlValidate", .sqlite),
    ] {
      let refused = error([name: .int(1)], type)
      #expect(refused?.message.contains(name) == true && refused?.message.contains(type.rawValue) == true)
    }
  }

  @Test("STO-043: nothing is opened or made where an option is wrong")
  func nothingOpened() throws {
    let place = try ContainerFolder()
    #expect(try place.container("s", options: ["timeout": .string("x")]).loadOne()?.code == .storeOption)
    #expect(try place.state().isEmpty)
  }

  @Test("STO-041: a dictionary that says nothing migrates nothing: another model is incompatible")
  func noMigration() throws {
    let place = try ContainerFolder()
    #expect(try place.container("s").loadOne() == nil)
    let other = try ContainerFolder.model { $0.entities[0].attributes.append(.init("more", .string)) }
    let error = #expect(throws: GraphStoreError.self) {
      try PersistentStoreCoordinator(model: other).addStore(
        at: place.url("s").path, options: try StoreOptions([:]))
    }
    #expect(error?.code == .incompatibleModel)
  }

  // MARK: Ignoring versions

  @Test("STO-045: ignoreVersioning opens a store of another model for reading, and for reading only")
  @MainActor func ignoreVersioning() throws {
    let place = try ContainerFolder()
    let made = try place.container("s")
    #expect(made.loadOne() == nil)
    try made.viewContext.insert("Employee", ["name": "Ada"])
    try made.viewContext.save()
    made.persistentStoreCoordinator.close()
    let state = try place.state()
    let narrower = try ContainerFolder.model { definition in
      definition.entities[1].attributes[1].isOptional = false
      definition.entities[4].attributes = []
    }
    let ignoring: [String: Value] = ["ignoreVersioning": .bool(true)]
    #expect(try place.container("s", model: narrower, options: ignoring).loadOne()?.code == .storeOption)
    let reading = ignoring.merging(["readOnly": .bool(true)]) { first, _ in first }
    #expect(
      try place.container("s", model: narrower, options: ["readOnly": .bool(true)]).loadOne()?.code
        == .incompatibleModel)
    let container = try place.container("s", model: narrower, options: reading)
    #expect(container.loadOne() == nil)
    #expect(try container.viewContext.all("Employee").map { try $0.string("name") } == ["Ada"])
    container.persistentStoreCoordinator.close()
    let wider = try ContainerFolder.model { $0.entities[1].attributes.append(.init("more", .string)) }
    let missing = try place.container("s", model: wider, options: reading).loadOne()
    #expect(missing?.code == .incompatibleModel)
    #expect(missing?.details == ["the table ZEMPLOYEE has no column ZMORE"])
    #expect(try place.state()["s"] == state["s"])
  }

  // MARK: Time-out

  @Test("STO-046: with a time-out of 0 a lock held by somebody else is not waited for")
  @MainActor func timeout() throws {
    let place = try ContainerFolder()
    let holder = try place.container("s")
    #expect(holder.loadOne() == nil)
    let container = try place.container("s", options: ["timeout": .int(0)])
    #expect(container.loadOne() == nil)
    try container.viewContext.insert("Employee", ["name": "Ada"])
    let transaction = try holder.persistentStoreCoordinator.beginTransaction()
    let clock = ContinuousClock()
    let begun = clock.now
    let error = #expect(throws: GraphStoreError.self) { try container.viewContext.save() }
    #expect(error?.code == .storeTimeout)
    #expect(clock.now - begun < .seconds(4))
    try transaction.rollback()
    try container.viewContext.save()
  }

  @Test("STO-267: connectionPoolMaxSize 1 makes everything take turns over one connection")
  func oneConnection() throws {
    let place = try ContainerFolder()
    for (size, expected) in [(1, 1), (2, 2)] {
      let container = try place.container("s\(size)", options: ["connectionPoolMaxSize": .int(Int64(size))])
      #expect(container.loadOne() == nil)
      let store = try #require(container.persistentStoreCoordinator.firstStore as? SQLiteStore)
      if size > 1 {
        let writing = try store.beginWriting(isShared: false)
        let reading = try store.beginReading([])
        #expect(store.pool.connectionCount == expected)
        reading.endReading()
        try writing.rollback()
      } else {
        try store.read { _ in }
        try store.write { _ in }
        #expect(store.pool.connectionCount == expected)
      }
    }
  }
}
