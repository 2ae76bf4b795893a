import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("JSON stores")
struct JSONStoreTests {
  private let folder: AtomicFolder

  init() throws { folder = try AtomicFolder(.json) }

  private func made() throws -> ManagedObjectContext {
    let context = try folder.make(TestModels.company(isOrdered: true))
    let department = try context.insert("Department", ["name": "Tools"])
    let ada = try context.insert("Employee", ["name": "Ada", "salary": 3, "department": department])
    let bob = try context.insert("Employee", ["name": "Bob", "department": department])
    try bob.setValue(ada, forKey: "manager")
    try ada.setValue([bob], forKey: "friends")
    try context.save()
    return context
  }

  @Test(
    "STO-075, STO-077: one object a line, keys in the model's order, each link once, and what has no value left out"
  )
  func text() throws {
    _ = try made()
    let text = try folder.text()
    #expect(text.hasPrefix("{\n  \"graphstore\": 1,\n") && text.hasSuffix("\n  ]\n}\n"))
    let objects = text.split(separator: "\n").filter { $0.contains("\"@id\"") }
    #expect(
      objects == [
        #"    {"@id":"Department/p1","@version":1,"name":"Tools","employees":["Employee/p1","Employee/p2"]},"#,
        #"    {"@id":"Employee/p1","@version":1,"name":"Ada","salary":3,"department":"Department/p1","friends":["Employee/p2"]},"#,
        #"    {"@id":"Employee/p2","@version":1,"name":"Bob","department":"Department/p1","manager":"Employee/p1","friends":["Employee/p1"]}"#,
      ])
    #expect(text.contains(#"  "highestKeys": {"Department": 1, "Employee": 2, "Project": 0, "Desk": 0},"#))
  }

  @Test(
    "STO-077: a text that was edited by hand, in another order of keys and with other blanks, is read as well"
  )
  func edited() throws {
    _ = try made()
    let text = try folder.text()
    let start = try #require(text.range(of: "  \"objects\": ["))
    let header = text[..<start.lowerBound].dropFirst(2)
    let objects = """
      { "objects" : [ {"name": "Grown", "@id": "Department/p7", "employees": null} ],
      """
    let reordered = objects + header.trimmingCharacters(in: .whitespacesAndNewlines).dropLast() + "}"
    try folder.write(Array(reordered.utf8))
    let context = try folder.open()
    #expect(try context.all("Department").map { try $0.string("name") } == ["Grown"])
    let next = try context.insert("Department", ["name": "next"])
    try context.save()
    #expect(next.objectID.key == 8)
  }

  /// Edits of the text, and a part of what is said of each.
  private static let damages: [(find: String, replacement: String, message: String)] = [
    (#""name":"Ada""#, #""name":7"#, "7 is not a string"),
    (#""salary":3"#, #""salary":3.5"#, "not a whole number"),
    (#""salary":3"#, #""salary":99999999999999999999"#, "outside the range"),
    (#""salary":3"#, #""salry":3"#, "no property \"salry\""),
    (#""salary":3"#, #""salary":3,"salary":4"#, "occurs twice"),
    (#""@id":"Employee/p2""#, #""@id":"Employee/p1""#, "two objects"),
    (#""@id":"Employee/p2""#, #""@id":"Robot/p2""#, "no entity \"Robot\""),
    (#""@id":"Employee/p2""#, #""@id":"Employee/p0""#, "no key"),
    (#""@id":"Employee/p2""#, #""@id":"Employee/p999999999999999""#, "no key"),
    (#""@id":"Employee/p2""#, #""@id":"Employee/p99999999999999999999999""#, "no identifier"),
    (#""@id":"Employee/p2""#, #""@id":2"#, "identifier"),
    (#""@id":"Employee/p2","#, "", "no \"@id\""),
    (#""@version":1"#, #""@version":-1"#, "version"),
    (#""manager":"Employee/p1""#, #""manager":"Employee/p9""#, "not there"),
    (#""manager":"Employee/p1""#, #""manager":"Department/p1""#, "does not lead"),
    (#""friends":["Employee/p2"]"#, #""friends":"Employee/p2""#, "list"),
    (#""friends":["Employee/p2"]"#, #""friends":["Employee/p2","Employee/p2"]"#, "twice"),
    (#""employees":["Employee/p1","Employee/p2"]"#, #""employees":["Employee/p1"]"#, "lacks"),
    (
      #""employees":["Employee/p1","Employee/p2"]"#, #""employees":["Employee/p1","Employee/p9"]"#,
      "not there"
    ),
    (#""department":"Department/p1""#, #""spouse":"Employee/p2""#, "does not"),
    (#"{"@id":"Department/p1""#, #"[{"@id":"Department/p1""#, "object is expected"),
    (#""highestKeys": {"Department": 1"#, #""highestKeys": {"Department": 999999999999999"#, "cannot be"),
    (#""highestKeys": {"Department": 1"#, #""highestKeys": {"Department": true"#, "no key"),
    (#""uuid": ""#, #""uuid": "x"#, "no UUID"),
    (#""graphstore": 1"#, #""graphstore": 0"#, "no version"),
    (#""name":"Ada""#, #""name":"A\ud800""#, "Half of a character"),
    (#""name":"Ada""#, "\"name\":\"A\u{1}\"", "control character"),
    ("\n  ]\n}\n", "", "not closed"),
    ("\n  ]\n}\n", "\n  ],\n  \"notes\": []\n}\n", "no key \"notes\""),
    ("  \"metadata\":", "  \"notes\": [],\n  \"metadata\":", "no key \"notes\""),
    ("\n  ]\n}\n", "\n  ],\n  \"objects\": []\n}\n", "\"objects\" occurs twice"),
    ("\n  ]\n}\n", "\n  ],\n  \"model\": null\n}\n", "\"model\" occurs twice"),
    ("\n  ]\n}\n", "\n  ]\n}\n{}", "after the end"),
    (#""name":"Ada""#, "\"name\":" + String(repeating: "[", count: 100_000), "too deeply"),
  ]

  @Test(
    "STO-055, STO-337, DGN-185: damage of any kind is refused, with its place and what is wrong",
    arguments: damages.indices)
  func damage(_ number: Int) throws {
    _ = try made()
    let damage = Self.damages[number]
    let text = try folder.text()
    let range = try #require(text.range(of: damage.find), "\(damage.find)")
    try folder.write(Array(text.replacingCharacters(in: range, with: damage.replacement).utf8))
    let error = try expectFailure(.storeCorrupt) { _ = try folder.open() }
    #expect(error.message.contains(damage.message), "\(error.message)")
    #expect(error.number == 259 && error.message.contains(folder.path()))
  }

  @Test("STO-055: an error in the text says its line and column")
  func place() throws {
    _ = try made()
    let lines = try folder.text().replacing(#""salary":3"#, with: #""salary":x"#).split(separator: "\n")
    try folder.write(Array(lines.joined(separator: "\n").utf8))
    let line = try #require(lines.firstIndex { $0.contains(":x") })
    let column = try #require(lines[line].range(of: ":x")).lowerBound
    let error = try expectFailure(.storeCorrupt) { _ = try folder.open() }
    let place =
      "line \(line + 1), column \(lines[line].distance(from: lines[line].startIndex, to: column) + 2)"
    #expect(error.message.contains(place), "\(error.message)")
  }

  @Test("STO-055, STO-075: a contradiction that shows only at the end is told with the line of the property")
  func placeOfLinks() throws {
    _ = try made()
    let text = try folder.text().replacing(
      #""employees":["Employee/p1","Employee/p2"]"#, with: #""employees":["Employee/p2"]"#)
    try folder.write(Array(text.utf8))
    let line = try #require(text.split(separator: "\n").firstIndex { $0.contains("\"employees\":[") })
    let error = try expectFailure(.storeCorrupt) { _ = try folder.open() }
    #expect(error.message.contains("line \(line + 1), column "), "\(error.message)")
  }

  @Test("STO-021, STO-337: a byte-order mark before the text is no matter")
  func byteOrderMark() throws {
    _ = try made()
    try folder.write([0xEF, 0xBB, 0xBF] + folder.bytes())
    #expect(StoreType.detected(at: folder.path()) == .json && StoreModel.isStore(folder.path()))
    #expect(try folder.open().all("Employee").count == 2)
  }

  @Test("STO-055, DGN-185: bytes that are no UTF-8, and data that are no Base64, are refused")
  func badBytes() throws {
    let context = try folder.make(TestModels.types)
    let thing = try context.insert(entityNamed: "Thing")
    try thing.setQueryValue(.data(Data([1, 2, 3])), forKey: "bytes")
    try context.save()
    let text = try folder.text()
    try folder.write(Array(text.replacing(#""bytes":"AQID""#, with: #""bytes":"AQI*""#).utf8))
    let error = try expectFailure(.storeCorrupt) { _ = try folder.open() }
    #expect(error.message.contains("Base64"))
    var bytes = Array(text.utf8)
    bytes[try #require(bytes.lastIndex(of: UInt8(ascii: "A")))] = 0xFF
    try folder.write(bytes)
    #expect(try expectFailure(.storeCorrupt) { _ = try folder.open() }.message.contains("UTF-8"))
  }

  @Test("STO-079: a newer form is refused with who wrote it; JSON that is no store is not taken for one")
  func otherTexts() throws {
    _ = try made()
    let text = try folder.text().replacing("\"graphstore\": 1", with: "\"graphstore\": 2")
      .replacing(LibraryVersion.name, with: "GraphStore 9.9")
    try folder.write(Array(text.utf8))
    let error = try expectFailure(.storeOpen) { _ = try folder.open() }
    #expect(error.number == 134_080 && error.message.contains("GraphStore 9.9"))
    try folder.write(Array("{\"name\": \"Company\"}".utf8), to: "model")
    _ = try expectFailure(.notAStore) { _ = try folder.open("model") }
    #expect(!StoreModel.isStore(folder.path("model")) && StoreModel.isStore(folder.path()))
    try folder.write(Array("[1]".utf8), to: "list")
    _ = try expectFailure(.notAStore) { _ = try folder.open("list") }
  }

  @Test("STO-107: metadata of every kind are kept as they are")
  func metadata() throws {
    let context = try made()
    let coordinator = context.coordinator
    var metadata = try coordinator.metadata()
    let values: [String: Value] = [
      "text": .string("x"), "flag": .bool(true), "whole": .int(.max), "real": .double(5),
      "infinite": .double(.infinity),
      "date": .date(Date(timeIntervalSinceReferenceDate: 0.1)), "bytes": .data(Data([0, 255])),
      "list": .list([.int(1), .list([]), .dictionary([:])]),
      "like a tag": .dictionary(["$data": .string("no bytes")]),
      "two": .dictionary(["$a": .int(1), "$b": .int(2)]),
    ]
    metadata.merge(values) { $1 }
    try coordinator.setMetadata(metadata, for: coordinator.persistentStores[0])
    try context.save()
    let read = try folder.open().coordinator.metadata()
    for (key, value) in values { #expect(read[key] == value, "\(key)") }
    #expect(read == metadata)
  }

  @Test("STO-042, STO-043, STO-044: the options of the type are taken, and those of others refused")
  func options() throws {
    let options = try StoreOptions(["overwriteChangedFile": .bool(true), "timeout": .int(1)], type: .json)
    #expect(options.overwritesChangedFile && options.timeout == .seconds(1))
    _ = try expectFailure(.storeOption) {
      _ = try StoreOptions(["connectionPoolMaxSize": .int(2)], type: .json)
    }
    _ = try expectFailure(.storeOption) { _ = try StoreOptions(["overwriteChangedFile": .bool(true)]) }
  }

  @Test("OBJ-295, STO-077: composites and data with external storage lie in the text")
  func otherKinds() throws {
    let model = ModelDefinition(
      name: "Kinds",
      entities: [
        EntityDefinition(
          "Place",
          attributes: [
            AttributeDefinition(
              "address", .composite, elements: [.init("city", .string), .init("zip", .int64)]),
            AttributeDefinition("picture", .binary, externalStorage: true),
          ])
      ])
    let context = try folder.make(model)
    let place = try context.insert(entityNamed: "Place")
    try place.setValue("Köln", forKeyPath: "address.city")
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    try place.setValue(data, forKey: "picture")
    try context.save()
    #expect(try folder.text().contains(#""address":{"city":"Köln"}"#))
    let read = try folder.open().fetch(FetchRequest(entityName: "Place"))[0]
    #expect(try read.value(forKeyPath: "address.city") as? String == "Köln")
    #expect(try read.value(forKey: "picture") as? Data == data)
    #expect(try folder.names() == ["store"])
  }
}
