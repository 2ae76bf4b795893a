import Foundation
import GraphStore
import GraphStoreModel

extension AttributeDescription {
  /// The value of JSON: of an attribute whose values are archives the archive of what the JSON says.
  ///
  /// - Parameter decodes: Whether that is so; otherwise such an attribute takes Base64 of the archive.
  func value(fromJSON json: JSONValue, decodes: Bool) throws(ValueConversionError) -> Value {
    if decodes, type == .composite, case .object(let members) = json,
      elements.contains(where: { $0.isArchive || $0.type == .composite })
    {
      return try composite(of: members)
    }
    guard decodes, isArchive, json != .null else { return try value(fromJSON: json) }
    do throws(ValueArchive.Failure) {
      return .data(try ValueArchive.data(of: json.archived))
    } catch {
      throw ValueConversionError(
        code: .type, value: "\(description)", message: "\(description): \(error.message)")
    }
  }

  /// The value of a composite attribute some of whose elements are archives.
  private func composite(of members: [String: JSONValue]) throws(ValueConversionError) -> Value {
    var values: [String: Value] = [:]
    for (key, member) in members.sorted(by: { $0.key < $1.key }) {
      if let element = elements.first(where: { $0.name == key }) {
        values[key] = try element.value(fromJSON: member, decodes: true)
      } else {
        // Tells what there is.
        _ = try value(fromJSON: .object([key: .null]))
      }
    }
    return .dictionary(values)
  }
}

extension JSONValue {
  /// The value as an archive holds it.
  fileprivate var archived: Any {
    switch self {
    case .null: NSNull()
    case .bool(let flag): flag
    case .number(let text):
      if let whole = Int(text) { whole } else { Double(text) ?? 0 }
    case .string(let text): text
    case .array(let items): items.map(\.archived)
    case .object(let members): members.mapValues(\.archived)
    }
  }
}
