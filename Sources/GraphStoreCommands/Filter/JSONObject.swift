import GraphStore

/// An object inside of a record, whose keys are looked up in its bytes.
final class JSONObject: PropertySource {
  private let record: JSONRecord
  private let extent: Range<Int>
  private let generation: Int

  init(_ record: JSONRecord, _ extent: Range<Int>) {
    self.record = record
    self.extent = extent
    generation = record.generation
  }

  var _objectReference: ObjectReference? { nil }

  var _dictionary: [String: Value]? {
    var values: [String: Value] = [:]
    forEachMember { key, value, reader in values[reader.string(key)] = record.value(value).value }
    return values
  }

  func _operand(forKey key: PropertyKey) -> QueryOperand {
    var name = key.name
    return name.withUTF8 { unsafe place(of: $0) }.map { record.value($0) } ?? .null
  }

  func _count(forKey key: PropertyKey) -> Int? {
    var name = key.name
    guard let place = name.withUTF8({ unsafe place(of: $0) }) else { return nil }
    return unsafe record.source[place.lowerBound] == UInt8(ascii: "[") ? record.elementCount(place) : nil
  }

  func _truth(of test: FieldTest, forKey key: PropertyKey) -> Ternary? {
    var name = key.name
    guard let place = name.withUTF8({ unsafe place(of: $0) }) else { return test.missing }
    return record.truth(of: test, place)
  }

  /// Where the value of a key lies; of several the last counts.
  func place(of name: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    var found: Range<Int>?
    forEachMember { key, value, reader in
      let text = unsafe reader.text(key, scratch: record.scratch)
      if text.count == name.count, unsafe text.elementsEqual(name) { found = value }
    }
    return found
  }

  /// Goes through the members: the syntax of the record was checked when it was read.
  private func forEachMember(_ body: (JSONReader.StringSlice, Range<Int>, JSONReader) -> Void) {
    guard generation == record.generation else { return }
    var reader = unsafe JSONReader(record.source, at: extent.lowerBound)
    do throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() { body(key, try reader.skipValue(), reader) }
    } catch {
      record.fault = JSONValueFault(code: "json-syntax", message: error.message, offset: error.offset)
    }
  }
}
