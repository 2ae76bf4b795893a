import Foundation
import GraphStorePredicates

@testable import GraphStoreReports

/// One value of a result, to write rows in tests with.
enum Sample: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case float(Float)
  case decimal(Int128, Int)
  case text(String)
  case date(Double)
  case uuid([UInt8])
  case uri(String)
  case data([UInt8])
  case reference(Int64)
  case references([Int64])
  case json(String)

  func write(to writer: some ResultWriter) {
    let employee = EntityLabel("Employee")
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .double(let value): writer.double(value)
    case .float(let value): writer.float(value)
    case .decimal(let significand, let exponent):
      writer.decimal(
        DecimalNumeral(isNegative: significand < 0, significand: significand.magnitude, exponent: exponent))
    case .text(let text): writer.text(text)
    case .date(let seconds): writer.date(seconds)
    case .uuid(let bytes): bytes.withUnsafeBufferPointer { writer.uuid($0) }
    case .uri(let text): Array(text.utf8).withUnsafeBufferPointer { writer.uri($0) }
    case .data(let bytes): bytes.withUnsafeBufferPointer { writer.data($0) }
    case .reference(let key): writer.reference(employee, key: key)
    case .references(let keys):
      writer.beginReferences()
      for key in keys { writer.reference(employee, key: key) }
      writer.endReferences()
    case .json(let text): Array(text.utf8).withUnsafeBufferPointer { writer.json($0) }
    }
  }
}

/// A result for tests.
struct SampleResult: ResultTask {
  var columns: [OutputColumn]
  var rows: [[Sample]]

  func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws {
    try run(as: format, to: output, options: options)
  }

  func run(_ writer: some ResultWriter) throws {
    writer.begin(columns: columns)
    for (index, row) in rows.enumerated() {
      writer.beginRow(EntityLabel("Employee"), key: Int64(index + 1))
      for cell in row { cell.write(to: writer) }
      try writer.endRow()
    }
    try writer.end()
  }

  func text(_ format: OutputFormat, _ options: WriterOptions = WriterOptions()) throws -> String {
    let output = OutputBuffer.memory()
    try write(as: format, to: output, options: options)
    return output.consumeString()
  }

  /// The example of the contract.
  static let salaries = SampleResult(
    columns: [
      OutputColumn("name", type: "text"), OutputColumn("salary", type: "int", alignment: .right),
      OutputColumn("department.name", type: "text"),
    ],
    rows: [
      [.text("Grace"), .integer(81000), .text("R&D")], [.text("Ada"), .integer(72000), .null],
    ])

  /// Text that is hard to show.
  static let unicode = SampleResult(
    columns: [OutputColumn("t"), OutputColumn("n", type: "int", alignment: .right)],
    rows: [
      [.text("日本"), .integer(1)], [.text("👩‍👩‍👧!"), .integer(2)], [.text("e\u{301}é"), .integer(3)],
      [.text("שלום"), .integer(4)], [.text("a\0\u{1B}[31m\tb\nc"), .integer(5)], [.text(""), .integer(6)],
      [.text("a|b\\c\u{9B}"), .integer(7)], [.text("\"q\",x"), .integer(8)],
    ])
}
