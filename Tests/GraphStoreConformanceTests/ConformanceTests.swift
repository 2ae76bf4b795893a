import Foundation
import GraphStore
import GraphStoreConformance
import GraphStoreTestSupport
import Testing

/// The suite over every type of store.
@Suite("Conformance of every type of stores")
struct ConformanceTests {
  /// A type, and how its suite is made in a folder.
  struct Subject: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let skipped: Int
    let makeSuite: @Sendable (URL) throws -> StoreConformance

    init(_ name: String, skipped: Int, _ makeSuite: @escaping @Sendable (URL) throws -> StoreConformance) {
      (testDescription, self.skipped, self.makeSuite) = (name, skipped, makeSuite)
    }
  }

  private static let documents: Set<StoreFeature> = [.severalWriters, .history]

  static let subjects = [
    Subject("SQLite", skipped: 1) { folder in
      StoreConformance(of: .sqlite) { folder.appending(path: "\($0).db") }
    },
    Subject("private SQLite", skipped: 4) { _ in
      StoreConformance("private SQLite", lacking: [.persistence, .severalWriters]) { model, _ in
        try .create(storeAt: "/dev/null", model: model)
      }
    },
    Subject("in memory", skipped: 5) { _ in
      StoreConformance("in memory", lacking: [.persistence, .severalWriters, .history]) { model, _ in
        try .inMemory(model: model)
      }
    },
    Subject("JSON", skipped: 3) { folder in
      StoreConformance(of: .json, lacking: documents) { folder.appending(path: "\($0).json") }
    },
    Subject("binary", skipped: 3) { folder in
      StoreConformance(of: .binary, lacking: documents) { folder.appending(path: "\($0).plist") }
    },
    Subject("XML", skipped: 3) { folder in
      StoreConformance(of: .xml, lacking: documents) { folder.appending(path: "\($0).xml") }
    },
    Subject("vault", skipped: 2) { _ in
      let place = Vault.freshURL()
      var suite = StoreConformance(of: .vault, lacking: documents) { place.appending(path: "\($0)") }
      suite.obstruction = { number, isObstructed in
        Vault.at(place.appending(path: "\(number)")).with { $0.failure = isObstructed ? .locked : nil }
      }
      return suite
    },
    Subject("drawer", skipped: 3) { folder in
      StoreConformance(of: .drawer, lacking: documents) { folder.appending(path: "\($0)") }
    },
    Subject("vault with UUIDs", skipped: 2) { _ in
      let place = Vault.freshURL()
      var suite = StoreConformance(of: .uuidVault, lacking: documents) { place.appending(path: "\($0)") }
      suite.obstruction = { number, isObstructed in
        Vault.at(place.appending(path: "\(number)")).with { $0.failure = isObstructed ? .locked : nil }
      }
      return suite
    },
  ]

  init() throws { try StoreType.registration.get() }

  @Test(
    "STO-049, STO-050, STO-085: it keeps every promise but those that it says it lacks", arguments: subjects)
  func kept(_ subject: Subject) throws {
    let folder = try TemporaryFolder()
    let report = try subject.makeSuite(folder.url).run()
    #expect(report.isKept, "\(report)")
    #expect(report.skipped.count == subject.skipped, "\(report)")
    #expect(report.results.count == StoreConformance.promises.count)
  }

  @Test(
    "FET-171, STO-051: random predicates of other seeds find the same",
    arguments: TestSeed.sequence(2, from: 11))
  func seeds(_ seed: TestSeed) throws {
    let folder = try TemporaryFolder()
    for subject in Self.subjects where ["SQLite", "vault with UUIDs"].contains(subject.testDescription) {
      var suite = try subject.makeSuite(folder.url)
      suite.seed = seed.number
      let report = suite.run(only: ["fetching.predicates", "fetching.orders", "fetching.windows"])
      #expect(report.isKept && report.kept.count == 3, "\(report)")
    }
  }

  @Test(
    "STO-050: a type with a fault breaks the promise that is about it", arguments: FaultyStore.Fault.allCases)
  func faults(_ fault: FaultyStore.Fault) throws {
    let place = Vault.freshURL("faulty")
    let text = place.absoluteString.replacingOccurrences(of: "example.org", with: fault.rawValue)
    let url = try #require(URL(string: text))
    var suite = StoreConformance(of: .faulty, lacking: Self.documents) { url.appending(path: "\($0)") }
    suite.obstruction = { number, isObstructed in
      Vault.at(url.appending(path: "\(number)")).with { $0.failure = isObstructed ? .locked : nil }
    }
    let report = suite.run(
      only: Set(StoreConformance.promises.map(\.name)).subtracting(["fetching.predicates"]))
    #expect(fault.broken.isSubset(of: report.broken.map(\.promise.name)), "\(report)")
    // What the fault has nothing to do with is kept.
    #expect(report.kept.map(\.name).contains("fetching.logic") || fault == .mixesStores, "\(report)")
  }

  @Test(
    "STO-050: the report says what is broken, with the rule, what was expected and got, and what was skipped")
  func report() throws {
    let place = try #require(URL(string: "faulty://keepsNil/report"))
    let suite = StoreConformance(of: .faulty, lacking: [.history]) { place.appending(path: "\($0)") }
    let report = suite.run(only: ["values.nil", "history.changes", "saving.failure", "deletion.deny"])
    #expect(!report.isKept)
    #expect(report.kept.map(\.name) == ["deletion.deny"])
    #expect(report.skipped.map(\.reason).sorted() == ["it lacks history", "nothing makes its saves fail"])
    let broken = try #require(report.broken.first)
    #expect(broken.promise.name == "values.nil" && broken.deviation.seed == nil)
    #expect(broken.deviation.expected.contains("null") && !broken.deviation.got.contains("null"))
    let text = "\(report)"
    #expect(text.contains("An attribute without a value is nil"))
    #expect(text.hasSuffix("Faulty: 1 kept, 1 broken, 2 skipped"))
  }

  @Test("STO-050: what is random tells its seed where it is broken, and comes again with it")
  func randomDeviation() throws {
    // What is opened again is another store, and empty.
    let suite = StoreConformance("forgetful") { model, _ in
      let url = Vault.freshURL()
      let coordinator = PersistentStoreCoordinator(model: model)
      var options = StoreOptions()
      options.type = .vault
      try coordinator.addStore(at: url.absoluteString, options: options)
      return coordinator
    }
    let first = suite.run(only: ["fetching.predicates"])
    let second = suite.run(only: ["fetching.predicates"])
    let deviation = try #require(first.broken.first?.deviation)
    #expect(deviation.seed == 1)
    #expect(second.broken.first?.deviation == deviation)
  }
}
