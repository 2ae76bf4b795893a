import Foundation
import GraphStoreModel
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("Binary stores")
struct BinaryStoreTests {
  private let folder: AtomicFolder

  init() throws { folder = try AtomicFolder(.binary) }

  private func root() throws -> [String: PropertyListNode] {
    guard case .dictionary(let root)? = PropertyListReader.node(of: try folder.bytes()) else { return [:] }
    return root
  }

  @Test(
    "STO-075, STO-076: dates are doubles, data data, decimals text, UUIDs 16 bytes, and nothing is archived")
  func form() throws {
    let context = try folder.make(TestModels.types)
    let uuid = UUID()
    let thing = try context.insert(entityNamed: "Thing")
    for (key, value) in [
      ("moment", Value.date(Date(timeIntervalSinceReferenceDate: 0.1))), ("bytes", .data(Data([7]))),
      ("money", .decimal(Decimal(12) / 10)), ("tag", .uuid(uuid)), ("large", .int(.max)),
    ] { try thing.setQueryValue(value, forKey: key) }
    try context.save()
    guard case .list(let objects)? = try root()["objects"], case .dictionary(let object)? = objects.first
    else {
      Issue.record("no objects")
      return
    }
    guard case .date(let date)? = object["moment"], case .data(let bytes)? = object["bytes"],
      case .string(let money)? = object["money"], case .data(let tag)? = object["tag"],
      case .int(let large)? = object["large"], case .string(let id)? = object["@id"],
      case .int(let version)? = object["@version"]
    else {
      Issue.record("\(object)")
      return
    }
    #expect(date.timeIntervalSinceReferenceDate == 0.1 && bytes == Data([7]) && money == "1.2")
    #expect(tag == withUnsafeBytes(of: uuid.uuid) { Data($0) } && large == .max)
    #expect(id == "Thing/p1" && version == 1)
    #expect(Set(object.keys) == ["@id", "@version", "moment", "bytes", "money", "tag", "large"])
    #expect(try root()["$archiver"] == nil && root()["$objects"] == nil)
  }

  private func write(_ change: (inout [String: PropertyListNode]) -> Void) throws {
    var root = try root()
    change(&root)
    try folder.write(BinaryPropertyListWriter.bytes(of: .dictionary(root)))
  }

  @Test(
    "STO-079: a newer form is refused with who wrote it, and another property list is not taken for a store")
  func otherLists() throws {
    _ = try folder.make(TestModels.company())
    try write { root in
      root["GraphStoreFormat"] = .int(2)
      root["writer"] = .string("GraphStore 9.9")
    }
    let error = try expectFailure(.storeOpen) { _ = try folder.open() }
    #expect(error.number == 134_080 && error.message.contains("GraphStore 9.9"))
    try write { $0["GraphStoreFormat"] = nil }
    _ = try expectFailure(.notAStore) { _ = try folder.open() }
  }

  @Test("STO-055, DGN-185: an object that is wrong is refused with its number and what is wrong with it")
  func damage() throws {
    let context = try folder.make(TestModels.company())
    try context.insert("Department", ["name": "A"])
    try context.save()
    let good = try root()
    let damages: [(key: String, node: PropertyListNode, message: String)] = [
      ("name", .int(7), "none of its type"), ("nmae", .string("A"), "no property"),
      ("employees", .list([.string("Employee/p9")]), "not there"),
      ("employees", .string("Employee/p9"), "no list"),
      ("@id", .string("Robot/p1"), "no entity"), ("@id", .int(1), "no text"),
      ("@version", .int(-1), "version"),
      ("@version", .string("1"), "missing"),
    ]
    for (key, node, message) in damages {
      try write { root in
        root = good
        guard case .list(var objects)? = root["objects"], case .dictionary(var object)? = objects.first else {
          return
        }
        object[key] = node
        objects[0] = .dictionary(object)
        root["objects"] = .list(objects)
      }
      let error = try expectFailure(.storeCorrupt) { _ = try folder.open() }
      #expect(error.message.contains(message), "\(key): \(error.message)")
    }
  }
}
