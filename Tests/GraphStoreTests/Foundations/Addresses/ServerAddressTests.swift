import Foundation
import Testing

@testable import GraphStore

@Suite("Addresses of stores on a server")
struct ServerAddressTests {
  @Test(
    "STO-360: an address is told without its passwords",
    arguments: [
      ("postgresql://db.example/hr", "postgresql://db.example/hr"),
      (
        "postgres://ann@db.example:5433/hr?sslmode=require",
        "postgres://ann@db.example:5433/hr?sslmode=require"
      ),
      ("postgresql://ann:geheim@db.example/hr", "postgresql://ann@db.example/hr"),
      (
        "postgresql://ann:ge:heim@db.example:5433,two:5434/hr", "postgresql://ann@db.example:5433,two:5434/hr"
      ),
      ("postgresql://ann:ge@heim@db.example/hr", "postgresql://ann@db.example/hr"),
      ("postgresql://ann:ge/heim@db.example/hr", "postgresql://ann@db.example/hr"),
      ("postgresql://ann:ge?heim@db.example/hr", "postgresql://ann@db.example/hr"),
      ("postgresql://:geheim@db.example", "postgresql://@db.example"),
      ("postgresql://ann:@db.example/hr", "postgresql://ann@db.example/hr"),
      ("postgresql://ann@db.example:5433/at@home", "postgresql://ann@db.example:5433/at@home"),
      ("postgresql://db.example:5433/hr?user=ann@home", "postgresql://db.example:5433/hr?user=ann@home"),
      ("postgresql:///hr?host=/run/pg&password=geheim&user=ann", "postgresql:///hr?host=/run/pg&user=ann"),
      ("postgresql:///hr?PASSWORD=geheim", "postgresql:///hr"),
      ("postgresql://h/hr?sslpassword=geheim&sslkey=k", "postgresql://h/hr?sslkey=k"),
    ])
  func passwords(given: String, told: String) throws {
    let address = try #require(ServerAddress(given))
    #expect(address.text == told)
    #expect(address.connectionText() == given)
    #expect(ServerAddress(told)?.connectionText() == given, "who has read it from a message goes on with it")
    #expect(address.type == StoreType(rawValue: "PostgreSQL"))
    #expect(ServerAddress.shown(given) == told)
    // Foundation knows no URL of several hosts.
    let url = LocationText.url(given).absoluteString
    #expect(url == told || told.contains(",") && !url.contains("heim"))
  }

  @Test(
    "A path is no address, whatever is in it",
    arguments: ["hr.db", "/srv/postgresql/hr.db", "postgresql:/hr", "./postgresql://hr", "mysql://h/d", ""])
  func paths(_ path: String) {
    #expect(ServerAddress(path) == nil)
    #expect(ServerAddress.shown(path) == path)
  }

  @Test("A parameter of the store's own is not told to the client library")
  func parameters() throws {
    let address = try #require(ServerAddress("postgresql://ann:ge?heim@h/hr?schema=a%20b&sslmode=require"))
    #expect(address.parameter("schema") == "a b")
    #expect(address.parameter("sslmode") == "require")
    #expect(address.parameter("host") == nil)
    #expect(address.connectionText(without: ["schema"]) == "postgresql://ann:ge?heim@h/hr?sslmode=require")
    #expect(
      ServerAddress("postgresql://h/d?schema=x")?.connectionText(without: ["schema"]) == "postgresql://h/d")
  }

  @Test("A store is called by its schema, or its database")
  func name() {
    #expect(ServerAddress("postgresql://ann:x/y@h:1/hr?sslmode=require")?.name == "hr")
    #expect(ServerAddress("postgresql://h/hr?sslmode=require&schema=staff")?.name == "staff")
    #expect(ServerAddress("postgres://h")?.name == "")
  }

  @Test("STO-360: texts with addresses in them are told without passwords, and otherwise as they are")
  func texts() {
    #expect(
      ServerAddress.hidingPasswords(
        in:
          #"neither "postgresql://ann:geheim@h/a" nor postgres://h/b?password=geheim nor `postgresql://h/c`"#
      )
        == #"neither "postgresql://ann@h/a" nor postgres://h/b nor `postgresql://h/c`"#)
    #expect(ServerAddress.hidingPasswords(in: "https://ann:x@h/a: c://") == "https://ann:x@h/a: c://")
    let error = GraphStoreError(.storeOpen, "no way to postgresql://ann:geheim@h/a", remedy: "")
    #expect(error.message == "no way to postgresql://ann@h/a")
  }

  @Test("STO-360: no password is in what is told of an address, whatever it is made of", arguments: 0..<4)
  func random(part: Int) throws {
    var random = SeededGenerator(seed: UInt64(part))
    let signs = Array("abcXYZ019:/#@%&=+-_.~äß$!,;()[]'")
    for _ in 0..<250 {
      let count = Int.random(in: 1...12, using: &random)
      let password =
        "Pw" + String((0..<count).map { _ in signs.randomElement(using: &random) ?? "x" }) + "wP"
      // A process has one password for an address, and the cases run beside each other.
      let given = "postgresql://ann:\(password)@db.example:5432/hr\(part)?application_name=x"
      let address = try #require(ServerAddress(given))
      #expect(address.text == "postgresql://ann@db.example:5432/hr\(part)?application_name=x", "\(given)")
      #expect(address.connectionText() == given)
      #expect(!ServerAddress.hidingPasswords(in: "what of \(given) there").contains("wP"), "\(given)")
    }
  }

  // MARK: Without the type

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(TestModels.company())
  }

  private static let given = "postgresql://ann:geheim@db.example/hr"

  @Test("STO-361: a program without the type says so wherever an address stands for a store")
  func unknownType() throws {
    let url = try #require(URL(string: Self.given))
    let model = try Self.model()
    let coordinator = PersistentStoreCoordinator(model: model)
    let works: [() throws -> Void] = [
      { _ = try PersistentStoreCoordinator.open(storeAt: Self.given) },
      { _ = try PersistentStoreCoordinator.create(storeAt: Self.given, model: model) },
      { _ = try coordinator.addStore(at: Self.given) },
      { _ = try PersistentStoreCoordinator.metadataForPersistentStore(at: url) },
      { try PersistentStoreCoordinator.destroyPersistentStore(at: url) },
      { _ = try StoreSummary.read(path: Self.given) },
      { _ = try StoreCheck.run(path: Self.given) },
      { _ = try StoreStatistics.read(path: Self.given) },
      { _ = try StoreModel.load(fromStoreAt: Self.given) },
      { _ = try StoreBackup.make(ofStoreAt: Self.given, at: "copy.db") },
      { _ = try StoreRepair(path: Self.given) },
      { try StoreBackup.checkDestination(Self.given) },
    ]
    for (number, work) in works.enumerated() {
      let error = try #require(throws: GraphStoreError.self, "\(number)") { try work() }
      #expect(error.code == .storeTypeUnknown, "\(number): \(error)")
      #expect(
        error.message.hasPrefix("postgresql://ann@db.example/hr is of type PostgreSQL"), "\(error.message)")
    }
  }

  @Test("STO-361: what is for files is refused at an address, with nothing made")
  func files() throws {
    let model = try Self.model()
    var options = StoreOptions()
    options.type = .json
    let mismatch = try #require(throws: GraphStoreError.self) {
      _ = try PersistentStoreCoordinator.create(storeAt: Self.given, model: model, options: options)
    }
    #expect(mismatch.code == .storeTypeMismatch, "\(mismatch)")
    let error = try #require(throws: GraphStoreError.self) { _ = try StoreCompaction(path: Self.given) }
    #expect(error.code == .notSupported && !error.message.contains("geheim"), "\(error)")
    #expect(!FileManager.default.fileExists(atPath: "postgresql:"))
  }
}
