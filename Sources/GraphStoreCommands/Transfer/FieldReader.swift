import GraphStore

/// Reader of an attribute's value from a field: straight from the bytes where they are in the usual form, else as
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

/// Decoder of a field's bytes, by the type of the attribute.
enum FieldKind {
  case integer(ClosedRange<Int64>)
  case boolean
  case double
  case decimal
  case string
  case date
  /// By way of the model's own reader of values.
  case other

  init(_ type: AttributeType) {
    switch type {
    case .int16, .int32, .int64: self = .integer(type.integerRange ?? Int64.min...Int64.max)
    case .boolean: self = .boolean
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .float, .uuid, .uri, .binary, .transformable, .composite, .undefined: self = .other
    }
  }
}

/// Epoch of numbers that stand for dates: seconds since the beginning of a year, in UTC.
enum DateNumbers: String, CaseIterable, Sendable {
  /// As Unix and most databases count.
  case since1970 = "seconds-1970"
  /// As stores count.
  case since2001 = "seconds-2001"

  /// Seconds since 2001 of a number; nil for what is no number, or too large to be one.
  func seconds(of text: UnsafeBufferPointer<UInt8>) -> Double? {
    if let seconds = unsafe exactSeconds(of: text) { return seconds }
    guard let seconds = unsafe NumberText.double(text), seconds.isFinite else { return nil }
    return seconds - Double(origin)
  }

  /// From 2001 to when the numbers count from, in seconds.
  private var origin: Int64 { self == .since1970 ? 978_307_200 : 0 }

  /// The double nearest to the number less the origin: of decimal fractions no digit gets lost by subtracting doubles.
  private func exactSeconds(of text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let numeral = unsafe DecimalNumeral(text), numeral.significand < 1 << 52,
      (-6...0).contains(numeral.exponent)
    else { return nil }
    let scale = (0..<(-numeral.exponent)).reduce(Int64(1)) { power, _ in power * 10 }
    let units = Int64(truncatingIfNeeded: numeral.significand)
    // Both are exact as doubles, so their quotient is rounded once.
    return Double((numeral.isNegative ? -units : units) - origin * scale) / Double(scale)
  }
}
