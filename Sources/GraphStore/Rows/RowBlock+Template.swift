import Foundation
import GraphStoreModel
import GraphStorePredicates

extension RowBlock {
  /// The row of a new object before anything is set: the defaults of its entity.
  struct Template: Sendable {
    var words: [UInt64]
    /// Slots whose default lies in the tail.
    var texts: [(slot: Int, bytes: [UInt8])] = []
    var decimals: [(slot: Int, value: Decimal)] = []

    /// Whether a default lies in the tail, or may.
    var usesTail: Bool { !texts.isEmpty || !decimals.isEmpty }

    init(entity: EntityDescription, properties: [PropertyLayout], bitmapWords: Int, stride: Int) {
      words = [UInt64](repeating: 0, count: stride)
      for word in 0..<bitmapWords { words[1 + word] = .max }
      for property in properties where property.slot >= 0 {
        guard let attribute = entity.properties[property.number] as? AttributeDescription else { continue }
        set(attribute.defaultValue, of: property, bitmapWords: bitmapWords)
      }
    }

    private mutating func set(_ value: Value, of property: PropertyLayout, bitmapWords: Int) {
      switch value {
      case .bool(let value): setWord(value ? 1 : 0, at: property.slot, bitmapWords: bitmapWords)
      case .int(let value): setNumber(value, of: property, bitmapWords: bitmapWords)
      case .double(let value): setWord(value.bitPattern, at: property.slot, bitmapWords: bitmapWords)
      case .date(let value):
        setWord(value.timeIntervalSinceReferenceDate.bitPattern, at: property.slot, bitmapWords: bitmapWords)
      case .decimal(let value): decimals.append((property.slot, value))
      case .string(let value): texts.append((property.slot, Array(value.utf8)))
      case .uri(let value): texts.append((property.slot, Array(value.absoluteString.utf8)))
      case .data(let value): texts.append((property.slot, Array(value)))
      case .uuid(let value):
        unsafe texts.append((property.slot, withUnsafeBytes(of: value.uuid) { unsafe Array($0) }))
      case .null, .object, .list, .dictionary: break
      }
    }

    private mutating func setNumber(_ value: Int64, of property: PropertyLayout, bitmapWords: Int) {
      switch property.kind {
      case .double, .float: setWord(Double(value).bitPattern, at: property.slot, bitmapWords: bitmapWords)
      case .decimal: decimals.append((property.slot, Decimal(value)))
      default: setWord(UInt64(bitPattern: value), at: property.slot, bitmapWords: bitmapWords)
      }
    }

    private mutating func setWord(_ word: UInt64, at slot: Int, bitmapWords: Int) {
      words[1 + bitmapWords + slot] = word
      words[bitmapWords - (slot >> 6)] &= ~(1 << UInt64(slot & 63))
    }
  }
}
