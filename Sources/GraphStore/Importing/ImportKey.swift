import Foundation
import GraphStorePredicates

/// The values of a record's key, compared as the store compares them: text by its bytes.
struct ImportKey: Hashable {
  private enum Part: Hashable {
    case text([UInt8])
    case other(Value)
  }

  private let parts: [Part]

  /// Nil where a value is missing: such a record equals none.
  init?(_ values: [Value]) {
    guard !values.contains(where: \.isNull) else { return nil }
    parts = values.map { value in
      if case .string(let text) = value { return .text(Array(text.utf8)) }
      return .other(value)
    }
  }

  /// The key as bytes that are equal for equal keys of the same attributes.
  var bytes: [UInt8] {
    parts.flatMap { part -> [UInt8] in
      let text =
        switch part {
        case .text(let text): text
        case .other(let value): Array("\(value)".utf8)
        }
      return Array("\(text.count):".utf8) + text
    }
  }
}
