import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Keyed archives")
struct KeyedArchiveTests {
  private func value(_ root: Archived) throws -> Value? {
    if case .value(let value) = try KeyedArchive(TestArchive.bytes(of: root)).root { value } else { nil }
  }

  private func message(_ node: PropertyListNode) -> String? {
    do {
      let archive = try KeyedArchive(BinaryPropertyListWriter.bytes(of: node))
      _ = try archive.root
      return nil
    } catch {
      return error.message
    }
  }

  @Test("MDL-335: values of Foundation's classes are read")
  func values() throws {
    let uuid = try #require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))
    #expect(try value("text") == .string("text"))
    #expect(try value("grüße") == .string("grüße"))
    #expect(try value(.object(["NSMutableString", "NSString"], ["NS.string": "abc"])) == .string("abc"))
    #expect(
      try value(.object(["NSDate", "NSObject"], ["NS.time": 12.5]))
        == .date(Date(timeIntervalSinceReferenceDate: 12.5)))
    #expect(try value(.data([1, 2])) == .data(Data([1, 2])))
    #expect(
      try value(.object(["NSMutableData", "NSData"], ["NS.data": .data([7])])) == .data(Data([7])))
    let url = Archived.object(["NSURL"], ["NS.base": .null, "NS.relative": "https://a.example/b"])
    #expect(try value(url) == .uri(try #require(URL(string: "https://a.example/b"))))
    let based = Archived.object(["NSURL"], ["NS.base": url, "NS.relative": "c"])
    #expect(try value(based) == .uri(try #require(URL(string: "https://a.example/c"))))
    // The property list of real archives holds the bytes in place.
    let place = PropertyListNode.dictionary([
      "$class": .reference(2), "NS.uuidbytes": .data(Data((0..<16).map { UInt8($0) })),
    ])
    let list = TestArchive.list(
      [.string("$null"), place, .dictionary(["$classname": .string("NSUUID")])], root: .reference(1))
    guard case .value(.uuid(uuid)) = try KeyedArchive(BinaryPropertyListWriter.bytes(of: list)).root else {
      Issue.record("no UUID")
      return
    }
  }

  @Test(
    "MDL-335: decimal numbers keep all their digits, in either order of bytes",
    arguments: [
      ([0x39, 0x30, 0, 0], 1, -2, false, "123.45"), ([0x30, 0x39, 0, 0], 2, -2, true, "-123.45"),
      ([0, 0, 1, 0], 1, 0, false, "65536"), ([], 1, 3, false, "0"),
    ] as [([UInt8], Int64, Int64, Bool, String)])
  func decimals(digits: [UInt8], order: Int64, exponent: Int64, isNegative: Bool, text: String)
    throws
  {
    let number = PropertyListNode.dictionary([
      "$class": .reference(2), "NS.mantissa": .data(Data(digits)), "NS.mantissa.bo": .int(order),
      "NS.exponent": .int(exponent), "NS.negative": .bool(isNegative),
    ])
    let names: [PropertyListNode] = [.string("NSDecimalNumber"), .string("NSNumber"), .string("NSObject")]
    let className = PropertyListNode.dictionary(["$classname": names[0], "$classes": .list(names)])
    let list = TestArchive.list([.string("$null"), number, className], root: .reference(1))
    guard case .value(.decimal(let value)) = try KeyedArchive(BinaryPropertyListWriter.bytes(of: list)).root
    else {
      Issue.record("no decimal")
      return
    }
    #expect(value.description == text)
  }

  @Test("MDL-335: a dictionary of known keys leaves out its free places")
  func knownKeys() throws {
    let root = Archived.object(
      ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"],
      [
        "values": ["one", "free", "three"], "emptyToken": "free",
        "searchMapping": .object(["NSKnownKeysMappingStrategy1"], ["keys": ["a", "b", "c"], "length": 3]),
      ])
    let archive = try KeyedArchive(TestArchive.bytes(of: root))
    guard case .dictionary(let pairs) = try archive.root else {
      Issue.record("no dictionary")
      return
    }
    let names = try pairs.map { pair -> String in
      guard case .value(.string(let name)) = try archive.value(at: pair.key) else { return "" }
      return name
    }
    #expect(names == ["a", "c"])
  }

  @Test("MDL-384: what is no archive, or a damaged one, is an error that says so")
  func damaged() {
    #expect(message(.list([])) == "Its property list is damaged.")
    #expect(message(.dictionary([:])) == "Its property list is no keyed archive.")
    #expect(message(TestArchive.list([.string("$null")], root: .reference(9)))?.contains("object 9") == true)
    let classless = TestArchive.list([.string("$null"), .dictionary([:])], root: .reference(1))
    #expect(message(classless) == "An object has no class.")
    #expect(throws: KeyedArchiveError.self) { try KeyedArchive([]) }
    #expect(throws: KeyedArchiveError.self) { try KeyedArchive(Array("bplist00".utf8)) }
  }

  @Test("MDL-384: a number that names itself as its value's place is an error, not a loop")
  func circle() {
    let text = PropertyListNode.dictionary(["$class": .reference(2), "NS.string": .reference(1)])
    let list = TestArchive.list(
      [.string("$null"), text, .dictionary(["$classname": .string("NSString")])], root: .reference(1))
    #expect(message(list) != nil)
  }

  @Test("MDL-384: reading is charged to a budget that grows with the size")
  func budget() throws {
    let archive = try KeyedArchive(TestArchive.bytes(of: .list(Array(repeating: "a", count: 100))))
    #expect(throws: KeyedArchiveError.self) {
      for _ in 0..<1000 { _ = try archive.root }
    }
  }
}
