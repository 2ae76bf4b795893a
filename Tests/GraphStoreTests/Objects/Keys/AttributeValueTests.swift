import Foundation
import GraphStore
import Testing

struct AttributeValueTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.types) }

  private func roundTrip(_ value: Any, _ key: String) throws -> Any? {
    try stack.context.insert("Thing", [key: value])
    try stack.context.save()
    let things = try stack.otherProcess().all("Thing")
    return try things[0].value(forKey: key)
  }

  @Test("OBJ-142: integers of every width come back in that width", arguments: [Int64.min, -1, 0, Int64.max])
  func integers(_ value: Int64) throws {
    #expect(try roundTrip(value, "large") as? Int64 == value)
  }

  @Test("OBJ-142: a number outside the width is refused and the old value stays")
  func outOfRange() throws {
    let thing = try stack.context.insert("Thing", ["small": 7])
    #expect { try thing.setValue(32_768, forKey: "small") } throws: {
      ($0 as? GraphStoreError)?.code == .valueOutOfRange
    }
    #expect(try thing.value(forKey: "small") as? Int16 == 7)
  }

  @Test(
    "OBJ-142: a setter that refuses a value leaves a saved object as it was",
    arguments: [
      ("small", Value.int(32_768)), ("large", .string("12")), ("ratio", .double(.nan)),
      ("single", .double(1e300)),
      ("flag", .int(2)), ("moment", .date(Date(timeIntervalSinceReferenceDate: .infinity))),
      ("text", .int(1)),
      ("money", .double(.infinity)),
    ])
  func refused(_ key: String, _ value: Value) throws {
    let thing = try stack.context.insert("Thing", ["small": 7, "text": "kept"])
    try stack.context.save()
    #expect(throws: GraphStoreError.self) { try thing.setQueryValue(value, forKey: key) }
    #expect(!thing.isUpdated && !thing.hasChanges && !stack.context.hasChanges)
    #expect(
      try thing.value(forKey: "small") as? Int16 == 7 && thing.value(forKey: "text") as? String == "kept")
    thing[AttributeKey<ManagedObject, Decimal>("money")] =
      Decimal(string: "340282366920938463463374607431768211455") ?? 0
    #expect(stack.context.takeDeferredErrors().count == 1)
    #expect(!thing.isUpdated && !stack.context.hasChanges)
  }

  @Test("OBJ-141, OBJ-149: text is not turned into a number on set")
  func wrongType() throws {
    let thing = try stack.context.insert(entityNamed: "Thing")
    #expect { try thing.setValue("12", forKey: "large") } throws: {
      ($0 as? GraphStoreError)?.code == .valueType
    }
  }

  @Test(
    "OBJ-144, OBJ-524, STO-243: decimals come back digit for digit",
    arguments: [
      "0.1", "-12.50", "123456789012345", "1234567890123456", "99999999999999999999999999999999999999",
      "0.00000000000000000001", "4611686018427387904", "2305843009213693951", "1e20", "0",
      "1000000000000000", "-1000000000000000.5",
    ])
  func decimals(_ text: String) throws {
    let value = try #require(Decimal(string: text))
    #expect(try roundTrip(value, "money") as? Decimal == value)
    #expect(try stack.context.all("Thing", "money == \(text)").count == 1)
  }

  @Test("OBJ-143: a decimal set to a double gives the double nearest to it")
  func decimalsAsDoubles() throws {
    let value = try #require(Decimal(string: "1.23456789012345678901234567890123456789"))
    let thing = try stack.context.insert("Thing", ["ratio": value])
    #expect(try thing.value(forKey: "ratio") as? Double == 1.23456789012345678901234567890123456789)
  }

  @Test(
    "STO-243: a decimal of more than 38 digits is refused, whatever sets it, and the old value stays",
    arguments: [
      "340282366920938463463374607431768211455", "-100000000000000000000000000000000000001",
      "100000000000000000000000000000000000001e-20",
    ])
  func longDecimals(_ text: String) throws {
    let value = try #require(Decimal(string: text))
    let thing = try stack.context.insert("Thing", ["money": Decimal(7)])
    #expect { try thing.setValue(value, forKey: "money") } throws: {
      ($0 as? GraphStoreError)?.code == .valueOutOfRange
    }
    thing[AttributeKey<ManagedObject, Decimal>("money")] = value
    #expect((stack.context.takeDeferredErrors().first as? GraphStoreError)?.code == .valueOutOfRange)
    #expect(try thing.value(forKey: "money") as? Decimal == 7)
    let short = try #require(Decimal(string: "200000000000000000000000000000000000000"))
    try thing.setValue(short, forKey: "money")
    #expect(try thing.value(forKey: "money") as? Decimal == short)
  }

  @Test(
    "OBJ-146: strings come back scalar by scalar",
    arguments: ["", "a\u{0}b", "e\u{301}", "é", "👩‍👩‍👧", "שלום", "'; DROP TABLE ZTHING; --"])
  func strings(_ text: String) throws {
    let read = try #require(try roundTrip(text, "text") as? String)
    #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test("OBJ-146: a text of 10 MB comes back whole")
  func longText() throws {
    let text = String(repeating: "0123456789", count: 1 << 20)
    #expect(try roundTrip(text, "text") as? String == text)
  }

  @Test(
    "OBJ-147: dates come back with the same bits",
    arguments: [0.1, -1e9, Double.leastNonzeroMagnitude, 640_000_000, 1e300])
  func dates(_ seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect((try roundTrip(date, "moment") as? Date)?.timeIntervalSinceReferenceDate == seconds)
  }

  @Test("OBJ-148: UUIDs, URIs and bytes come back")
  func identifiers() throws {
    let uuid = UUID()
    let data = Data([0, 1, 255])
    let link = try #require(URL(string: "https://example.org/a?b=c#d"))
    try stack.context.insert("Thing", ["tag": uuid, "bytes": data, "link": link])
    try stack.context.save()
    let thing = try stack.otherProcess().all("Thing")[0]
    #expect(try thing.value(forKey: "tag") as? UUID == uuid)
    #expect(try thing.value(forKey: "bytes") as? Data == data)
    #expect(try thing.value(forKey: "link") as? URL == link)
  }

  @Test("OBJ-154, OBJ-525: a missing value differs from zero, from empty text and from empty data")
  func missingValues() throws {
    try stack.context.insert("Thing", ["large": 0, "text": "", "bytes": Data(), "flag": false])
    try stack.context.insert(entityNamed: "Thing")
    try stack.context.save()
    let things = try stack.otherProcess().all("Thing", sort: ["objectID"])
    #expect(try things[0].value(forKey: "large") as? Int64 == 0)
    #expect(try things[0].string("text") == "")
    #expect(try things[0].value(forKey: "bytes") as? Data == Data())
    #expect(try things[0].value(forKey: "flag") as? Bool == false)
    for key in ["large", "text", "bytes", "flag", "money"] {
      #expect(try things[1].value(forKey: key) == nil)
    }
  }

  @Test("OBJ-255, OBJ-257: a transient value is tracked and never written")
  func transient() throws {
    let thing = try stack.context.insert("Thing", ["passing": "here"])
    try stack.context.save()
    #expect(try thing.string("passing") == "here")
    try thing.setValue("again", forKey: "passing")
    #expect(stack.context.hasChanges)
    #expect(!thing.hasPersistentChangedValues)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Thing")[0].value(forKey: "passing") == nil)
  }

  @Test("OBJ-202: an unknown key names the near ones")
  func unknownKey() throws {
    let thing = try stack.context.insert(entityNamed: "Thing")
    #expect {
      try thing.setValue(1, forKey: "lage")
    } throws: { error in
      let error = error as? GraphStoreError
      return error?.code == .unknownKey && error?.suggestions.first == "large"
    }
  }

  @Test("Many changes of one object read back in memory before a save")
  func overwriting() throws {
    let thing = try stack.context.insert(entityNamed: "Thing")
    for round in 0..<200 {
      try thing.setValue(String(repeating: "x", count: round), forKey: "text")
      try thing.setValue(round, forKey: "large")
    }
    #expect(try thing.string("text")?.count == 199)
    #expect(try thing.value(forKey: "large") as? Int64 == 199)
  }
}
