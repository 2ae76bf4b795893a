/// The types a value can be cast to; the raw value is the printed name.
public enum QueryCastType: String, Hashable, Sendable, CaseIterable {
  /// A number of the kind its text has.
  case number = "NSNumber"
  /// A decimal number.
  case decimal = "NSDecimalNumber"
  /// A string.
  case string = "NSString"
  /// A date.
  case date = "NSDate"
  /// A UUID.
  case uuid = "NSUUID"
  /// A URI.
  case uri = "NSURL"
  /// Bytes, from base64.
  case data = "NSData"
  /// An object identifier, from its URI.
  case objectID = "NSManagedObjectID"
  /// A 64-bit integer, truncated toward zero.
  case integer = "Int"
  /// A double.
  case double = "Double"
  /// A Boolean.
  case boolean = "Bool"

  /// Finds a type by name; `NS` may be left out.
  public init?(name: String) {
    if let type = QueryCastType(rawValue: name) ?? QueryCastType(rawValue: "NS" + name) {
      self = type
    } else {
      return nil
    }
  }
}
