import Foundation
import GraphStore

/// Reader of an attribute's value from a field: straight from the bytes where they are in the usual form,
/// else as the model reads JSON and text.
final class FieldReader {
  private let importer: RecordImporter
  let attribute: AttributeDescription
  private let kind: FieldKind
  private let number: Int
  private let forms: FieldForms
  private let ignoresUnknown: Bool
  private let decodes: Bool
  /// Whether it reads an element of a composite attribute.
  let isElement: Bool

  /// Why a field was not read.
  enum Failure: Error {
    case conversion(ValueConversionError)
    case problem(FieldProblem)
  }

  /// - Parameters:
  ///   - number: The importer's number of the attribute or element.
  ///   - forms: The forms of values that are not the usual ones.
  ///   - ignoresUnknown: Whether elements that a composite attribute does not have are left out.
  ///   - decodes: Whether values of transformable attributes are given as JSON.
  init(
    _ attribute: AttributeDescription, number: Int, importer: RecordImporter, forms: FieldForms,
    ignoresUnknown: Bool, decodes: Bool
  ) {
    self.decodes = decodes
    self.ignoresUnknown = ignoresUnknown
    isElement = attribute.keyPath != attribute.name
    self.forms = forms
    self.attribute = attribute
    self.importer = importer
    kind = FieldKind(attribute.type)
    self.number = number
  }

  @inline(__always)
  func read(_ field: Record.Field, of record: Record) throws(Failure) {
    if field.kind == .null { return importer.setValue(.null, number) }
    let bytes = unsafe record.bytes(field)
    if forms.hasDecimalComma, field.kind == .cell || field.kind == .string, attribute.type.isNumber {
      return importer.setValue(try numberWithComma(record.text(field)), number)
    }
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
      if let pattern = forms.dates?.pattern, field.kind == .string || field.kind == .cell {
        guard let seconds = unsafe pattern.seconds(of: bytes) else {
          throw .problem(noDate(record.text(field), pattern))
        }
        return importer.setDouble(seconds, number)
      }
      if field.kind == .string || field.kind == .cell, let seconds = unsafe DateText.seconds(from: bytes) {
        return importer.setDouble(seconds, number)
      }
      if let form = forms.dates, let seconds = unsafe form.seconds(of: bytes, isText: field.kind == .string) {
        return importer.setDouble(seconds, number)
      }
    case .boolean:
      if field.kind == .true { return importer.setInteger(1, number) }
      if field.kind == .false { return importer.setInteger(0, number) }
    case .other: break
    }
    importer.setValue(try value(field, record), number)
  }

  private func noDate(_ text: String, _ pattern: DatePattern) -> FieldProblem {
    FieldProblem(
      code: "value-type",
      message: "\(attribute.description): \"\(text)\" is not a date of the form \(pattern.text)",
      key: attribute.keyPath, value: ImportProblem.text(.string(text)))
  }

  /// A number as `1.234,50`, and as the model reads it where it is none. A point that does not stand between
  /// thousands would have it a thousand times as much as its neighbours.
  private func numberWithComma(_ text: String) throws(Failure) -> Value {
    let usual = FieldForms.withPoint(text)
    if usual == nil, text.contains("."), DecimalNumeral(text) != nil {
      throw .problem(
        FieldProblem(
          code: "value-type",
          message:
            "\(attribute.description): \"\(text)\" has a point where no thousands end, as --decimal-comma reads points",
          key: attribute.keyPath, value: ImportProblem.text(.string(text)),
          hints: ["write a comma before the fraction, or leave --decimal-comma out"]))
    }
    do throws(ValueConversionError) {
      return try attribute.value(fromText: usual ?? text)
    } catch {
      throw .conversion(error)
    }
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
  private func value(_ field: Record.Field, _ record: Record) throws(Failure) -> Value {
    if field.kind == .object, attribute.type == .composite { return try composite(record.text(field)) }
    if decodes, attribute.isArchive { return try archive(field, record) }
    do throws(ValueConversionError) { return try plainValue(field, record) } catch {
      throw .conversion(error)
    }
  }

  /// The archive of what JSON says; a cell of a table is text unless it is a list or an object.
  private func archive(_ field: Record.Field, _ record: Record) throws(Failure) -> Value {
    let text = record.text(field)
    let json: JSONValue
    switch field.kind {
    case .null: json = .null
    case .true: json = .bool(true)
    case .false: json = .bool(false)
    case .integer, .fraction: json = .number(text)
    case .string: json = .string(text)
    case .cell where !text.hasPrefix("[") && !text.hasPrefix("{"): json = .string(text)
    case .cell, .array, .object: json = try self.json(text)
    }
    do throws(ValueConversionError) { return try attribute.value(fromJSON: json, decodes: true) } catch {
      throw .conversion(error)
    }
  }

  private func json(_ text: String) throws(Failure) -> JSONValue {
    do throws(JSONError) { return try JSONText.value(Array(text.utf8)) } catch {
      throw .problem(
        FieldProblem(
          code: error.code.rawValue, message: "\(attribute.description): \(error.message)",
          key: attribute.keyPath))
    }
  }

  /// The elements of a JSON object.
  private func composite(_ text: String) throws(Failure) -> Value {
    let json = try json(text)
    let value: Value
    do throws(ValueConversionError) { value = try elements(json, of: attribute) } catch {
      throw .conversion(error)
    }
    if let lacking = attribute.missingTransformer(for: value) {
      throw .problem(RecordMapping.withoutTransformer(lacking))
    }
    return value
  }

  private func elements(
    _ json: JSONValue, of attribute: AttributeDescription
  ) throws(ValueConversionError) -> Value {
    switch (json, attribute.type) {
    case (.object(let members), .composite):
      var values: [String: Value] = [:]
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        if let element = attribute.elements.first(where: { $0.name == key }) {
          values[key] = try elements(member, of: element)
        } else if !ignoresUnknown {
          // Tells what there is.
          _ = try attribute.value(fromJSON: .object([key: .null]))
        }
      }
      return .dictionary(values)
    case (.number(let text), .date), (.string(let text), .date):
      var isText = false
      if case .string = json { isText = true }
      var digits = text
      let seconds = digits.withUTF8 { digits in unsafe forms.dates?.seconds(of: digits, isText: isText) }
      if let seconds { return .date(Date(timeIntervalSinceReferenceDate: seconds)) }
      return try attribute.value(fromJSON: json)
    default: return try attribute.value(fromJSON: json, decodes: decodes)
    }
  }

  private func plainValue(_ field: Record.Field, _ record: Record) throws(ValueConversionError) -> Value {
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
