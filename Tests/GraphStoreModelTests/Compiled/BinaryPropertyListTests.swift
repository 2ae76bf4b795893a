import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  @Test("Every kind of value is read as it was written, references of archives among them")
  func kinds() throws {
    let bytes = BinaryPropertyListWriter.bytes(
      of: .list([
        .bool(true), .int(-5), .double(2), .string("ä"), .data(Data([1])), .reference(70_000), .null,
        .dictionary(["k": .date(Date(timeIntervalSinceReferenceDate: 3))]),
      ]))
    guard case .list(let items)? = BinaryPropertyList.node(of: bytes), items.count == 8,
      case .reference(70_000) = items[5], case .null = items[6]
    else {
      Issue.record("no list")
      return
    }
    #expect(
      items.map(\.value) == [
        .bool(true), .int(-5), .double(2), .string("ä"), .data(Data([1])), nil, nil,
        .dictionary(["k": .date(Date(timeIntervalSinceReferenceDate: 3))]),
      ])
  }

  @Test("A whole number beyond those with a sign does not become a negative one")
  func unsigned() {
    // A list of one number of sixteen bytes.
    func list(_ high: UInt64, _ low: UInt64) -> [UInt8] {
      let number = [high, low].flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
      }
      return Array("bplist00".utf8) + [0xA1, 1, 0x14] + number + [8, 10, 0, 0, 0, 0, 0, 0, 1, 1]
        + [2, 0, 27].flatMap { [0, 0, 0, 0, 0, 0, 0, UInt8($0)] }
    }
    for (high, low, expected) in [
      (UInt64(0), UInt64(7), Value.int(7)), (.max, UInt64(bitPattern: -7), .int(-7)),
      (0, .max, .double(18_446_744_073_709_551_616)), (0, 1 << 63, .double(9_223_372_036_854_775_808)),
    ] {
      guard case .list(let items)? = BinaryPropertyList.node(of: list(high, low)) else {
        Issue.record("no list for \(low)")
        continue
      }
      #expect(items.map(\.value) == [expected])
    }
  }

  @Test("A reference makes a list that metadata cannot be")
  func metadata() {
    let bytes = BinaryPropertyListWriter.bytes(of: .dictionary(["a": .reference(1)]))
    #expect(PropertyListReader.dictionary(of: Data(bytes)) == nil)
    let good = BinaryPropertyListWriter.bytes(of: .dictionary(["a": .int(1)]))
    #expect(PropertyListReader.dictionary(of: Data(good)) == ["a": .int(1)])
  }

  @Test("MDL-384: a long text that many places name is made once")
  func sharedText() throws {
    // 1,000 places that name one text of 100,000 bytes: 100 MB if each had its own.
    let text = String(repeating: "a", count: 100_000)
    let bytes = BinaryPropertyListWriter.bytes(of: .list(Array(repeating: .string(text), count: 1000)))
    #expect(bytes.count < 200_000)
    guard case .list(let items)? = BinaryPropertyList.node(of: bytes) else {
      Issue.record("no list")
      return
    }
    #expect(items.count == 1000)
  }

  @Test("MDL-384: a list that holds itself is no property list")
  func circle() {
    var bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(BinaryPropertyList.node(of: bytes) == nil)
  }

  @Test("MDL-384: XML that nests deeply, or declares entities, is refused before it is parsed")
  func deepXML() {
    func list(_ content: String, type: String = "") -> Data {
      Data("<?xml version=\"1.0\"?>\(type)<plist><dict><key>a</key>\(content)</dict></plist>".utf8)
    }
    let deep = String(repeating: "<array>", count: 100_000)
    #expect(PropertyListReader.dictionary(of: list(deep)) == nil)
    #expect(PropertyListReader.dictionary(of: list("<!-- /> /> -->" + deep)) == nil)
    #expect(
      PropertyListReader.dictionary(of: list("<string/>", type: "<!DOCTYPE a [<!ENTITY b \"c\">]>")) == nil)
    #expect(
      PropertyListReader.dictionary(of: list("<string>b</string><!-- <array> -->")) == ["a": .string("b")])
  }
}
