import Foundation
import GraphStore

/// Tagged value that is well-formed JSON, but not the value that its tag says it is.
struct JSONValueProblem: Error, Equatable {
  /// Stable, in kebab-case.
  var code: String
  /// A clause that says what is wrong.
  var message: String
  /// Where, in bytes from the beginning of the text.
  var offset: Int
}

extension JSONRecord {
  /// The value at a place of the record: an object as a source of keys, an array as a list, a tagged object
  /// as what its tag says.
  func value(_ place: Range<Int>) -> QueryOperand {
    switch unsafe source[place.lowerBound] {
    case UInt8(ascii: "\""): .value(.string(text(place)))
    case UInt8(ascii: "{"): tagged(place) ?? .source(object(place))
    case UInt8(ascii: "["): list(place)
    case UInt8(ascii: "t"): .value(.bool(true))
    case UInt8(ascii: "f"): .value(.bool(false))
    case UInt8(ascii: "n"): .null
    default: .value(number(place))
    }
  }

  /// What a comparison with a constant yields for the value at a place, where it can be told without making
  /// the value.
  @inline(__always)
  func truth(of test: FieldTest, _ place: Range<Int>) -> Ternary? {
    switch unsafe source[place.lowerBound] {
    case UInt8(ascii: "\""):
      let bytes = unsafe UnsafeBufferPointer(rebasing: source[place.lowerBound + 1..<place.upperBound - 1])
      return unsafe Self.hasEscapes(bytes) ? nil : test.truth(ofText: bytes)
    case UInt8(ascii: "n"): return test.missing
    case UInt8(ascii: "t"): return test.truth(ofInteger: 1)
    case UInt8(ascii: "f"): return test.truth(ofInteger: 0)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
    default:
      let bytes = unsafe UnsafeBufferPointer(rebasing: source[place])
      return unsafe NumberText.integer(bytes).flatMap { test.truth(ofInteger: $0) }
        ?? Self.shortDouble(bytes).flatMap { test.truth(ofDouble: $0) }
    }
  }

  func object(_ place: Range<Int>) -> JSONObject { JSONObject(self, place) }

  /// The text of the string at a place.
  func text(_ place: Range<Int>) -> String {
    let inner = place.lowerBound + 1..<place.upperBound - 1
    let bytes = unsafe UnsafeBufferPointer(rebasing: source[inner])
    guard unsafe Self.hasEscapes(bytes) else { return unsafe String(decoding: bytes, as: UTF8.self) }
    let slice = JSONReader.StringSlice(start: inner.lowerBound, end: inner.upperBound, hasEscapes: true)
    return unsafe String(decoding: JSONReader(source).text(slice, scratch: scratch), as: UTF8.self)
  }

  /// The number at a place: an integer or a decimal beyond 64 bits, a double or the decimal that it cannot
  /// name. With more digits than a decimal has it is the nearest double.
  private func number(_ place: Range<Int>) -> Value {
    let bytes = unsafe UnsafeBufferPointer(rebasing: source[place])
    if let integer = unsafe NumberText.integer(bytes) { return .int(integer) }
    if let double = unsafe Self.shortDouble(bytes) { return .double(double) }
    let exact = unsafe Value.string(String(decoding: bytes, as: UTF8.self)).cast(to: .number)
    if !exact.isNull { return exact }
    if let double = unsafe NumberText.double(bytes), double.isFinite { return .double(double) }
    fail("value-out-of-range", "the number is too large for a double", at: place.lowerBound)
    return .null
  }

  private static func hasEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return unsafe memchr(base, Int32(UInt8(ascii: "\\")), bytes.count) != nil
  }

  /// The double that a number of at most 15 digits names: it gives the same digits back. Nil for others, and
  /// for whole numbers, which are integers.
  private static func shortDouble(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let numeral = unsafe DecimalNumeral(bytes), numeral.significand < 1_000_000_000_000_000,
      numeral.exponent.magnitude <= 22,
      unsafe bytes.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") })
    else { return nil }
    return unsafe NumberText.double(bytes)
  }

  private func list(_ place: Range<Int>) -> QueryOperand {
    var operands: [QueryOperand] = []
    var values: [Value] = []
    forEachElement(place) { element in
      let operand = value(element)
      operands.append(operand)
      if case .value(let value) = operand { values.append(value) }
    }
    return values.count == operands.count
      ? .value(.list(values)) : .collection(operands, isOrdered: true)
  }

  func elementCount(_ place: Range<Int>) -> Int {
    var count = 0
    forEachElement(place) { _ in count += 1 }
    return count
  }

  private func forEachElement(_ place: Range<Int>, _ body: (Range<Int>) -> Void) {
    var reader = unsafe JSONReader(source, at: place.lowerBound)
    do throws(JSONError) {
      try reader.beginArray()
      while try reader.nextElement() { body(try reader.skipValue()) }
    } catch {
      fail("json-syntax", error.message, at: error.offset)
    }
  }

  /// The value of an object whose only key is a tag; nil for every other object.
  private func tagged(_ place: Range<Int>) -> QueryOperand? {
    var reader = unsafe JSONReader(source, at: place.lowerBound)
    let content: Range<Int>
    let tag: ValueTag
    do throws(JSONError) {
      try reader.beginObject()
      guard let key = try reader.nextKey(), unsafe source[key.start] == UInt8(ascii: "$"),
        let known = ValueTag(rawValue: reader.string(key))
      else { return nil }
      tag = known
      content = try reader.skipValue()
      guard try reader.nextKey() == nil else { return nil }
    } catch {
      fail("json-syntax", error.message, at: error.offset)
      return nil
    }
    return operand(tag, content)
  }

  private func operand(_ tag: ValueTag, _ content: Range<Int>) -> QueryOperand {
    let first = unsafe source[content.lowerBound]
    if let type = tag.castType {
      let value = first == UInt8(ascii: "\"") ? Value.string(text(content)).cast(to: type) : .null
      if !value.isNull { return .value(value) }
    } else if first == UInt8(ascii: "[") {
      var members: [QueryOperand] = []
      forEachElement(content) { element in
        let member = value(element)
        if !members.contains(where: { $0.value.isEqual(to: member.value) }) { members.append(member) }
      }
      return .collection(members, isOrdered: tag == .orderedSet)
    }
    fail("bad-tag", "\(tag.rawValue) holds \(tag.content)", at: content.lowerBound)
    return .null
  }

  private func fail(_ code: String, _ message: String, at offset: Int) {
    if problem == nil { problem = JSONValueProblem(code: code, message: message, offset: offset) }
  }
}

/// Tag of a value that JSON lacks, the key of an object with one member: `{"$date": "2024-05-01"}`.
enum ValueTag: String, CaseIterable {
  case date = "$date"
  case data = "$data"
  case uuid = "$uuid"
  case url = "$url"
  case decimal = "$decimal"
  case set = "$set"
  case orderedSet = "$orderedset"

  /// What the text inside is cast to; nil for the tags of arrays.
  var castType: QueryCastType? {
    switch self {
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .url: .uri
    case .decimal: .decimal
    case .set, .orderedSet: nil
    }
  }

  /// What has to stand inside.
  var content: String {
    switch self {
    case .date: "a date in ISO 8601, such as \"2024-05-01\" or \"2024-05-01T12:00:00Z\""
    case .data: "bytes in base64"
    case .uuid: "a UUID such as \"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\""
    case .url: "a URL"
    case .decimal: "a decimal number as text, such as \"12.50\""
    case .set, .orderedSet: "an array"
    }
  }
}
