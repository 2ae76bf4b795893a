import Foundation
import GraphStorePredicates

/// Values as property lists hold them: text, numbers, truth values, dates, bytes, lists and dictionaries.
enum PropertyList {
  /// The binary form of a dictionary.
  ///
  /// - Throws: `metadata-invalid` with the key path of a value that a property list cannot hold.
  static func data(_ values: [String: Value]) throws -> Data {
    let root = try dictionary(values, path: [])
    return try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
  }

  /// The dictionary that a property list holds; nil for bytes that are none.
  static func values(_ data: Data) -> [String: Value]? {
    // Text is a property list of one string to the reader of Foundation, so the form is asked for first.
    guard data.starts(with: Array("bplist".utf8)) || data.starts(with: Array("<?xml".utf8)),
      let root = try? PropertyListSerialization.propertyList(from: data, format: nil),
      case .dictionary(let values)? = value(root)
    else { return nil }
    return values
  }

  private static func value(_ object: Any) -> Value? {
    // A number answers to many types; only one of them is the one it was written with.
    if type(of: object) == Bool.self, let flag = object as? Bool { return .bool(flag) }
    switch object {
    case let text as String: return .string(text)
    case let date as Date: return .date(date)
    case let data as Data: return .data(data)
    case let number as NSNumber:
      let isReal = [UInt8(ascii: "d"), UInt8(ascii: "f")].contains(UInt8(bitPattern: number.objCType.pointee))
      return isReal ? .double(number.doubleValue) : .int(number.int64Value)
    case let list as [Any]:
      var values: [Value] = []
      for item in list {
        guard let item = value(item) else { return nil }
        values.append(item)
      }
      return .list(values)
    case let dictionary as [AnyHashable: Any]:
      var values: [String: Value] = [:]
      for (key, item) in dictionary {
        guard let key = key.base as? String, let item = value(item) else { return nil }
        values[key] = item
      }
      return .dictionary(values)
    default: return nil
    }
  }

  private static func object(_ value: Value, path: [String]) throws -> Any {
    switch value {
    case .bool(let flag): return flag
    case .int(let number): return NSNumber(value: number)
    case .double(let number) where !number.isNaN: return NSNumber(value: number)
    case .string(let text): return text
    case .date(let date) where date.timeIntervalSinceReferenceDate.isFinite: return date
    case .data(let data): return data
    case .list(let items):
      return try items.enumerated().map { try object($1, path: path + [String($0)]) }
    case .dictionary(let members): return try dictionary(members, path: path)
    case .null, .double, .date, .decimal, .uuid, .uri, .object:
      throw GraphStoreError(
        .metadataInvalid, "The metadata value \(path.joined(separator: ".")) cannot be kept.",
        remedy: "Use text, numbers, truth values, finite dates, bytes, and lists and dictionaries of these.",
        value: value)
    }
  }

  private static func dictionary(_ values: [String: Value], path: [String]) throws -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in values { result[key] = try object(value, path: path + [key]) }
    return result
  }
}
