import Foundation
import GraphStorePredicates

extension KeyedArchive {
  /// The value that an object of one of Foundation's classes represents; nil for every other class.
  func foundationValue(
    _ object: ArchivedObject, _ className: String
  ) throws(KeyedArchiveError) -> ArchivedValue? {
    let fields = object.fields
    switch className {
    case "NSKnownKeysDictionary": return try knownKeys(fields)
    case "NSDictionary": return try dictionary(fields)
    case "NSArray", "NSSet", "NSOrderedSet": return .list(try members(fields))
    case "NSNull": return .null
    case "NSString": return try part(fields["NS.string"] ?? fields["NS.bytes"], of: "a string")
    case "NSDate": return .value(.date(try date(fields)))
    case "NSData": return try part(fields["NS.data"] ?? fields["NS.bytes"], of: "data")
    case "NSUUID": return .value(.uuid(try uuid(fields)))
    case "NSURL": return .value(.uri(try uri(fields)))
    case "NSDecimalNumber": return .value(.decimal(try decimal(fields)))
    case "NSNumber":
      return try part(fields["NS.intval"] ?? fields["NS.dblval"] ?? fields["NS.boolval"], of: "a number")
    default: return nil
    }
  }

  private func part(_ node: PropertyListNode?, of what: String) throws(KeyedArchiveError) -> ArchivedValue {
    // A part that is an object again could name itself.
    if let node, let number = number(at: node) { return try leaf(number, of: what) }
    guard let node, case .value(let value) = try value(at: node) else {
      throw .damaged("The archive of \(what) lacks its content.")
    }
    return .value(value)
  }

  private func members(_ fields: [String: PropertyListNode]) throws(KeyedArchiveError) -> [PropertyListNode] {
    if let node = fields["NS.objects"] {
      guard case .list(let items) = node else { throw .damaged("A collection's members are no list.") }
      try spend(items.count)
      return items
    }
    var items: [PropertyListNode] = []
    while let item = fields["NS.object.\(items.count)"] { items.append(item) }
    try spend(items.count)
    return items
  }

  private func dictionary(_ fields: [String: PropertyListNode]) throws(KeyedArchiveError) -> ArchivedValue {
    guard case .list(let keys)? = fields["NS.keys"] else {
      // Without any keys, members are under numbered keys or there are none.
      var pairs: [(key: PropertyListNode, value: PropertyListNode)] = []
      while let key = fields["NS.key.\(pairs.count)"], let value = fields["NS.object.\(pairs.count)"] {
        pairs.append((key, value))
      }
      try spend(pairs.count * 2)
      return .dictionary(pairs)
    }
    let values = try members(fields)
    guard keys.count == values.count else {
      throw .damaged("A dictionary has \(keys.count) keys and \(values.count) values.")
    }
    try spend(keys.count)
    return .dictionary(zip(keys, values).map { ($0, $1) })
  }

  /// A dictionary whose keys are stored in a table of their own; free slots hold a token.
  private func knownKeys(_ fields: [String: PropertyListNode]) throws(KeyedArchiveError) -> ArchivedValue {
    guard case .object(let table) = try value(at: fields["searchMapping"]),
      case .list(let keys) = try value(at: table.fields["keys"]),
      case .list(let values) = try value(at: fields["values"]), keys.count == values.count
    else { throw .damaged("A dictionary of known keys does not fit its table of keys.") }
    let token = number(at: fields["emptyToken"])
    return .dictionary(
      zip(keys, values).filter { token == nil || number(at: $1) != token }.map { ($0, $1) })
  }

  private func date(_ fields: [String: PropertyListNode]) throws(KeyedArchiveError) -> Date {
    switch fields["NS.time"] {
    case .double(let seconds)?: return Date(timeIntervalSinceReferenceDate: seconds)
    case .int(let seconds)?: return Date(timeIntervalSinceReferenceDate: Double(seconds))
    default: throw .damaged("The archive of a date lacks its time.")
    }
  }

  private func uuid(_ fields: [String: PropertyListNode]) throws(KeyedArchiveError) -> UUID {
    guard case .data(let data)? = fields["NS.uuidbytes"], data.count == 16 else {
      throw .damaged("The archive of a UUID lacks its 16 bytes.")
    }
    let bytes = Array(data)
    return unsafe bytes.withUnsafeBytes { unsafe UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private func uri(_ fields: [String: PropertyListNode]) throws(KeyedArchiveError) -> URL {
    guard let number = number(at: fields["NS.relative"]),
      case .value(.string(let text)) = try leaf(number, of: "a URL")
    else { throw .damaged("The archive of a URL lacks its text.") }
    guard let url = URL(string: text, relativeTo: try baseURL(fields["NS.base"])) else {
      throw .unknown("\"\(text.prefix(80))\" is no URL.")
    }
    return url.absoluteURL
  }

  /// The URL that another is relative to; bases of bases, which could form cycles, are not followed.
  private func baseURL(_ node: PropertyListNode?) throws(KeyedArchiveError) -> URL? {
    guard let number = number(at: node), number != 0, let text = try fields(of: number)["NS.relative"],
      let textNumber = self.number(at: text),
      case .value(.string(let text)) = try leaf(textNumber, of: "a URL")
    else { return nil }
    return URL(string: text)
  }

  private func decimal(_ fields: [String: PropertyListNode]) throws(KeyedArchiveError) -> Decimal {
    guard case .data(let data)? = fields["NS.mantissa"], data.count <= 16,
      case .int(let exponent)? = fields["NS.exponent"], (-128...127).contains(exponent)
    else { throw .damaged("The archive of a decimal number lacks its digits.") }
    var isLittle = true
    if case .int(2)? = fields["NS.mantissa.bo"] { isLittle = false }
    var digits: UInt128 = 0
    for (position, byte) in data.enumerated() {
      // Words of two bytes, the lowest first; the order of bytes is that within a word.
      let place = isLittle ? position : position ^ 1
      digits |= UInt128(byte) << UInt128(place * 8)
    }
    var isNegative = false
    if case .bool(true)? = fields["NS.negative"] { isNegative = true }
    let numeral = DecimalNumeral(isNegative: isNegative, significand: digits, exponent: Int(exponent))
    guard numeral.digitCount <= DecimalNumeral.maximumDigits, let number = numeral.decimal,
      digits > 0 || !isNegative
    else { throw .unknown("A decimal number is not a number, or has more than 38 digits.") }
    return number
  }
}
