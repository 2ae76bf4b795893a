/// Parser of one JSON object into the fields of a record.
struct JSONRecordParser {
  /// Why an object is no record; offsets count from the beginning of the reader's bytes.
  enum Failure: Error {
    case syntax(JSONError)
    case content(InputError.Code, String, offset: Int, field: String?)
  }

  let record = Record()

  /// Reads the object that comes next. `record.source` must have been set to bytes that begin at `start`.
  func parse(_ reader: inout JSONReader, start: Int) throws(Failure) {
    var other: Int?
    do throws(JSONError) {
      if try reader.peek() == .object {
        try reader.beginObject()
      } else {
        other = reader.position
        try reader.skipValue()
      }
    } catch {
      throw .syntax(error)
    }
    if let other {
      throw .content(
        .notAnObject, "a record must be a JSON object such as {\"name\": \"Ada\"}", offset: other, field: nil)
    }
    let record = record
    let names = record.names
    while try parseMember(&reader, into: record, names: names, start: start) {}
  }

  @inline(__always)
  private func parseMember(
    _ reader: inout JSONReader, into record: Record, names: FieldNames, start: Int
  ) throws(Failure) -> Bool {
    let key: JSONReader.StringSlice
    var field: Record.Field
    do throws(JSONError) {
      guard let next = try reader.nextKey() else { return false }
      key = next
      field = try parseValue(&reader, start: start)
    } catch {
      throw .syntax(error)
    }
    let earlier = record.earlierName(at: record.count)
    let raw = unsafe UnsafeBufferPointer(rebasing: reader.bytes[key.start..<key.end])
    if earlier >= 0, !key.hasEscapes, unsafe names.matches(earlier, raw),
      names.mark(earlier, record: record.attempt)
    {
      field.name = earlier
    } else {
      field.name = try otherName(key, reader)
    }
    record.append(field)
    return true
  }

  @inline(__always)
  private func parseValue(_ reader: inout JSONReader, start: Int) throws(JSONError) -> Record.Field {
    let kind: Record.Kind
    let extent: Range<Int>
    switch try reader.peek() {
    case .string:
      let slice = try reader.string()
      if slice.hasEscapes {
        let place = unsafe JSONScan.unescape(reader.bytes, slice, into: record.scratch)
        return Record.Field(name: 0, kind: .string, isUnescaped: true, start: place.start, count: place.count)
      }
      kind = .string
      extent = slice.start..<slice.end
    case .number:
      let slice = try reader.number()
      kind = slice.isInteger ? .integer : .fraction
      extent = slice.start..<slice.end
    case .null:
      kind = .null
      extent = try reader.skipValue()
    case .true:
      kind = .true
      extent = try reader.skipValue()
    case .false:
      kind = .false
      extent = try reader.skipValue()
    case .array:
      kind = .array
      extent = try reader.skipValue()
    case .object:
      kind = .object
      extent = try reader.skipValue()
    }
    return Record.Field(
      name: 0, kind: kind, isUnescaped: false, start: extent.lowerBound &- start, count: extent.count)
  }

  @inline(never)
  private func otherName(_ key: JSONReader.StringSlice, _ reader: JSONReader) throws(Failure)
    -> Int32
  {
    var bytes = unsafe UnsafeBufferPointer(rebasing: reader.bytes[key.start..<key.end])
    let mark = record.scratch.count
    if key.hasEscapes {
      let place = unsafe JSONScan.unescape(reader.bytes, key, into: record.scratch)
      unsafe bytes = unsafe UnsafeBufferPointer(start: record.scratch.base + place.start, count: place.count)
    }
    defer { record.scratch.count = mark }
    guard let index = unsafe record.names.intern(bytes) else {
      throw .content(
        .tooManyNames, "the input has more than \(FieldNames.limit) different keys", offset: key.start,
        field: nil)
    }
    guard record.names.mark(index, record: record.attempt) else {
      let text = unsafe String(decoding: bytes, as: UTF8.self)
      throw .content(
        .duplicateKey, "the key \"\(text)\" comes twice in this record", offset: key.start, field: text)
    }
    return index
  }
}
