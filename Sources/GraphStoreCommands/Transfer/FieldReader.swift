import GraphStore

/// Sets an attribute of the open record from a field: straight from the bytes where they are in the usual form, else as
/// the model reads JSON and text.
final class FieldReader {
  private let importer: RecordImporter
  let attribute: AttributeDescription
  private let kind: FieldKind
  private let number: Int
  private let dateNumbers: DateNumbers?

  init(_ attribute: AttributeDescription, importer: RecordImporter, dateNumbers: DateNumbers?) {
    self.dateNumbers = dateNumbers
    self.attribute = attribute
    self.importer = importer
    kind = FieldKind(attribute.type)
    number = attribute.number
  }

  @inline(__always)
  func read(_ field: Record.Field, of record: Record) throws(ValueConversionError) {
    if field.kind == .null { return importer.setValue(.null, number) }
    let bytes = unsafe record.bytes(field)
    switch kind {
    case .string:
      if field.kind == .string || field.kind == .cell { return unsafe importer.setText(bytes, number) }
    case .integer(let range):
      if field.kind != .fraction, let value = unsafe NumberText.integer(bytes), range.contains(value) {
        return importer.setInteger(value, number)
      }
    case .decimal: if unsafe readDecimal(bytes) { return }
    case .double:
      if let value = unsafe NumberText.double(bytes), value.isFinite {
        return importer.setDouble(value, number)
      }
    case .date:
      if field.kind == .string || field.kind == .cell, let seconds = unsafe DateText.seconds(from: bytes) {
        return importer.setDouble(seconds, number)
      }
      if let dateNumbers, field.kind != .string, let seconds = unsafe dateNumbers.seconds(of: bytes) {
        return importer.setDouble(seconds, number)
      }
    case .boolean:
      if field.kind == .true { return importer.setInteger(1, number) }
      if field.kind == .false { return importer.setInteger(0, number) }
    case .other: break
    }
    importer.setValue(try value(field, record), number)
  }

  /// Decimals of up to 15 digits, without making one.
  private func readDecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let numeral = unsafe DecimalNumeral(bytes), numeral.significand < 1_000_000_000_000_000,
      (-22...0).contains(numeral.exponent)
    else { return false }
    let whole = Int64(truncatingIfNeeded: numeral.significand)
    if numeral.exponent == 0 {
      importer.setDecimal(whole: numeral.isNegative ? -whole : whole, number)
    } else {
      // Both are exact, so the quotient is the double nearest to the number.
      let double = Double(whole) / NumberText.powersOfTen[-numeral.exponent]
      importer.setDecimal(double: numeral.isNegative ? -double : double, number)
    }
    return true
  }

  @inline(never)
  private func value(_ field: Record.Field, _ record: Record) throws(ValueConversionError) -> Value {
    let text = record.text(field)
    switch field.kind {
    case .null: return .null
    case .true: return try attribute.value(fromJSON: .bool(true))
    case .false: return try attribute.value(fromJSON: .bool(false))
    case .integer, .fraction: return try attribute.value(fromJSON: .number(text))
    case .string: return try attribute.value(fromJSON: .string(text))
    case .cell: return try attribute.value(fromText: text)
    case .array: return try attribute.value(fromJSON: .array([]))
    case .object: return try attribute.value(fromJSON: .object([:]))
    }
  }
}
