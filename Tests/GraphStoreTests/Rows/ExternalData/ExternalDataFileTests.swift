import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Files of external data")
struct ExternalDataFileTests {
  private func column(_ path: String, _ name: String = "ZIMAGE") throws -> [String] {
    let raw = try SQLiteConnection(path: path, mode: .readWrite)
    defer { raw.close() }
    return try raw.withStatement("SELECT hex(substr(\(name), 1, 40)) FROM ZPHOTO ORDER BY Z_PK") { row in
      var values: [String] = []
      while try row.step() { values.append(row.string(at: 0) ?? "-") }
      return values
    }
  }

  @Test("STO-175, STO-176, STO-177: more than 102,400 bytes go to a file of their own, with the store's mode")
  func layout() throws {
    let store = try PhotoStore()
    chmod(store.path, 0o640)
    try store.photo("small", 3, byte: 0xAB)
    try store.photo("limit", 102_400)
    #expect(store.files.isEmpty)
    try store.photo("large", 102_401)
    #expect(store.files.count == 1)
    let name = store.files[0]
    #expect(UUID(uuidString: name)?.uuidString == name)
    let columns = try column(store.path)
    #expect(columns[0] == "01ABABAB")
    #expect(columns[1].hasPrefix("010707"))
    #expect(columns[2] == "02" + name.utf8.map { String(format: "%02X", $0) }.joined() + "00")
    var status = stat()
    #expect(stat(store.dataFolder + "/" + name, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(stat(store.dataFolder, &status) == 0 && status.st_mode & 0o777 == 0o750)
    #expect(store.coordinator.persistentStores[0].externalData.map { [$0.files, $0.bytes] } == [1, 102_401])
    #expect(try StoreCheck.run(path: store.path).flatMap(\.findings) == [])
  }

  @Test("STO-175: the threshold can be another one, and reading does not depend on it")
  func threshold() throws {
    var options = StoreOptions()
    options.externalStorageThreshold = 2
    let store = try PhotoStore(options)
    try store.photo("a", 2)
    try store.photo("b", 3)
    #expect(store.files.count == 1)
    options.externalStorageThreshold = 1_000_000
    try store.reopen(options)
    try store.photo("c", 300_000)
    #expect(store.files.count == 1)
    try store.reopen()
    let sizes = try store.context.all("Photo", sort: ["name"]).map {
      try ($0.value(forKey: "image") as? Data)?.count
    }
    #expect(sizes == [2, 3, 300_000])
  }

  @Test("STO-186: externalStorageInline writes every value into its row")
  func inline() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    var options = StoreOptions()
    options.externalStorageInline = true
    try store.reopen(options)
    let photo = try store.context.all("Photo")[0]
    try photo.setValue(Data(repeating: 1, count: 200_001), forKey: "image")
    try store.context.save()
    #expect(store.files.isEmpty)
    try store.reopen()
    #expect(
      try store.context.all("Photo")[0].value(forKey: "image") as? Data == Data(repeating: 1, count: 200_001))
  }

  @Test("STO-178: a save that fails after a file was written leaves none behind")
  func failedSave() throws {
    let store = try PhotoStore()
    let other = ManagedObjectContext(coordinator: try .open(storeAt: store.path))
    let photo = try store.photo("a", 10)
    let theirs = try other.all("Photo")[0]
    try theirs.setValue("changed", forKey: "name")
    try other.save()
    try photo.setValue("mine", forKey: "name")
    try store.context.insert("Photo", ["name": "b", "image": Data(repeating: 1, count: 200_000)])
    let error = #expect(throws: GraphStoreError.self) { try store.context.save() }
    #expect(error?.code == .mergeConflict)
    #expect(store.files.isEmpty)
    try store.context.refresh(photo, mergeChanges: false)
    try store.context.save()
    #expect(store.files.count == 1)
    other.coordinator.close()
  }

  @Test("STO-178: a file that cannot be written fails the save, and nothing of it is stored")
  func unwritable() throws {
    let store = try PhotoStore()
    // A file in the place of the folder: rights do not keep the superuser out.
    try Data().write(to: store.folder.url.appending(path: ".photos_SUPPORT"))
    try store.context.insert("Photo", ["name": "a", "image": Data(repeating: 1, count: 200_000)])
    #expect(throws: GraphStoreError.self) { try store.context.save() }
    #expect(try ManagedObjectContext(coordinator: .open(storeAt: store.path)).all("Photo").isEmpty)
    try FileManager.default.removeItem(at: store.folder.url.appending(path: ".photos_SUPPORT"))
    try store.context.save()
    #expect(store.files.count == 1)
  }

  @Test("STO-179, REL-283: replaced, cleared and deleted values lose their files after the commit")
  func removal() throws {
    let store = try PhotoStore()
    let photo = try store.photo("a", 200_000)
    let first = store.files
    try photo.setValue(Data(repeating: 2, count: 200_000), forKey: "image")
    #expect(store.files == first)
    try store.context.save()
    #expect(store.files.count == 1 && store.files != first)
    try photo.setValue("b", forKey: "name")
    try store.context.save()
    #expect(store.files.count == 1)
    try photo.setValue(nil, forKey: "image")
    try store.context.save()
    #expect(store.files.isEmpty)
    try photo.setValue(Data(repeating: 3, count: 200_000), forKey: "image")
    try store.context.save()
    try store.context.delete(photo)
    #expect(store.files.count == 1)
    try store.context.save()
    #expect(store.files.isEmpty)
  }

  @Test("STO-179: the files of a transaction go when it is taken back, and those it replaces when it commits")
  func transactions() throws {
    struct Stop: Error {}
    let store = try PhotoStore()
    let photo = try store.photo("a", 200_000)
    let before = store.files
    try? store.coordinator.transaction(with: store.context) { _ in
      try photo.setValue(nil, forKey: "image")
      try store.photo("b", 200_000)
      #expect(store.files.count == 2)
      throw Stop()
    }
    #expect(store.files == before)
    try store.reopen()
    try store.coordinator.transaction(with: store.context) { _ in
      try store.context.all("Photo")[0].setValue(Data(repeating: 1, count: 150_000), forKey: "image")
      try store.context.save()
      try store.context.all("Photo")[0].setValue(Data(repeating: 2, count: 150_000), forKey: "image")
      try store.context.save()
      #expect(store.files.count == 3)
    }
    #expect(store.files.count == 1 && store.files != before)
    #expect(try store.findings() == [])
  }

  @Test("STO-179: what an inner part of a transaction has replaced stays when that part is taken back")
  func innerPart() throws {
    struct Stop: Error {}
    let store = try PhotoStore()
    let photo = try store.photo("a", 200_000)
    let before = store.files
    try store.coordinator.transaction(with: store.context) { transaction in
      try? transaction.savepoint {
        try photo.setValue(Data(repeating: 9, count: 150_000), forKey: "image")
        try store.context.save()
        try store.photo("b", 150_000)
        throw Stop()
      }
    }
    #expect(store.files == before)
    try store.reopen()
    #expect(
      try store.context.all("Photo").map { try $0.value(forKey: "image") as? Data } == [
        Data(repeating: 7, count: 200_000)
      ])
    #expect(try store.findings() == [])
  }

  @Test("STO-178: a row that is copied between a save and its commit finds the data in their file")
  func copiedRow() throws {
    let store = try PhotoStore()
    let file = store.folder.url.appending(path: "source")
    try Data(repeating: 3, count: 150_000).write(to: file)
    let photo = try store.context.insert("Photo", ["name": "a"])
    try store.coordinator.transaction(with: store.context) { _ in
      try photo.setData(contentsOf: file, forKey: "image")
      try store.context.save()
      try photo.setValue("b", forKey: "name")
      try store.context.save()
    }
    try FileManager.default.removeItem(at: file)
    #expect(try photo.value(forKey: "image") as? Data == Data(repeating: 3, count: 150_000))
    let other = ManagedObjectContext(coordinator: store.coordinator)
    #expect(try other.all("Photo")[0].value(forKey: "image") as? Data == Data(repeating: 3, count: 150_000))
    #expect(store.files.count == 1)
  }

  @Test("CTX-173: equal data are no conflict, however they are kept")
  func noConflict() throws {
    var options = StoreOptions()
    options.externalStorageInline = true
    let store = try PhotoStore(options)
    let photo = try store.photo("a", 200_000)
    let theirs = ManagedObjectContext(coordinator: try .open(storeAt: store.path, options: options))
    let album = try theirs.insert("Album", ["name": "x"])
    try theirs.all("Photo")[0].setValue(album, forKey: "album")
    try theirs.save()
    try theirs.all("Photo")[0].setValue(nil, forKey: "album")
    try theirs.save()
    try photo.setValue("b", forKey: "name")
    try store.context.save()
    #expect(try ManagedObjectContext(coordinator: store.coordinator).all("Photo", "name == 'b'").count == 1)
    theirs.coordinator.close()
  }

  @Test("CTX-173: equal data are no conflict in an element of a composite attribute either")
  func noConflictOfElements() throws {
    var options = StoreOptions()
    options.externalStorageInline = true
    let store = try PhotoStore(options)
    let raw = Data(repeating: 5, count: 200_000)
    let photo = try store.context.insert("Photo", ["name": "a", "extra": ["note": "n", "raw": raw]])
    try store.context.save()
    let theirs = ManagedObjectContext(coordinator: try .open(storeAt: store.path, options: options))
    for name in ["x", "a"] {
      try theirs.all("Photo")[0].setValue(name, forKey: "name")
      try theirs.save()
    }
    try photo.setValue("b", forKey: "name")
    try store.context.save()
    // A note of another context is a conflict still, and data of the same size too.
    for value in [["note": "other", "raw": raw], ["note": "n", "raw": Data(repeating: 6, count: 200_000)]] {
      let other = ManagedObjectContext(coordinator: theirs.coordinator)
      try other.all("Photo")[0].setValue(value, forKey: "extra")
      try other.save()
      try photo.setValue("c", forKey: "name")
      let error = #expect(throws: GraphStoreError.self) { try store.context.save() }
      #expect(
        error?.code == .mergeConflict && error?.conflicts.flatMap(\.values).map(\.property) == ["extra"])
      store.context.rollback()
      try store.context.refresh(photo, mergeChanges: false)
    }
    theirs.coordinator.close()
  }

  @Test("STO-176: a store that is opened through a symbolic link has the folder of its file")
  func symbolicLink() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    let link = store.folder.url.appending(path: "link.sqlite").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    let context = ManagedObjectContext(coordinator: try .open(storeAt: link))
    #expect(try context.all("Photo")[0].value(forKey: "image") as? Data == Data(repeating: 7, count: 200_000))
    try context.insert("Photo", ["name": "b", "image": Data(repeating: 8, count: 200_000)])
    try context.save()
    #expect(store.files.count == 2)
    #expect(try StoreCheck.run(path: link).allSatisfy { $0.findings.isEmpty })
    context.coordinator.close()
  }

  @Test("STO-179: a file stays as long as a read transaction is open that may need it")
  func pinned() throws {
    let store = try PhotoStore()
    let photo = try store.photo("a", 200_000)
    try store.photo("b", 5)
    var seen: [Int] = []
    let reader = ManagedObjectContext(coordinator: store.coordinator)
    try reader.enumerateFields(FetchRequest(entityName: "Photo"), keyPaths: ["name"]) { _ in
      if seen.isEmpty {
        try photo.setValue(nil, forKey: "image")
        try store.context.save()
      }
      seen.append(store.files.count)
    }
    #expect(seen == [1, 1])
    #expect(store.files.isEmpty)
  }

  @Test("STO-180: cascades remove files as well")
  func cascade() throws {
    let store = try PhotoStore()
    let album = try store.context.insert("Album", ["name": "x"])
    for name in ["a", "b"] { try store.photo(name, 200_000).setValue(album, forKey: "album") }
    try store.context.save()
    #expect(store.files.count == 2)
    try store.reopen()
    try store.context.delete(store.context.all("Album")[0])
    try store.context.save()
    #expect(store.files.isEmpty)
  }

  @Test("STO-181: fetching rows reads no file, and neither does a comparison with data of another length")
  func laziness() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    try store.photo("b", 300_000)
    try store.reopen()
    let photos = try store.context.all("Photo", sort: ["name"])
    for photo in photos { #expect(try photo.string("name") != nil) }
    try FileManager.default.removeItem(atPath: store.dataFolder)
    let error = #expect(throws: GraphStoreError.self) { try photos[0].value(forKey: "image") }
    #expect(error?.code == .externalDataMissing && error?.objectID == photos[0].objectID)
    #expect(error?.message.contains(store.dataFolder) == true && error?.property == "image")
    #expect(try photos[0].string("name") == "a")
  }

  @Test("STO-182: a typed accessor keeps the error of a missing file, and the next save throws it")
  func typedAccess() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    try FileManager.default.removeItem(atPath: store.dataFolder)
    try store.reopen()
    let photo = try store.context.all("Photo")[0]
    #expect(photo[AttributeKey<ManagedObject, Data>("image")] == nil)
    try photo.setValue("b", forKey: "name")
    let error = #expect(throws: GraphStoreError.self) { try store.context.save() }
    #expect(error?.code == .externalDataMissing)
    _ = store.context.takeDeferredErrors()
    try store.context.save()
    #expect(try store.findings().map(\.objects) == [["Photo/p1"]])
  }

  @Test("STO-182, STO-183: check names missing files, bytes of no form, and files that no row names")
  func checking() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    let first = store.files[0]
    for name in ["b", "c", "d"] { try store.photo(name, 200_000) }
    try FileManager.default.removeItem(atPath: store.dataFolder + "/" + first)
    try Data().write(to: URL(fileURLWithPath: store.dataFolder + "/" + UUID().uuidString))
    let raw = try SQLiteConnection(path: store.path, mode: .readWrite)
    try raw.execute("UPDATE ZPHOTO SET ZIMAGE = x'03FF' WHERE Z_PK = 2")
    try raw.execute(
      "UPDATE ZPHOTO SET ZIMAGE = CAST(x'02' || '../../../../../../../../../../../etc/passw' || x'00' AS BLOB) WHERE Z_PK = 3"
    )
    raw.close()
    let found = try store.findings()
    #expect(found.map(\.severity) == [.failure, .failure, .warning])
    #expect(found.map(\.count) == [2, 1, 3])
    #expect(found[0].objects == ["Photo/p2", "Photo/p3"])
    try store.reopen()
    for photo in try store.context.all("Photo", "name IN {'b', 'c'}") {
      let error = #expect(throws: GraphStoreError.self) { try photo.value(forKey: "image") }
      #expect(error?.code == .storeCorrupt)
    }
  }

  @Test(
    "STO-183: where two stores share a folder, check does not take the files of one for the other's leftovers"
  )
  func sharedFolder() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    let twin = store.folder.url.appending(path: "photos.db").path
    let other = try PersistentStoreCoordinator.create(
      storeAt: twin, model: ManagedObjectModel(PhotoStore.model))
    let context = ManagedObjectContext(coordinator: other)
    try context.insert("Photo", ["name": "b", "image": Data(repeating: 1, count: 200_000)])
    try context.save()
    other.close()
    #expect(store.files.count == 2)
    #expect(try store.findings() == [])
    try FileManager.default.removeItem(atPath: twin)
    #expect(try store.findings().map(\.severity) == [.warning])
  }

  @Test("STO-032: a store that moves takes its rows' data along")
  func moving() throws {
    let store = try PhotoStore()
    let photo = try store.photo("a", 200_000)
    try store.context.refresh(photo, mergeChanges: false)
    let target = store.folder.url.appending(path: "moved")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
    where name.contains("photos") {
      try FileManager.default.copyItem(
        at: store.folder.url.appending(path: name), to: target.appending(path: name))
    }
    try store.coordinator.setURL(
      target.appending(path: "photos.sqlite"), for: store.coordinator.persistentStores[0])
    try FileManager.default.removeItem(atPath: store.dataFolder)
    #expect(try photo.value(forKey: "image") as? Data == Data(repeating: 7, count: 200_000))
  }

  @Test("STO-181: an object reads the data that another process has put in the place of those that it knows")
  func replacedElsewhere() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    try store.reopen()
    let mine = try store.context.all("Photo")[0]
    let theirs = ManagedObjectContext(coordinator: try .open(storeAt: store.path))
    try theirs.all("Photo")[0].setValue(Data(repeating: 9, count: 150_000), forKey: "image")
    try theirs.save()
    theirs.coordinator.close()
    #expect(try mine.value(forKey: "image") as? Data == Data(repeating: 9, count: 150_000))
  }

  @Test("STO-183: check finds a link in the place of a file, and two values that name one file")
  func substitutes() throws {
    let store = try PhotoStore()
    for name in ["a", "b"] { try store.photo(name, 200_000) }
    let file = store.dataFolder + "/" + store.files[0]
    let kept = store.folder.url.appending(path: "kept").path
    try FileManager.default.moveItem(atPath: file, toPath: kept)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: kept)
    #expect(try store.findings().map(\.count) == [1])
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: kept, toPath: file)
    let raw = try SQLiteConnection(path: store.path, mode: .readWrite)
    try raw.execute("UPDATE ZPHOTO SET ZIMAGE = (SELECT ZIMAGE FROM ZPHOTO WHERE Z_PK = 1) WHERE Z_PK = 2")
    raw.close()
    let found = try store.findings()
    #expect(found[0].objects == ["Photo/p2"] && found[0].message.contains("another value"))
  }

  @Test("STO-185: the copy that a repair keeps has the external data of the store")
  func backup() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    store.coordinator.close()
    let copy = store.folder.url.appending(path: "copy.db").path
    try FileManager.default.copyItem(atPath: store.path, toPath: copy)
    try ExternalDataFolder(besideStoreAt: store.path).link(into: ExternalDataFolder(besideStoreAt: copy))
    try FileManager.default.removeItem(atPath: store.dataFolder)
    let context = ManagedObjectContext(coordinator: try .open(storeAt: copy))
    #expect(try context.all("Photo")[0].value(forKey: "image") as? Data == Data(repeating: 7, count: 200_000))
  }

  @Test(
    "STO-181: equality with data of another size, and tests for nil, read no file; with data of the size they do"
  )
  func sizesDecide() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    try store.photo("b", 300_000)
    try store.reopen()
    let watch = try OpeningWatch(store.dataFolder)
    func names(_ predicate: QueryPredicate) throws -> [String] {
      try store.context.all("Photo").filtered(by: predicate).compactMap { try $0.string("name") }.sorted()
    }
    #expect(try names(QueryPredicate("image == %@", Data(repeating: 7, count: 5))) == [])
    #expect(try names(QueryPredicate("image != %@", Data(repeating: 7, count: 5))) == ["a", "b"])
    #expect(try names(QueryPredicate("image != nil AND name != 'z'")) == ["a", "b"])
    #expect(watch.count() == 0)
    #expect(try names(QueryPredicate("image == %@", Data(repeating: 7, count: 200_000))) == ["a"])
    #expect(watch.count() == 1)
  }

  @Test("STO-185: a second copy beside the first takes nothing from the data of the store")
  func secondBackup() throws {
    let store = try PhotoStore()
    try store.photo("a", 200_000)
    try store.photo("b", 300_000)
    let (own, other) = (
      ExternalDataFolder(besideStoreAt: store.path), ExternalDataFolder(besideStoreAt: store.path + ".backup")
    )
    for _ in 0..<2 { try own.link(into: other) }
    #expect(own.files().map(\.size).sorted() == [200_000, 300_000])
    #expect(other.files().map(\.size).sorted() == [200_000, 300_000])
    // Also what is written under a name that another store has for the same content leaves that alone.
    let name = try #require(own.files().first?.name)
    try other.write(name, from: .memory(Data([1])))
    #expect(own.files().map(\.size).sorted() == [200_000, 300_000])
    #expect(try store.findings() == [])
  }
}
