import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Stores in files that are copied, replaced and removed as wholes.
@Suite("Files of stores")
struct StoreFilesTests {
  /// The files of a folder by their paths, but for those of a log's index.
  private static func files(_ folder: TemporaryFolder) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      guard !name.hasSuffix("-shm"), let data = FileManager.default.contents(atPath: folder.file(name)) else {
        continue
      }
      if !(name.hasSuffix("-wal") && data.isEmpty) { files[name] = data }
    }
    return files
  }

  /// The photos of a store by name, with the sizes of their images.
  private static func photos(_ path: String) throws -> [String: Int] {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    var photos: [String: Int] = [:]
    for photo in try context.all("Photo") {
      photos[try photo.string("name") ?? ""] = try (photo.value(forKey: "image") as? Data)?.count
    }
    return photos
  }

  private static func url(_ path: String) -> URL { URL(fileURLWithPath: path) }

  /// A store with a small and a large photo, still open, whose log is not folded in.
  private func source() throws -> PhotoStore {
    let store = try PhotoStore()
    try store.photo("small", 10)
    try store.photo("large", 150_000)
    return store
  }

  /// Another store beside it, closed.
  private func destination(_ source: PhotoStore) throws -> String {
    let path = source.folder.file("other.sqlite")
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(PhotoStore.model))
    try coordinator.addStore(at: path)
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<3 {
      try context.insert("Photo", ["name": "old\(number)", "image": Data(repeating: 1, count: 200_000)])
    }
    try context.save()
    coordinator.close()
    return path
  }

  // MARK: Replacing

  @Test(
    "STO-156, STO-157, STO-158, STO-185: the destination becomes a copy, log and external data with it, and loses its own"
  )
  func replaced() throws {
    let source = try source()
    let other = try destination(source)
    #expect(SQLiteProbe.hasLog(source.path), "the log of the open source has what was saved")
    try PersistentStoreCoordinator.replacePersistentStore(at: Self.url(other), with: Self.url(source.path))
    #expect(try Self.photos(other) == ["small": 10, "large": 150_000])
    let names = try FileManager.default.contentsOfDirectory(
      atPath: source.folder.file(".other_SUPPORT/_EXTERNAL_DATA"))
    #expect(names == source.files)
    #expect(try StoreCheck.run(path: other).flatMap(\.findings) == [])
    for end in ["-wal", "-journal"] { #expect(!FileManager.default.fileExists(atPath: other + end)) }
    // The source goes on.
    try source.photo("later", 20)
    #expect(try source.context.all("Photo").count == 3)
    #expect(try Self.photos(other).count == 2)
    let entries = try FileManager.default.contentsOfDirectory(atPath: source.folder.path)
    #expect(!entries.contains { $0.hasPrefix(".other-") })
  }

  @Test("STO-156: where no store is, the copy is made, with the source's metadata")
  func absent() throws {
    let source = try source()
    try source.coordinator.setMetadata(["owner": .string("Ada")], for: source.coordinator.persistentStores[0])
    try source.context.save()
    let other = source.folder.file("fresh.sqlite")
    try PersistentStoreCoordinator.replacePersistentStore(at: Self.url(other), with: Self.url(source.path))
    #expect(try Self.photos(other).count == 2)
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: Self.url(other))
    #expect(metadata["owner"] == .string("Ada"))
    #expect(metadata["NSStoreUUID"] == .string(source.coordinator.persistentStores[0].identifier.uuidString))
  }

  @Test("STO-156: a source that is missing, no store or damaged leaves the destination as it was")
  func badSource() throws {
    let source = try source()
    source.coordinator.close()
    let other = try destination(source)
    let text = source.folder.file("text.txt")
    try Data("no store at all, and longer than a header".utf8).write(to: Self.url(text))
    let cut = source.folder.file("cut.sqlite")
    let whole = try Data(contentsOf: Self.url(source.path))
    try whole.prefix(whole.count / 2).write(to: Self.url(cut))
    let before = try Self.files(source.folder)
    for (path, expected) in [
      (source.folder.file("none.db"), GraphStoreError.Code.storeNotFound), (text, .notAStore),
      (cut, .storeCorrupt),
    ] {
      _ = try expectFailure(expected) {
        try PersistentStoreCoordinator.replacePersistentStore(at: Self.url(other), with: Self.url(path))
      }
    }
    _ = try expectFailure(.migrationDestination) {
      try PersistentStoreCoordinator.replacePersistentStore(at: Self.url(other), with: Self.url(other))
    }
    #expect(try Self.files(source.folder) == before)
  }

  @Test("STO-159: a store that this process has open is neither replaced nor removed")
  func openHere() throws {
    let source = try source()
    let other = try destination(source)
    _ = try expectFailure(.storeInUse) {
      try PersistentStoreCoordinator.replacePersistentStore(at: Self.url(source.path), with: Self.url(other))
    }
    let removal = try expectFailure(.storeInUse) {
      try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(source.path), forceDestroy: true)
    }
    #expect(removal.code.number == 136043)
    #expect(try source.context.all("Photo").count == 2 && source.files.count == 1)
  }

  @Test("STO-159: a store that another process has open is waited for, and then refused")
  func openElsewhere() throws {
    let source = try source()
    let other = try destination(source)
    // Connections past the list of the process's own stand for another process.
    let holder = try SQLiteConnection(path: other, mode: .readWrite)
    _ = try holder.int64("SELECT count(*) FROM ZPHOTO")
    let before = try Self.photos(other)
    for body: () throws -> Void in [
      {
        try PersistentStoreCoordinator.replacePersistentStore(
          at: Self.url(other), with: Self.url(source.path), timeout: .milliseconds(50))
      },
      {
        try PersistentStoreCoordinator.destroyPersistentStore(
          at: Self.url(other), timeout: .milliseconds(50))
      },
    ] {
      let error = try expectFailure(.storeTimeout) { try body() }
      #expect(error.code.number == 134090)
      #expect(try Self.photos(other) == before)
    }
    holder.close()
    try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(other), timeout: .milliseconds(50))
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test("STO-330: a copy of a store with external data to a name with the same folder of files is refused")
  func sharedFolder() throws {
    let source = try source()
    _ = try expectFailure(.migrationDestination) {
      try PersistentStoreCoordinator.replacePersistentStore(
        at: Self.url(source.folder.file("photos.copy")), with: Self.url(source.path))
    }
    #expect(try source.context.all("Photo").count == 2 && source.files.count == 1)
  }

  // MARK: Removing

  @Test(
    "STO-160: a store goes with its side files and its external data, and one that is missing is no error")
  func destroyed() throws {
    let source = try source()
    source.coordinator.close()
    let other = try destination(source)
    try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(other), type: .sqlite)
    let names = try FileManager.default.contentsOfDirectory(atPath: source.folder.path).sorted()
    #expect(names == [".photos_SUPPORT", "photos.sqlite"])
    try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(other))
    #expect(try Self.photos(source.path).count == 2)
  }

  @Test("STO-160: what an interrupted removal left of a store goes with the next")
  func leftovers() throws {
    let source = try source()
    let other = try destination(source)
    #expect(unlink(other) == 0)
    try Data().write(to: Self.url(other + "-wal"))
    try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(other))
    #expect(!FileManager.default.fileExists(atPath: other + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: source.folder.file(".other_SUPPORT")))
    #expect(source.files.count == 1)
  }

  @Test("STO-160: a file that is no store goes only where that is forced")
  func forced() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("text.db")
    try Data("no store at all".utf8).write(to: Self.url(path))
    _ = try expectFailure(.notAStore) {
      try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(path))
    }
    #expect(FileManager.default.fileExists(atPath: path))
    try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(path), forceDestroy: true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    _ = try expectFailure(.notAStore) {
      try PersistentStoreCoordinator.destroyPersistentStore(at: Self.url(folder.path), forceDestroy: true)
    }
    #expect(FileManager.default.fileExists(atPath: folder.path))
  }

  // MARK: Backups

  @Test("STO-163, STO-157: an open store is copied as it is at one moment, with counts of the copy")
  func backup() throws {
    let source = try source()
    let path = source.folder.file("backup.sqlite")
    let result = try StoreBackup.make(ofStoreAt: source.path, at: path)
    #expect(result.objectCount == 2 && result.path == path && result.replacedStore == nil)
    #expect(result.byteCount == (RegularFile.size(path) ?? 0) + 150_000)
    try source.context.all("Photo").forEach(source.context.delete)
    try source.context.save()
    #expect(try Self.photos(path) == ["small": 10, "large": 150_000])
  }

  @Test("STO-153, STO-163: what is there already is not replaced, but for an empty file")
  func taken() throws {
    let source = try source()
    let other = try destination(source)
    let before = try Self.photos(other)
    let error = try expectFailure(.storeExists) { try StoreBackup.make(ofStoreAt: source.path, at: other) }
    #expect(error.code.number == 516)
    #expect(try Self.photos(other) == before)
    let empty = source.folder.file("empty.sqlite")
    try Data().write(to: Self.url(empty))
    try StoreBackup.make(ofStoreAt: source.path, at: empty)
    #expect(try Self.photos(empty).count == 2)
  }

  @Test("STO-157: files of other stores in the folder, and files that no row names, are not copied")
  func unnamedFiles() throws {
    let source = try source()
    let stray = UUID().uuidString
    try Data([1]).write(to: Self.url(source.dataFolder + "/" + stray))
    let path = source.folder.file("backup.sqlite")
    try StoreBackup.make(ofStoreAt: source.path, at: path)
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: source.folder.file(".backup_SUPPORT/_EXTERNAL_DATA")) == source.files.filter { $0 != stray })
    #expect(try StoreCheck.run(path: path).flatMap(\.findings) == [])
  }

  @Test("STO-157, STO-185: while others replace large values, every copy has the files that its rows name")
  func underWriters() async throws {
    let source = try source()
    let path = source.path
    // A coordinator of its own, as another process has one: files of replaced values go at once.
    let writer = Task.detached {
      let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
      try context.performAndWait { () throws(any Error) -> Void in
        let photo = try context.insert("Photo", ["name": "busy"])
        for round in 0..<60 {
          try photo.setValue(Data(repeating: UInt8(round), count: 110_000 + round), forKey: "image")
          try context.save()
        }
      }
    }
    for number in 0..<12 {
      let copy = source.folder.file("copy\(number).sqlite")
      try StoreBackup.make(ofStoreAt: path, at: copy)
      #expect(try StoreCheck.run(path: copy).filter { !$0.isOK }.map(\.name) == [], "copy \(number)")
      #expect(try Self.photos(copy)["large"] == 150_000)
    }
    try await writer.value
  }

  @Test("STO-186, STO-185: a copy in one file has every value in its rows, and nothing beside it")
  func oneFile() throws {
    let source = try source()
    let path = source.folder.file("one.sqlite")
    let result = try StoreBackup.make(ofStoreAt: source.path, at: path, isOneFile: true)
    #expect(try Self.photos(path) == ["small": 10, "large": 150_000])
    #expect(!FileManager.default.fileExists(atPath: source.folder.file(".one_SUPPORT")))
    #expect(result.byteCount == RegularFile.size(path) && result.byteCount > 150_000)
    #expect(try StoreCheck.run(path: path).flatMap(\.findings) == [])
    // A value that is gone is not turned into a missing one.
    try FileManager.default.removeItem(atPath: source.dataFolder + "/" + source.files[0])
    let other = source.folder.file("other.sqlite")
    _ = try expectFailure(.externalDataMissing) {
      try StoreBackup.make(ofStoreAt: source.path, at: other, isOneFile: true)
    }
    #expect(!FileManager.default.fileExists(atPath: other))
    try StoreBackup.make(ofStoreAt: source.path, at: other)
    #expect(try StoreCheck.run(path: other).filter { !$0.isOK }.map(\.name) == ["external data"])
  }
}
