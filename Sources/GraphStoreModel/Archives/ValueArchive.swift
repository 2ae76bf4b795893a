import Foundation
import GraphStorePredicates

/// Default archive of transformable attributes: a keyed archive in a binary property list, restricted to
/// strings, numbers, dates, data, URLs, UUIDs, null, and arrays, sets and dictionaries of these (MDL-162,
/// OBJ-269).
package enum ValueArchive {
  /// Failure to archive a value, or to read an archive.
  package struct Failure: Error {
    /// A sentence.
    package let message: String
    /// Whether the bytes are no archive; otherwise they hold, or are to hold, a value that is not archived.
    package var isDamage = false
  }

  /// The maximum depth of nested collections.
  static let maximumDepth = 64

  /// The limit of references to shared parts: equal texts of a value are written once.
  private static let sharing = 1 << 20
  /// Longer texts are written as often as they occur, so that reading costs what the size says.
  static let longestSharedText = 64

  /// The archive of a value.
  ///
  /// - Throws: a failure for a value of another type, of which it names the type.
  package static func data(of value: Any) throws(Failure) -> Data {
    var writer = ValueArchiveWriter()
    let root = try writer.reference(to: value, depth: 0)
    return Data(BinaryPropertyListWriter.bytes(of: writer.list(root: root)))
  }

  /// The value of an archive: an `Int`, `Double`, `Bool`, `Decimal`, `String`, `Date`, `Data`, `URL`, `UUID`
  /// or `NSNull`; an `[Any]`, a `Set<AnyHashable>`, a `[String: Any]`, or an `[AnyHashable: Any]` where not
  /// all keys are texts.
  ///
  /// - Throws: a failure for damaged bytes, and for objects of other classes.
  package static func value(of data: Data) throws(Failure) -> Any {
    do throws(KeyedArchiveError) {
      let archive = try KeyedArchive([UInt8](data), budget: sharing)
      return try ValueArchiveReader(archive: archive).root
    } catch {
      throw Failure(message: error.message, isDamage: error.extent == .archive)
    }
  }
}

/// Unpacks the objects of a keyed archive into values.
private struct ValueArchiveReader {
  let archive: KeyedArchive

  var root: Any {
    get throws(KeyedArchiveError) { try value(at: archive.topReference, depth: 0) }
  }

  private func value(at node: PropertyListNode?, depth: Int) throws(KeyedArchiveError) -> Any {
    guard depth < ValueArchive.maximumDepth else {
      throw .unknown("Its collections lie more than \(ValueArchive.maximumDepth) deep in each other.")
    }
    switch try archive.value(at: node) {
    case .null: return NSNull()
    case .value(let value): return try plain(value)
    case .list(let items):
      var values: [Any] = []
      for item in items { values.append(try self.value(at: item, depth: depth + 1)) }
      return try isSet(node) ? Set(hashable(values)) : values
    case .dictionary(let members): return try dictionary(members, depth: depth)
    case .object(let object): throw .unknown("It holds an object of class \(object.className).")
    }
  }

  private func dictionary(
    _ members: [(key: PropertyListNode, value: PropertyListNode)], depth: Int
  ) throws(KeyedArchiveError) -> Any {
    var values: [AnyHashable: Any] = [:]
    for (key, value) in members {
      let key = try hashable(try self.value(at: key, depth: depth + 1))
      values[key] = try self.value(at: value, depth: depth + 1)
    }
    let texts = values.compactMap { key, value in (key.base as? String).map { ($0, value) } }
    return texts.count == values.count ? Dictionary(uniqueKeysWithValues: texts) : values
  }

  private func isSet(_ node: PropertyListNode?) throws(KeyedArchiveError) -> Bool {
    guard let node, let number = archive.number(at: node) else { return false }
    return try archive.className(of: number).contains("NSSet")
  }

  private func hashable(_ values: [Any]) throws(KeyedArchiveError) -> [AnyHashable] {
    var keys: [AnyHashable] = []
    for value in values { keys.append(try hashable(value)) }
    return keys
  }

  /// Arrays and dictionaries have a hash where their members have one.
  private func hashable(_ value: Any) throws(KeyedArchiveError) -> AnyHashable {
    if let items = value as? [Any] { return AnyHashable(try hashable(items)) }
    if let members = value as? [AnyHashable: Any] {
      var keys: [AnyHashable: AnyHashable] = [:]
      for (key, member) in members { keys[key] = try hashable(member) }
      return AnyHashable(keys)
    }
    if let key = value as? AnyHashable { return key }
    throw .unknown("A member of a set, or a key, is a \(type(of: value)), which has no hash.")
  }

  private func plain(_ value: Value) throws(KeyedArchiveError) -> Any {
    switch value {
    case .bool(let flag): return flag
    case .int(let number): return Int(number)
    case .double(let number): return number
    case .decimal(let number): return number
    case .string(let text): return text
    case .date(let date): return date
    case .data(let data): return data
    case .uuid(let uuid): return uuid
    case .uri(let url): return url
    case .null, .object, .list, .dictionary: throw .unknown("A value in it is of no known type.")
    }
  }
}

/// Packs values as Apple's archiver does: texts, numbers and data are objects of their own, the rest by
/// class.
private struct ValueArchiveWriter {
  private var objects: [PropertyListNode] = [.string("$null")]
  private var classes: [String: Int] = [:]
  /// By their bytes: texts that differ in normalisation alone are two.
  private var texts: [[UInt8]: Int] = [:]

  func list(root: PropertyListNode) -> PropertyListNode {
    .dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .int(100_000), "$top": .dictionary(["root": root]),
      "$objects": .list(objects),
    ])
  }

  mutating func reference(to value: Any, depth: Int) throws(ValueArchive.Failure) -> PropertyListNode {
    guard depth < ValueArchive.maximumDepth else {
      throw .init(message: "its collections lie more than \(ValueArchive.maximumDepth) deep in each other")
    }
    if value is NSNull { return add(["NSNull"], [:]) }
    if let plain = (value as? any ValueConvertible)?.queryValue { return try reference(to: plain) }
    if let members = value as? Set<AnyHashable> {
      return try add(["NSSet"], members: try sorted(members.map(\.base)), depth: depth)
    }
    if let members = value as? [AnyHashable: Any] { return try add(members, depth: depth) }
    if let members = value as? [Any] { return try add(["NSArray"], members: members, depth: depth) }
    throw .init(message: "a value of type \(type(of: value)) is in no archive")
  }

  private mutating func reference(to value: Value) throws(ValueArchive.Failure) -> PropertyListNode {
    switch value {
    case .bool(let flag): return add(.bool(flag))
    case .int(let number): return add(.int(number))
    case .double(let number): return add(.double(number))
    case .string(let text): return add(text)
    case .data(let data): return add(.data(data))
    case .date(let date):
      return add(["NSDate"], ["NS.time": .double(date.timeIntervalSinceReferenceDate)])
    case .uuid(let uuid):
      let bytes = unsafe withUnsafeBytes(of: uuid.uuid) { unsafe Data($0) }
      return add(["NSUUID"], ["NS.uuidbytes": .data(bytes)])
    case .uri(let url):
      return add(["NSURL"], ["NS.base": .reference(0), "NS.relative": add(url.absoluteString)])
    case .decimal(let number): return try add(number)
    case .null, .object, .list, .dictionary: throw .init(message: "\(value.literal) is in no archive")
    }
  }

  private mutating func add(_ number: Decimal) throws(ValueArchive.Failure) -> PropertyListNode {
    guard let numeral = DecimalNumeral(number.description), (-128...127).contains(numeral.exponent) else {
      throw .init(message: "a decimal that is no number is in no archive")
    }
    var digits: [UInt8] = []
    var rest = numeral.significand
    while rest > 0 {
      digits.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
    let words = (digits.count + 1) / 2
    digits += [UInt8](repeating: 0, count: 16 - digits.count)
    return add(
      ["NSDecimalNumber", "NSNumber", "NSValue"],
      [
        "NS.compact": .bool(true), "NS.exponent": .int(Int64(numeral.exponent)),
        "NS.length": .int(Int64(words)),
        "NS.mantissa": .data(Data(digits)), "NS.mantissa.bo": .int(1),
        "NS.negative": .bool(numeral.isNegative),
      ])
  }

  /// Members of what has no order, by the bytes of their archives: equal values have equal bytes, so that
  /// setting one is no change.
  private func sorted(_ members: [Any]) throws(ValueArchive.Failure) -> [Any] {
    var archived: [(bytes: Data, member: Any)] = []
    for member in members { archived.append((try ValueArchive.data(of: member), member)) }
    return archived.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.member)
  }

  private mutating func add(
    _ members: [AnyHashable: Any], depth: Int
  ) throws(ValueArchive.Failure) -> PropertyListNode {
    var (keys, values): ([PropertyListNode], [PropertyListNode]) = ([], [])
    for key in try sorted(members.keys.map(\.base)) {
      keys.append(try reference(to: key, depth: depth + 1))
      guard let hashable = key as? AnyHashable else { continue }
      values.append(try reference(to: members[hashable] ?? NSNull(), depth: depth + 1))
    }
    return add(["NSDictionary"], ["NS.keys": .list(keys), "NS.objects": .list(values)])
  }

  private mutating func add(
    _ classes: [String], members: [Any], depth: Int
  ) throws(ValueArchive.Failure) -> PropertyListNode {
    var items: [PropertyListNode] = []
    for member in members { items.append(try reference(to: member, depth: depth + 1)) }
    return add(classes, ["NS.objects": .list(items)])
  }

  private mutating func add(_ text: String) -> PropertyListNode {
    let bytes = Array(text.utf8)
    guard bytes.count <= ValueArchive.longestSharedText else { return add(.string(text)) }
    if let number = texts[bytes] { return .reference(number) }
    texts[bytes] = objects.count
    return add(.string(text))
  }

  private mutating func add(_ classes: [String], _ fields: [String: PropertyListNode]) -> PropertyListNode {
    var fields = fields
    fields["$class"] = reference(toClass: classes + ["NSObject"])
    return add(.dictionary(fields))
  }

  private mutating func reference(toClass names: [String]) -> PropertyListNode {
    if let number = classes[names[0]] { return .reference(number) }
    classes[names[0]] = objects.count
    return add(
      .dictionary(["$classname": .string(names[0]), "$classes": .list(names.map { .string($0) })]))
  }

  private mutating func add(_ node: PropertyListNode) -> PropertyListNode {
    objects.append(node)
    return .reference(objects.count - 1)
  }
}
