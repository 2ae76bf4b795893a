import Foundation

/// One record of a result, kept after the next one was read.
package struct CollectedFieldRow: FieldRow {
  fileprivate enum Part {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double, isSingle: Bool)
    case decimal(Decimal)
    case decimalWhole(Int64)
    case decimalDouble(Double)
    case text([UInt8])
    case date(Double)
    case uuid([UInt8])
    case uri([UInt8])
    case data([UInt8])
    case reference(String, Int64)
    case listBegin
    case listEnd
  }

  package let entityName: String
  package let key: Int64
  package let objectID: ManagedObjectID
  /// By field.
  private let parts: [[Part]]

  /// Copies the fields of a row.
  package init(_ row: any FieldRow, _ count: Int) {
    entityName = row.entityName
    key = row.key
    objectID = row.objectID
    parts = (0..<count).map { field in
      var collector = FieldCollector()
      row.visit(field, &collector)
      return collector.parts
    }
  }

  package func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    for part in parts[field] {
      switch part {
      case .null: visitor.null()
      case .boolean(let value): visitor.boolean(value)
      case .integer(let value): visitor.integer(value)
      case .double(let value, let isSingle): visitor.double(value, isSingle: isSingle)
      case .decimal(let value): visitor.decimal(value)
      case .decimalWhole(let value): visitor.decimal(whole: value)
      case .decimalDouble(let value): visitor.decimal(double: value)
      case .text(let bytes): unsafe bytes.withUnsafeBufferPointer { unsafe visitor.text($0) }
      case .date(let seconds): visitor.date(seconds)
      case .uuid(let bytes): unsafe bytes.withUnsafeBufferPointer { unsafe visitor.uuid($0) }
      case .uri(let bytes): unsafe bytes.withUnsafeBufferPointer { unsafe visitor.uri($0) }
      case .data(let bytes): unsafe bytes.withUnsafeBufferPointer { unsafe visitor.data($0) }
      case .reference(let entity, let key): visitor.reference(entity, key)
      case .listBegin: visitor.beginList()
      case .listEnd: visitor.endList()
      }
    }
  }
}

/// Copies what it is shown.
private struct FieldCollector: FieldVisitor {
  var parts: [CollectedFieldRow.Part] = []

  mutating func null() { parts.append(.null) }
  mutating func boolean(_ value: Bool) { parts.append(.boolean(value)) }
  mutating func integer(_ value: Int64) { parts.append(.integer(value)) }
  mutating func double(_ value: Double, isSingle: Bool) { parts.append(.double(value, isSingle: isSingle)) }
  mutating func decimal(_ value: Decimal) { parts.append(.decimal(value)) }
  mutating func decimal(whole: Int64) { parts.append(.decimalWhole(whole)) }
  mutating func decimal(double: Double) { parts.append(.decimalDouble(double)) }
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe parts.append(.text(Array(utf8))) }
  mutating func date(_ seconds: Double) { parts.append(.date(seconds)) }
  mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe parts.append(.uuid(Array(bytes))) }
  mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe parts.append(.uri(Array(utf8))) }
  mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe parts.append(.data(Array(bytes))) }
  mutating func reference(_ entityName: String, _ key: Int64) { parts.append(.reference(entityName, key)) }
  mutating func beginList() { parts.append(.listBegin) }
  mutating func endList() { parts.append(.listEnd) }
}
