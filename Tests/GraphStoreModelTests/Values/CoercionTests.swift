import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

@Suite("Values from text and JSON")
struct CoercionTests {
  @Test(
    "MDL-122: whole numbers fit their width",
    arguments: [
      (.int16, "32767", 32_767), (.int16, "-32768", -32_768), (.int32, "2147483647", 2_147_483_647),
      (.int64, "-9223372036854775808", .min), (.int64, "9223372036854775807", .max), (.int16, "007", 7),
      (.int16, "+5", 5), (.int32, "1.0", 1), (.int64, "0", 0),
    ] as [(AttributeType, String, Int64)])
  func integers(type: AttributeType, text: String, expected: Int64) throws {
    let (model, attribute) = try attribute(type)
    #expect(try attribute.value(fromText: text) == .int(expected))
    #expect(model.entities.count == 1)
  }

  @Test(
    "MDL-122: beyond the width nothing wraps",
    arguments: [
      (.int16, "32768"), (.int16, "-32769"), (.int32, "2147483648"), (.int64, "9223372036854775808"),
      (.int64, "1e400"), (.float, "1e39"), (.double, "1e309"),
      (.decimal, "123456789012345678901234567890123456789"), (.decimal, "1e-200"), (.decimal, "1e300"),
    ] as [(AttributeType, String)])
  func outOfRange(type: AttributeType, text: String) throws {
    let (model, attribute) = try attribute(type)
    let error = #expect(throws: ValueConversionError.self) { try attribute.value(fromText: text) }
    #expect(error?.code == .outOfRange)
    #expect(error?.number == 136_020)
    #expect(error?.message.hasPrefix("Thing.value: ") == true)
    #expect(model.entities.count == 1)
  }

  @Test(
    "MDL-128, OBJ-149: text that is no value of the type is refused",
    arguments: [
      (.int16, "1.5"), (.int16, ""), (.int16, "x"), (.int16, "1 "), (.int64, "0x10"), (.decimal, "1,5"),
      (.double, "nan"),
      (.double, "0x1p3"), (.boolean, "maybe"), (.boolean, "2"), (.date, "today"), (.uuid, "123"),
      (.binary, "a"),
      (.uri, "a b"), (.transformable, "x"), (.float, ""),
    ] as [(AttributeType, String)])
  func wrongType(type: AttributeType, text: String) throws {
    let (model, attribute) = try attribute(type)
    let error = #expect(throws: ValueConversionError.self) { try attribute.value(fromText: text) }
    #expect(error?.code == .type)
    #expect(model.entities.count == 1)
  }

  @Test("MDL-123: 38 nines stay 38 nines, 0.1 stays 0.1")
  func decimals() throws {
    let (model, attribute) = try attribute(.decimal)
    for text in [String(repeating: "9", count: 38), "0.1", "-0.000123", "5e10", "1e-127"] {
      let expected = try #require(Decimal(string: text))
      #expect(try attribute.value(fromText: text) == .decimal(expected))
      #expect(try attribute.value(fromJSON: .number(text)) == .decimal(expected))
      #expect(try attribute.value(fromJSON: .string(text)) == .decimal(expected))
    }
    #expect(model.entities.count == 1)
  }

  @Test(
    "MDL-124, MDL-125: other types from text",
    arguments: [
      (.boolean, "Yes", .bool(true)), (.boolean, "0", .bool(false)), (.double, "-1.5e3", .double(-1500)),
      (.double, "inf", .double(.infinity)), (.float, "0.1", .double(Double(Float(0.1)))),
      (.string, "", .string("")),
      (.date, "2001-01-01T00:00:00.5Z", .date(Date(timeIntervalSinceReferenceDate: 0.5))),
      (.date, "2001-01-02", .date(Date(timeIntervalSinceReferenceDate: 86_400))),
      (.binary, "", .data(Data())),
      (.binary, "AAE=", .data(Data([0, 1]))),
    ] as [(AttributeType, String, Value)])
  func others(type: AttributeType, text: String, expected: Value) throws {
    let (model, attribute) = try attribute(type)
    #expect(try attribute.value(fromText: text) == expected)
    #expect(model.entities.count == 1)
  }

  @Test("MDL-134: JSON null is the missing value of every type", arguments: AttributeType.allCases)
  func null(type: AttributeType) throws {
    let (model, attribute) = try attribute(type) {
      $0.isTransient = type == .undefined
      if type == .composite { $0.elements = [AttributeDefinition("e", .string)] }
    }
    #expect(try attribute.value(fromJSON: nil) == .null)
    #expect(model.entities.count == 1)
  }

  @Test(
    "OBJ-145: JSON values of another type are refused",
    arguments: [
      (.int16, true), (.boolean, 2), (.string, 1), (.date, true), (.date, 1_704_067_200), (.uuid, 1),
      (.double, []), (.string, [:]),
    ] as [(AttributeType, JSONValue)])
  func wrongJSON(type: AttributeType, json: JSONValue) throws {
    let (model, attribute) = try attribute(type)
    let error = #expect(throws: ValueConversionError.self) { try attribute.value(fromJSON: json) }
    #expect(error?.code == .type)
    #expect(model.entities.count == 1)
  }

  @Test("MDL-192: a composite is read from an object of its elements")
  func composite() throws {
    let (model, attribute) = try attribute(.composite) {
      $0.elements = [AttributeDefinition("city", .string), AttributeDefinition("zip", .int32)]
    }
    #expect(
      try attribute.value(fromJSON: ["city": "Bonn", "zip": 53111])
        == .dictionary(["city": .string("Bonn"), "zip": .int(53111)]))
    #expect(throws: ValueConversionError.self) { try attribute.value(fromJSON: ["town": "Bonn"]) }
    #expect(model.entities.count == 1)
  }
}
