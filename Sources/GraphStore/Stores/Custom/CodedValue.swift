import Foundation
import GraphStorePredicates

/// Value with its type as encoders write it: a dictionary of one member, whose key is the type.
///
/// Numbers that some encoders change or refuse are texts: decimals, infinities, and the bits of dates.
struct CodedValue: Codable {
  private enum Kind: String, CodingKey {
    case null, bool, int, double, decimal, string, date, uuid, uri, data, list, dictionary
  }

  let value: Value

  init(_ value: Value) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    switch value {
    case .null: try container.encodeNil(forKey: .null)
    case .bool(let flag): try container.encode(flag, forKey: .bool)
    case .int(let number): try container.encode(number, forKey: .int)
    case .double(let number): try container.encode("\(number)", forKey: .double)
    case .decimal(let number): try container.encode(number.description, forKey: .decimal)
    case .string(let text): try container.encode(text, forKey: .string)
    case .date(let date): try container.encode("\(date.timeIntervalSinceReferenceDate)", forKey: .date)
    case .uuid(let uuid): try container.encode(uuid.uuidString, forKey: .uuid)
    case .uri(let uri): try container.encode(uri.absoluteString, forKey: .uri)
    case .data(let data): try container.encode(data.base64EncodedString(), forKey: .data)
    case .list(let values): try container.encode(values.map(Self.init), forKey: .list)
    case .dictionary(let members): try container.encode(members.mapValues(Self.init), forKey: .dictionary)
    case .object:
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "An object is no value."))
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    guard container.allKeys.count == 1, let kind = container.allKeys.first,
      let value = try Self.value(kind, container)
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is no value."))
    }
    self.value = value
  }

  private static func value(_ kind: Kind, _ container: KeyedDecodingContainer<Kind>) throws -> Value? {
    func text() throws -> String { try container.decode(String.self, forKey: kind) }
    return switch kind {
    case .null: .null
    case .bool: .bool(try container.decode(Bool.self, forKey: kind))
    case .int: .int(try container.decode(Int64.self, forKey: kind))
    case .double: Double(try text()).map { .double($0) }
    case .decimal: Decimal(string: try text()).map { .decimal($0) }
    case .string: .string(try text())
    case .date: Double(try text()).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .uuid: UUID(uuidString: try text()).map { .uuid($0) }
    case .uri: URL(string: try text()).map { .uri($0) }
    case .data: Data(base64Encoded: try text()).map { .data($0) }
    case .list: .list(try container.decode([CodedValue].self, forKey: kind).map(\.value))
    case .dictionary:
      .dictionary(try container.decode([String: CodedValue].self, forKey: kind).mapValues(\.value))
    }
  }
}
