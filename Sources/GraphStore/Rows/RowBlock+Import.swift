import Foundation
import GraphStorePredicates

extension RowBlock {
  /// Writes a value of the property's own type, which a reader of values made.
  func setValue(_ value: Value, of property: PropertyLayout, inRow row: Int) {
    let slot = property.slot
    switch value {
    case .bool(let flag): setWord(row, slot, flag ? 1 : 0)
    case .int(let number): setWord(row, slot, UInt64(bitPattern: number))
    case .double(let number): setWord(row, slot, (number + 0).bitPattern)
    case .date(let date): setWord(row, slot, date.timeIntervalSinceReferenceDate.bitPattern)
    case .decimal(let number): setDecimal(row, slot, number)
    case .string(var text): text.withUTF8 { unsafe setBytes(row, slot, $0) }
    case .uri(let uri): setBytes(row, slot, Array(uri.absoluteString.utf8))
    case .data(let data) where property.kind == .external: setExternalData(data, row, slot)
    case .data(let data): setBytes(row, slot, Array(data))
    case .uuid(let uuid): unsafe withUnsafeBytes(of: uuid.uuid) { unsafe setBytes(row, slot, Array($0)) }
    case .null, .object, .list, .dictionary: setNull(row, slot)
    }
  }
}
