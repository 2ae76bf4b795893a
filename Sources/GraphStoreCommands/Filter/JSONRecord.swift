import GraphStore

/// Zero-copy view of one JSON value of the input.
///
/// Reading it checks its syntax and notes where those members lie that a predicate has asked for before; each
/// becomes a value only when it is asked for. The same record is used for all of the input.
@safe final class JSONRecord: PropertySource {
  /// A name that was asked for, and where its value lies in the record.
  @safe private struct Member {
    var name: UnsafeMutableBufferPointer<UInt8>
    var start: Int
    var end: Int
  }

  /// The bytes that hold the record; places count from their beginning.
  private(set) var source = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Where the value lies, white space around it left out.
  private(set) var extent = 0..<0
  /// What could not be taken as the value it says it is, if something could not.
  var problem: JSONValueProblem?
  /// How many records were read; what belongs to an earlier one is empty.
  private(set) var generation = 0
  let scratch = ByteScratch(capacity: 256)

  private var isObject = false
  private var isTagged = false
  /// In plain memory, because an array inside of a class costs a check and a reference count at every touch.
  private var members = UnsafeMutablePointer<Member>.allocate(capacity: 8)
  private var capacity = 8
  private var count = 0
  /// The lengths of the names, one bit each: most keys of a record can be passed over without a look at them.
  private var lengths: UInt64 = 0

  init() {}

  deinit {
    for index in 0..<count { unsafe members[index].name.deallocate() }
    unsafe members.deallocate()
  }

  // MARK: Reading

  /// Goes over the value that comes next.
  func read(_ reader: inout JSONReader) throws(JSONError) {
    unsafe source = unsafe reader.bytes
    generation &+= 1
    problem = nil
    for index in 0..<count { unsafe members[index].start = -1 }
    isObject = try reader.peek() == .object
    isTagged = false
    let start = reader.position
    if isObject {
      try readMembers(&reader)
    } else {
      try reader.skipValue()
    }
    extent = start..<reader.position
  }

  private func readMembers(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    var read = 0
    while let key = try reader.nextKey() {
      let value = try reader.skipValue()
      let index = index(of: key, reader)
      if index >= 0 {
        unsafe members[index].start = value.lowerBound
        unsafe members[index].end = value.upperBound
      }
      if read == 0 { isTagged = unsafe key.end > key.start && source[key.start] == UInt8(ascii: "$") }
      read &+= 1
    }
    isTagged = isTagged && read == 1
  }

  @inline(__always)
  private func index(of key: JSONReader.StringSlice, _ reader: JSONReader) -> Int {
    if key.hasEscapes { return unsafe index(of: reader.text(key, scratch: scratch)) }
    guard lengths & Self.bit(key.end &- key.start) != 0 else { return -1 }
    return unsafe index(of: UnsafeBufferPointer(rebasing: source[key.start..<key.end]))
  }

  private func index(of name: UnsafeBufferPointer<UInt8>) -> Int {
    var index = 0
    while index < count {
      if unsafe members[index].name.count == name.count, unsafe Self.areEqual(members[index].name, name) {
        return index
      }
      index &+= 1
    }
    return -1
  }

  @inline(__always)
  private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

  @inline(__always)
  private static func areEqual(
    _ left: UnsafeMutableBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var index = 0
    while index < right.count {
      if unsafe left[index] != right[index] { return false }
      index &+= 1
    }
    return true
  }

  // MARK: Values

  /// The record as a predicate sees it.
  var operand: QueryOperand { isObject && !isTagged ? .source(self) : value(extent) }

  var _objectReference: ObjectReference? { nil }

  var _dictionary: [String: Value]? { isObject ? object(extent)._dictionary : nil }

  func _operand(forKey key: PropertyKey) -> QueryOperand {
    let member = unsafe members[number(of: key)]
    return member.start < 0 ? .null : value(member.start..<member.end)
  }

  func _count(forKey key: PropertyKey) -> Int? {
    let member = unsafe members[number(of: key)]
    guard member.start >= 0, unsafe source[member.start] == UInt8(ascii: "[") else { return nil }
    return elementCount(member.start..<member.end)
  }

  func _truth(of test: FieldTest, forKey key: PropertyKey) -> Ternary? {
    let member = unsafe members[number(of: key)]
    return member.start < 0 ? test.missing : truth(of: test, member.start..<member.end)
  }

  /// The place of a key among those asked for; one that is new is looked up in this record, and noted in
  /// those to come.
  private func number(of key: PropertyKey) -> Int {
    if let number = key.keptNumber(for: self) { return number }
    var name = key.name
    let number = name.withUTF8 { name in
      let known = unsafe index(of: name)
      return unsafe known >= 0 ? known : add(name)
    }
    key.keep(number, for: self)
    return number
  }

  private func add(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    if count == capacity {
      let larger = UnsafeMutablePointer<Member>.allocate(capacity: capacity * 2)
      unsafe larger.moveInitialize(from: members, count: count)
      unsafe members.deallocate()
      unsafe members = unsafe larger
      capacity *= 2
    }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count)
    _ = unsafe copy.initialize(from: name)
    let place = unsafe isObject ? object(extent).place(of: name) : nil
    unsafe (members + count).initialize(
      to: Member(name: copy, start: place?.lowerBound ?? -1, end: place?.upperBound ?? -1))
    lengths |= Self.bit(name.count)
    count += 1
    return count - 1
  }
}

/// Nested object of a record, whose keys are searched in its bytes.
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
      record.problem = JSONValueProblem(code: "json-syntax", message: error.message, offset: error.offset)
    }
  }
}
