import Foundation
import GraphStore
import GraphStoreReports

/// Reader of attributes of a dump, as they were written: exactly, and by no rule of the model but its types.
struct DumpValueReader {
  private let filling: StoreFilling

  init(_ filling: StoreFilling) { self.filling = filling }

  /// Sets a column to the value of a field, which is not null.
  @inline(__always)
  func read(
    _ field: Record.Field, of record: Record, _ attribute: AttributeDescription, _ column: Int
  ) throws(ValueConversionError) {
    let bytes = unsafe record.bytes(field)
    switch attribute.type {
    case .string, .uri:
      if field.kind == .string { return unsafe filling.setBytes(bytes, column) }
      if field.kind == .object, let data = Self.tagged(record.text(field)) { return set(data, column) }
    case .int16, .int32, .int64:
      if field.kind == .integer, let value = unsafe NumberText.integer(bytes),
        attribute.type.integerRange?.contains(value) != false
      {
        return filling.setInteger(value, column)
      }
    case .boolean:
      if field.kind == .true { return filling.setInteger(1, column) }
      if field.kind == .false { return filling.setInteger(0, column) }
    case .double, .float:
      if let value = unsafe Self.double(bytes, field.kind) {
        return filling.setDouble(attribute.type == .float ? Double(Float(value)) : value, column)
      }
    case .date:
      if field.kind == .string, let seconds = unsafe DateText.seconds(from: bytes) {
        return filling.setDouble(seconds, column)
      }
      if let seconds = unsafe Self.double(bytes, field.kind) { return filling.setDouble(seconds, column) }
    case .decimal: if unsafe readDecimal(bytes, column) { return }
    case .binary, .transformable:
      if field.kind == .string, let data = unsafe Data(base64Encoded: Data(bytes)) {
        return set(data, column)
      }
    case .uuid:
      if field.kind == .string, let uuid = UUID(uuidString: record.text(field)) {
        return filling.setValue(.uuid(uuid), column)
      }
    case .composite, .undefined: break
    }
    filling.setValue(try attribute.value(fromJSON: Self.json(field, record)), column)
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

  /// The bytes of a text that is no UTF-8.
  private static func tagged(_ text: String) -> Data? {
    guard case .object(let members)? = try? JSONText.value(Array(text.utf8)), members.count == 1,
      case .string(let base64)? = members[DumpFormat.dataTag]
    else { return nil }
    return Data(base64Encoded: base64)
  }

  /// A field for the model's own reader, which says what is wrong with it.
  private static func json(_ field: Record.Field, _ record: Record) -> JSONValue {
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
