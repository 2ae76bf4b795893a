/// The texts of the records of one batch, to be shown or put aside when one fails.
final class RecordTexts {
  private struct Entry {
    var number: Int
    var line: Int
    var start: Int
    var end: Int
  }

  private let storage = OutputBuffer.memory(capacity: 64 * 1024)
  private var entries: [Entry] = []
  private let format: InputFormat
  /// Whether records of tables are kept as JSON objects.
  private let keepsTables: Bool

  init(_ format: InputFormat, keepsTables: Bool) {
    self.format = format
    self.keepsTables = keepsTables
  }

  /// How many bytes are kept.
  var count: Int { storage.count }

  private var isJSON: Bool { format == .ndjson || format == .json }

  func add(_ record: Record) {
    guard isJSON || keepsTables else { return }
    let start = storage.count
    if isJSON { storage.append(record.source) } else { append(table: record) }
    entries.append(Entry(number: record.number, line: record.line, start: start, end: storage.count))
  }

  func removeAll() {
    storage.clear()
    entries.removeAll(keepingCapacity: true)
  }

  private func append(table record: Record) {
    var json = JSONBuilder(storage)
    json.beginObject()
    for field in record.fields {
      json.key(record.name(field))
      if field.kind == .null {
        json.null()
      } else {
        json.value { $0.append(jsonString: record.bytes(field)) }
      }
    }
    json.endObject()
  }

  private func entry(_ number: Int) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? entries[low] : nil
  }

  /// A record on one line; empty where it is not kept any more.
  func row(_ number: Int) -> [UInt8] {
    guard let entry = entry(number) else { return [] }
    return Self.onOneLine(storage.bytes[entry.start..<entry.end])
  }

  /// JSON may hold line ends between values only, where a space does as well.
  static func onOneLine(_ json: some Collection<UInt8>) -> [UInt8] {
    json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
  }

  /// Where the value of a key begins in a record of JSON.
  func position(_ number: Int, key: String) -> TextPosition? {
    guard isJSON, let entry = entry(number) else { return nil }
    let bytes = UnsafeBufferPointer(rebasing: storage.bytes[entry.start..<entry.end])
    return Self.position(in: bytes, line: entry.line) { reader, name, _ in reader.string(name) == key }
  }

  /// Where the value of a field begins in the record that was read last.
  static func position(_ place: Int, in record: Record, _ format: InputFormat) -> TextPosition? {
    if format == .ndjson || format == .json {
      return position(in: record.source, line: record.line) { _, _, index in index == place }
    }
    let field = record.fields[place]
    guard !field.isUnescaped else { return nil }
    return TextPosition(of: field.start, in: record.source, line: record.line)
  }

  private static func position(
    in bytes: UnsafeBufferPointer<UInt8>, line: Int,
    _ isWanted: (JSONReader, JSONReader.StringSlice, Int) -> Bool
  ) -> TextPosition? {
    var reader = JSONReader(bytes)
    var index = 0
    do throws(JSONError) {
      try reader.beginObject()
      while let name = try reader.nextKey() {
        if isWanted(reader, name, index) {
          reader.skipSpace()
          return TextPosition(of: reader.position, in: bytes, line: line)
        }
        try reader.skipValue()
        index += 1
      }
    } catch {
      return nil
    }
    return nil
  }
}
