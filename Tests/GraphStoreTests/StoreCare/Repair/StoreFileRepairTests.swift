import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Repair of a store's file and metadata")
struct StoreFileRepairTests {
  /// Changes bytes of the page that a table or index begins with.
  private func changePage(
    of name: String, in store: RepairStore, _ change: (inout Data) throws -> Void
  ) throws {
    let raw = try SQLiteConnection(path: store.path, mode: .readWrite)
    let number = try #require(
      try raw.int64("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"))
    _ = try raw.string("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    let file = URL(fileURLWithPath: store.path)
    var bytes = try Data(contentsOf: file)
    let place = (Int(number) - 1) * 4096..<Int(number) * 4096
    var page = bytes.subdata(in: place)
    try change(&page)
    bytes.replaceSubrange(place, with: page)
    try bytes.write(to: file)
  }

  @Test("An index that does not hold what its table holds is made anew, and the rows stay")
  func index() throws {
    let store = try RepairStore()
    let before = try store.cells()
    try changePage(of: "Z_Passport_UNIQUE_number", in: store) { page in
      let place = try #require(page.range(of: Data("PASSPORT-OF-ADA".utf8)))
      page[place.lowerBound] = UInt8(ascii: "X")
    }
    #expect(try store.findings().allSatisfy { $0.damage == .indexContent })
    let repair = try StoreRepair(path: store.path)
    #expect(repair.steps.map(\.message) == ["make the index Z_Passport_UNIQUE_number anew"])
    #expect(try repair.run().unrepaired == [])
    #expect(try store.findings() == [])
    #expect(try store.cells() == before)
  }

  /// A page that cannot be read, and one with a wrong count of its unused bytes, which reading does not show.
  @Test(
    "Of a file with damaged pages nothing is mended, and each finding says why",
    arguments: [(0, 0xFF, [.unfinished]), (7, 9, [.page, .rowVersion])] as [(Int, UInt8, Set<StoreDamage>)])
  func page(place: Int, byte: UInt8, damage: Set<StoreDamage>) throws {
    let store = try RepairStore("UPDATE ZPROJECT SET Z_OPT = NULL; DROP INDEX ZPERSON_ZDEPARTMENT_INDEX")
    try changePage(of: "ZPHOTO", in: store) { $0[place] = byte }
    let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let found = try store.findings()
    #expect(Set(found.map(\.damage)) == damage.union([.missingIndex]))
    let repair = try StoreRepair(path: store.path)
    #expect(repair.steps == [])
    #expect(repair.unrepaired.map(\.finding) == found)
    #expect(repair.unrepaired.allSatisfy { $0.reason == StoreDamage.page.advice.reason })
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
  }

  @Test("A file that only a newer SQLite may write is left as it is")
  func newerWriter() throws {
    let store = try RepairStore("UPDATE ZPROJECT SET Z_OPT = NULL")
    let file = URL(fileURLWithPath: store.path)
    var bytes = try Data(contentsOf: file)
    bytes[18] = 111
    try bytes.write(to: file)
    let repair = try StoreRepair(path: store.path)
    #expect(repair.steps == [])
    #expect(Set(repair.unrepaired.map(\.finding.damage)) == [.newerWriter, .rowVersion])
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test("STO-287: a store whose metadata cannot be read is not written, as it is not opened for writing")
  func metadata() throws {
    let store = try RepairStore("UPDATE Z_METADATA SET Z_PLIST = NULL; UPDATE ZPROJECT SET Z_OPT = NULL")
    let before = try store.cells()
    let repair = try StoreRepair(path: store.path, model: ManagedObjectModel(RepairModel.definition))
    #expect(repair.steps == [])
    #expect(Set(repair.unrepaired.map(\.finding.damage)).isSuperset(of: [.metadata, .rowVersion]))
    #expect(repair.unrepaired.allSatisfy { $0.reason == StoreDamage.metadata.advice.reason })
    #expect(try store.cells() == before)
  }

  @Test(
    "Recorded hashes are mended where digest or checksum is that of the model's, and left where nothing tells"
  )
  func hashes() throws {
    let wrong = Value.dictionary(["Ghost": .data(Data(count: 32))])
    func repaired(_ change: (inout StoreMetadata) -> Void) throws -> (steps: [String], left: Set<StoreDamage>)
    {
      let store = try RepairStore()
      let before = try store.metadata()
      try store.changeMetadata(change)
      #expect(try store.findings().allSatisfy { [.modelHash, .hashDigest].contains($0.damage) })
      let repair = try StoreRepair(path: store.path)
      if !repair.steps.isEmpty {
        #expect(try repair.run().unrepaired == [])
        #expect(try store.findings() == [])
        #expect(try store.metadata() == before)
      }
      return (repair.steps.map(\.subject), Set(repair.unrepaired.map(\.finding.damage)))
    }
    let keys = (StoreMetadata.Key.hashes, StoreMetadata.Key.digest, StoreMetadata.Key.checksum)
    #expect(try repaired { $0.values[keys.0] = wrong } == ([keys.0], []))
    #expect(try repaired { $0.values[keys.1] = .string("x") } == ([keys.1], []))
    #expect(
      try repaired {
        $0.values[keys.0] = wrong
        $0.values[keys.1] = .string("x")
      } == ([keys.0, keys.1], []))
    let undecided = try repaired {
      $0.values[keys.0] = wrong
      $0.values[keys.1] = .string("x")
      $0.values[keys.2] = .string("x")
    }
    #expect(undecided == ([], [.modelHash, .hashDigest]))
  }

  @Test("PRD-254: indexes of another version's functions are made anew")
  func functions() throws {
    let store = try RepairStore()
    let before = try store.metadata()
    try store.changeMetadata { $0.values[StoreMetadata.Key.functions] = .int(0) }
    #expect(try store.findings().map(\.damage) == [.indexedFunctions])
    _ = try StoreRepair(path: store.path).run()
    #expect(try store.findings() == [])
    #expect(try store.metadata() == before)
  }

  @Test("STO-177: values of an earlier version get their prefix together with whatever else is mended")
  func prefixes() throws {
    let store = try RepairStore("UPDATE ZPROJECT SET Z_OPT = NULL WHERE Z_PK = 1")
    try store.changeMetadata { $0.values[StoreMetadata.Key.externalData] = nil }
    let before = try store.cells()
    #expect(Set(try store.findings().map(\.damage)) == [.rowVersion, .externalPrefix])
    #expect(try StoreRepair(path: store.path).run().unrepaired == [])
    let changed = RepairStore.difference(before, try store.cells())
    #expect(
      changed == Set((1...3).map { "ZPHOTO.ZIMAGE#\($0)" } + ["ZPROJECT.Z_OPT#1", "Z_METADATA.Z_PLIST#1"]))
  }

  @Test("STO-183: a file that no row names stays, since files are no part of the transaction")
  func unnamedFile() throws {
    let store = try RepairStore()
    let folder = ExternalDataFolder.path(besideStoreAt: store.path)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = folder + "/5E9F0F3A-0000-4000-8000-000000000001"
    try Data([1]).write(to: URL(fileURLWithPath: file))
    #expect(try store.findings().map(\.damage) == [.unnamedFile])
    let repair = try StoreRepair(path: store.path)
    #expect(repair.steps == [] && repair.unrepaired.map(\.finding.severity) == [.warning])
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test("A store that may not be written says so when something is to be mended")
  func notWritable() throws {
    guard geteuid() != 0 else { return }
    let store = try RepairStore("UPDATE ZPROJECT SET Z_OPT = NULL")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.path)
    #expect { try StoreRepair(path: store.path) } throws: { GraphStoreError.code(.storePermission) ~= $0 }
  }
}
