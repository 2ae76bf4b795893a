import Foundation
import GraphStore

/// Forms of values in the input of an import that are not the usual ones.
struct FieldForms: Sendable {
  /// What numbers and texts mean that stand for dates; nil for ISO 8601 alone.
  var dates: DateForm?
  /// Whether texts of numbers have a comma before their fraction, and points between thousands.
  var hasDecimalComma = false

  /// A text in the usual form of a type.
  func usual(_ text: String, for type: AttributeType?) -> String {
    if hasDecimalComma, type?.isNumber == true { return Self.withPoint(text) ?? text }
    guard type == .date, let dates else { return text }
    var text = text
    let seconds = text.withUTF8 { bytes in unsafe dates.seconds(of: bytes, isText: false) }
    return seconds.flatMap { DateText.text(of: $0) } ?? text
  }

  /// The number `1.234,50` as `1234.50`; nil for what is no number with a comma.
  static func withPoint(_ text: String) -> String? {
    var rest = Substring(text)
    var number = rest.first.map { "+-".contains($0) } == true ? String(rest.removeFirst()) : ""
    let parts = rest.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), let whole = parts.first else { return nil }
    // Between thousands stand points, blanks or apostrophes; a first group is no zero then.
    let groups = whole.split(omittingEmptySubsequences: false) { ". \u{A0}\u{202F}'".contains($0) }
    guard groups.allSatisfy(\.isDigits) else { return nil }
    if groups.count > 1 {
      guard (1...3).contains(groups[0].count), !groups[0].hasPrefix("0"),
        groups.dropFirst().allSatisfy({ $0.count == 3 })
      else { return nil }
    }
    number += groups.joined()
    guard parts.count == 2 else { return number }
    return parts[1].isDigits ? "\(number).\(parts[1])" : nil
  }
}

extension Substring {
  fileprivate var isDigits: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

/// Form of dates in the input: numbers of seconds beside ISO 8601, or texts of a pattern in its place, since
/// a text of one form may be another date in the other.
enum DateForm: Sendable {
  case numbers(DateNumbers)
  case pattern(DatePattern)

  /// The form that the text of an option names; nil for one that names none.
  init?(_ text: String) {
    if let numbers = DateNumbers(rawValue: text) {
      self = .numbers(numbers)
    } else if let pattern = DatePattern(text) {
      self = .pattern(pattern)
    } else {
      return nil
    }
  }

  /// The pattern of texts, which are read by nothing else then; nil for numbers.
  var pattern: DatePattern? { if case .pattern(let pattern) = self { pattern } else { nil } }

  /// Seconds since 2001 of a date in this form; nil for what is none.
  ///
  /// - Parameter isText: Whether it is a text of JSON, which is no number.
  func seconds(of bytes: UnsafeBufferPointer<UInt8>, isText: Bool) -> Double? {
    switch self {
    case .numbers(let numbers): isText ? nil : unsafe numbers.seconds(of: bytes)
    case .pattern(let pattern): unsafe pattern.seconds(of: bytes)
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

  /// The double nearest to the number less the origin: of decimal fractions no digit gets lost by subtracting
  /// doubles.
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
