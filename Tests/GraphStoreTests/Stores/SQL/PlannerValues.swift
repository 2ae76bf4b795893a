import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Values that are easy to get wrong.
enum PlannerValues {
  static let texts = [
    "", "a", "A", "ab", "AB", "aB*", "Äb", "é", "e\u{301}", "straße", "STRASSE", "x*y", "50%", "a_b", "ﬁ",
    "fi",
    "I", "i", "ı", "İ", "か", "が", "か\u{3099}", "\u{10FFFF}", "a\u{D7FF}", "a\u{E000}", "line\nbreak",
    "nul\u{0}x", "nul", "😀", "b?d", "bad", "\\", "a\\b", "Ω", "Ω", "ς", "σ", "Saint-Étienne", "saint-etienne",
  ]
  static let patterns = [
    "*", "?", "a*", "*b", "a?", "*\u{301}*", "x\\*y", "?i*", "[a-z]+", ".*", "a.", "s.*e",
  ]
  static let integers: [Int64] = [
    0, 1, -1, 2, 3, 7, 20, 21, 100, -100, .max, .min, 9_007_199_254_740_993, 9_007_199_254_740_992,
    .max - 1, .min + 1, 1 << 62, 3_037_000_500,
  ]
  static let doubles: [Double] = [
    0, -0.0, 0.5, -0.5, 0.1, 1, 2, 20, 1.0 / 3, 1e300, -1e300, .infinity, -.infinity, 9_007_199_254_740_992,
    25.67891, .leastNonzeroMagnitude,
  ]
  static let decimals = [
    "0", "1", "0.1", "12.5", "-12.5", "3", "20", "123456789012345", "1234567890123456",
    "12345678901234567890.123", "12345678901234567890.124", "-99999999999999999999.9",
    "0.00000000000000012345",
    "100000000000000000000", "0.1000000000000000000001", "999999999999999.9", "1000000000000000",
  ]
  static let dates: [Double] = [0, 1, -1, 0.5, 86_400, 700_000_000, 700_000_000.123456]
  static let uuids = [
    "00000000-0000-0000-0000-000000000000", "5C0F7B1A-0000-4000-8000-00000000000F",
    "FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF",
  ]
  static let bytes: [[UInt8]] = [[], [0], [0, 1], [255], [97, 98]]

  static func decimal(_ text: String) -> Decimal {
    Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? 0
  }

  static func value(_ attribute: AttributeDescription, _ random: inout SeededGenerator) -> Value {
    switch attribute.type {
    case .int16, .int32: .int(random.pick(integers.filter { abs(Double($0)) < 30_000 }))
    case .int64: .int(random.pick(integers))
    // A store gives the negative zero back as zero.
    case .double: .double(random.pick(doubles) + 0)
    case .float: .double(Double(Float(random.pick(doubles))) + 0)
    case .decimal: .decimal(decimal(random.pick(decimals)))
    case .boolean: .bool(random.chance(50))
    case .date: .date(Date(timeIntervalSinceReferenceDate: random.pick(dates)))
    case .uuid: UUID(uuidString: random.pick(uuids)).map(Value.uuid) ?? .null
    case .uri: URL(string: random.pick(["http://a.b/c", "x:y", "http://a.b/C"])).map(Value.uri) ?? .null
    case .binary: .data(Data(random.pick(bytes)))
    default: .string(random.pick(texts))
    }
  }

  static func binding(_ value: Value) -> SQLBinding {
    switch value {
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .int(let number): .integer(number)
    case .double(let number): .double(number)
    case .decimal(let number): StoredDecimal.binding(number)
    case .string(let text): .text(text)
    case .date(let date): .double(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .uri(let uri): .text(uri.absoluteString)
    case .data(let data): .blob(Array(data))
    default: .null
    }
  }
}
