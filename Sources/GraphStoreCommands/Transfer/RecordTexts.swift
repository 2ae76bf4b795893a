import GraphStoreReports

/// The texts of the records of one batch, to be shown or put aside when one fails.
final class RecordTexts {
  private struct Entry {
    var number: Int
    var line: Int
    /// The record as it stands in the input.
    var source: Range<Int>
    /// The record as JSON.
    var row: Range<Int>
  }

  private let storage = OutputBuffer.memory(capacity: 64 * 1024)
  private var entries: [Entry] = []
  private let isJSON: Bool
  private let keepsRows: Bool
  private let keepsSources: Bool

  /// - Parameters:
  ///   - isJSON: whether the records are JSON, whose texts are always kept.
  ///   - keepsRows: whether records of tables are kept as JSON objects.
  ///   - keepsSources: whether records of tables are kept as they stand in the input.
  init(isJSON: Bool, keepsRows: Bool, keepsSources: Bool) {
    self.isJSON = isJSON
    self.keepsRows = keepsRows
    self.keepsSources = keepsSources
  }

  /// How many bytes are kept.
  var count: Int { storage.count }

  /// Keeps a record under its number, which is greater than that of the one before.
  func add(_ record: Record, number: Int) {
    guard isJSON || keepsRows || keepsSources else { return }
    let start = storage.count
    if isJSON || keepsSources { unsafe storage.append(record.source) }
    let middle = storage.count
    if !isJSON, keepsRows { append(table: record) }
    let source = start..<middle
    entries.append(
      Entry(
        number: number, line: record.line, source: source, row: isJSON ? source : middle..<storage.count))
  }

  func removeAll() {
    storage.clear()
    entries.removeAll(keepingCapacity: true)
  }

  /// A record as it stands in the input, and the line on which it begins.
  func source(_ number: Int) -> (text: UnsafeBufferPointer<UInt8>, line: Int)? {
    unsafe entry(number).map { unsafe (UnsafeBufferPointer(rebasing: storage.bytes[$0.source]), $0.line) }
  }

  private func append(table record: Record) {
    var json = JSONBuilder(storage)
    json.beginObject()
    for index in unsafe record.fields.indices {
      let field = unsafe record.fields[index]
      json.key(record.name(field))
      if field.kind == .null {
        json.null()
      } else {
        json.value { unsafe $0.append(jsonString: record.bytes(field)) }
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
    return unsafe Self.onOneLine(storage.bytes[entry.row])
  }

  /// JSON may hold line ends between values only, where a space does as well.
  static func onOneLine(_ json: some Collection<UInt8>) -> [UInt8] {
    json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
  }

  /// Where the value of a key begins in a record of JSON.
  func position(_ number: Int, key: String) -> TextPosition? {
    guard isJSON, let entry = entry(number) else { return nil }
    let bytes = unsafe UnsafeBufferPointer(rebasing: storage.bytes[entry.source])
    return unsafe Self.position(in: bytes, line: entry.line) { reader, name, _ in reader.string(name) == key }
  }

  /// Where the value of a field begins in the record that was read last.
  static func position(_ place: Int, in record: Record, isJSON: Bool) -> TextPosition? {
    if isJSON {
      return unsafe position(in: record.source, line: record.line) { _, _, index in index == place }
    }
    let field = unsafe record.fields[place]
    guard !field.isUnescaped else { return nil }
    return unsafe TextPosition(of: field.start, in: record.source, line: record.line)
  }

  private static func position(
    in bytes: UnsafeBufferPointer<UInt8>, line: Int,
    _ isWanted: (JSONReader, JSONReader.StringSlice, Int) -> Bool
  ) -> TextPosition? {
    var reader = unsafe JSONReader(bytes)
    var index = 0
    do throws(JSONError) {
      try reader.beginObject()
      while let name = try reader.nextKey() {
        if isWanted(reader, name, index) {
          reader.skipSpace()
          return unsafe TextPosition(of: reader.position, in: bytes, line: line)
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
