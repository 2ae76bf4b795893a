import Foundation

import GraphStoreModel

/// What a test's archive holds.
package indirect enum Archived {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case data([UInt8])
  /// An object: its class, the classes above it, and what it encodes.
  case object([String], [String: Archived])
  /// A list in place, which is no object.
  case inline([Archived])

  package static func list(_ items: [Archived]) -> Archived {
    .object(["NSArray", "NSObject"], ["NS.objects": .inline(items)])
  }

  package static func set(_ items: [Archived]) -> Archived {
    .object(["NSSet", "NSObject"], ["NS.objects": .inline(items)])
  }

  package static func dictionary(_ members: KeyValuePairs<String, Archived>) -> Archived {
    .object(
      ["NSMutableDictionary", "NSDictionary", "NSObject"],
      [
        "NS.keys": .inline(members.map { .string($0.key) }), "NS.objects": .inline(members.map(\.value)),
      ])
  }
}

extension Archived: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(arrayLiteral elements: Archived...) { self = .list(elements) }
}

/// Writes keyed archives as Apple's archiver does: numbers and truth values stand in place, everything else
/// is an object.
package struct TestArchive {
  private var objects: [PropertyListNode] = [.string("$null")]
  private var classes: [[String]: Int] = [:]
  private var texts: [String: Int] = [:]

  /// The bytes of an archive of an object.
  package static func bytes(of root: Archived) -> [UInt8] {
    BinaryPropertyListWriter.bytes(of: node(of: root))
  }

  /// The property list of an archive of an object.
  package static func node(of root: Archived) -> PropertyListNode {
    var archive = Self()
    let reference = archive.reference(to: root)
    return list(archive.objects, root: reference)
  }

  /// The property list of an archive with some objects.
  package static func list(_ objects: [PropertyListNode], root: PropertyListNode) -> PropertyListNode {
    .dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .int(100_000),
      "$top": .dictionary(["root": root]), "$objects": .list(objects),
    ])
  }

  private mutating func reference(to value: Archived) -> PropertyListNode {
    switch value {
    case .null: return .reference(0)
    case .string(let text):
      if let number = texts[text] { return .reference(number) }
      texts[text] = objects.count
      return append(.string(text))
    case .bool(let flag): return append(.bool(flag))
    case .int(let number): return append(.int(Int64(number)))
    case .double(let number): return append(.double(number))
    case .data(let bytes): return append(.data(Data(bytes)))
    case .inline(let items): return append(.list(items.map { reference(to: $0) }))
    case .object(let names, let fields):
      let number = objects.count
      objects.append(.null)
      var encoded = fields.sorted { $0.key < $1.key }.reduce(into: [String: PropertyListNode]()) {
        $0[$1.key] = place($1.value)
      }
      encoded["$class"] = classReference(names)
      objects[number] = .dictionary(encoded)
      return .reference(number)
    }
  }

  /// A field of an object: scalars and lists in place, the rest by number.
  private mutating func place(_ value: Archived) -> PropertyListNode {
    switch value {
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(Int64(number))
    case .double(let number): .double(number)
    case .inline(let items): .list(items.map { reference(to: $0) })
    default: reference(to: value)
    }
  }

  private mutating func classReference(_ names: [String]) -> PropertyListNode {
    if let number = classes[names] { return .reference(number) }
    classes[names] = objects.count
    return append(
      .dictionary(["$classname": .string(names[0]), "$classes": .list(names.map { .string($0) })]))
  }

  private mutating func append(_ node: PropertyListNode) -> PropertyListNode {
    objects.append(node)
    return .reference(objects.count - 1)
  }
}
