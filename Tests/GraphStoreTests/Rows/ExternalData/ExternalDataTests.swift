import Foundation
import GraphStoreContextTestSupport
import GraphStoreModel
import Testing

@testable import GraphStore

/// Values with external storage as programs see them, whatever the store keeps them in.
@Suite("Values with external storage", .everyStore)
struct ExternalDataTests {
  private static let image = AttributeKey<ManagedObject, Data>("image")
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(PhotoStore.model) }

  private func data(_ size: Int, _ byte: UInt8 = 7) -> Data { Data(repeating: byte, count: size) }

  @Test(
    "STO-175, STO-184: values of every size come back as they were set, after a save, a refresh and in another process",
    arguments: [0, 1, 100, 102_399, 102_400, 102_401, 1_000_000])
  func sizes(_ size: Int) throws {
    let photo = try context.insert("Photo", ["name": "a", "image": data(size)])
    #expect(try photo.value(forKey: "image") as? Data == data(size))
    try context.save()
    #expect(try photo.value(forKey: "image") as? Data == data(size))
    try context.refresh(photo, mergeChanges: false)
    #expect(photo[Self.image] == data(size))
    let other = try stack.otherProcess()
    let found = try other.all("Photo")[0]
    #expect(try found.value(forKey: "image") as? Data == data(size))
    #expect(try found.primitiveValue(forKey: "image") as? Data == data(size))
    #expect(try found.committedValues(forKeys: ["image"])["image"] as? Data == data(size))
  }

  @Test("STO-175: a value is replaced by a larger, a smaller one and none, before and after saves")
  func replacing() throws {
    let photo = try context.insert("Photo", ["name": "a"])
    for size in [200_000, 3, 150_000, 250_000, 0, 120_000] {
      photo[Self.image] = data(size, 1)
      photo[Self.image] = data(size, 2)
      try context.save()
      #expect(try stack.otherProcess().all("Photo")[0].value(forKey: "image") as? Data == data(size, 2))
    }
    photo[Self.image] = nil
    #expect(photo[Self.image] == nil)
    try context.save()
    #expect(try stack.otherProcess().all("Photo")[0].value(forKey: "image") == nil)
  }

  @Test("OBJ-094: setting equal data is no change, whatever their size", arguments: [5, 150_000])
  func equalValues(_ size: Int) throws {
    let photo = try context.insert("Photo", ["name": "a", "image": data(size)])
    try context.save()
    photo[Self.image] = data(size)
    #expect(photo.changedKeys.isEmpty && !photo.hasPersistentChangedValues)
    photo[Self.image] = data(size, 8)
    #expect(photo.changedKeys == ["image"])
    #expect(try photo.changedValues()["image"] as? Data == data(size, 8))
    #expect(try photo.committedValues(forKeys: ["image"])["image"] as? Data == data(size))
  }

  @Test("CTX-119: a save that fails leaves large values as they were set, and the next one writes them")
  func failedSave() throws {
    let photo = try context.insert("Photo", ["image": data(200_000)])
    let album = try context.insert("Album", [:])
    #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(try photo.value(forKey: "image") as? Data == data(200_000))
    try album.setValue("x", forKey: "name")
    try context.save()
    #expect(try stack.otherProcess().all("Photo")[0].value(forKey: "image") as? Data == data(200_000))
  }

  @Test("REL-283, CTX-102: in a transaction that is taken back nothing of large values stays")
  func transaction() throws {
    struct Stop: Error {}
    let photo = try context.insert("Photo", ["name": "a", "image": data(150_000, 1)])
    try context.save()
    try? stack.coordinator.transaction(with: context) { _ in
      photo[Self.image] = data(150_000, 2)
      try context.save()
      #expect(photo[Self.image] == data(150_000, 2))
      try context.insert("Photo", ["name": "b", "image": data(150_000, 3)])
      try context.save()
      throw Stop()
    }
    let photos = try stack.otherProcess().all("Photo")
    #expect(photos.count == 1)
    #expect(try photos[0].value(forKey: "image") as? Data == data(150_000, 1))
  }

  @Test("STO-181, PRD-077: predicates test for nil, and compare data by their content")
  func predicates() throws {
    for (name, value) in [("a", data(200_000, 1)), ("b", data(200_000, 2)), ("c", data(3, 1))] {
      try context.insert("Photo", ["name": name, "image": value])
    }
    try context.insert("Photo", ["name": "d"])
    try context.save()
    let other = try stack.otherProcess()
    func names(_ predicate: QueryPredicate) throws -> [String] {
      try other.fetch(FetchRequest(entityName: "Photo", predicate: predicate))
        .compactMap { try $0.string("name") }.sorted()
    }
    #expect(try names(QueryPredicate("image == nil")) == ["d"])
    #expect(try names(QueryPredicate("image != nil")) == ["a", "b", "c"])
    #expect(try names(QueryPredicate("image == %@", data(200_000, 2))) == ["b"])
    #expect(try names(QueryPredicate("image == %@", data(3, 1))) == ["c"])
    #expect(try names(QueryPredicate("image IN %@", [data(3, 1), data(200_000, 1)])) == ["a", "c"])
  }

  @Test("STO-175: a value is set from a file, which is copied when the object is saved")
  func contentsOfFile() throws {
    let folder = try TemporaryFolder()
    for size in [10, 300_000] {
      let file = folder.url.appending(path: "\(size)")
      try data(size, 5).write(to: file)
      let photo = try context.insert("Photo", ["name": "\(size)"])
      try photo.setData(contentsOf: file, forKey: "image")
      #expect(try photo.value(forKey: "image") as? Data == data(size, 5))
      try context.save()
      try FileManager.default.removeItem(at: file)
      #expect(try photo.value(forKey: "image") as? Data == data(size, 5))
      #expect(
        try stack.otherProcess().all("Photo", "name == '\(size)'")[0].value(forKey: "image") as? Data
          == data(size, 5))
    }
  }

  @Test(
    "STO-182: a file that is gone before the save makes it fail, and one that is not there is refused at once"
  )
  func missingSource() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "x")
    let photo = try context.insert("Photo", ["name": "a"])
    let refused = #expect(throws: GraphStoreError.self) {
      try photo.setData(contentsOf: file, forKey: "image")
    }
    #expect(refused?.code == .externalDataMissing)
    try data(300_000).write(to: file)
    try photo.setData(contentsOf: file, forKey: "image")
    try FileManager.default.removeItem(at: file)
    let error = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(error?.code == .externalDataMissing && error?.message.contains(file.path) == true)
    photo[Self.image] = data(300_000)
    try context.save()
    #expect(try stack.otherProcess().all("Photo")[0].value(forKey: "image") as? Data == data(300_000))
  }

  @Test("STO-178: a source that has changed before the save makes it fail, and no other bytes are stored")
  func changedSource() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "x")
    try data(300_000, 1).write(to: file)
    let photo = try context.insert("Photo", ["name": "a"])
    try photo.setData(contentsOf: file, forKey: "image")
    try data(200_000, 2).write(to: file)
    let error = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(error?.code == .externalDataMissing && error?.message.contains("has changed") == true)
    #expect(try stack.otherProcess().all("Photo").isEmpty)
    try photo.setData(contentsOf: file, forKey: "image")
    try context.save()
    #expect(try stack.otherProcess().all("Photo")[0].value(forKey: "image") as? Data == data(200_000, 2))
  }

  @Test("OBJ-295: elements of composite attributes are kept as attributes are", arguments: [3, 150_000])
  func elements(_ size: Int) throws {
    let photo = try context.insert("Photo", ["name": "a"])
    try photo.setValue(["note": "n", "raw": data(size)] as [String: Any?], forKey: "extra")
    try context.save()
    let found = try stack.otherProcess().all("Photo")[0]
    #expect(try found.value(forKeyPath: "extra.raw") as? Data == data(size))
    #expect(try found.value(forKeyPath: "extra.note") as? String == "n")
  }

  @Test("CTX-316: copies of an object have data of their own")
  func copies() throws {
    let photo = try context.insert("Photo", ["name": "a", "image": data(150_000)])
    try context.save()
    let copy = try context.copy(photo, rules: CopyRules())
    try context.save()
    try context.delete(photo)
    try context.save()
    #expect(copy[Self.image] == data(150_000))
    #expect(try stack.otherProcess().all("Photo")[0].value(forKey: "image") as? Data == data(150_000))
  }
}
