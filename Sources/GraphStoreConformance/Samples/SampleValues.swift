import Foundation
import GraphStore

/// Values at the edges of each type.
enum SampleValues {
  static let byAttribute: KeyValuePairs<String, [Value]> = [
    "small": [.int(0), .int(-32_768), .int(32_767)],
    "medium": [.int(0), .int(-2_147_483_648), .int(2_147_483_647)],
    "large": [.int(0), .int(.min), .int(.max), .int(1 << 53 + 1)],
    "money": [
      "0", "0.1", "-12345678901234567890123456789012345678", "12345678901234567890.123456789012345678",
      "0.00000000000000000001",
    ].map { .decimal(Decimal(string: $0) ?? 0) },
    "ratio": [
      .double(0), .double(0.1), .double(-1e300), .double(.greatestFiniteMagnitude),
      .double(.leastNonzeroMagnitude), .double(1 / 3),
    ],
    "single": [
      .double(0), .double(Double(Float(0.1))), .double(Double(Float.greatestFiniteMagnitude)),
      .double(Double(Float.leastNormalMagnitude)),
    ],
    "flag": [.bool(true), .bool(false)],
    "moment": [
      0, 0.1, -63_114_076_800, 757_382_400.123_456, 1e-7, Date.distantFuture.timeIntervalSinceReferenceDate,
    ].map { .date(Date(timeIntervalSinceReferenceDate: $0)) },
    "tag": [
      "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
      "8C1F0B8E-5D5A-4F0B-9C53-1C1D5C3B9B6A",
    ].compactMap(UUID.init(uuidString:)).map(Value.uuid),
    "link": ["https://example.org/a%20b?q=%C3%BC#part", "mailto:ada@example.org", "urn:isbn:0451450523"]
      .compactMap(URL.init(string:)).map(Value.uri),
    "bytes": [.data(Data()), .data(Data([0])), .data(Data(0...255))],
    "blob": [
      .data(Data([1, 2, 3])), .data(Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })),
    ],
  ]

  static let texts = [
    "", " ", "a", "e\u{301}", "\u{e9}", "👩‍👩‍👧‍👦", "\u{10FFFF}", "line\nline\r\n\tend", "'\"\\%_*?&<>]]>", "\u{1}",
    "İıßΣς",
    "\u{feff}mark", "null", "0", String(repeating: "longer than a page ", count: 5_000),
  ]

  /// A value of every attribute, and no value at the edge of anything.
  static let plain: [String: Value] = {
    var values: [String: Value] = ["text": .string("text")]
    for (attribute, some) in byAttribute { values[attribute] = some[1] }
    return values
  }()
}
