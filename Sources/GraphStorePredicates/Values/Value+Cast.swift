import Foundation

extension Value {
  /// The value as another type, as `CAST` converts; nil values stay nil, and what cannot be converted becomes
  /// nil.
  public func cast(to type: QueryCastType) -> Value {
    switch type {
    case .number: number
    case .decimal: decimalNumber.map(Value.decimal) ?? .null
    case .string: text.map(Value.string) ?? .null
    case .date: castToDate
    case .uuid: castToUUID
    case .uri: castToURI
    case .data: castToData
    case .objectID: castToObjectID
    case .integer: castToInteger
    case .double: castToDouble
    case .boolean: castToBoolean
    }
  }

  private var number: Value {
    switch self {
    case .bool(let value): .int(value ? 1 : 0)
    case .int, .double, .decimal: self
    case .date(let value): .double(value.timeIntervalSinceReferenceDate)
    case .string(let value): NumberLiteral.value(ofText: value) ?? .null
    default: .null
    }
  }

  /// The number as a decimal; a double yields the decimal with the fewest digits that names it.
  var decimalNumber: Decimal? {
    switch self {
    case .bool(let value): Decimal(value ? 1 : 0)
    case .int(let value): Decimal(value)
    case .double(let value): value.isFinite ? DecimalNumeral(shortestTextOf: value).decimal : nil
    case .decimal(let value): value
    case .date(let value): Value.double(value.timeIntervalSinceReferenceDate).decimalNumber
    case .string("NaN"): Decimal.nan
    case .string(let value): DecimalNumeral(value)?.decimal
    default: nil
    }
  }

  /// The value as text: numbers in their shortest form, dates as ISO 8601 in UTC, UUIDs in upper case.
  public var text: String? {
    switch self {
    case .bool(let value): value ? "1" : "0"
    case .int(let value): String(value)
    case .double(let value):
      value.description.hasSuffix(".0") ? String(value.description.dropLast(2)) : value.description
    case .decimal(let value): value.description
    case .string(let value): value
    case .date(let value): DateText.text(of: value.timeIntervalSinceReferenceDate)
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString
    case .data(let value): value.base64EncodedString()
    case .object(let value): value.uriText
    case .null, .list, .dictionary: nil
    }
  }

  private var castToDate: Value {
    switch self {
    case .date: return self
    case .string(let value):
      guard let seconds = DateText.seconds(from: value) else { return .null }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    default:
      guard case .double(let seconds) = castToDouble else { return .null }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
  }

  private var castToUUID: Value {
    switch self {
    case .uuid: self
    case .string(let value): UUID(uuidString: value).map(Value.uuid) ?? .null
    default: .null
    }
  }

  private var castToURI: Value {
    switch self {
    case .uri: self
    case .string(let value): URL(string: value, encodingInvalidCharacters: false).map(Value.uri) ?? .null
    case .object(let value):
      URL(string: value.uriText, encodingInvalidCharacters: false).map(Value.uri) ?? .null
    default: .null
    }
  }

  private var castToData: Value {
    switch self {
    case .data: self
    case .string(let value): Data(base64Encoded: value).map(Value.data) ?? .null
    default: .null
    }
  }

  private var castToObjectID: Value {
    switch self {
    case .object: self
    case .string(let value) where value.contains("/"):
      .object(ObjectReference(UnresolvedObjectIdentifier(uriText: value)))
    case .uri(let value): .object(ObjectReference(UnresolvedObjectIdentifier(uriText: value.absoluteString)))
    default: .null
    }
  }

  private var castToInteger: Value {
    switch number {
    case .int(let value): return .int(value)
    case .double(let value):
      return Int64(exactly: value.rounded(.towardZero)).map(Value.int) ?? .null
    case .decimal(let value):
      guard let integer = value.truncatedInteger else { return .null }
      return .int(integer)
    default: return .null
    }
  }

  private var castToDouble: Value {
    switch number {
    case .int(let value): return .double(Double(value))
    case .double(let value): return .double(value)
    case .decimal(let value): return .double(value.nearestDouble)
    default:
      guard case .string(let text) = self, ["inf", "-inf", "nan"].contains(text), let value = Double(text)
      else {
        return .null
      }
      return .double(value)
    }
  }

  private var castToBoolean: Value {
    switch self {
    case .bool: return self
    case .string(let value):
      switch value.lowercased() {
      case "true", "yes", "1": return .bool(true)
      case "false", "no", "0": return .bool(false)
      default: return .null
      }
    default:
      guard case .double(let value) = castToDouble else { return .null }
      return value == 0 ? .bool(false) : value == 1 ? .bool(true) : .null
    }
  }
}
