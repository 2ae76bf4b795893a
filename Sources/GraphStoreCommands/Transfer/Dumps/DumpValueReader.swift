import Foundation
import GraphStore
import GraphStoreReports

/// Kind of a column of a dump, by which its values are read.
enum DumpColumnKind {
  case text
  case integer(ClosedRange<Int64>)
  case boolean
  case double
  case float
  case date
  case decimal
  case bytes
  case uuid
  case other
  case toOne
  case toMany

  init(_ content: StoredShape.Column.Content) {
    switch content {
    case .toOne: self = .toOne
    case .toMany: self = .toMany
    case .attribute(let attribute): self.init(attribute.type)
    }
  }

  private init(_ type: AttributeType) {
    switch type {
    case .string, .uri: self = .text
    case .int16, .int32, .int64: self = .integer(type.integerRange ?? Int64.min...Int64.max)
    case .boolean: self = .boolean
    case .double: self = .double
    case .float: self = .float
    case .date: self = .date
    case .decimal: self = .decimal
    case .binary, .transformable: self = .bytes
    case .uuid: self = .uuid
    case .composite, .undefined: self = .other
    }
  }
}

/// Reader of attributes of a dump, as they were written: exactly, and by no rule of the model but its types.
struct DumpValueReader {
  private let filling: StoreFilling

  init(_ filling: StoreFilling) { self.filling = filling }

  /// Sets a column to the value of a field, which is not null.
  ///
  /// - Returns: Whether it is in its usual form.
  @inline(__always)
  func read(
    _ field: Record.Field, of record: Record, _ kind: DumpColumnKind, _ column: Int
  ) -> Bool {
    let bytes = unsafe record.bytes(field)
    switch kind {
    case .text:
      guard field.kind == .string else { return readTagged(field, record, column) }
      unsafe filling.setBytes(bytes, column)
    case .integer(let range):
      guard field.kind == .integer, let value = unsafe NumberText.integer(bytes), range.contains(value) else {
        return false
      }
      filling.setInteger(value, column)
    case .boolean:
      guard field.kind == .true || field.kind == .false else { return false }
      filling.setInteger(field.kind == .true ? 1 : 0, column)
    case .double, .float:
      guard let value = unsafe Self.double(bytes, field.kind) else { return false }
      if case .float = kind {
        filling.setDouble(Double(Float(value)), column)
      } else {
        filling.setDouble(value, column)
      }
    case .date:
      let text = unsafe field.kind == .string ? DateText.seconds(from: bytes) : nil
      guard let seconds = unsafe text ?? Self.double(bytes, field.kind) else { return false }
      filling.setDouble(seconds, column)
    case .decimal: return unsafe readDecimal(bytes, column)
    case .bytes:
      guard field.kind == .string, let data = unsafe Data(base64Encoded: Data(bytes)) else { return false }
      set(data, column)
    case .uuid:
      guard field.kind == .string, let uuid = UUID(uuidString: record.text(field)) else { return false }
      filling.setValue(.uuid(uuid), column)
    case .other, .toOne, .toMany: return false
    }
    return true
  }

  /// A number, or infinity as text.
  private static func double(_ bytes: UnsafeBufferPointer<UInt8>, _ kind: Record.Kind) -> Double? {
    switch kind {
    case .integer, .fraction: return unsafe NumberText.double(bytes)
    case .string:
      if unsafe bytes.elementsEqual("Infinity".utf8) { return .infinity }
      return unsafe bytes.elementsEqual("-Infinity".utf8) ? -.infinity : nil
    default: return nil
    }
  }

  /// Decimals of up to 15 digits, without making one.
  private func readDecimal(_ bytes: UnsafeBufferPointer<UInt8>, _ column: Int) -> Bool {
    guard let numeral = unsafe DecimalNumeral(bytes), numeral.significand < 1_000_000_000_000_000,
      (-22...0).contains(numeral.exponent)
    else { return false }
    let whole = Int64(truncatingIfNeeded: numeral.significand)
    if numeral.exponent == 0 {
      filling.setDecimal(whole: numeral.isNegative ? -whole : whole, column)
    } else {
      // Both are exact, so the quotient is the double nearest to the number.
      let double = Double(whole) / NumberText.powersOfTen[-numeral.exponent]
      filling.setDecimal(double: numeral.isNegative ? -double : double, column)
    }
    return true
  }

  private func set(_ data: Data, _ column: Int) {
    unsafe data.withUnsafeBytes { unsafe filling.setBytes($0.bindMemory(to: UInt8.self), column) }
  }

  /// Reads text that is no UTF-8.
  @inline(never)
  private func readTagged(_ field: Record.Field, _ record: Record, _ column: Int) -> Bool {
    guard field.kind == .object,
      case .object(let members)? = try? JSONText.value(Array(record.text(field).utf8)), members.count == 1,
      case .string(let base64)? = members[DumpFormat.dataTag], let data = Data(base64Encoded: base64)
    else { return false }
    set(data, column)
    return true
  }

  /// A field for the model's own reader.
  static func json(_ field: Record.Field, _ record: Record) -> JSONValue {
    switch field.kind {
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .integer, .fraction: .number(record.text(field))
    case .string, .cell: .string(record.text(field))
    case .array: .array([])
    case .object: .object([:])
    }
  }
}
