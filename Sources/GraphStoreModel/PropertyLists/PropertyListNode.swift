import Foundation
import GraphStorePredicates

/// A value in a property list as it stands there, with the numbers by which keyed archives name objects.
enum PropertyListNode: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case date(Date)
  case data(Data)
  case string(String)
  /// The number of an object in a keyed archive.
  case reference(Int)
  case list([PropertyListNode])
  case dictionary([String: PropertyListNode])

  /// The value; nil where there is a missing value or a reference, which only archives have.
  var value: Value? {
    switch self {
    case .null, .reference: return nil
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .double(let number): return .double(number)
    case .date(let date): return .date(date)
    case .data(let data): return .data(data)
    case .string(let text): return .string(text)
    case .list(let items):
      let values = items.compactMap(\.value)
      return values.count == items.count ? .list(values) : nil
    case .dictionary(let members):
      let values = members.compactMapValues(\.value)
      return values.count == members.count ? .dictionary(values) : nil
    }
  }
}
