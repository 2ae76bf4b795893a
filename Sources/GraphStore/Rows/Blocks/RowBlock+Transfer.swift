import Foundation
import GraphStoreModel
import GraphStorePredicates

extension RowBlock {
  /// Takes a value that is there from a row of any layout, where both slots are of one kind.
  package func takeValue(
    of source: PropertyLayout, in sourceRow: Row, as target: PropertyLayout, inRow row: Int
  ) {
    assert(source.kind == target.kind, "\(source.name) and \(target.name) are of different kinds")
    let (block, slot) = (sourceRow.block, target.slot)
    let word = block.word(sourceRow.index, source.slot)
    switch source.kind {
    case .string, .uri, .uuid, .binary, .transformable: unsafe setBytes(row, slot, block.bytes(word))
    case .external: copyExternalData(in: source.slot, of: sourceRow, to: row, slot)
    case .decimal:
      if let whole = block.decimalWhole(word) {
        setDecimal(row, slot, whole: whole)
      } else if let double = block.decimalDouble(word) {
        setDecimal(row, slot, double: double)
      } else {
        setDecimal(row, slot, block.decimal(word))
      }
    default: setWord(row, slot, word)
    }
  }
}

extension RowBlock {
  /// Writes a value of the property's own type, which a reader of values made.
  package func setValue(_ value: Value, of property: PropertyLayout, inRow row: Int) {
    let slot = property.slot
    switch value {
    case .bool(let flag): setWord(row, slot, flag ? 1 : 0)
    case .int(let number) where property.kind == .decimal: setDecimal(row, slot, whole: number)
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

extension RowBlock {
  /// A row before anything is set: the defaults of an entity's attributes, or of its transient ones alone.
  package struct Template: Sendable {
    package var words: [UInt64]
    /// The position of the word of slot 0, after version and null bitmap.
    private let firstSlot: Int
    /// Slots whose default is stored in the tail.
    package var texts: [(slot: Int, bytes: [UInt8])] = []
    package var decimals: [(slot: Int, value: Decimal)] = []

    /// Whether a default is stored in the tail, or may be.
    package var usesTail: Bool { !texts.isEmpty || !decimals.isEmpty }

    /// - Parameter properties: Those whose defaults the row gets.
    package init(_ properties: [PropertyLayout], bitmapWords: Int, stride: Int) {
      firstSlot = 1 + bitmapWords
      words = [UInt64](repeating: 0, count: stride)
      for word in 0..<bitmapWords { words[1 + word] = .max }
      for property in properties {
        if let attribute = property.attribute { set(attribute.defaultValue, of: property) }
      }
    }

    /// The word of a slot, unless its default is stored in the tail.
    package func word(_ slot: Int) -> UInt64 { words[firstSlot + slot] }

    /// Whether a slot has no default.
    package func isNull(_ slot: Int) -> Bool {
      words[firstSlot - 1 - (slot >> 6)] >> UInt64(slot & 63) & 1 == 1
    }

    private mutating func set(_ value: Value, of property: PropertyLayout) {
      switch value {
      case .bool(let value): setWord(value ? 1 : 0, at: property.slot)
      case .int(let value): setNumber(value, of: property)
      case .double(let value): setWord(value.bitPattern, at: property.slot)
      case .date(let value):
        setWord(value.timeIntervalSinceReferenceDate.bitPattern, at: property.slot)
      case .decimal(let value): decimals.append((property.slot, value))
      case .string(let value): texts.append((property.slot, Array(value.utf8)))
      case .uri(let value): texts.append((property.slot, Array(value.absoluteString.utf8)))
      case .data(let value) where property.kind == .external:
        texts.append((property.slot, ExternalColumn.bytes(inline: value)))
      case .data(let value): texts.append((property.slot, Array(value)))
      case .uuid(let value):
        unsafe texts.append((property.slot, withUnsafeBytes(of: value.uuid) { unsafe Array($0) }))
      case .null, .object, .list, .dictionary: break
      }
    }

    private mutating func setNumber(_ value: Int64, of property: PropertyLayout) {
      switch property.kind {
      case .double, .float: setWord(Double(value).bitPattern, at: property.slot)
      case .decimal: decimals.append((property.slot, Decimal(value)))
      default: setWord(UInt64(bitPattern: value), at: property.slot)
      }
    }

    private mutating func setWord(_ word: UInt64, at slot: Int) {
      words[firstSlot + slot] = word
      words[firstSlot - 1 - (slot >> 6)] &= ~(1 << UInt64(slot & 63))
    }
  }
}
